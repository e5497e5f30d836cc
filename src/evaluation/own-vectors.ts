// The vectors by which an index knows its records: what they bring, or what its embedder makes of their text.

import { refusal } from "../base/errors.js";
import type { JsonRecord } from "../base/json.js";
import type { Embedder } from "../base/seams.js";
import { ownVector } from "../records/packed-vector.js";
import { embeddedText, readFields } from "../records/read-fields.js";
import type { EffectiveSettings, IndexSettings } from "../settings/settings.js";
import { embedTexts } from "../vector/embed-texts.js";
import { createStaticEnEmbedder } from "../vector/static-en/static-en-embedder.js";
import { rulesOf } from "./searched-attributes.js";

/** What is known of the index, and the embedder that the caller named. */
export interface VectorSource {
  readonly settings: IndexSettings;
  readonly effective: EffectiveSettings;
  readonly embedder: Embedder | undefined;
  readonly signal: AbortSignal | undefined;
}

/** One vector a record, null where it has none. */
export async function vectorsOf(
  records: readonly JsonRecord[],
  source: VectorSource,
): Promise<(readonly number[] | null)[]> {
  const { effective } = source;
  if (effective.vectorAttribute !== null)
    return records.map((record) => ownVector(record, effective.vectorAttribute) as readonly number[] | null);
  const embedder = embedderOf(source);
  const rules = rulesOf(effective);
  const texts = records.map((record) => {
    const fields = readFields(record, String(record[effective.idAttribute]), rules);
    return embeddedText(record, fields, rules);
  });
  const asked = texts.filter((text) => text.trim() !== "");
  const answer = await embedTexts(embedder, { texts: asked, purpose: "record", signal: source.signal });
  let at = 0;
  return texts.map((text) => {
    const vector = text.trim() === "" ? null : answer[at++]!;
    return vector === null ? null : Array.from(vector.components);
  });
}

/** The embedder that is in force; the engine shows only its id. */
function embedderOf({ settings, effective, embedder }: VectorSource): Embedder {
  if (effective.embedder === false)
    throw refusal("no_vectors", "indexName", "The index has no vectors, so there is no recall to audit.");
  const known = [embedder, settings.embedder, createStaticEnEmbedder()];
  for (const each of known)
    if (typeof each === "object" && each !== null && each.id === effective.embedder) return each;
  const msg = `The index embeds by "${effective.embedder}"; pass that embedder as options.embedder.`;
  throw refusal("invalid_option", "embedder", msg);
}
