import { expect, it } from "vitest";
import { GrowableUint32 } from "../../src/util/growable.js";

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

it("takes parts of other arrays, of many times its length too", () => {
  const source = Int32Array.from({ length: 100 }, (_, i) => 3 * i);
  const list = new GrowableUint32(1);
  list.pushFrom(source, 7, 7);
  list.pushFrom(source, 5, 6);
  list.pushFrom(source, 0, 100);
  expect([...list.toArray()]).toEqual([15, ...source]);
});
