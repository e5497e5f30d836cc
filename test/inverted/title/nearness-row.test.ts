import { expect, it } from "vitest";
import { NearnessRow } from "../../../src/inverted/title/nearness-row.js";

it("compares two words once, in steps of 1/256 from 0 to 1", () => {
  const nearness = [0.5, 0.30001, -0.2, 7, Number.NaN, 0.9];
  const meanings = nearness.map((value) => ({ value, nearnessTo: () => 0 }));
  let asked = 0;
  const row = new NearnessRow({
    nearnessTo: (other) => {
      asked++;
      return nearness[meanings.indexOf(other as (typeof meanings)[number])]!;
    },
  });
  for (const _ of [1, 2]) {
    expect(nearness.map((_, number) => row.nearnessOf(number, meanings))).toEqual([0.5, 77 / 256, 0, 1, 0, 230 / 256]);
    expect(asked).toBe(nearness.length);
  }
});

it("takes numbers in any order, and words without a meaning for far", () => {
  const row = new NearnessRow({ nearnessTo: () => 1 });
  const known = { nearnessTo: () => 0 };
  const meanings = Array.from({ length: 5000 }, (_, number) => (number % 2 === 0 ? known : null));
  const numbers = [4999, 4998, 0, 1, 300, 301];
  expect(numbers.map((number) => row.nearnessOf(number, meanings))).toEqual([0, 1, 1, 0, 1, 0]);
  expect(numbers.map((number) => row.nearnessOf(number, meanings))).toEqual([0, 1, 1, 0, 1, 0]);
});

it("finds how near the nearest of some words is", () => {
  const nearness = [0.25, 0.75, 1, 0.5];
  const meanings = nearness.map((value) => ({ value, nearnessTo: () => 0 }));
  const row = new NearnessRow({
    nearnessTo: (other) => nearness[meanings.indexOf(other as (typeof meanings)[number])]!,
  });
  expect(row.nearestOf([0], 0, meanings)).toBe(0);
  expect([row.nearestOf([0, 3, 1], 2, meanings), row.nearestOf([3, 1, 0], 3, meanings)]).toEqual([0.5, 0.75]);
  expect(row.nearestOf([0, 2, 1], 3, meanings)).toBe(1);
});

it("knows nothing of what an array held before, and compares anew once it has given its own away", () => {
  const meanings = Array.from({ length: 300 }, (_, value) => ({ value, nearnessTo: () => 0 }));
  const rowOf = (least: number, room?: Uint16Array) =>
    new NearnessRow(
      { nearnessTo: (other) => ((other as (typeof meanings)[number]).value >= least ? 1 : 0.5) },
      ...(room === undefined ? [] : [room]),
    );
  const numbers = [0, 7, 120, 299];
  const all = (row: NearnessRow) => numbers.map((number) => row.nearnessOf(number, meanings));
  const first = rowOf(100);
  expect(all(first)).toEqual([0.5, 0.5, 1, 1]);
  const room = first.release();
  expect(room.length).toBeGreaterThanOrEqual(300);
  const second = rowOf(5, room);
  expect([all(second), all(first), all(second)]).toEqual([
    [0.5, 1, 1, 1],
    [0.5, 0.5, 1, 1],
    [0.5, 1, 1, 1],
  ]);
  expect(first.release()).not.toBe(room);
});
