import { expect, it } from "vitest";
import { offsetAt, offsetTable, offsetTableBytes } from "../../src/util/offset-table.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { property, type Random } from "../support/random.js";

function randomNumbers(random: Random, mostStep: number): Uint32Array {
  let last = 0;
  return Uint32Array.from(random.list(0, 200, () => (last += random.between(0, mostStep))));
}

property("ascending numbers are what they were, of small steps and of great ones", 30, (random) => {
  const numbers = randomNumbers(random, random.pick([0, 3, 300, 10_000_000]));
  const kept = runTaskAtOnce(offsetTable(numbers.slice()));
  expect(Array.from(numbers, (_, at) => offsetAt(kept, at))).toEqual([...numbers]);
});

it("takes a byte a number and four in sixteen of them where sixteen steps are less than 256, else two bytes or four", () => {
  const bytesOf = (step: number): number =>
    offsetTableBytes(runTaskAtOnce(offsetTable(Uint32Array.from({ length: 160 }, (_, at) => at * step))));
  // Fifteen steps are the greatest distance.
  expect([17, 18, 4369, 4370].map(bytesOf)).toEqual([160, 320, 320, 640].map((bytes) => bytes + 40));
});
