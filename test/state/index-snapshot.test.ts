import { describe, expect, it } from "vitest";
import { docsInIdOrder, IndexSnapshot } from "../../src/state/index-snapshot.js";
import { type LocalDoc, toLocal } from "../../src/util/doc-set.js";
import type { JsonRecord } from "../../src/util/json.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { Random } from "../support/random.js";
import { segmentFrom } from "../support/states.js";
import { recordAt, textsOf } from "../support/stored-records.js";

const record = (id: string, title: string): JsonRecord => ({ id, title });

/** Where each id lives, as a change retires it. */
function retiring(snapshot: IndexSnapshot, ids: readonly string[]): Map<number, LocalDoc[]> {
  const deletions = new Map<number, LocalDoc[]>();
  for (const doc of ids.map((id) => snapshot.find(id)).sort((a, b) => a - b)) {
    const { segment, base } = snapshot.segmentOf(doc);
    deletions.set(segment.segmentId, [...(deletions.get(segment.segmentId) ?? []), toLocal(base, doc)]);
  }
  return deletions;
}

const liveDocs = (snapshot: IndexSnapshot) => runTaskAtOnce(docsInIdOrder(snapshot));

/** Everything a state says of its records. */
function contentOf(snapshot: IndexSnapshot): Map<string, JsonRecord> {
  return new Map(liveDocs(snapshot).map((doc) => [snapshot.idOf(doc), recordAt(snapshot, doc)]));
}

describe("a state", () => {
  it("is empty at first", () => {
    const snapshot = IndexSnapshot.empty();
    expect([snapshot.liveCount, snapshot.docSpan, snapshot.vectorCount, snapshot.totals.size]).toEqual([0, 0, 0, 0]);
    expect([snapshot.find("1"), liveDocs(snapshot)]).toEqual([-1, []]);
  });

  for (const seed of [1, 2, 3, 4])
    it(`holds what a Map holds after the same writes (seed ${seed})`, async () => {
      const random = new Random(seed);
      let snapshot = IndexSnapshot.empty();
      const plain = new Map<string, JsonRecord>();
      for (let write = 0; write < 12; write++) {
        const records = random.list(1, 8, () => record(`r${random.between(0, 30)}`, `drill ${random.between(0, 9)}`));
        const segment = await segmentFrom(records);
        const gone = random.some([...plain.keys()], 0.2);
        const old = new Set([...gone, ...textsOf(segment.records.ids)].filter((id) => plain.has(id)));
        snapshot = snapshot.with({ added: [segment], deletions: retiring(snapshot, [...old]) });
        for (const id of gone) plain.delete(id);
        for (const each of records) plain.set(each.id as string, each);
      }
      expect(contentOf(snapshot)).toEqual(plain);
      expect(snapshot.liveCount).toBe(plain.size);
      for (let i = 0; i <= 31; i++) expect(snapshot.find(`r${i}`) >= 0).toBe(plain.has(`r${i}`));
    });

  it("is never changed by what comes after it", async () => {
    const first = IndexSnapshot.empty().with({
      added: [await segmentFrom([record("a", "drill"), record("b", "sofa")])],
    });
    const before = [contentOf(first), first.totals, first.liveCount, first.vectorCount].map((part) =>
      structuredClone(part),
    );
    const second = first.with({ added: [await segmentFrom([record("a", "lamp")])], deletions: retiring(first, ["a"]) });
    expect([contentOf(first), first.totals, first.liveCount, first.vectorCount]).toEqual(before);
    expect(contentOf(second).get("a")).toEqual(record("a", "lamp"));
  });

  it("orders records of different segments by the code units of their ids", async () => {
    const added = [await segmentFrom([record("B", "x"), record("é", "x")]), await segmentFrom([record("a", "x")])];
    const snapshot = IndexSnapshot.empty().with({ added });
    const sorted = [...liveDocs(snapshot)].sort((a, b) => (snapshot.idBefore(a, b) ? -1 : 1));
    expect(sorted.map((doc) => snapshot.idOf(doc))).toEqual(["B", "a", "é"]);
  });

  it("counts the living records that have a vector", async () => {
    const snapshot = IndexSnapshot.empty().with({
      added: [await segmentFrom([record("a", "drill"), record("b", "other"), record("c", "sofa")])],
    });
    expect(snapshot.vectorCount).toBe(2);
    expect(snapshot.with({ deletions: retiring(snapshot, ["a", "b"]) }).vectorCount).toBe(1);
  });

  it("leaves no trace of a record that came and went", async () => {
    const lasting = await segmentFrom([record("a", "drill and bits")]);
    const alone = IndexSnapshot.empty().with({ added: [lasting] });
    const both = alone.with({ added: [await segmentFrom([{ id: "b", title: "sofa", extra: "field" }])] });
    const after = both.with({ deletions: retiring(both, ["b"]) });
    expect([after.totals, after.segments, after.docSpan]).toEqual([alone.totals, alone.segments, alone.docSpan]);
  });

  it("knows the living records in the order of their ids", async () => {
    const segment = await segmentFrom(["a", "c", "d"].map((id) => record(id, "x")));
    const snapshot = IndexSnapshot.empty().with({ added: [segment, await segmentFrom([record("b", "x")])] });
    const deletions = new Map([[segment.segmentId, [1 as LocalDoc]]]);
    expect(liveDocs(snapshot)).toEqual([0, 3, 1, 2]);
    expect(liveDocs(snapshot.with({ deletions }))).toEqual([0, 3, 2]);
  });
});
