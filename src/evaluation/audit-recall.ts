// Measures the recall of the neighbour graph: the share of the exact nearest neighbours that it finds. The probes are the vectors of
// sampled records.

import { embedTexts } from "../embedding/embed-texts.js";
import { createStaticDeEmbedder, createStaticEnEmbedder } from "../embedding/word-table-embedder.js";
import { seededIntegers } from "../relevance/measures.js";
import { FieldRules } from "../settings/field-rules.js";
import type { EffectiveSettings, VectorIndexSettings } from "../settings/settings.js";
import { embeddedText, readFields } from "../state/read-fields.js";
import { ownVector } from "../state/record-table.js";
import { throwIfAborted } from "../util/abort.js";
import { refusal, throwValidationErrors } from "../util/errors.js";
import type { Embedder } from "../util/extension-points.js";
import type { JsonRecord } from "../util/json.js";
import { pauseIfLong } from "../util/tasks.js";
import { type EvaluatedEngine, withCopy } from "./evaluated-engine.js";
import { type CheckedEvaluation, type EvaluationOptions, withOptions } from "./evaluation-options.js";

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
  return withOptions(options, ["sample", "vectorIndex", "embedder"], (checked) => audit(indexName, checked));
}

async function audit(indexName: string, checked: CheckedEvaluation): Promise<RecallAudit> {
  const { engine, cutoffs, bootstrap, signal, entries, check, onProgress } = checked;
  const sample = check.integer("sample", entries.sample, 1, 100_000, 200);
  throwValidationErrors(check.complaints);
  const { effective } = await engine.getSettings(indexName);
  const embedder = entries.embedder as Embedder | undefined;
  const records = await sampleRecords(engine, indexName, sample, bootstrap.seed);
  const vectors = await vectorsOf(records, { effective, embedder, signal });
  const probes = records.flatMap((record, i) =>
    vectors[i] === null ? [] : [{ id: String(record[effective.idAttribute]), vector: vectors[i]! }],
  );
  return withCopy(engine, indexName, async (exact) => {
    await engine.updateSettings(exact, { vectorIndex: { kind: "exact" } });
    return withGraph(engine, indexName, entries.vectorIndex, async (graph) => {
      const found: Found[] = [];
      for (const probe of probes) {
        throwIfAborted(signal);
        const truth = await nearest(engine, exact, probe.vector, cutoffs.k);
        found.push(compareNeighbours(probe.id, truth, await nearest(engine, graph, probe.vector, cutoffs.k)));
        onProgress({ done: found.length, total: probes.length });
        await pauseIfLong();
      }
      return summarize(found);
    });
  });
}

interface Neighbour {
  readonly id: string;
  readonly score: number;
}

interface Found {
  readonly id: string;
  readonly share: number;
  readonly isLost: boolean;
}

/** A neighbour at least as near as the k-th true one counts as right, so ties do not matter. */
function compareNeighbours(id: string, truth: readonly Neighbour[], found: readonly Neighbour[]): Found {
  const edge = truth.at(-1)?.score ?? 0;
  const right = found.filter(({ score }) => score >= edge).length;
  // Many records with equal vectors may fill all k places; none of them is lost then.
  const own = truth.find((hit) => hit.id === id)?.score ?? truth[0]?.score ?? 0;
  const isLost = !found.some((hit) => hit.id === id || hit.score >= own);
  return { id, share: truth.length === 0 ? 1 : right / truth.length, isLost };
}

function summarize(found: readonly Found[]): RecallAudit {
  const lost = found.filter(({ isLost }) => isLost).map(({ id }) => id);
  const asked = found.length;
  const recall = found.reduce((sum, { share }) => sum + share, 0) / Math.max(1, asked);
  return { recall: asked === 0 ? 1 : recall, lostShare: lost.length / Math.max(1, asked), lost, asked };
}

/** The k nearest records by the vector alone. */
async function nearest(
  engine: EvaluatedEngine,
  indexName: string,
  vector: readonly number[],
  k: number,
): Promise<readonly Neighbour[]> {
  const asked = { query: "", vector, semanticFloor: -1, distinct: false, hitsPerPage: k, attributesToRetrieve: [] };
  return (await engine.query(indexName, asked)).data.hits;
}

/** Runs `work` on the index once its graph is complete, or on a copy with the requested graph. */
async function withGraph(
  engine: EvaluatedEngine,
  indexName: string,
  vectorIndex: unknown,
  work: (name: string) => Promise<RecallAudit>,
): Promise<RecallAudit> {
  const whenGrown = async (name: string): Promise<RecallAudit> => {
    const handle = await engine.createIndex(name, undefined, { ifExists: "open" });
    await handle.whenIdle();
    return work(name);
  };
  if (vectorIndex === undefined) return whenGrown(indexName);
  return withCopy(engine, indexName, async (copy) => {
    await engine.updateSettings(copy, { vectorIndex: vectorIndex as VectorIndexSettings });
    return whenGrown(copy);
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
    if (chosen.length < size) chosen.push(record);
    else {
      const place = next(seen);
      if (place < size) chosen[place] = record;
    }
    await pauseIfLong();
  }
  return chosen;
}

/** The settings in force, and the embedder that the caller passed. */
export interface VectorSource {
  readonly effective: EffectiveSettings;
  readonly embedder: Embedder | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The vector that the index has for each record: its own, or that of its text; null if it has none. */
export async function vectorsOf(
  records: readonly JsonRecord[],
  source: VectorSource,
): Promise<(readonly number[] | null)[]> {
  const { effective } = source;
  if (effective.vectorAttribute !== null)
    return records.map((record) => ownVector(record, effective.vectorAttribute) as readonly number[] | null);
  const embedder = embedderOf(source);
  const rules = new FieldRules(effective);
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

/** The embedder of the index, by its id: `getSettings` shows no more. */
function embedderOf({ effective, embedder }: VectorSource): Embedder {
  if (effective.embedder === false)
    throw refusal("no_vectors", "indexName", "The index has no vectors, so there is no recall to audit.");
  const known = [embedder, createStaticEnEmbedder(), createStaticDeEmbedder()];
  for (const each of known)
    if (typeof each === "object" && each !== null && each.id === effective.embedder) return each;
  const msg = `The index embeds by "${effective.embedder}"; pass that embedder as options.embedder.`;
  throw refusal("invalid_option", "embedder", msg);
}
