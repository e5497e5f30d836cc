import { describe, expect, it } from "vitest";
import { resolveLimits } from "../src/base/limits.js";
import { SearchEngine } from "../src/index.js";
import { checkIndexName } from "../src/name-rules.js";
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
      expect((await rejectionOf(engine.createIndex("a", settings, { ifExists: "open" }))).error).toBe(
        "settings_differ",
      );
    expect((await rejectionOf(engine.createIndex("a"))).error).toBe("index_exists");
  });
});
