// Group Q: what a query is given in its object form, by noun.

import { LONG_PARAMS } from "./long-lists.js";
import { CALLS } from "./query-calls.js";
import { FACETS } from "./query-facets.js";
import { HITS } from "./query-hits.js";
import { NUMBERS } from "./query-numbers.js";
import { ORDER } from "./query-order.js";
import { SIGNALS } from "./query-signals.js";
import { STATES } from "./query-states.js";
import { TEXTS } from "./query-texts.js";
import { VECTORS } from "./query-vectors.js";
import { VERBS } from "./query-verbs.js";
import { WORDS } from "./query-words.js";
import type { Row } from "./row.js";

/** Group Q. */
export const QUERY: readonly Row[] = [
  ...[...CALLS, ...SIGNALS, ...STATES, ...TEXTS, ...NUMBERS, ...VECTORS],
  ...[...FACETS, ...ORDER, ...HITS, ...WORDS, ...VERBS, ...LONG_PARAMS],
];
