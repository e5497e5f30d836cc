// The errors of the provider: those of Medusa where it is installed, since its Search Module looks at their class.

import { SearchError, showCause } from "../util/errors.js";
import { requireInstalled } from "../util/installed-package.js";

/**
 * What is wrong: `not_found`: there is no such index; `invalid_data`: the call is wrong; `not_allowed`: the call is right, and this provider
 * cannot do it; `unexpected_state`: closed, a full disk and the like; `invalid_argument`: the options of the provider are wrong.
 */
export type MedusaErrorType = "not_found" | "invalid_data" | "not_allowed" | "unexpected_state" | "invalid_argument";

/** An error as Medusa's own are; where `@medusajs/framework` is installed, it is one of them. */
export interface MedusaError extends Error {
  readonly type: MedusaErrorType;
  readonly __isMedusaError: true;
}

type ErrorClass = new (type: MedusaErrorType, message: string) => MedusaError;

const LONGEST_MESSAGE = 400;
/** Errors of the engine about calls that are right: limits, and the name of an index that is not the provider's. */
const IMPOSSIBLE = [
  ...["query_too_long", "filter_too_complex", "record_too_large", "batch_too_large", "settings_too_large"],
  ...["not_implemented", "index_exists", "storage_read_only"],
];

/** Medusa's class; null: it is not installed. */
let installed: ErrorClass | null | undefined;

/** An error of the provider. */
export function medusaError(type: MedusaErrorType, message: string, cause?: unknown): MedusaError {
  if (installed === undefined) installed = installedClass() ?? null;
  const short =
    message.length <= LONGEST_MESSAGE
      ? message
      : `${message.slice(0, LONGEST_MESSAGE - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
  const own = { name: "MedusaError", type, __isMedusaError: true } as const;
  const error = installed === null ? Object.assign(new Error(short), own) : new installed(type, short);
  if (cause !== undefined) error.cause = cause;
  return error;
}

/** The call is wrong. */
export const wrong = (message: string, cause?: unknown): MedusaError => medusaError("invalid_data", message, cause);
/** The call is right, and this provider cannot do it. */
export const impossible = (message: string): MedusaError => medusaError("not_allowed", message);

function installedClass(): ErrorClass | undefined {
  try {
    // Bundlers fail where a package that they know by name is not installed; this one they cannot compute.
    const framework = requireInstalled(Buffer.from("@medusajs/framework/utils").toString());
    return (framework as { readonly MedusaError?: ErrorClass } | undefined)?.MedusaError;
  } catch {
    // It is there and does not load here.
    return undefined;
  }
}

/** What a call throws: its own error, or that of the engine under a type that Medusa knows. */
export function asMedusaError(error: unknown, type: MedusaErrorType = typeOf(error)): unknown {
  if ((error as Partial<MedusaError> | null | undefined)?.__isMedusaError === true) return error;
  const message = error instanceof SearchError ? error.message : `tandem-search failed: ${showCause(error)}.`;
  return medusaError(type, message, error);
}

function typeOf(thrown: unknown): MedusaErrorType {
  if (!(thrown instanceof SearchError)) return "unexpected_state";
  const { code, error } = thrown;
  if (IMPOSSIBLE.includes(error)) return "not_allowed";
  return error === "index_not_found" ? "not_found" : code === 400 ? "invalid_data" : "unexpected_state";
}
