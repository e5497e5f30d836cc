// Orama: BM25 over fields, and its hybrid mode over the same vectors as ours.

import { DIMENSIONS, embedAll } from "../vectors.mjs";

const BATCH = 1000;
/** Orama's names cannot contain dots, and its schema needs each field as a text. */
const VECTOR = "embedding";

async function open({ title, fields, rows }, { hybrid, tolerance }) {
  const { create, insertMultiple, search } = await import("@orama/orama");
  const schema = Object.fromEntries(fields.map((name) => [name, "string"]));
  const db = create({
    schema: hybrid ? { ...schema, [VECTOR]: `vector[${DIMENSIONS}]` } : schema,
    components: { tokenizer: { stemming: true, language: "english", stemmerSkipProperties: [] } },
  });
  const vectors = hybrid
    ? await embedAll(
        rows.map(({ embedded }) => embedded),
        "record",
      )
    : [];
  const documents = rows.map(({ id, texts }, i) => ({ id, ...texts, ...(vectors[i] && { [VECTOR]: vectors[i] }) }));
  await insertMultiple(db, documents, BATCH);
  const shared = { threshold: 1, boost: { [title]: 2 }, properties: fields, tolerance };
  return async (query, depth) => {
    const [vector] = hybrid ? await embedAll([query], "query") : [null];
    const how =
      vector === null
        ? { mode: "fulltext" }
        : { mode: "hybrid", vector: { value: vector, property: VECTOR }, similarity: 0.35 };
    const { hits } = await search(db, { term: query, limit: depth, ...shared, ...how });
    return hits.map(({ id }) => id);
  };
}

export const oramaText = {
  label: "Orama",
  settings:
    "fields as ours, title x 2, threshold 1 (any word), English stems, tolerance 0; prefixes match by its design",
  open: (corpus) => open(corpus, { hybrid: false, tolerance: 0 }),
};

export const oramaFuzzy = {
  label: "Orama fuzzy",
  settings: "the same with tolerance 1",
  open: (corpus) => open(corpus, { hybrid: false, tolerance: 1 }),
};

export const oramaHybrid = {
  label: "Orama hybrid",
  settings:
    "the same, tolerance 0, mode hybrid over static-en's vectors, its weights (.5/.5), similarity .35 (its .8 finds nothing)",
  open: (corpus) => open(corpus, { hybrid: true, tolerance: 0 }),
};
