// The kernel of assembly/list-scan.ts. Lists are copied to its memory part by part, as they are needed; where little is looked
// up in a long one, the plain loops do it, which need no copy.

import { loadModule } from "../../base/wasm/web-assembly.js";
import { type Candidates, SCRATCH } from "../impacts/candidates.js";
import type { ImpactList } from "../impacts/impact-list.js";
import type { ListScan, OfBits, OfList } from "./list-functions.js";
import { bySize, type CountedScores, type ListKernel, NONE_COUNTED, type WeightedList } from "./list-kernel.js";
import { ALL, impactsAt, LIST_MEMORY_BYTES, ListMemory, resultAt } from "./list-memory.js";
import type { LiveBits } from "./live-bits.js";
import { EVERYBODY, ReachSteps } from "./reach-steps.js";
import { addByBits, addByHalving, meetByBits, meetByMerging } from "./score-loops.js";

const FILE = "./list-scan.wasm";
// Costs, in entries of lists that are added up.
/** Going through the sums of all records of a segment. */
const SWEEP = 16_384;
/** Looking one record up in one list. */
const LOOK_UP = 6;
/** Copying one entry to look something up in the list, at most. */
const COPIED = 1 / 4;

/** A way to look records up in a list: by halving or merging, by its bits, and both compiled. */
interface LookUp {
  readonly plain: typeof addByHalving;
  readonly plainBits: typeof addByBits;
  readonly compiled: OfList<[bound: number, to: number]>;
  readonly compiledBits: OfBits<[bound: number, to: number]>;
}

/** Lists in a WebAssembly memory. */
export class CompiledLists implements ListKernel {
  private readonly scan: ListScan;
  private readonly memory: ListMemory;
  private readonly adding: LookUp;
  private readonly meeting: LookUp;
  private readonly steps = new ReachSteps();
  private live = 0;
  private size = 0;
  private out: Candidates = SCRATCH.candidates;
  found = 0;

  constructor(scan: ListScan, memory: ListMemory) {
    this.scan = scan;
    this.memory = memory;
    this.adding = {
      plain: addByHalving,
      plainBits: addByBits,
      compiled: scan.addByHalving,
      compiledBits: scan.addByBits,
    };
    this.meeting = {
      plain: meetByMerging,
      plainBits: meetByBits,
      compiled: scan.meetByMerging,
      compiledBits: scan.meetByBits,
    };
  }

  begin(size: number, live: LiveBits, out: Candidates): void {
    this.size = size;
    this.live = this.memory.putLive(live, size);
    this.out = out;
    this.found = 0;
  }

  addingCost(lists: readonly WeightedList[]): number {
    const length = lengthOf(lists);
    return lists.length > 1 ? length + Math.min(length, SWEEP) : length;
  }

  lookUpCost(found: number): number {
    return found * LOOK_UP;
  }

  lead(lists: readonly WeightedList[], least: number): void {
    this.leadCounting(lists, least, NONE_COUNTED);
  }

  leadCounting(lists: readonly WeightedList[], least: number, counted: CountedScores): number {
    const { live, memory, scan } = this;
    const sorted = bySize(lists);
    if (sorted.length > 1 && lengthOf(sorted) > SWEEP / 2 && memory.holds(sorted)) {
      memory.putLists(sorted);
      this.found = scan.addUp(sorted.length, this.size, least, live, counted.from, counted.to);
      return scan.takeCounted();
    }
    const { list, idf } = sorted.pop()!;
    for (const term of sorted) this.add(term);
    const docs = memory.docsOf(list);
    const kinds = memory.kindsOf(list);
    const impacts = impactsAt(kinds, list);
    if (sorted.length === 0) {
      const reaching = Math.max(1, list.kindsReaching(least, idf));
      this.found = scan.takeImpacts(docs, kinds, list.size, impacts, idf, least, live, reaching);
    } else this.found = scan.addAndTake(docs, kinds, list.size, impacts, idf, least, live, 0);
    for (const { list } of sorted)
      this.found = scan.takeScores(memory.docsOf(list), list.size, least, live, this.found);
    return this.drop(counted);
  }

