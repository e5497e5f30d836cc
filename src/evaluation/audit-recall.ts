// Measures the recall of the neighbour graph: the share of the exact nearest neighbours that it finds. The probes are the vectors of
// sampled records.

import { embedTexts } from "../embedding/embed-texts.js";
import { createStaticDeEmbedder, createStaticEnEmbedder } from "../embedding/word-table-embedder.js";
import type { Hit } from "../query/response.js";
import { seededIntegers } from "../relevance/measures.js";
import { FieldRules } from "../settings/field-rules.js";
import type { EffectiveSettings, VectorIndexSettings } from "../settings/settings.js";
import { embeddedText, readFields } from "../state/read-fields.js";
import { ownVector } from "../state/record-table.js";
import { refusal, throwValidationErrors } from "../util/errors.js";
import type { Embedder } from "../util/extension-points.js";
import type { JsonRecord } from "../util/json.js";
import { pauseIfLong, throwIfAborted } from "../util/tasks.js";
import { type EvaluatedEngine, withCopy } from "./evaluated-engine.js";
import { type EvaluationOptions, withOptions } from "./evaluation-options.js";

/** Options of auditRecall. */
export interface AuditOptions extends Pick<EvaluationOptions, "engine" | "k" | "seed" | "signal" | "onProgress"> {
  /** Number of sampled records whose vectors serve as queries, 1 … 100,000. Default 200. */
  readonly sample?: number | undefined;
  /** Audits a graph with these settings, built on a copy, instead of the index's own. */
  readonly vectorIndex?: VectorIndexSettings | undefined;
  /** The embedder of the index, if it is not the built-in one. */
  readonly embedder?: Embedder | undefined;
}

/** The result of auditRecall. */
export interface RecallAudit {
  /** Mean share of the exact k nearest neighbours that the graph finds. An equally near record counts as found. */
  readonly recall: number;
  /** Share of the sampled records that a search with their own vector misses. */
  readonly lostShare: number;
  /** Their ids. */
  readonly lost: readonly string[];
  /** Number of sampled records that have a vector. */
  readonly asked: number;
}

/**
 * Compares the nearest neighbours that an index returns with those of an exact scan. An index that scans exactly (up to
 * 50,000 vectors by default) misses nothing; `vectorIndex: { kind: "hnsw" }` shows what a graph would miss. The index is not
 * changed.
 *
 * @throws SearchError 400 (options, an index without vectors), 404, 499
 * @example
 * const { recall, lost } = await auditRecall("products", { vectorIndex: { kind: "hnsw", efSearch: 100 } });
 */
export async function auditRecall(indexName: string, options: AuditOptions = {}): Promise<RecallAudit> {
  return withOptions(options, ["sample", "vectorIndex", "embedder"], async (checked) => {
    const { engine, cutoffs, bootstrap, signal, entries, check, counting } = checked;
    const sample = check.integer("sample", entries.sample, 1, 100_000, 200);
    throwValidationErrors(check.complaints);
    const { effective } = await engine.getSettings(indexName);
    const records = await sampleRecords(engine, indexName, sample, bootstrap.seed);
    const vectors = await vectorsOf(records, effective, entries.embedder as Embedder | undefined, signal);
    const probes = records.flatMap((record, i) =>
      vectors[i] === null ? [] : [{ id: String(record[effective.idAttribute]), vector: vectors[i]! }],
    );
    const asked = probes.length;
    const nearest = async (name: string, vector: readonly number[]): Promise<Hit[]> => {
      const alone = { query: "", semanticFloor: -1, distinct: false, attributesToRetrieve: [] };
      return (await engine.query(name, { ...alone, vector, hitsPerPage: cutoffs.k })).data.hits;
    };
    return withCopy(engine, indexName, async (exact) => {
      await engine.updateSettings(exact, { vectorIndex: { kind: "exact" } });
      const compareWith = async (graph: string): Promise<RecallAudit> => {
        await (await engine.createIndex(graph, undefined, { ifExists: "open" })).whenIdle();
        const onProbe = counting(asked);
        const lost: string[] = [];
        let shares = 0;
        for (const { id, vector } of probes) {
          throwIfAborted(signal);
          const truth = await nearest(exact, vector);
          const found = await nearest(graph, vector);
          // A neighbour at least as near as the k-th true one counts as right, so ties do not matter.
          const edge = truth.at(-1)?.score ?? 0;
          shares += truth.length === 0 ? 1 : found.filter(({ score }) => score >= edge).length / truth.length;
          // Many records with equal vectors may fill all k places; none of them is lost then.
          const own = truth.find((hit) => hit.id === id)?.score ?? truth[0]?.score ?? 0;
          if (!found.some((hit) => hit.id === id || hit.score >= own)) lost.push(id);
          onProbe();
          await pauseIfLong();
        }
        return { recall: asked === 0 ? 1 : shares / asked, lostShare: lost.length / Math.max(1, asked), lost, asked };
      };
      const vectorIndex = entries.vectorIndex as VectorIndexSettings | undefined;
      if (vectorIndex === undefined) return compareWith(indexName);
      return withCopy(engine, indexName, async (copy) => {
        await engine.updateSettings(copy, { vectorIndex });
        return compareWith(copy);
      });
    });
  });
}

/** Samples records by a seeded draw in id order, so that the order of insertion does not matter. */
async function sampleRecords(
  engine: EvaluatedEngine,
  indexName: string,
  size: number,
  seed: number,
): Promise<JsonRecord[]> {
  const next = seededIntegers(seed);
  const chosen: JsonRecord[] = [];
  let seen = 0;
  for await (const record of engine.browseRecords<JsonRecord>(indexName)) {
    seen++;
    const place = chosen.length < size ? chosen.length : next(seen);
    if (place < size) chosen[place] = record;
    await pauseIfLong();
  }
  return chosen;
}

/** The vector that the index has for each record: its own, or that of its text; null if it has none. */
async function vectorsOf(
  records: readonly JsonRecord[],
  effective: EffectiveSettings,
  given: Embedder | undefined,
  signal: AbortSignal | undefined,
): Promise<(readonly number[] | null)[]> {
  const { vectorAttribute } = effective;
  if (vectorAttribute !== null)
    return records.map((record) => ownVector(record, vectorAttribute) as readonly number[] | null);
  const embedder = embedderOf(effective.embedder, given);
  const rules = new FieldRules(effective);
  const texts = records.map((record) => {
    const fields = readFields(record, String(record[effective.idAttribute]), rules);
    return embeddedText(record, fields, rules);
  });
  const asked = texts.filter((text) => text.trim() !== "");
  const answer = await embedTexts(embedder, { texts: asked, purpose: "record", signal });
  let at = 0;
  return texts.map((text) => {
    const vector = text.trim() === "" ? null : answer[at++]!;
    return vector === null ? null : Array.from(vector.components);
  });
}

/** The embedder of an index, by its id: `getSettings` shows no more. */
function embedderOf(id: EffectiveSettings["embedder"], given: Embedder | undefined): Embedder {
  if (id === false)
    throw refusal("no_vectors", "indexName", "The index has no vectors, so there is no recall to audit.");
  const known = [given, createStaticEnEmbedder(), createStaticDeEmbedder()];
  const found = known.find((each) => typeof each === "object" && each !== null && each.id === id);
  if (found !== undefined) return found;
  throw refusal("invalid_option", "embedder", `The index embeds by "${id}"; pass that embedder as options.embedder.`);
}
