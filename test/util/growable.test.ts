import { expect, it } from "vitest";
import { GrowableUint32 } from "../../src/util/offset-table.js";

it("holds what was pushed, however much it grew", () => {
  const list = new GrowableUint32();
  const plain = Array.from({ length: 1000 }, (_, i) => (i * 2_654_435_761) >>> 0);
  for (const value of plain) list.push(value);
  expect(list.length).toBe(1000);
  expect([...list.toArray()]).toEqual(plain);
  expect([...list.array.subarray(0, 1000)]).toEqual(plain);
});

it("gives a copy that later pushes do not change", () => {
  const list = new GrowableUint32();
  list.push(1);
  const copy = list.toArray();
  list.array[0] = 9;
  list.push(2);
  expect([...copy]).toEqual([1]);
  expect([...new GrowableUint32().toArray()]).toEqual([]);
});