  leadBySets(lists: readonly WeightedList[], least: number, most: number): boolean {
    const { memory, scan } = this;
    const steps = this.steps;
    if (!steps.write(lists, least)) return false;
    this.found = 0;
    if (steps.size === 0) return true;
    memory.putSteps(steps, memory.bitsOfAll(lists));
    scan.takeSteps(steps.size);
    const result = resultAt(0);
    const living = this.liveAt(resultAt(1));
    if (scan.meetBits(result, living, result) > most) return false;
    this.found = scan.takeBits(result, most);
    return true;
  }

  leadTogether(lists: readonly WeightedList[], count: number, most: number): void {
    const { memory, scan } = this;
    const live = this.liveAt(resultAt(2));
    let held = live;
    for (const words of memory.bitsOfAll(lists)) {
      const result = resultAt(held === resultAt(0) ? 1 : 0);
      if (scan.meetBits(held, words, result) >= count) held = result;
    }
    this.found = held === live ? 0 : scan.takeBits(held, most);
  }

  /** Where the bits of the live records stand: at `result`, if they have to be put somewhere. */
  private liveAt(result: number): number {
    if (this.live === ALL) return resultAt(EVERYBODY);
    this.scan.putLive(result, this.live);
    return result;
  }

  addToFound(list: WeightedList, least: number): void {
    this.found = this.lookUp(list, least, this.adding);
  }

  takeUpTo({ list, idf }: WeightedList, most: number): void {
    const docs = this.memory.docsOf(list);
    const kinds = this.memory.kindsOf(list);
    this.found = this.scan.takeUpTo(docs, kinds, list.size, impactsAt(kinds, list), idf, most, this.live);
  }

  meet(list: WeightedList, most: number): void {
    this.found = this.lookUp(list, most, this.meeting);
  }

  drop({ from, to }: CountedScores): number {
    const { found } = this;
    if (from >= to || found === 0) return 0;
    this.found = this.scan.drop(found, from, to);
    return found - this.found;
  }

  finish(base: number): void {
    const { found, memory } = this;
    const out = this.out;
    out.reserve(found);
    const { docs, scores } = memory;
    for (let i = 0, at = out.size; i < found; i++, at++) out.docs[at] = docs[i]! + base;
    out.scores.set(scores.subarray(0, found), out.size);
    out.size += found;
  }

  countHolders(lists: readonly ImpactList[], size: number, live: LiveBits): number {
    const { memory, scan } = this;
    for (const list of lists) {
      if (list.holders.bits === null) scan.setBits(memory.docsOf(list), list.size);
      else scan.uniteBits(memory.bitsOf(list));
    }
    return scan.countUnion(memory.putLive(live, size));
  }

  /** Looks those found up in a list; returns how many are left. */
  private lookUp({ list, idf }: WeightedList, bound: number, ways: LookUp): number {
    const { found, memory } = this;
    const { holders, kinds, impacts, size } = list;
    const { bits } = holders;
    if (found * LOOK_UP <= size * COPIED) {
      const { docs, scores } = memory;
      return bits === null
        ? ways.plain(holders.docs, kinds, impacts, idf, bound, docs, scores, 0, found)
        : ways.plainBits(bits.words, bits.ranks, kinds, impacts, idf, bound, docs, scores, 0, found);
    }
    const kindsAt = memory.kindsOf(list);
    const impactsHere = impactsAt(kindsAt, list);
    return bits === null
      ? ways.compiled(memory.docsOf(list), kindsAt, size, impactsHere, idf, bound, found)
      : ways.compiledBits(memory.bitsOf(list), memory.ranksOf(list), kindsAt, impactsHere, idf, bound, found);
  }

  private add({ list, idf }: WeightedList): void {
    const docs = this.memory.docsOf(list);
    const kinds = this.memory.kindsOf(list);
    this.scan.addImpacts(docs, kinds, list.size, impactsAt(kinds, list), idf);
  }
}

function lengthOf(lists: readonly WeightedList[]): number {
  let length = 0;
  for (const { list } of lists) length += list.size;
  return length;
}

/** The compiled kernel; null: it cannot be used here. */
export function loadCompiledLists(): CompiledLists | null {
  const module = loadModule(new URL(FILE, import.meta.url));
  try {
    const memory = module?.createMemory(LIST_MEMORY_BYTES);
    if (module == null || memory === undefined) return null;
    const scan = module.instantiate(memory) as ListScan;
    // Throws where the module compiles but cannot be used.
    return scan.countUnion(-1) === 0 ? new CompiledLists(scan, new ListMemory(memory)) : null;
  } catch {
    return null;
  }
}
