// Words that built-in objects know, wherever a caller may name something: each is a name like any other, and no prototype
// changes or answers in its place.

import { afterEach, describe, expect, it } from "vitest";
import { expectCleanPrototypes } from "./message-rules.js";
import { keyed, WORDS } from "./prototype-word-list.js";
import { idsOf, World } from "./world.js";

afterEach(expectCleanPrototypes);

it("are at least 40", () => expect(new Set(WORDS).size).toBeGreaterThanOrEqual(40));

describe.each(WORDS)("%s", (word) => {
  it("is the name of an index", async () => {
    const world = await World.bare();
    await expect(world.ask({ query: "" }, word)).rejects.toMatchObject({ code: 404, error: "index_not_found" });
    await world.create(word);
    await world.add([{ id: 1, title: "anvil" }], word);
    expect(await world.found("anvil", word)).toEqual(["1"]);
    expect((await world.ask({ query: "anvil" }, word)).indexUse).toBe(word);
    expect((await world.engine.listIndexes()).map(({ name }) => name)).toContain(word);
    await expect(world.create(word)).rejects.toMatchObject({ code: 409 });
    await world.engine.deleteIndex(word);
    await expect(world.found("anvil", word)).rejects.toMatchObject({ code: 404 });
  });

  it("is an id", async () => {
    const world = await World.bare();
    expect([await world.get([word]), await world.delete([word])]).toEqual([[null], { deleted: 0 }]);
    expect(await world.add([{ id: word, title: "anvil" }])).toEqual({ added: 1, replaced: 0 });
    expect(await world.add([{ id: word, title: "hammer" }])).toEqual({ added: 0, replaced: 1 });
    expect([await world.found("hammer"), await world.found("anvil")]).toEqual([[word], []]);
    expect((await world.ask({ query: word })).hits[0]).toMatchObject({ id: word, score: 1 });
    expect(await world.get([word])).toEqual([{ id: word, title: "hammer" }]);
    expect(await world.delete([word])).toEqual({ deleted: 1 });
  });

  it("is the name of an attribute, at any depth", async () => {
    const world = await World.bare();
    const record = keyed(word, { a: "anvil" }, JSON.stringify({ id: 1, deep: keyed(word, "hammer") }));
    await world.add([record]);
    const [back] = await world.get([1]);
    expect(JSON.stringify(back)).toBe(JSON.stringify(record));
    expect(Object.keys(back as object)).toContain(word);
    expect([await world.found("anvil"), await world.found("hammer")]).toEqual([["1"], ["1"]]);
  });

  it("is an attribute that settings name", async () => {
    const world = await World.bare();
    const settings = { searchableAttributes: [word], embeddedAttributes: [word], identifierAttributes: ["code"] };
    await world.create("searched", { ...settings, embedder: world.embedder });
    await world.add([keyed(word, "anvil", '{"id":1,"title":"hammer"}'), { id: 2, title: "anvil" }], "searched");
    expect([await world.found("anvil", "searched"), world.embedder.asked]).toEqual([["1"], ["anvil", "anvil"]]);
    await world.create("coded", { identifierAttributes: [word] });
    await world.add([keyed(word, "AB-123", '{"id":1}')], "coded");
    expect((await world.ask({ query: "ab123" }, "coded")).hits[0]?.score).toBe(1);
    await world.create("keyed", { idAttribute: word });
    await world.add([keyed(word, "k1")], "keyed");
    expect(await world.get(["k1"], "keyed")).toHaveLength(1);
    await expect(world.add([{ id: 1 }], "keyed")).rejects.toMatchObject({ error: "missing_id" });
  });

  it("is the attribute of a vector, and never inherited", async () => {
    const world = await World.bare();
    await world.create("near", { vectorAttribute: word, dimensions: 2 });
    await world.add([keyed(word, [1, 0], '{"id":1}'), { id: 2 }], "near");
    expect(idsOf(await world.ask({ query: "", vector: [1, 0] }, "near"))).toEqual(["1"]);
  });

  it("is a word of a text", async () => {
    const world = await World.bare();
    await world.add([
      { id: 1, title: `an anvil, ${word}` },
      { id: 2, title: "an anvil" },
    ]);
    expect(await world.found(word)).toEqual(["1"]);
    expect(await world.found(`${word} anvil`)).toContain("1");
    await world.delete([1]);
    expect(await world.found(word)).toEqual([]);
  });

  it("is an unknown parameter, in both forms", async () => {
    const world = await World.bare();
    await world.add([{ id: 1, title: "anvil" }]);
    const plain = await world.ask({ query: "anvil" });
    expect(await world.ask(keyed(word, 2, '{"query":"anvil"}'))).toEqual(plain);
    expect(await world.ask({ params: `${word}=2&query=anvil` })).toEqual(plain);
    expect(world.warnings.map(({ code }) => code)).toEqual(["unknown_parameter", "unknown_parameter"]);
    const strict = await World.bare({ strict: true });
    await expect(strict.ask(keyed(word, 2, '{"query":"anvil"}'))).rejects.toMatchObject({
      error: "unknown_parameter",
      param: word,
    });
  });

  it("is an unknown setting", async () => {
    const world = await World.bare();
    await world.create("new", keyed(word, { idAttribute: "key" }));
    expect(world.warnings.map(({ code }) => code)).toEqual(["unknown_setting"]);
    expect((await world.engine.getSettings("new")).effective).toEqual(
      (await world.engine.getSettings("shop")).effective,
    );
    const strict = await World.bare({ strict: true });
    await expect(strict.create("new", keyed(word, 1))).rejects.toMatchObject({ error: "unknown_setting", param: word });
    await expect(world.create("other", { bm25: keyed(word, 1) })).rejects.toMatchObject({ error: "unknown_setting" });
  });

  it("is the value of an identifier", async () => {
    const world = await World.bare();
    await world.add([
      { id: 1, sku: word },
      { id: 2, title: `anvil ${word}` },
      { id: 3, sku: "AB-1" },
    ]);
    const { hits } = await world.ask({ query: word });
    expect(hits[0]).toMatchObject({ id: "1", score: 1 });
    expect(hits.slice(1).every(({ id, score }) => id === "2" && score < 1)).toBe(true);
  });
});
