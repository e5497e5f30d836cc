// A term of several alternatives, each perhaps of several parts, as one list: of parts that count together the least
// frequency counts, of alternatives the greatest.

import type { Steps } from "../../base/slices.js";
import type { TermAlternative } from "../query-term.js";
import { type WeighedList, weighedList } from "./weighed-list.js";

/** Records in ascending order, each with its weighted frequency (greater than 0). */
interface Matches {
  readonly docs: Uint16Array;
  readonly frequencies: Float64Array;
}

/** The joined list of the alternatives; null: nobody holds any. */
export function* joinAlternatives(
  alternatives: readonly TermAlternative[],
  listOf: (term: string, notIn: ReadonlySet<string> | undefined) => WeighedList | null,
): Steps<WeighedList | null> {
  const found: (Matches | WeighedList)[] = [];
  for (const { terms, notIn, weight } of alternatives) {
    yield;
    const lists: WeighedList[] = [];
    for (const term of terms) {
      const list = listOf(term, notIn);
      if (list === null) break;
      lists.push(list);
    }
    if (lists.length < terms.length) continue;
    const joined = lists.length === 1 && weight === 1 ? lists[0]! : weigh(meet(lists), weight);
    if (joined !== null) found.push(joined);
  }
  const [first] = found;
  if (first === undefined) return null;
  if (found.length === 1 && isWeighed(first)) return first;
  yield;
  const { docs, frequencies } = found.length === 1 ? asMatches(first) : unite(found);
  return weighedList(docs, frequencies);
}

function isWeighed(list: Matches | WeighedList): list is WeighedList {
  return "kinds" in list;
}

function asMatches(list: Matches | WeighedList): Matches {
  if (!isWeighed(list)) return list;
  const { holders, kinds, frequencies } = list;
  const expanded = new Float64Array(kinds.length);
  for (let i = 0; i < kinds.length; i++) expanded[i] = frequencies[kinds[i]!]!;
  return { docs: holders.docs, frequencies: expanded };
}

function weigh(found: Matches | null, weight: number): Matches | null {
  if (found === null || weight === 1) return found;
  return { docs: found.docs, frequencies: found.frequencies.map((frequency) => frequency * weight) };
}

/** The records that stand in all lists, with the least of their frequencies: the shortest list leads. */
function meet(lists: readonly WeighedList[]): Matches | null {
  const [first, ...others] = [...lists].sort((a, b) => a.holders.size - b.holders.size);
  if (first === undefined) return null;
  if (others.length === 0) return asMatches(first);
  const { frequencies } = asMatches(first);
  const docs = first.holders.docs.slice();
  let size = docs.length;
  for (const other of others) size = meetWith(other, docs, frequencies, size);
  return size === 0 ? null : { docs: docs.slice(0, size), frequencies: frequencies.slice(0, size) };
}

/** Keeps of the first `size` records those of a list, each with the lesser frequency; returns how many they are. */
function meetWith(
  { holders, kinds, frequencies: theirs }: WeighedList,
  docs: Uint16Array,
  frequencies: Float64Array,
  size: number,
): number {
  let kept = 0;
  for (let i = 0; i < size; i++) {
    const doc = docs[i]!;
    const place = holders.placeOf(doc);
    if (place < 0) continue;
    const their = theirs[kinds[place]!]!;
    const own = frequencies[i]!;
    docs[kept] = doc;
    frequencies[kept++] = their < own ? their : own;
  }
  return kept;
}

/** The greatest frequency of each record of a segment, while lists are united; 0 everywhere else. */
const greatest = new Float64Array(65_536);

/** The records of any list, with the greatest of their frequencies. */
function unite(lists: readonly (Matches | WeighedList)[]): Matches {
  let size = 0;
  for (const list of lists) {
    const { docs, frequencies } = asMatches(list);
    for (let i = 0; i < docs.length; i++) {
      const known = greatest[docs[i]!]!;
      if (known === 0) size++;
      if (frequencies[i]! > known) greatest[docs[i]!] = frequencies[i]!;
    }
  }
  const docs = new Uint16Array(size);
  const frequencies = new Float64Array(size);
  for (let doc = 0, at = 0; at < size; doc++) {
    const frequency = greatest[doc]!;
    if (frequency === 0) continue;
    greatest[doc] = 0;
    docs[at] = doc;
    frequencies[at++] = frequency;
  }
  return { docs, frequencies };
}
