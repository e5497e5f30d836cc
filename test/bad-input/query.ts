// Group Q: what a query is given in its object form, by noun.

import { CALLS } from "./query-calls.js";
import { NUMBERS } from "./query-numbers.js";
import { SIGNALS } from "./query-signals.js";
import { STATES } from "./query-states.js";
import { TEXTS } from "./query-texts.js";
import { VECTORS } from "./query-vectors.js";
import type { Row } from "./row.js";

/** Group Q. */
export const QUERY: readonly Row[] = [...CALLS, ...SIGNALS, ...STATES, ...TEXTS, ...NUMBERS, ...VECTORS];
