// The floor of the meaning that is in force: the one set, else the one that the present records teach. Learned when first
// asked for, by a reader; nothing but caches changes.

import { SearchError } from "../../base/errors.js";
import type { SearchWarning } from "../../base/extension-points.js";
import { runTask, type Task } from "../../base/tasks.js";
import type { EffectiveSettings, ResolvedSettings } from "../../settings/settings.js";
import type { IndexSnapshot } from "../index-snapshot.js";
import type { Segment } from "../segment.js";
import { hashSample, LEAST_VECTORS, learnedFloor } from "./learned-floor.js";
import { probeVectors } from "./probe-vectors.js";

/** Who asks. */
export interface FloorContext {
  readonly signal: AbortSignal | undefined;
  readonly warn: (warning: SearchWarning) => void;
}

/** The least cosine of a member by meaning. Where the embedder fails: the usual one, with a warning. Throws 499. */
export async function semanticFloor(
  snapshot: IndexSnapshot,
  { effective, embedder, usualFloor }: ResolvedSettings,
  { signal, warn }: FloorContext,
): Promise<number> {
  if (effective.semanticFloor !== "auto") return effective.semanticFloor;
  if (embedder === undefined || snapshot.vectorCount < LEAST_VECTORS) return usualFloor;
  try {
    const probes = await probeVectors(embedder, signal);
    return (await runTask(learnedFloor(snapshot, probes), signal)) ?? usualFloor;
  } catch (cause) {
    if (!(cause instanceof SearchError) || cause.error !== "embedder_failed") throw cause;
    const message = `The embedder failed, so semanticFloor was ${usualFloor} instead of one learned from the records.`;
    warn({ code: "embedder_failed", message, param: "semanticFloor", cause });
    return usualFloor;
  }
}

/** Looks up what learning a floor needs to know of a segment, so that no query has to; nothing where none is learned. */
export function* prepareFloor(segment: Segment, { effective, embedder }: ResolvedSettings): Task<void> {
  if (effective.semanticFloor === "auto" && embedder !== undefined && segment.vectors !== null)
    yield* hashSample(segment);
}

/** The settings in force for these records. */
export async function effectiveSettings(
  { snapshot, settings }: { readonly snapshot: IndexSnapshot; readonly settings: ResolvedSettings },
  warn: FloorContext["warn"],
): Promise<EffectiveSettings> {
  const floor = await semanticFloor(snapshot, settings, { signal: undefined, warn });
  return Object.freeze({ ...settings.effective, semanticFloor: floor });
}
