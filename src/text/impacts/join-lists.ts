// A term of several alternatives, each perhaps of several parts, as one list: of parts that count together the least
// frequency counts, of alternatives the greatest.

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
export function joinAlternatives(
  alternatives: readonly TermAlternative[],
  listOf: (term: string, notIn: ReadonlySet<string> | undefined) => ImpactList | null,
  k1: number,
): ImpactList | null {
  let best: Matches | ImpactList | null = null;
  for (const { terms, notIn, weight } of alternatives) {
    const lists: ImpactList[] = [];
    for (const term of terms) {
      const list = listOf(term, notIn);
      if (list === null) break;
      lists.push(list);
    }
    if (lists.length < terms.length) continue;
    const found = lists.length === 1 && weight === 1 ? lists[0]! : weigh(meet(lists), weight);
    if (found === null) continue;
    best = best === null ? found : unite(asMatches(best), asMatches(found));
  }
  if (best === null || best instanceof ImpactList) return best;
  const { docs, frequencies } = best;
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

/** The records of either list, with the greater of their frequencies. */
function unite(a: Matches, b: Matches): Matches {
  const docs = new Uint16Array(a.docs.length + b.docs.length);
  const frequencies = new Float64Array(docs.length);
  let size = 0;
  for (let i = 0, j = 0; i < a.docs.length || j < b.docs.length; size++) {
    const docA = i < a.docs.length ? a.docs[i]! : 65_536;
    const docB = j < b.docs.length ? b.docs[j]! : 65_536;
    docs[size] = Math.min(docA, docB);
    if (docA < docB) frequencies[size] = a.frequencies[i++]!;
    else if (docB < docA) frequencies[size] = b.frequencies[j++]!;
    else frequencies[size] = Math.max(a.frequencies[i++]!, b.frequencies[j++]!);
  }
  return { docs: docs.slice(0, size), frequencies: frequencies.slice(0, size) };
}
