// Rows A7 to A15, A64 to A66: ids.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import { idsOf, rec, type World } from "./world.js";

const BAD_ID: Refusal = { code: 400, error: "invalid_id", param: "records[0]" };
const withId = (world: World, id: unknown): unknown => world.add([rec({ id })]);

/** Adds a record under an id, and looks for it in every way; then deletes it. */
async function roundTrip(world: World, id: unknown): Promise<unknown> {
  const added = await world.add([{ id, title: "Unicycle" }]);
  const [record] = await world.get([id]);
  const hits = idsOf(await world.ask({ query: "unicycle" }));
  const deleted = await world.delete([id]);
  return [added, record, hits, deleted, await world.get([id])];
}

function roundTrips(row: string, what: string, ids: readonly unknown[]): Row[] {
  return shown(...ids).map(([label, id]) => ({
    row,
    what: `${what} ${label}`,
    run: (world) => roundTrip(world, id),
    expect: (result) =>
      expect(result).toEqual([
        { added: 1, replaced: 0 },
        { id: Object.is(id, -0) ? 0 : id, title: "Unicycle" },
        [String(id)],
        { deleted: 1 },
        [null],
      ]),
  }));
}

const BAD_IDS = ["", null, {}, [], true, Number.NaN, Number.POSITIVE_INFINITY, 1.5, 2 ** 53, -(2 ** 53), 1n, Symbol()];

const GIVEN: readonly Row[] = [
  ...passedEach(
    "A7",
    "an id attribute by another name",
    shown("key"),
    () => undefined,
    async (_, world) => {
      await world.create("new", { idAttribute: "key" });
      expect(await world.add([{ key: "a", id: {} }], "new")).toEqual({ added: 1, replaced: 0 });
    },
  ),
  {
    row: "A7",
    what: "no id",
    run: (world) => world.add([rec({ id: 1 }), { title: "Lamp" }]),
    expect: { code: 400, error: "missing_id", param: "records[1]" },
  },
  {
    row: "A7",
    what: "an id of undefined",
    run: (world) => withId(world, undefined),
    expect: { code: 400, error: "missing_id", param: "records[0]" },
  },
  {
    row: "A7",
    what: "an inherited id",
    run: (world) => world.add([Object.assign(Object.create(null), { title: "Lamp" })]),
    expect: { code: 400, error: "missing_id", param: "records[0]" },
  },
  ...refusedEach("A8", "id", shown(...BAD_IDS), withId, BAD_ID),
  {
    row: "A9",
    what: "-0, 0 and text 0 are one id",
    run: async (world) => [await world.add([rec({ id: -0 }), rec({ id: 0 })]), await world.add([rec({ id: "0" })])],
    expect: (result) =>
      expect(result).toEqual([
        { added: 1, replaced: 0 },
        { added: 0, replaced: 1 },
      ]),
  },
  {
    row: "A10",
    what: "5 and its text in one batch: the last counts",
    run: async (world) => [await world.add([rec({ id: 5 }), rec({ id: "5" })]), await world.get([5])],
    expect: (result) => expect(result).toEqual([{ added: 1, replaced: 0 }, [rec({ id: "5" })]]),
  },
  ...roundTrips("A11", "512 bytes:", ["i".repeat(512), "\u00e9".repeat(256)]),
  ...refusedEach("A11", "513 bytes:", shown("i".repeat(513), `${"\u00e9".repeat(256)}i`), withId, BAD_ID),
  ...refusedEach("A12", "half a surrogate pair:", shown("a\ud800", "\udc00", "\udc00\ud800"), withId, BAD_ID),
  ...roundTrips("A13", "id", ["__proto__", "constructor", "hasOwnProperty", "-1", -1, 2 ** 53 - 1]),
  {
    row: "A14",
    what: "ids are not normalised",
    run: async (world) => [await world.add([rec({ id: "\u00e9" }), rec({ id: "e\u0301" })])],
    expect: (result) => expect(result).toEqual([{ added: 2, replaced: 0 }]),
  },
  ...roundTrips("A15", "id", ["a\0b", "a\nb", " ", "\u202e", "\ufeff", "\ud83d\ude00", "\uffff"]),
];

const DELETED: readonly Row[] = [
  {
    row: "A64",
    what: "an unknown id, twice",
    run: async (world) => [
      await world.delete(["nope"]),
      await world.delete(["nope", "nope"]),
      await world.get(["nope"]),
    ],
    expect: (result) => expect(result).toEqual([{ deleted: 0 }, { deleted: 0 }, [null]]),
  },
  {
    row: "A64",
    what: "one id twice, as number and as text",
    run: async (world) => [await world.delete([1, "1", 1]), await world.delete([1])],
    expect: (result) => expect(result).toEqual([{ deleted: 1 }, { deleted: 0 }]),
  },
  {
    row: "A65",
    what: "every record, then a query, then another record",
    run: async (world) => {
      const answers: unknown[] = [await world.delete([1, "two", 3])];
      answers.push((await world.ask({ query: "" })).nbHits, (await world.ask({ query: "drill" })).nbHits);
      await world.add([{ id: "back", title: "Drill" }]);
      answers.push(await world.found("drill"));
      return answers;
    },
    expect: (result) => expect(result).toEqual([{ deleted: 3 }, 0, 0, ["back"]]),
  },
  {
    row: "A66",
    what: "no ids",
    run: (world) => world.delete([]),
    expect: (result) => expect(result).toEqual({ deleted: 0 }),
  },
  ...["delete", "get"].flatMap((verb) => [
    ...refusedEach(
      "A66",
      `${verb} ids`,
      shown([1, ""], [1, null], [1, 1.5], [1, {}], [1, Number.NaN]),
      (world, ids) => world[verb as "get"](ids),
      {
        code: 400,
        error: "invalid_id",
        param: "ids[1]",
      },
    ),
    ...refusedEach(
      "A66",
      `${verb} ids`,
      shown(null, undefined, 1, "two", {}, new Set([1])),
      (world, ids) => world[verb as "get"](ids),
      {
        code: 400,
        error: "invalid_ids",
        param: "ids",
      },
    ),
  ]),
  {
    row: "A68",
    what: "a deleted id again: a new record",
    run: async (world) => [await world.delete([1]), await world.add([{ id: 1, title: "Other" }]), await world.get([1])],
    expect: (result) =>
      expect(result).toEqual([{ deleted: 1 }, { added: 1, replaced: 0 }, [{ id: 1, title: "Other" }]]),
  },
];

/** Rows A7 to A15, A64 to A68. */
export const IDS: readonly Row[] = [...GIVEN, ...DELETED];
