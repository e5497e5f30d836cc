// The options of an engine, checked, with their defaults.

import { createStaticEnEmbedder } from "../embedding/static-en-embedder.js";
import { checkEmbedder } from "../settings/check-extensions.js";
import { checkNames } from "../settings/check-settings.js";
import { Checker, ownEntries } from "../util/checks.js";
import { callQuietly } from "../util/contain.js";
import { throwValidationErrors } from "../util/errors.js";
import type { Embedder, SearchWarning, WarningHandler } from "../util/extension-points.js";
import { type Limits, resolveLimits } from "../util/limits.js";
import { MemoryBudget } from "./memory-budget.js";

/** Options of `new SearchEngine(options)`. */
export interface EngineOptions {
  /** The embedder of indexes that name none. Default `"static-en"`. */
  readonly embedder?: "static-en" | false | Embedder;
  /** Called with each warning. The library prints nothing. */
  readonly onWarning?: WarningHandler;
  /** Unknown names of parameters, settings and options: errors (400) if true, warnings if false (default). */
  readonly strict?: boolean;
  /** Limits that replace the default ones. */
  readonly limits?: Partial<Limits>;
}

/** The effective options, which an engine passes to its indexes. */
export interface CheckedEngineOptions {
  readonly limits: Limits;
  readonly strict: boolean;
  /** Passes a warning to the caller. Never throws. */
  readonly warn: (warning: SearchWarning) => void;
  readonly staticEn: Embedder;
  readonly defaultEmbedder: Embedder | false;
  /** Limits the memory of all indexes together. */
  readonly memory: MemoryBudget;
}

const OPTION_NAMES = ["embedder", "onWarning", "strict", "limits"];

/** Checks the options of an engine and fills in defaults. Throws 400 with all complaints together. */
export function readEngineOptions(options: unknown): CheckedEngineOptions {
  const entries = ownEntries(options, "options", "invalid_options");
  const check = new Checker("invalid_option", "options");
  const limits = resolveLimits(entries.get("limits"));
  const strict = entries.get("strict") ?? false;
  if (typeof strict !== "boolean") check.complain("strict", strict, "true or false");
  const onWarning = entries.get("onWarning");
  if (onWarning !== undefined && typeof onWarning !== "function") check.complain("onWarning", onWarning, "a function");
  const warn = (warning: SearchWarning): void => callQuietly(onWarning as WarningHandler | undefined, warning);
  const staticEn = createStaticEnEmbedder();
  const embedder = entries.get("embedder") ?? "static-en";
  const defaultEmbedder =
    embedder === "static-en"
      ? staticEn
      : embedder === false
        ? false
        : checkEmbedder("embedder", embedder, check, limits);
  checkNames(entries.keys(), OPTION_NAMES, { kind: "option", check, strict: strict === true, warn });
  throwValidationErrors(check.complaints);
  const memory = new MemoryBudget(limits.maxMemory);
  return {
    limits,
    strict: strict === true,
    warn,
    staticEn,
    defaultEmbedder: defaultEmbedder ?? false,
    memory,
  };
}
