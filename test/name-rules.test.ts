import { describe, expect, it } from "vitest";
import { SearchEngine } from "../src/index.js";
import { rejectionOf } from "./support/refusal.js";

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
