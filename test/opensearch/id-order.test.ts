// Ids that a cluster orders by code points come by code units, page by page, each once.

import { expect } from "vitest";
import { type IdReader, inCodeUnitOrder } from "../../src/opensearch/id-order.js";
import { allOf } from "../support/all-of.js";
import { property } from "../support/random.js";

const CHARACTERS = ["\u0000", "a", "b", "\ud7ff", "\ue000", "\uff08", "\uffff", "\u{10000}", "😀", "😁", "\u{10ffff}"];

function bytesBefore(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

property("ids come in the order of code units", 1000, async (random) => {
  const characters = random.some(CHARACTERS, 0.6);
  const size = random.between(1, 6);
  const any = (): string =>
    Array.from({ length: random.between(1, 4) }, () => random.pick([...characters, "a"])).join("");
  const ids = [...new Set(Array.from({ length: random.between(0, 40) }, any))];
  const inCluster = [...ids].sort(bytesBefore);
  const read: IdReader<{ id: string }> = async (after, span) => {
    const isWithin = (id: string): boolean =>
      span === undefined || (bytesBefore(id, span.after) > 0 && bytesBefore(id, span.upTo) <= 0);
    const behind = inCluster.filter((id) => bytesBefore(id, after) > 0 && isWithin(id));
    return { items: behind.slice(0, size).map((id) => ({ id })), isLast: behind.length < size };
  };
  const pages = await allOf(inCodeUnitOrder(read));
  expect(pages.every((page) => page.length > 0 && page.length <= size)).toBe(true);
  expect(pages.flat().map(({ id }) => id)).toEqual([...ids].sort());
});
