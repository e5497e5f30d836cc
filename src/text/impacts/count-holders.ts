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

const HALVES = 0x55555555;
const PAIRS = 0x33333333;
const NIBBLES = 0x0f0f0f0f;

/** How many bits are set. Three words are added up to sums and carries first (Warren, Hacker's Delight, 5-1), twice, so that six words are counted as two. */
function countBits(bits: Uint32Array): number {
  let count = 0;
  let at = 0;
  for (; at + 6 <= bits.length; at += 6) {
    const [a, b, c] = [bits[at]!, bits[at + 1]!, bits[at + 2]!];
    const [d, e, f] = [bits[at + 3]!, bits[at + 4]!, bits[at + 5]!];
    const ab = a ^ b;
    const de = d ^ e;
    const ones = pairsOf(ab ^ c) + pairsOf(de ^ f);
    const twos = pairsOf((a & b) | (ab & c)) + pairsOf((d & e) | (de & f));
    const bytes = (ones & NIBBLES) + ((ones >>> 4) & NIBBLES) + 2 * ((twos & NIBBLES) + ((twos >>> 4) & NIBBLES));
    count += Math.imul(bytes, 0x01010101) >>> 24;
  }
  for (; at < bits.length; at++) count += ones(bits[at]!);
  return count;
}

/** Of each four bits, how many are set. */
function pairsOf(word: number): number {
  const halves = word - ((word >>> 1) & HALVES);
  return (halves & PAIRS) + ((halves >>> 2) & PAIRS);
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
