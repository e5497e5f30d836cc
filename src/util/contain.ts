// Calls functions of the caller's that must not fail a call: what they throw is ignored, and a promise that they return and that
// rejects does not end the process as an unhandled rejection.
// Warnings of engines without an `onWarning` go to the process, as those of Node itself do; nothing else of the library reaches a console.

import { show } from "./errors.js";
import type { SearchWarning } from "./extension-points.js";

/** Calls a function, if there is one. What it throws is ignored: then the answer is undefined. */
export function callQuietly<A, T>(called: ((argument: A) => T) | undefined, argument: A): T | undefined {
  try {
    const answer = called?.(argument);
    contain(answer);
    return answer;
  } catch {
    // The error belongs to the caller's function.
    return undefined;
  }
}

/** Ignores the rejection of a promise, or of anything that acts as one. */
export function contain(answer: unknown): void {
  const promise = answer as Partial<PromiseLike<unknown>> | null | undefined;
  if (typeof promise?.then === "function") Promise.resolve(promise).catch(() => {});
}

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
