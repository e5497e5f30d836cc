import { expect, it } from "vitest";
import { IndexSnapshot } from "../../../src/state/index-snapshot.js";
import { hashOfId, sampleRecords } from "../../../src/state/semantic-floor.js";
import type { LocalDoc } from "../../../src/util/doc-set.js";
import type { JsonRecord } from "../../../src/util/json.js";
import { runTaskAtOnce } from "../../../src/util/tasks.js";
import { segmentFrom } from "../../support/states.js";

/** Every third has no vector. */
const records = (from: number, count: number): JsonRecord[] =>
  Array.from({ length: count }, (_, i) => ({ id: `r${from + i}`, title: i % 3 === 0 ? "chair" : "drill" }));

const idsOf = (snapshot: IndexSnapshot, size: number) =>
  runTaskAtOnce(sampleRecords(snapshot, size)).map((doc) => snapshot.idOf(doc));

/** All ids with a vector, by hash. */
const expected = (all: readonly JsonRecord[]) =>
  all
    .filter(({ title }) => title === "drill")
    .map(({ id }) => id as string)
    .sort((a, b) => hashOfId(a) - hashOfId(b));

async function snapshotOf(...batches: readonly JsonRecord[][]): Promise<IndexSnapshot> {
  return IndexSnapshot.empty().with({ added: await Promise.all(batches.map((batch) => segmentFrom(batch))) });
}

it("stirs FNV-1a's published values by MurmurHash3's finalizer", () => {
  // FNV-1a of "" is 811c9dc5, of "a" e40c292c; the finalizer worked out apart from this code.
  const stirred = (start: bigint): number => {
    const multiply = (a: bigint, b: bigint): bigint => (a * b) & 0xffff_ffffn;
    let hash = multiply(start ^ (start >> 16n), 0x85eb_ca6bn);
    hash = multiply(hash ^ (hash >> 13n), 0xc2b2_ae35n);
    return Number(hash ^ (hash >> 16n));
  };
  expect([hashOfId(""), hashOfId("a")]).toEqual([stirred(0x811c_9dc5n), stirred(0xe40c_292cn)]);
});

it("takes the records with a vector whose ids have the smallest hashes", async () => {
  const snapshot = await snapshotOf(records(0, 60), records(60, 60));
  expect(idsOf(snapshot, 10)).toEqual(expected([...records(0, 60), ...records(60, 60)]).slice(0, 10));
  expect(idsOf(snapshot, 1000)).toEqual(expected([...records(0, 60), ...records(60, 60)]));
  expect(idsOf(IndexSnapshot.empty(), 5)).toEqual([]);
});

it("takes the living alone, however many of the smallest are dead", async () => {
  const all = records(0, 120);
  const snapshot = await snapshotOf(all);
  const { segmentId, records: table } = snapshot.segments[0]!.segment;
  expect(idsOf(snapshot, 5)).toEqual(expected(all).slice(0, 5));
  for (const gone of [1, 4, 30, 78, 80]) {
    const deletedDocs = expected(all).slice(0, gone);
    const after = snapshot.with({
      deletions: new Map([
        [segmentId, deletedDocs.map((id) => table.ids.indexOf(id) as LocalDoc).sort((a, b) => a - b)],
      ]),
    });
    expect(idsOf(after, 5)).toEqual(expected(all).slice(gone, gone + 5));
  }
});
