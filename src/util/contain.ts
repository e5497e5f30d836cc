// Calls functions of the caller's that must not fail a call: what they throw is ignored, and a promise that they return and that
// rejects does not end the process as an unhandled rejection.

import { types } from "node:util";

const nothing = (): void => {};

/** Calls a handler, if there is one, and ignores whatever becomes of it. */
export function callQuietly<A>(handler: ((argument: A) => unknown) | undefined, argument: A): void {
  try {
    contain(handler?.(argument));
  } catch {
    // The error belongs to the caller's handler.
  }
}

/** Ignores the rejection of a promise, or of anything that acts as one. Never throws. */
export function contain(answer: unknown): void {
  if ((typeof answer !== "object" && typeof answer !== "function") || answer === null) return;
  try {
    if (types.isPromise(answer)) handled(answer);
    else if (typeof (answer as { readonly then?: unknown }).then === "function")
      new Promise((resolve) => resolve(answer)).then(nothing, nothing);
  } catch {
    // The getter of `then` threw.
  }
}

/** The answer that somebody awaits. `await` alone does not handle the rejection of a promise with methods of its own. */
export function handled<T>(answer: T): T {
  // Not `answer.then`, which may be the caller's own.
  if (types.isPromise(answer)) Reflect.apply(Promise.prototype.then, answer, [nothing, nothing]);
  return answer;
}
