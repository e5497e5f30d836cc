// Group A: what addRecords, deleteRecords and getRecords are given, by noun.

import { BATCHES } from "./record-batches.js";
import { IDS } from "./record-ids.js";
import { KEYS } from "./record-keys.js";
import { TEXTS } from "./record-texts.js";
import { VALUES } from "./record-values.js";
import { VECTORS } from "./record-vectors.js";
import { WRITERS } from "./record-writers.js";
import type { Row } from "./row.js";

/** Group A. */
export const RECORDS: readonly Row[] = [...BATCHES, ...IDS, ...KEYS, ...VALUES, ...TEXTS, ...VECTORS, ...WRITERS];
