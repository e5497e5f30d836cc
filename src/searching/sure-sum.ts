// Sums of words, meaning and title that as many members as a page needs reach for sure, before the order is known: whoever cannot
// reach them is not on the page. The more titles are asked, the higher they are; what was asked is kept.

import { GreatestNumbers } from "../base/top-k.js";
import type { TitlePart } from "../query/fusion/fused-ranking.js";
import type { TextRanking } from "../text/search-text.js";
import { placeIn } from "../vector/search-vectors.js";
import type { Legs } from "./search-legs.js";

/** Legs with that of words. */
export type TextLegs = Legs & { readonly text: TextRanking };

/** Of candidates that are level, so many times those asked for are looked at for a bound. */
const TIMES_LEVEL = 4;
/** And so many times, of those that may reach most. */
const TIMES_REACHING = 2;

/** What a page needs, and the titles it may ask. */
export interface PageNeed {
  readonly titles: AskedTitles | null;
  readonly count: number;
}

/** Members by meaning, ascending, with what they earn by words. */
export interface NearDocs {
  readonly docs: Uint32Array;
  readonly scores: Float64Array;
}

/** Titles that are asked twice, some of them: their sums are kept in between. */
export class AskedTitles implements TitlePart {
  readonly most: number;
  readonly divisor: number;
  private readonly titles: TitlePart;
  private readonly sums = new Map<number, number>();

  constructor(titles: TitlePart) {
    this.titles = titles;
    this.most = titles.most;
    this.divisor = titles.divisor;
  }

  sumOf(doc: number, least?: number): number {
    return this.sums.get(doc) ?? this.titles.sumOf(doc, least);
  }

  /** The sum, which is kept. */
  keepSumOf(doc: number): number {
    let sum = this.sums.get(doc);
    if (sum === undefined) {
      sum = this.titles.sumOf(doc);
      this.sums.set(doc, sum);
    }
    return sum;
  }
}

/** A sum that `count` members reach; minus infinity: none is known. Those that words or meaning alone put first are looked at. */
export function sureOfFirst(legs: TextLegs, near: NearDocs, { titles, count }: PageNeed): number {
  const { text, vectors, meaningWeight, elsewhere } = legs;
  const { docs, scores, size } = text.candidates;
  if (near.docs.length + size < count) return Number.NEGATIVE_INFINITY;
  const cosines = vectors?.similaritiesOf(near.docs);
  const [found, sums]: [number[], number[]] = [[], []];
  for (let i = 0; i < near.docs.length; i++) {
    found.push(near.docs[i]!);
    sums.push(elsewhere.worth * near.scores[i]! + meaningWeight * cosines![i]!);
  }
  const { least } = greatest(scores, size, count);
  const level = new Uint32Array(Math.min(size, TIMES_LEVEL * count));
  let levels = 0;
  for (let i = 0; i < size && levels < level.length; i++)
    if (scores[i]! >= least && placeIn(near.docs, docs[i]!) < 0) level[levels++] = i;
  const places = level.subarray(0, levels);
  sums.push(...sumsAt(legs, places));
  for (const place of places) found.push(docs[place]!);
  if (found.length < count) return Number.NEGATIVE_INFINITY;
  const last = greatest(sums, sums.length, count).least;
  if (titles === null) return last;
  const best = new GreatestNumbers(count);
  for (let i = 0, left = count; left > 0; i++) {
    if (sums[i]! < last) continue;
    left--;
    best.add(sums[i]! + titles.keepSumOf(found[i]!));
  }
  return best.least;
}

/** The same by those candidates, of more than are asked, that reach most: by place, at most so much. */
export function sureOfReaching(legs: TextLegs, reaches: Float64Array, titles: AskedTitles, count: number): number {
  const { docs } = legs.text.candidates;
  const { least } = greatest(reaches, reaches.length, TIMES_REACHING * count);
  const most = new Uint32Array(TIMES_REACHING * count);
  let size = 0;
  for (let i = 0; i < reaches.length && size < most.length; i++) if (reaches[i]! >= least) most[size++] = i;
  const places = most.subarray(0, size);
  const sums = sumsAt(legs, places);
  const best = new GreatestNumbers(count);
  for (let i = 0; i < places.length; i++) best.add(sums[i]! + titles.keepSumOf(docs[places[i]!]!));
  return best.least;
}

/** What words and meaning give the candidates at some places, which are put in the order of the records. */
function sumsAt(legs: TextLegs, places: Uint32Array): Float64Array {
  const { text, vectors, meaningWeight, elsewhere } = legs;
  const { docs, scores } = text.candidates;
  // Asked for together and in order, similarities take a fraction of the time.
  places.sort((a, b) => docs[a]! - docs[b]!);
  const meanings = vectors?.similaritiesOf(Uint32Array.from(places, (place) => docs[place]!));
  const sums = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++)
    sums[i] = elsewhere.worth * scores[places[i]!]! + (meanings === undefined ? 0 : meaningWeight * meanings[i]!);
  return sums;
}

/** Of the first `size` numbers the greatest, `count` or all. */
function greatest(numbers: ArrayLike<number>, size: number, count: number): GreatestNumbers {
  const best = new GreatestNumbers(Math.min(count, size));
  for (let i = 0; i < size; i++) best.add(numbers[i]!);
  return best;
}
