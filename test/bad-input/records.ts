// Group A: what the verbs about records are given, by noun.

import { LONG_IDS } from "./long-lists.js";
import { BATCHES } from "./record-batches.js";
import { DELETIONS } from "./record-deletions.js";
import { FACETED } from "./record-facets.js";
import { IDS } from "./record-ids.js";
import { KEYS } from "./record-keys.js";
import { REWRITES } from "./record-rewrites.js";
import { TEXTS } from "./record-texts.js";
import { UPDATES } from "./record-updates.js";
import { VALUES } from "./record-values.js";
import { VECTORS } from "./record-vectors.js";
import { WRITERS } from "./record-writers.js";
import type { Row } from "./row.js";

/** Group A. */
export const RECORDS: readonly Row[] = [
  ...[...BATCHES, ...IDS, ...KEYS, ...VALUES, ...FACETED, ...TEXTS, ...VECTORS, ...WRITERS],
  ...[...REWRITES, ...UPDATES, ...DELETIONS, ...LONG_IDS],
];
