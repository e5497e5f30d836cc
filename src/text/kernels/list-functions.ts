// What the compiled kernel can be asked to do.

/** The functions of assembly/list-scan.ts. Lists are given by the places of their parts in its memory. */
export interface ListScan {
  addImpacts(docs: number, kinds: number, count: number, impacts: number, idf: number): void;
  takeImpacts: OfList<[least: number, live: number, reaching: number]>;
  addAndTake: OfList<[least: number, live: number, from: number]>;
  takeScores(docs: number, count: number, least: number, live: number, from: number): number;
  addUp(lists: number, size: number, least: number, live: number, low: number, high: number): number;
  takeCounted(): number;
  addByBits: OfBits<[least: number, to: number]>;
  addByHalving: OfList<[least: number, to: number]>;
  takeUpTo: OfList<[most: number, live: number]>;
  meetByBits: OfBits<[most: number, to: number]>;
  meetByMerging: OfList<[most: number, to: number]>;
  drop(count: number, from: number, to: number): number;
  takeSteps(steps: number): void;
  meetBits(a: number, b: number, result: number): number;
  putLive(result: number, live: number): void;
  takeBits(words: number, most: number): number;
  uniteBits(words: number): void;
  setBits(docs: number, count: number): void;
  countUnion(live: number): number;
}

export type OfList<More extends number[]> = (
  docs: number,
  kinds: number,
  count: number,
  impacts: number,
  idf: number,
  ...more: More
) => number;
export type OfBits<More extends number[]> = (
  words: number,
  ranks: number,
  kinds: number,
  impacts: number,
  idf: number,
  ...more: More
) => number;
