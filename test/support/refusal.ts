// The refusal of a call as a value, so that tests can look at all of it.

import { SearchError } from "../../src/util/errors.js";

/** The SearchError that the call throws; fails when it throws another or none. */
export function thrownBy(call: () => unknown): SearchError {
  try {
    call();
  } catch (error) {
    if (error instanceof SearchError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

/** The SearchError that the promise rejects with; fails when it rejects with another or resolves. */
export async function rejectionOf(promise: Promise<unknown>): Promise<SearchError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof SearchError) return error;
    throw error;
  }
  throw new Error("The promise was not rejected.");
}
