// Warnings of engines without an `onWarning`: they go to the process, as those of Node itself do. Nothing else of the library
// reaches a console.

import { show } from "./errors.js";
import type { SearchWarning } from "./extension-points.js";

/** The maximum number of warnings in a process. */
const MOST = 100;
const TYPE = "TandemSearchWarning";
const SHOWN = Symbol.for("tandem-search.warnings.1");

/** What was shown, by code and index: one set for all copies of the library in a process. */
function shownWarnings(): Set<string> {
  const place = globalThis as { [SHOWN]?: Set<string> };
  place[SHOWN] ??= new Set();
  return place[SHOWN];
}

/** Emits a warning of the process, once for each code and index; the hundredth says that no more follow. May throw. */
export function warnProcess({ code, message, indexName }: SearchWarning): void {
  const shown = shownWarnings();
  const key = JSON.stringify([code, indexName]);
  if (shown.size >= MOST || shown.has(key)) return;
  shown.add(key);
  const where = indexName === undefined ? "" : ` (Index ${show(indexName)}.)`;
  const last = shown.size < MOST ? "" : ` These are ${MOST} warnings; no more follow in this process.`;
  process.emitWarning(`${message}${where}${last}`, { type: TYPE, code });
}
