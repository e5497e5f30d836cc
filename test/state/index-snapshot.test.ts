import { describe, expect, it } from "vitest";
import { docsInIdOrder, IndexSnapshot } from "../../src/state/index-snapshot.js";
import { type LocalDoc, toLocal } from "../../src/util/doc-set.js";
import type { JsonRecord } from "../../src/util/json.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { segmentFrom } from "../support/states.js";
import { recordAt } from "../support/stored-records.js";

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

  it("counts the living records that have a vector", async () => {
    const snapshot = IndexSnapshot.empty().with({
      added: [await segmentFrom([record("a", "drill"), record("b", "other"), record("c", "sofa")])],
    });
    expect(snapshot.vectorCount).toBe(2);
    expect(snapshot.with({ deletions: retiring(snapshot, ["a", "b"]) }).vectorCount).toBe(1);
  });
});
