import { describe, expect, it } from "vitest";
import { IndexSnapshot } from "../../src/state/index-snapshot.js";
import { MAX_SEGMENT_POSTINGS, type Segment } from "../../src/state/segment.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import type { JsonRecord } from "../../src/util/json.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { vectorOf } from "../../src/vectors/vector-rows.js";
import { mergePolicy, mergeSegments } from "../../src/write/merge-segments.js";
import { segmentFrom } from "../support/states.js";
import { recordAt, textsOf } from "../support/stored-records.js";

const records = (from: number, count: number): JsonRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `r${String(from + i).padStart(4, "0")}`,
    title: `drill ${from + i}`,
  }));

async function snapshotOf(sizes: readonly number[]): Promise<IndexSnapshot> {
  const added: Segment[] = [];
  for (const [i, size] of sizes.entries()) added.push(await segmentFrom(records(1000 * i, size)));
  return IndexSnapshot.empty().with({ added });
}

/** The state with the first `count` records of segment `at` dead. */
const burying = (snapshot: IndexSnapshot, at: number, count: number): IndexSnapshot =>
  snapshot.with({
    deletions: new Map([
      [snapshot.segments[at]!.segment.segmentId, Array.from({ length: count }, (_, doc) => doc as LocalDoc)],
    ]),
  });

describe("what to merge", () => {
  it("is nothing while segments are few or of different sizes", async () => {
    expect(mergePolicy.behindWrite(IndexSnapshot.empty().segments)).toEqual([]);
    expect(mergePolicy.behindWrite((await snapshotOf([1, 1, 1, 1, 1, 1, 1])).segments)).toEqual([]);
    expect(mergePolicy.behindWrite((await snapshotOf([1, 1, 1, 1, 10, 10, 10, 10])).segments)).toEqual([]);
  });

  it("is eight segments of about one size, and not the larger beside them", async () => {
    const snapshot = await snapshotOf([100, 1, 2, 3, 1, 2, 3, 1, 2]);
    const sizes = mergePolicy.behindWrite(snapshot.segments).map((live) => live.liveCount);
    expect(sizes).toEqual([1, 1, 1, 2, 2, 2, 3, 3]);
  });

  it("is a segment of which more than 30 % are dead", async () => {
    const snapshot = await snapshotOf([10, 10]);
    expect(mergePolicy.behindWrite(burying(snapshot, 1, 3).segments)).toEqual([]);
    expect(mergePolicy.behindWrite(burying(snapshot, 1, 4).segments).map((live) => live.segment.segmentId)).toEqual([
      snapshot.segments[1]!.segment.segmentId,
    ]);
  });

  it("is never more than a segment may hold, and waits for a full one where it could not be merged again", async () => {
    const sized = async (size: number, count: number) => {
      const segment = await segmentFrom(Array.from({ length: size }, (_, record) => ({ id: `${record}` })));
      return IndexSnapshot.empty().with({ added: Array.from({ length: count }, () => ({ ...segment })) });
    };
    expect(mergePolicy.behindWrite((await sized(4200, 9)).segments)).toEqual([]);
    expect(mergePolicy.behindWrite((await sized(4200, 16)).segments)).toHaveLength(15);
    expect(mergePolicy.behindWrite((await sized(4000, 8)).segments)).toHaveLength(8);
    expect(mergePolicy.behindWrite((await sized(8200, 8)).segments)).toHaveLength(7);
  });

  it("is never more than the lists of a segment may hold", async () => {
    const snapshot = await snapshotOf([5, 5, 5, 5, 5, 5, 5, 5]);
    const added = snapshot.segments.map(({ segment }) => ({
      ...segment,
      postings: { ...segment.postings, size: MAX_SEGMENT_POSTINGS / 4 },
    }));
    expect(mergePolicy.behindWrite(IndexSnapshot.empty().with({ added }).segments)).toHaveLength(4);
  });

  it("ends: after it is merged, a worn segment is left alone", async () => {
    const [worn] = mergePolicy.behindWrite(burying(await snapshotOf([10]), 0, 5).segments);
    const { segment } = runTaskAtOnce(mergeSegments([worn!]));
    expect(mergePolicy.behindWrite(IndexSnapshot.empty().with({ added: [segment] }).segments)).toEqual([]);
  });
});

describe("what is left to merge", () => {
  const sizesOf = async (sizes: readonly number[]) =>
    mergePolicy.atRest((await snapshotOf(sizes)).segments).map((live) => live.liveCount);

  it("is all but segments that are greater than the rest together", async () => {
    for (const few of [[], [5], [5, 3]]) expect(await sizesOf(few)).toEqual([]);
    expect(await sizesOf([5, 3, 2])).toEqual([2, 3, 5]);
    expect(await sizesOf([100, 3, 3, 2])).toEqual([2, 3, 3]);
  });
});

describe("a merged segment", () => {
  it("holds the living records in the order of their ids, each with its vector", async () => {
    const added = [
      await segmentFrom([
        { id: "b", title: "sofa" },
        { id: "d", title: "nothing known" },
      ]),
      await segmentFrom([
        { id: "a", title: "lamp" },
        { id: "c", title: "drill" },
        { id: "e", title: "drill" },
      ]),
    ];
    const snapshot = burying(IndexSnapshot.empty().with({ added }), 1, 1);
    const { segment, origin, docs } = runTaskAtOnce(mergeSegments(snapshot.segments));
    const afresh = await segmentFrom(["b", "c", "d", "e"].map((id) => recordAt(snapshot, snapshot.find(id))));
    const contentOf = ({ records: { ids, source }, vectors }: Segment) => ({
      ids: textsOf(ids),
      source: [...(source as Uint8Array)],
      vectors: textsOf(ids).map((_, doc) => vectorOf(vectors!, doc as LocalDoc)),
    });
    expect(contentOf(segment)).toEqual(contentOf(afresh));
    expect([[...origin], [...docs]]).toEqual([
      [0, 1, 0, 1],
      [0, 1, 1, 2],
    ]);
  });

  it("changes neither totals nor records of the state it joins", async () => {
    const before = burying(await snapshotOf([5, 4, 3]), 0, 2);
    const merged = runTaskAtOnce(mergeSegments(before.segments));
    const after = before.withMerged(merged);
    expect([after.totals, after.liveCount, after.vectorCount]).toEqual([
      before.totals,
      before.liveCount,
      before.vectorCount,
    ]);
    expect(after.segments).toHaveLength(1);
    expect(merged.segment.totals).toEqual(after.totals);
  });
});
