// Which segments are merged into one, and when. Queries then visit few segments, and adding one record to a million rebuilds almost nothing.
// Merging never changes an answer.

import { type LiveSegment, MAX_SEGMENT_POSTINGS, MAX_SEGMENT_RECORDS } from "../state/segment.js";

/** This many segments of one size class are merged into one of the next, so every record is rewritten log8(n) times. */
const FANOUT = 8;
/** A segment with a greater share of deleted records is rewritten. */
const MAX_DELETED_SHARE = 0.3;
/** Few segments open faster the next time, but merging more records than this would delay closing. */
const MOST_AT_CLOSE = 2 ** 12;

/** What decides about merges. Each choice is of segments to merge next, and empty where there is nothing to merge. */
export const mergePolicy = {
  /** Behind each write, until there is no more to merge: of some segments, so many of about one size as fit; or one of which much is deleted. */
  behindWrite(segments: readonly LiveSegment[], isClosing = false): readonly LiveSegment[] {
    const worn = segments.find(({ segment, liveCount }) => segment.size - liveCount > MAX_DELETED_SHARE * segment.size);
    const chosen = worn === undefined ? alikeOf(segments) : [worn];
    return isClosing && recordsOf(chosen) > MOST_AT_CLOSE ? [] : chosen;
  },

  /** So long nothing is written before what is left is merged. */
  restMs: 1000,

  /**
   * While nothing is written, until as few as possible are left. The greatest are left out while they are more than all the others, so each
   * record is rewritten log2(n) times at most.
   */
  atRest(segments: readonly LiveSegment[]): readonly LiveSegment[] {
    const chosen = smallestOf(segments);
    while (chosen.length > 0 && recordsOf(chosen) < 2 * chosen.at(-1)!.liveCount) chosen.pop();
    return chosen.length > 1 ? chosen : [];
  },
};

/** As many segments of the first size class that has enough of them as one segment may hold. */
function alikeOf(candidates: readonly LiveSegment[]): readonly LiveSegment[] {
  const classes = new Map<number, LiveSegment[]>();
  for (const live of candidates) {
    const sizeClass = Math.floor(Math.log(live.liveCount) / Math.log(FANOUT));
    classes.set(sizeClass, [...(classes.get(sizeClass) ?? []), live]);
  }
  for (const segments of classes.values()) {
    if (segments.length < FANOUT) continue;
    const chosen = smallestOf(segments);
    // Two of more than half the greatest size are never merged: so it waits for what fills one.
    if (chosen.length === segments.length && recordsOf(chosen) > MAX_SEGMENT_RECORDS / 2) continue;
    if (chosen.length > 1) return chosen;
  }
  return [];
}

/** As many of the smallest segments as one segment may hold. */
function smallestOf(segments: readonly LiveSegment[]): LiveSegment[] {
  let [records, postings] = [0, 0];
  const ascending = segments.toSorted((a, b) => a.liveCount - b.liveCount);
  const end = ascending.findIndex(({ liveCount, segment }) => {
    records += liveCount;
    postings += segment.postings.size;
    return records > MAX_SEGMENT_RECORDS || postings > MAX_SEGMENT_POSTINGS;
  });
  return end < 0 ? ascending : ascending.slice(0, end);
}

function recordsOf(segments: readonly LiveSegment[]): number {
  return segments.reduce((total, { liveCount }) => total + liveCount, 0);
}
