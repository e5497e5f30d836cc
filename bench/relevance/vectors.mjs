// The vectors for hybrid peers: those of static-en, as in tandem-search.

import { createStaticEnEmbedder } from "../../dist/index.js";

const embedder = createStaticEnEmbedder();
const BATCH = 256;

export const DIMENSIONS = embedder.dimensions;

/** One vector per text; null for a text without a known word. */
export async function embedAll(texts, purpose) {
  const vectors = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH);
    const asked = batch.filter((text) => text.trim() !== "");
    const answer = await embedder.embed(asked, { purpose });
    let at = 0;
    for (const text of batch) vectors.push(text.trim() === "" ? null : answer[at++]);
  }
  return vectors.map(unit);
}

/** The vector with unit length; null stays null. */
export function unit(vector) {
  if (vector === null) return null;
  const length = Math.hypot(...vector) || 1;
  return Array.from(vector, (value) => value / length);
}
