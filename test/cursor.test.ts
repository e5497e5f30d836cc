// Pages by cursor. That they are the pages of the whole list, for any query, is checked with each query of the tests (support/check-query).

import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { type JsonRecord, type SearchAnswer, SearchEngine, type SearchIndex, type SearchParams } from "../src/index.js";
import { Random } from "./support/random.js";

/** Walks through a query; between two pages, something may be written. */
async function walk(
  index: SearchIndex,
  params: Partial<SearchParams>,
  between?: () => Promise<void>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined = "start"; typeof cursor === "string"; ) {
    const answer: SearchAnswer = await index.query({ query: "", hitsPerPage: 3, ...params, cursor });
    ids.push(...answer.data.hits.map(({ id }) => id));
    cursor = answer.data.nextCursor;
    await between?.();
  }
  return ids;
}

const refusal = (error: string): object => expect.objectContaining({ code: 400, error, param: "cursor" });

async function shop(records: readonly JsonRecord[], settings: object = {}): Promise<SearchIndex> {
  const index = await new SearchEngine().createIndex("shop", { embedder: false, ...settings });
  await index.addRecords(records);
  return index;
}

it("shows each record once that keeps its place while others are written", async () => {
  const random = new Random(7);
  const made = (id: string): JsonRecord => ({
    ...{
      id,
      title: "Lamp",
      group: `g${random.between(0, 9)}`,
      price: random.between(0, 20),
      sold: random.between(0, 5),
    },
    ...(random.chance(0.8) ? { size: random.pick(["S", "M", "XL"]) } : {}),
  });
  const promote = [
    { ids: ["k05", "k31", "k06"], position: 4 },
    { id: "k07", position: 900 },
  ];
  const shops = [{}, { customRanking: ["desc(sold)"] }, { rules: [{ id: "r", consequence: { promote } }] }];
  const asked: Partial<SearchParams>[] = [
    {},
    { sort: ["price:asc"] },
    { sort: ["size:desc", "price:desc"] },
    { query: "lamp", matching: "all" },
  ];
  for (const settings of shops)
    for (const params of asked) {
      const kept = Array.from({ length: 40 }, (_, i) => made(`k${String(i).padStart(2, "0")}`));
      const others = Array.from({ length: 20 }, (_, i) => made(`o${i}`));
      const index = await shop([...kept, ...others], settings);
      const whole = await index.query({ query: "", ...params, hitsPerPage: 1000 });
      const wanted = whole.data.hits.map(({ id }) => id).filter((id) => id.startsWith("k"));
      const ids = await walk(index, params, async () => {
        await index.addRecords([made(`o${random.between(0, 30)}`), made(`a${random.between(0, 30)}`)]);
        await index.deleteRecords([`o${random.between(0, 30)}`]);
      });
      expect(
        ids.filter((id) => id.startsWith("k")),
        JSON.stringify({ settings, params }),
      ).toEqual(wanted);
    }
});

it("shows each promoted record once while those that took its place come and go", async () => {
  const rules = [
    {
      id: "r",
      consequence: {
        promote: [
          { ids: ["p0", "p1", "p2", "p3", "p4"], position: 1 },
          { id: "q", position: 3 },
        ],
      },
    },
  ];
  const walked = async (given: readonly string[], size: number, write: (index: SearchIndex) => Promise<unknown>) => {
    const others = Array.from({ length: 4 }, (_, i) => `r${i}`);
    const index = await shop(
      [...given, ...others].map((id) => ({ id })),
      { rules },
    );
    let isWritten = false;
    return walk(index, { hitsPerPage: size }, async () => {
      if (!isWritten) await write(index);
      isWritten = true;
    });
  };
  const all = ["p0", "p1", "p2", "p3", "p4", "q"];
  const tail = ["r1", "r2", "r3"];
  const without = (index: SearchIndex) => index.deleteRecords(["p0", "p1"]);
  expect(await walked(all, 3, without)).toEqual(["r0", "p0", "p1", "p2", "p3", "p4", "q", ...tail]);
  const withAll = (index: SearchIndex) => index.addRecords([{ id: "p0" }, { id: "p3" }]);
  // In their places of the list that it then is: p0 would stand on the first page.
  const later = ["r0", "p1", "p2", "r1", "p3", "p4", "q", "r2", "r3"];
  expect(await walked(["p1", "p2", "p4", "q"], 3, withAll)).toEqual(later);
  const toEnd = (index: SearchIndex) => index.deleteRecords(["p0", "r2", "r3"]);
  expect(await walked(all, 7, toEnd)).toEqual(["r0", ...all, "r1"]);
});

it("does not show the last hit of a sorted page again where its score sinks", async () => {
  const titles = ["Lamp", "Oak desk lamp", "Lamp"];
  const index = await shop(titles.map((title, i) => ({ id: i, title, price: i })));
  const asked: SearchParams = { query: "lamp", sort: ["price:asc"], hitsPerPage: 2 };
  const first = (await index.query({ ...asked, cursor: "start" })).data;
  await index.addRecords(Array.from({ length: 30 }, (_, i) => ({ id: `s${i}`, title: "Saw" })));
  const before = first.hits[1]!.score;
  expect((await index.query({ ...asked, hitsPerPage: 3 })).data.hits[1]!.score).toBeLessThan(before);
  const { hits } = (await index.query({ ...asked, cursor: first.nextCursor! })).data;
  expect(hits.map(({ id }) => id)).toEqual(["2"]);
});

