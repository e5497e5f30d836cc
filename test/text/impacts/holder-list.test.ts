import { describe, expect, it } from "vitest";
import { DocSet } from "../../../src/base/doc-set.js";
import { HolderList } from "../../../src/text/impacts/holder-list.js";
import { property } from "../../support/random.js";

describe("a list of holders", () => {
  property("finds the place of each holder, and of nobody else, short or long", 12, (random) => {
    const span = random.pick([40, 3000, 65_536]);
    const share = random.pick([0.01, 0.5, 1]);
    const docs = Uint16Array.from({ length: span }, (_, doc) => doc).filter(() => random.chance(share));
    const places = new Map([...docs].map((doc, place) => [doc, place]));
    const list = new HolderList(docs);
    const asked = Array.from({ length: 500 }, () => random.between(0, span - 1));
    for (const doc of [...asked, 0, span - 1]) expect(list.placeOf(doc)).toBe(places.get(doc) ?? -1);
  });

  it("counts the living among them, for each set of dead", () => {
    const list = new HolderList(Uint16Array.of(1, 5, 40));
    const deletedDocs = (...docs: number[]): DocSet => new DocSet(64).addAll(docs);
    expect([list.living(null), list.living(deletedDocs(5, 6)), list.living(deletedDocs(1, 40))]).toEqual([3, 2, 1]);
  });

  property("counts the living by place or by bits, short or long", 8, (random) => {
    const span = random.pick([3000, 40_001, 65_536]);
    const docs = Uint16Array.from({ length: span }, (_, doc) => doc).filter(() => random.chance(0.6));
    const list = new HolderList(docs);
    for (let round = 0; round < 3; round++) {
      const deletedDocs = new DocSet(span);
      for (let doc = 0; doc < span; doc++) if (random.chance(0.2)) deletedDocs.add(doc);
      expect(list.living(deletedDocs)).toBe(docs.filter((doc) => !deletedDocs.has(doc)).length);
      list.placeOf(docs[0]!);
    }
  });
});
