// Explained survivors of the mutation run speak of lines that are there.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Equivalent {
  readonly path: string;
  readonly at: string;
  readonly found: string;
  readonly why: string;
}

const list = JSON.parse(readFileSync("mutation/equivalents.json", "utf8")) as Equivalent[];

it("every explained mutant stands in a line that is there", () => {
  const gone = list.filter(({ path, at, found }) => {
    const lines = readFileSync(path, "utf8").split("\n");
    return !lines.some((line) => line.trim() === at) || !at.includes(found.split(" ")[0]!);
  });
  expect(gone).toEqual([]);
  expect(list.every(({ why }) => why.length > 10)).toBe(true);
});
