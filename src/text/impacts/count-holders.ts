// How many records of a segment hold any term: the bits of all lists together, counted.

import type { DocSet } from "../../base/doc-set.js";
import { SCRATCH } from "./candidates.js";
import { ones, setBits } from "./holder-list.js";
import { liveBits } from "./scan-segment.js";
import type { LiveBits } from "./score-kernels.js";
import type { SegmentPlan } from "./text-plan.js";

/** How many records hold any term, of those that are allowed and alive. */
export function countHolders(part: SegmentPlan, allowed: DocSet | null): number {
  const { union } = SCRATCH;
  const { dead, postings } = part.segment;
  let isEmpty = true;
  for (const list of part.lists) {
    if (list === null) continue;
    const { bits } = list.holders;
    if (bits === null) continue;
    if (isEmpty) union.set(bits.words);
    else uniteBits(bits.words, union);
    isEmpty = false;
  }
  for (const list of part.lists)
    if (list !== null && list.holders.bits === null) {
      setBits(list.holders.docs, union);
      isEmpty = false;
    }
  if (isEmpty) return 0;
  const count =
    allowed === null && dead === null ? countBits(union) : countLive(union, postings.docCount, liveBits(part, allowed));
  union.fill(0);
  return count;
}

function uniteBits(words: Uint32Array, union: Uint32Array): void {
  for (let word = 0; word < words.length; word++) union[word]! |= words[word]!;
}

function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) count += ones(bits[word]!);
  return count;
}

/** How many of `size` records have a bit and are live. */
function countLive(bits: Uint32Array, size: number, { words, offset, flip }: LiveBits): number {
  const turned = flip === 1 ? 0xffffffff : 0;
  const shift = offset & 31;
  let at = offset >>> 5;
  let count = 0;
  for (let word = 0; word * 32 < size; word++, at++) {
    let live = words[at]! >>> shift;
    if (shift !== 0 && at + 1 < words.length) live |= words[at + 1]! << (32 - shift);
    count += ones(bits[word]! & (live ^ turned));
  }
  return count;
}
