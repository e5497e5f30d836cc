// Records that a shop has now and then: prices that are lists or no prices, titles of emoji, one SKU for many products, attributes with the
// names of operators, and rules that change what is shown.

import { expect, it } from "vitest";
import type { Engine } from "../../src/api/engine.js";
import { SearchEngine } from "../../src/index.js";
import { type CatalogMapping, searchTools } from "../../src/tools.js";

async function withTools(
  records: readonly object[],
  {
    mapping = {},
    settings = {},
    ...options
  }: { mapping?: Partial<CatalogMapping>; settings?: object; facets?: string[]; maxCharacters?: number },
  run: (tools: Awaited<ReturnType<typeof searchTools>>, engine: Engine) => Promise<void>,
): Promise<void> {
  const engine = new SearchEngine();
  await engine.createIndex("shop", { embedder: false, ...settings });
  await engine.addRecords("shop", records);
  await run(
    await searchTools(engine, { indexName: "shop", mapping: { currency: "EUR", ...mapping }, ...options }),
    engine,
  );
  await engine.close();
}

const boundsOf = (tools: Awaited<ReturnType<typeof searchTools>>) => {
  const { min, max } = tools[0].inputSchema.properties!.filters!.properties!.price!.properties!;
  return [max!.minimum, min!.maximum];
};

it("counts and bounds only the prices that products show", async () => {
  const list = [
    { id: "a", title: "Cup", price: [5, 7] },
    { id: "b", title: "Cup", price: 3 },
  ];
  await withTools(list, {}, async (tools) => {
    for (const price of [{}, { min: 400 }, { min: 600 }, { max: 550 }]) {
      const { data } = await tools[0].execute({ filters: { price } });
      if ("products" in data) expect(data.pagination.total_count).toBe(data.products.length);
    }
  });
  for (const odd of [-5, 1e300]) {
    const variants = [
      { id: "v", price: odd },
      { id: "w", price: 28.5 },
    ];
    await withTools(
      [{ id: "a", title: "Cup", variants }],
      { mapping: { variants: { path: "variants" } } },
      async (tools) => {
        expect(boundsOf(tools)).toEqual([2850, 2850]);
      },
    );
  }
});

it("never cuts an emoji in two", async () => {
  const emoji = ["", "a"].map((start, i) => ({
    id: `p${i}`,
    title: start + "💡".repeat(300),
    brand: start + "💡".repeat(40),
    price: 1,
  }));
  await withTools(emoji, { facets: ["brand"], maxCharacters: 500 }, async ([search, lookup, get]) => {
    const wrong = (start: string) => ({ filters: { brand: [start + "x".repeat(190)] } });
    for (const { text, data } of [
      await search.execute({ query: "" }),
      await lookup.execute({ ids: ["p0", "p1"] }),
      ...(await Promise.all(["p0", "p1"].map((id) => get.execute({ id })))),
      ...(await Promise.all(["", "a"].map((start) => search.execute(wrong(start))))),
    ])
      expect([text, JSON.stringify(data)].every((each) => each === Buffer.from(each).toString())).toBe(true);
  });
});

it("finds an id beside a SKU that very many products have", async () => {
  const many = Array.from({ length: 1100 }, (_, i) => ({ id: `a${i}`, title: "Cup", sku: "MANY", price: 1 }));
  await withTools([...many, { id: "z", title: "Cup", sku: "ONE", price: 1 }], {}, async ([, lookup]) => {
    const { data } = await lookup.execute({ ids: ["ONE", "MANY"] });
    expect(data).not.toHaveProperty("messages");
    expect(data).toMatchObject({ products: expect.arrayContaining([expect.objectContaining({ id: "z" })]) });
  });
});

it("shows products whatever a rule of the index shows of records", async () => {
  const rules = [
    { id: "r", conditions: [{ pattern: "" }], consequence: { params: { attributesToRetrieve: ["title"] } } },
  ];
  await withTools([{ id: "a", title: "Cup", price: 1 }], { settings: { rules } }, async ([search]) => {
    expect((await search.execute({ query: "" })).data).toMatchObject({ products: [{ id: "a" }] });
  });
});

it.each(["$f", "AND"])("refuses the facet %s, or filters by it", async (name) => {
  const made = withTools([{ id: "a", title: "Cup", price: 1, [name]: "x" }], { facets: [name] }, async ([search]) => {
    expect((await search.execute({ filters: { [name]: ["x"] } })).data).toMatchObject({ products: [{ id: "a" }] });
  });
  await made.catch((error) => expect(error).toMatchObject({ code: 400, error: "invalid_option", param: "facets" }));
});