it("goes on in the order of sizes, or of texts, that it began with", async () => {
  const sizes = ["XXL", "S", "XL", "M", "L", "XS"];
  const records = sizes.map((size) => ({ id: size, size }));
  const index = await shop(records);
  const begun = await walk(index, { sort: ["size:asc"], hitsPerPage: 2 }, async () => {
    await index.addRecords([{ id: "wide", size: "wide" }]);
  });
  expect(begun).toEqual(["XS", "S", "M", "L", "XL", "XXL", "wide"]);
  const turned = await walk(index, { sort: ["size:asc"], hitsPerPage: 2 }, async () => {
    await index.deleteRecords(["wide"]);
  });
  expect(turned).toEqual(["L", "M", "S", "XL", "XS", "XXL"]);
});

it("gives no page by number or place that a rule asks for, but as many hits as it says", async () => {
  const records = Array.from({ length: 9 }, (_, i) => ({ id: i }));
  const rule = (params: object) => ({ id: JSON.stringify(params), consequence: { params } });
  const index = await shop(records, {
    rules: [rule({ page: 3 }), rule({ offset: 2 }), rule({ hitsPerPage: 0 }), rule({ hitsPerPage: 4 })],
  });
  expect(await walk(index, { hitsPerPage: undefined })).toEqual(records.map(({ id }) => String(id)));
  const { data } = await index.query({ query: "", cursor: "start" });
  expect([data.page, data.hits.length, data.offset]).toEqual([1, 4, undefined]);
});

it("takes any state that somebody may have forged, or refuses it", async () => {
  const index = await shop(Array.from({ length: 9 }, (_, i) => ({ id: i, price: i })));
  const asked: SearchParams = { query: "", sort: ["price:asc"], hitsPerPage: 2 };
  const { nextCursor } = (await index.query({ ...asked, cursor: "start" })).data;
  const madeFor = nextCursor!.slice(0, 16);
  const forge = (state: unknown): string => {
    const text = Buffer.from(typeof state === "string" ? state : JSON.stringify(state)).toString("base64url");
    return (
      madeFor +
      createHash("sha256")
        .update(madeFor + text)
        .digest("hex")
        .slice(0, 16) +
      text
    );
  };
  const idsOf = async (state: unknown): Promise<string[]> =>
    (await index.query({ ...asked, cursor: forge(state) })).data.hits.map(({ id }) => id);
  expect(forge([1, 2, [-1, -1], [0], ["1", 1, 0]])).toBe(nextCursor);
  const taken: readonly [unknown, string[]][] = [
    [
      [1, 2, [-1, -1], [0], ["1", 1, 0]],
      ["2", "3"],
    ],
    [
      [1, 2, [-1, -1], [], ["", 1.5, 0]],
      ["2", "3"],
    ],
    [
      [7, 9e15, [-1, -1], [1, 1, 1, 1], ["x", true, "y", null, 5]],
      ["0", "1"],
    ],
    [
      [1, 1, [4, 0], [0], null],
      ["0", "1"],
    ],
    [
      [1, 1, [4, 9e15, [9, 2], [0, 0]], [0], null],
      ["0", "1"],
    ],
    [[1, 1, [-1, -1], [0], ["5", "text"]], []],
    [[1, 1, [-1, -1], [0], ["5"]], []],
  ];
  for (const [state, ids] of taken) expect(await idsOf(state), JSON.stringify(state)).toEqual(ids);
  const key = ["1", 1, 0];
  const refused = [
    "",
    "{",
    null,
    5,
    {},
    [],
    [1],
    [0, 2, [-1, -1], [0], key],
    [1, 0, [-1, -1], [0], key],
    [1.5, 2, [-1, -1], [0], key],
    ["1", 2, [-1, -1], [0], key],
  ];
  refused.push(
    [1, 2, [-2, -1], [0], key],
    [1, 2, -1, [0], key],
    [1, 2, [-1], [0], key],
    [1, 2, [-1, -1, 3], [0], key],
    [1, 2, [-1, -1, [3]], [0], key],
    [1, 2, [-1, -1, [3, -1]], [0], key],
    [1, 2, [-1, -1], 0, key],
    [1, 2, [-1, -1], [0], [1]],
    [1, 2, [-1, -1], [0], ["1", {}]],
    [1, 2, [-1, -1], [0], ["1", [1]]],
    [1, 2, [-1, -1], [0], {}],
  );
  for (const state of refused)
    await expect(idsOf(state), JSON.stringify(state)).rejects.toEqual(refusal("invalid_cursor"));
});

it("refuses to go on behind a hit that is sorted by a text of ten thousand letters, and to stay silent", async () => {
  const index = await shop(
    [
      { id: 1, note: "a" },
      { id: 2, note: "b".repeat(20_000) },
      { id: 3, note: "c" },
    ],
    { attributesForFaceting: ["note"] },
  );
  const asked: SearchParams = { query: "", sort: ["note:asc"] };
  const first = await index.query({ ...asked, hitsPerPage: 1, cursor: "start" });
  await expect(index.query({ ...asked, hitsPerPage: 1, cursor: first.data.nextCursor! })).rejects.toEqual(
    refusal("invalid_parameter"),
  );
  const rest = await index.query({ ...asked, hitsPerPage: 2, cursor: first.data.nextCursor! });
  expect(rest.data.hits.map(({ id }) => id)).toEqual(["2", "3"]);
});
