// The learned floor of the naive engine: docs/scoring.md spelled out, every record hashed, every pair written down and sorted.

import { ENGLISH_PROBES } from "../../src/state/probe-queries.js";
import { cosine, type Entry, type NaiveSettings, toVector } from "./naive-record.js";

const WORD = 2n ** 32n;

/** What similarity means nothing to the settings' embedder, for these living records; 0: too few of them. */
export function learnedFloor(
  entries: readonly Entry[],
  { embedder }: NaiveSettings,
  queries: readonly string[] = ENGLISH_PROBES.queries,
): number {
  if (embedder === undefined) return 0;
  const probes = queries.map((text) => toVector(embedder(text))).filter((vector) => vector !== null);
  const sample = entries
    .filter(({ vector }) => vector !== null)
    .map(({ id, vector }) => ({ id, vector: vector!, hash: hash(id) }))
    .sort((a, b) => (a.hash === b.hash ? (a.id < b.id ? -1 : 1) : a.hash < b.hash ? -1 : 1))
    .slice(0, 256);
  if (probes.length < 32 || sample.length < 32) return 0;
  const thousandths = probes.flatMap((probe) => sample.map(({ vector }) => Math.round(cosine(probe, vector) * 1000)));
  thousandths.sort((a, b) => a - b);
  return thousandths[Math.ceil((97 * thousandths.length) / 100) - 1]! / 1000;
}

/**
 * What half of the probes reach with six of these records, and 0.05 more, in thousandths; at least 0.35, and no more among less than
 * 1,000 records. undefined: too few of them.
 */
export function outOfVocabularyFloor(entries: readonly Entry[], { embedder }: NaiveSettings): number | undefined {
  const vectors = entries.flatMap(({ vector }) => vector ?? []);
  if (vectors.length < 32) return undefined;
  if (vectors.length < 1000) return 0.35;
  const probes = ENGLISH_PROBES.queries.map((text) => toVector(embedder!(text))).filter((vector) => vector !== null);
  const sixth = probes.map((probe) => vectors.map((vector) => cosine(probe, vector)).sort((a, b) => b - a)[5]!);
  sixth.sort((a, b) => a - b);
  return Math.max(0.35, (Math.round(sixth[Math.ceil(sixth.length / 2) - 1]! * 1000) + 50) / 1000);
}

/** FNV-1a of the code units, and the finalizer of MurmurHash3. */
function hash(id: string): bigint {
  let h = 2166136261n;
  for (let i = 0; i < id.length; i++) h = ((h ^ BigInt(id.charCodeAt(i))) * 16777619n) % WORD;
  h = ((h ^ (h >> 16n)) * 0x85ebca6bn) % WORD;
  h = ((h ^ (h >> 13n)) * 0xc2b2ae35n) % WORD;
  return h ^ (h >> 16n);
}
