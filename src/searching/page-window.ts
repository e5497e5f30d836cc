// The candidates that can be on a page far down, where words alone rank: what a record's terms say of its title bounds its score
// from both sides, so those that surely come before the page are counted only, and those that surely come behind are left out.

import { planAt } from "../text/impacts/text-plan.js";
import { GreatestBins } from "../text/membership/greatest-bins.js";
import type { TextRanking } from "../text/search-text.js";
import type { Legs, PageRanks } from "./search-legs.js";

/** More than rounding to six decimals, and what follows from it, can move a score. */
const ROUNDING = 4e-6;
/** No score is greater. */
const MOST = 1;

/** Bins of the bounds of each candidate, from below and from above: kept between queries, as the candidates are. */
const SCRATCH = { lows: new Uint16Array(1024), highs: new Uint16Array(1024) };

/** Leaves candidates out that cannot be on the page; returns how many of them come before it. */
export function keepWindow(legs: Legs & { readonly text: TextRanking }, { from, to }: PageRanks): number {
  const { candidates } = legs.text;
  const least = new GreatestBins(to, MOST);
  // Exact codes come first, whatever they earn.
  const ahead = from - legs.exact.length;
  const most = new GreatestBins(Math.max(0, ahead) + 1, MOST);
  bound(legs, least, most);
  const reached = least.reached;
  const passed = ahead > 0 ? most.reached + 1 : Number.POSITIVE_INFINITY;
  const { docs, scores, size } = candidates;
  const { lows, highs } = SCRATCH;
  let left = 0;
  let before = 0;
  for (let i = 0; i < size; i++) {
    if (highs[i]! < reached) continue;
    if (lows[i]! >= passed && !legs.exact.includes(docs[i]!)) {
      before++;
      continue;
    }
    docs[left] = docs[i]!;
    scores[left++] = scores[i]!;
  }
  candidates.size = left;
  legs.text.sharpen();
  return before;
}

/** Puts the bounds of all candidates into bins. */
function bound(
  { text, titles, elsewhere }: Legs & { readonly text: TextRanking },
  least: GreatestBins,
  most: GreatestBins,
): void {
  const { candidates, plan } = text;
  const { docs, scores, size } = candidates;
  if (SCRATCH.lows.length < size) {
    SCRATCH.lows = new Uint16Array(docs.length);
    SCRATCH.highs = new Uint16Array(docs.length);
  }
  const { lows, highs } = SCRATCH;
  const bounds = titles === null ? null : titles.bounds();
  const divisor = titles?.divisor ?? 1;
  const toScore = elsewhere.worth / divisor;
  const doubt = ROUNDING + plan.drift;
  for (let i = 0; i < size; ) {
    const part = planAt(plan, docs[i]!);
    const { base, postings } = part.segment;
    const end = base + postings.docCount;
    const held = bounds?.heldIn(part);
    // Candidates of one segment come together.
    for (; i < size && docs[i]! >= base && docs[i]! < end; i++) {
      const set = held === undefined ? 0 : held[docs[i]! - base]!;
      const score = toScore * scores[i]!;
      const low = score + (bounds === null ? 0 : bounds.least[set]! / divisor);
      const high = score + (bounds === null ? 0 : bounds.most[set]! / divisor);
      lows[i] = least.binOf(low - doubt);
      highs[i] = most.binOf(high + doubt);
      least.addTo(lows[i]!);
      most.addTo(highs[i]!);
    }
  }
}
