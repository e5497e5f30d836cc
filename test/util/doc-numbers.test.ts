// Numbers in the index and numbers within a segment are not mixed up: that would not compile. The checks are made by the type
// checker (npm run check); what is passed to `unchecked` is never run.

import { describe, expect, expectTypeOf, it } from "vitest";
import type { IndexSnapshot } from "../../src/state/index-snapshot.js";
import type { LiveSegment } from "../../src/state/segment.js";
import { type Doc, type DocArray, type DocSet, type LocalDoc, toDoc, toLocal } from "../../src/util/doc-set.js";

const unchecked = (_: (...given: never) => unknown): void => {};
const doc = 70 as Doc;
const local = 6 as LocalDoc;

describe("a record number", () => {
  it("is converted by the base of its segment", () => {
    expect([toDoc(64, local), toLocal(64, doc)]).toEqual([doc, local]);
    expectTypeOf(toDoc(64, local)).toEqualTypeOf<Doc>();
    expectTypeOf(toLocal(64, doc)).toEqualTypeOf<LocalDoc>();
  });

  it("of the other kind, or of none, does not compile", () =>
    unchecked((snapshot: IndexSnapshot, { base, segment, deletedDocs }: LiveSegment, allowed: DocSet<Doc>) => {
      // @ts-expect-error: it is a number in the index already
      toDoc(base, doc);
      // @ts-expect-error: it is a number within a segment already
      toLocal(base, local);
      // @ts-expect-error: deleted records are those of a segment
      deletedDocs?.has(doc);
      // @ts-expect-error: allowed records are those of the index
      allowed.has(local);
      // @ts-expect-error: a number within a segment says nothing without the segment
      snapshot.idOf(local);
      // @ts-expect-error: arithmetic forgets the kind
      snapshot.idOf(base + local);
      // @ts-expect-error: a plain number has no kind
      for (let each = 0; each < segment.size; each++) deletedDocs?.has(each);
      for (let each = 0 as LocalDoc; each < segment.size; each++) deletedDocs?.has(each);
    }));

  it("in a set of the other kind does not compile", () =>
    unchecked((inIndex: DocSet<Doc>, inSegment: DocSet<LocalDoc>) => {
      // @ts-expect-error: the sets count from different records
      inIndex.and(inSegment);
      // @ts-expect-error: the sets count from different records
      const set: DocSet<Doc> = inSegment;
      inIndex.orFrom(inSegment, 64);
      inSegment.andFrom(inIndex, 64);
      return set;
    }));

  it("is read from an array as the kind that the array holds", () => {
    const docs = Uint32Array.of(70, 71) as DocArray<Doc>;
    expectTypeOf(docs[0]!).toEqualTypeOf<Doc>();
    expectTypeOf([...docs]).toEqualTypeOf<Doc[]>();
    expectTypeOf(docs.filter((each) => each > doc)).toEqualTypeOf<DocArray<Doc>>();
    // @ts-expect-error: a number within a segment
    docs.filter((each: LocalDoc) => each > local);
    // @ts-expect-error: the segment's numbers for those of the index
    const others: DocArray<LocalDoc> = docs;
    expect(others).toBe(docs);
  });
});
