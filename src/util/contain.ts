// Calls functions of the caller's that must not fail a call: what they throw is ignored, and a promise that they return and that
// rejects does not end the process as an unhandled rejection.

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
