import { describe, expect, it } from "vitest";
import { checkIndexName, indexExists, notFound } from "../src/api/name-rules.js";
import { SearchEngine } from "../src/index.js";
import { resolveLimits } from "../src/util/limits.js";
import { rejectionOf, thrownBy } from "./support/refusal.js";

const limits = resolveLimits({ indexName: 8 });

describe("the name of an index", () => {
  it("is made of letters, digits, dots, underscores and hyphens", () => {
    for (const name of ["a", "A.b_c-9", "-x", "_x", "0", "a..b", "12345678", "__proto_"])
      expect(() => checkIndexName(name, limits), name).not.toThrow();
  });

  it("is refused otherwise", () => {
    for (const name of ["", ".a", "a/b", "a b", "ä", "a\n", "123456789", "..", 5, null, undefined, ["a"]])
      expect(thrownBy(() => checkIndexName(name, limits)).error, String(name)).toBe("invalid_index_name");
  });
});

it("a refusal names the index and says what to do", () => {
  const param = "indexName";
  expect(thrownBy(() => checkIndexName("a b", limits))).toMatchObject({
    code: 400,
    param,
    msg: 'The index name is "a b"; use 1 to 8 of A-Z a-z 0-9 . _ - that do not begin with a dot.',
  });
  expect(notFound("a")).toMatchObject({
    code: 404,
    error: "index_not_found",
    param,
    msg: 'There is no index "a"; create it with createIndex.',
  });
  expect(indexExists("a")).toMatchObject({
    code: 409,
    error: "index_exists",
    param,
    msg: 'The index "a" exists; use another name, delete it, or pass { ifExists: "open" }.',
  });
});

describe("an index that exists", () => {
  it("is opened without settings, or with those it has, in whatever words", async () => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("a", { customRanking: ["asc(x)"] });
    for (const settings of [
      undefined,
      {},
      { customRanking: ["asc(x)"] },
      { customRanking: ["asc(x)"], distinct: false },
    ])
      expect((await engine.createIndex("a", settings, { ifExists: "open" })).name).toBe("a");
  });

  it("is not opened with others", async () => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("a", { customRanking: ["asc(x)"] });
    for (const settings of [{ distinct: false }, { customRanking: ["desc(x)"] }, { optionalWords: ["y"] }])
      expect(await rejectionOf(engine.createIndex("a", settings, { ifExists: "open" }))).toMatchObject({
        code: 409,
        error: "settings_differ",
        param: "settings",
        msg: 'The index "a" exists with other settings; open it without settings, or delete it first.',
      });
    expect((await rejectionOf(engine.createIndex("a"))).error).toBe("index_exists");
  });
});
