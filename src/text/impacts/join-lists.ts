// A term of several alternatives, each perhaps of several parts, as one list: of parts that count together the least
// frequency counts, of alternatives the greatest.

import type { Steps } from "../../base/slices.js";
import type { TermAlternative } from "../query-term.js";
import { HolderList } from "./holder-list.js";
import { ImpactList } from "./impact-list.js";

/** Records in ascending order, each with its weighted frequency (greater than 0). */
interface Matches {
  readonly docs: Uint16Array;
  readonly frequencies: Float64Array;
}

/** Each holder a kind of its own. */
const OWN_KINDS = Uint16Array.from({ length: 65_536 }, (_, i) => i);

/** The joined list of the alternatives; null: nobody holds any. */
export function* joinAlternatives(
  alternatives: readonly TermAlternative[],
  listOf: (term: string, notIn: ReadonlySet<string> | undefined) => ImpactList | null,
  k1: number,
): Steps<ImpactList | null> {
  const found: (Matches | ImpactList)[] = [];
  for (const { terms, notIn, weight } of alternatives) {
    yield;
    const lists: ImpactList[] = [];
    for (const term of terms) {
      const list = listOf(term, notIn);
      if (list === null) break;
      lists.push(list);
    }
    if (lists.length < terms.length) continue;
    const joined = lists.length === 1 && weight === 1 ? lists[0]! : weigh(meet(lists), weight);
    if (joined !== null) found.push(joined);
  }
  if (found.length === 0) return null;
  if (found.length === 1 && found[0] instanceof ImpactList) return found[0];
  const { docs, frequencies } = found.length === 1 ? asMatches(found[0]!) : unite(found);
  return new ImpactList(new HolderList(docs), OWN_KINDS.subarray(0, docs.length), frequencies, k1);
}

function asMatches(list: Matches | ImpactList): Matches {
  if (!(list instanceof ImpactList)) return list;
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
function meet(lists: readonly ImpactList[]): Matches | null {
  const [first, ...others] = [...lists].sort((a, b) => a.size - b.size);
  if (first === undefined) return null;
  const { docs, frequencies } = asMatches(first);
  const held = new Uint16Array(docs.length);
  const least = new Float64Array(docs.length);
  let size = 0;
  for (let i = 0; i < docs.length; i++) {
    let frequency = frequencies[i]!;
    let place = i;
    for (const other of others) {
      place = other.holders.placeOf(docs[i]!);
      if (place < 0) break;
      frequency = Math.min(frequency, other.frequencies[other.kinds[place]!]!);
    }
    if (place < 0) continue;
    held[size] = docs[i]!;
    least[size++] = frequency;
  }
  return size === 0 ? null : { docs: held.slice(0, size), frequencies: least.slice(0, size) };
}

/** The greatest frequency of each record of a segment, while lists are united; 0 everywhere else. */
const greatest = new Float64Array(65_536);

/** The records of any list, with the greatest of their frequencies. */
function unite(lists: readonly (Matches | ImpactList)[]): Matches {
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
