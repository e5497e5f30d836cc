// States of an index, built from records by the real builders, for tests below the verbs.

import { createStaticDeEmbedder } from "../../src/embedding/word-table-embedder.js";
import { checkSettings } from "../../src/input/read-settings.js";
import type { ResolvedSettings } from "../../src/settings/resolved-settings.js";
import type { IndexSettings } from "../../src/settings/settings.js";
import type { Segment } from "../../src/state/segment.js";
import type { JsonRecord } from "../../src/util/json.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { buildSegment } from "../../src/write/build-segment.js";
import { readBatch } from "../../src/write/read-batch.js";
import { AxisEmbedder } from "./axis-embedder.js";

/** Settings of a test, with vectors of the axis embedder. */
export function settingsFrom(given: IndexSettings = {}): ResolvedSettings {
  const staticEn = new AxisEmbedder();
  const checking = checkSettings(given, {
    limits: DEFAULT_LIMITS,
    strict: true,
    warn: () => {},
    tables: { "static-en": staticEn, "static-de": createStaticDeEmbedder() },
    defaultEmbedder: staticEn,
    hnswlibProblem: () => undefined,
  });
  return runTaskAtOnce(checking);
}

/** A segment of the records, with vectors of the axis embedder. */
export async function segmentFrom(records: readonly JsonRecord[], given: IndexSettings = {}): Promise<Segment> {
  const settings = settingsFrom(given);
  const context = { settings: settings.effective, limits: DEFAULT_LIMITS, skipsInvalid: false };
  const { entries } = runTaskAtOnce(readBatch(records, context));
  return buildSegment(entries, {
    settings,
    limits: DEFAULT_LIMITS,
    signal: undefined,
    warn: () => {},
    vectorsFrom: undefined,
    onProgress: () => {},
  });
}
