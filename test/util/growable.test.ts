import { expect, it } from "vitest";
import { GrowableUint32 } from "../../src/util/offset-table.js";

it("holds what was pushed, however much it grew", () => {
  const list = new GrowableUint32();
  const plain = Array.from({ length: 1000 }, (_, i) => (i * 2_654_435_761) >>> 0);
  for (const value of plain) list.push(value);
  expect(list.length).toBe(1000);
  expect([...list.toArray()]).toEqual(plain);
  const copy = list.toArray();
  list.array[0] = 9;
  expect([...copy]).toEqual(plain);
});
