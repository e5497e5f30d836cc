// Calls that do not wait for each other, as the events of a shop: they hold in the order in which they are made, with what was given then.
// And a search for a meaning that no text has.

import { beforeEach, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { createMedusaSearchProvider, type MedusaIndex, type MedusaSearch } from "../../src/medusa.js";

const FIELDS = {
  id: { type: "keyword", filterable: true },
  title: { type: "text", searchable: true },
};
const index: MedusaIndex = { physical_name: "products", primary_key: "id", settings: {}, fields: FIELDS };
let provider: ReturnType<typeof createMedusaSearchProvider>;
const write = (...documents: Record<string, unknown>[]) => ({ index: "products", definition: index, documents });
const titles = async (more: Partial<MedusaSearch> = {}, of = index) =>
  (await provider.search({ index: of, attributes_to_retrieve: ["title"], ...more })).hits.map(
    ({ document }) => document.title,
  );

beforeEach(async () => {
  provider = createMedusaSearchProvider({ engine: new SearchEngine() });
  await provider.upsertIndex({ index });
});

it("keeps the later of two writes of a document", async () => {
  const other = { id: "b", title: "other" };
  await Promise.all(
    ["old", "new"].map((title) =>
      provider.upsertDocuments(write({ id: "a", title }, ...(title === "old" ? [other] : []))),
    ),
  );
  expect(await titles({ filters: { id: "a" } })).toEqual(["new"]);
});

it("deletes what was written just before", async () => {
  for (const id of ["a", "b", "c", "d", "e", "f"])
    await Promise.all([
      provider.upsertDocuments(write({ id, title: "old" })),
      provider.deleteDocuments({ index: "products", filters: { id } }),
    ]);
  expect(await titles()).toEqual([]);
});

it("writes the documents as they were when they were given", async () => {
  const given = write({ id: "a", title: "given" });
  const written = provider.upsertDocuments(given);
  given.documents[0]!.title = "changed";
  given.documents.push({ id: "b", title: "added" });
  await written;
  expect(await titles()).toEqual(["given"]);
});

it("finds nothing by meaning alone where the text has none that is known", async () => {
  const fields = { ...FIELDS, v: { type: "vector", dimensions: 192, embed: true } };
  const other = { ...index, physical_name: "meaning", fields };
  await provider.upsertIndex({ index: other });
  await provider.upsertDocuments({
    index: "meaning",
    definition: other,
    documents: [{ id: "a", title: "sofa", v: "sofa" }],
  });
  const vector = { query: "zzzzqqqq", semantic_ratio: 1 };
  expect(await titles({ q: "sofa", search_options: { vector } }, other)).toEqual([]);
});
