// Every row of the catalogue of bad inputs, each on an engine of its own: what is refused changes nothing and says so within
// the rules for messages, what is accepted has the result it should have, and no prototype changes either way.

import { describe, expect, it } from "vitest";
import { CREATE_INDEX } from "./create-index.js";
import { FILTERS } from "./filters.js";
import { expectCleanPrototypes, expectRefusal } from "./message-rules.js";
import { NOT_YET } from "./not-yet.js";
import { PARAMS } from "./params.js";
import { QUERY } from "./query.js";
import { RECORDS } from "./records.js";
import type { Refusal, Row } from "./row.js";
import { World } from "./world.js";

const GROUPS: readonly (readonly [letter: string, last: number, what: string, rows: readonly Row[]])[] = [
  ["C", 35, "indexes and their settings", CREATE_INDEX],
  ["A", 69, "records: adding, updating, replacing, deleting, reading", RECORDS],
  ["Q", 56, "query, by an object", QUERY],
  ["P", 24, "query, by an encoded string", PARAMS],
  ["F", 34, "filters and clicks", FILTERS],
];

async function expectRefused({ run }: Row, world: World, refusal: Refusal): Promise<void> {
  const before = await world.picture();
  const thrown = await Promise.resolve()
    .then(() => run(world))
    .then(
      (result: unknown) => expect.fail(`not refused; the result is ${JSON.stringify(result)?.slice(0, 200)}`),
      (error: unknown) => error,
    );
  expectRefusal(thrown, refusal);
  expect(await world.picture()).toEqual(before);
}

for (const [, , what, rows] of GROUPS)
  describe(what, () => {
    it.each(rows.map((row) => [row.row, row.what, row] as const))("%s: %s", async (_number, _what, row) => {
      const world = await World.open(row.options);
      await row.prepare?.(world);
      if (typeof row.expect === "function") await row.expect(await row.run(world), world);
      else await expectRefused(row, world, row.expect);
      expectCleanPrototypes();
      await world.engine.close();
    });
  });

describe("the catalogue", () => {
  it.each(
    GROUPS,
  )("group %s: each of its %i rows is tested, or listed as not yet there", (letter, last, _what, rows) => {
    const tested = new Set(rows.map(({ row }) => row));
    const all = Array.from({ length: last }, (_, i) => `${letter}${i + 1}`);
    expect(all.filter((row) => !tested.has(row) && !Object.hasOwn(NOT_YET, row))).toEqual([]);
    expect([...tested].filter((row) => !all.includes(row) || Object.hasOwn(NOT_YET, row))).toEqual([]);
  });
});
