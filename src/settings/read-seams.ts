// The user's own analyzer and embedder, judged by their shape before anything relies on them.

import type { Checker } from "../base/checks.js";
import type { Limits } from "../base/limits.js";
import type { Analyzer, Embedder } from "../base/seams.js";

/** The engine's embedders to choose from. */
export interface EmbedderChoice {
  readonly limits: Limits;
  readonly defaultEmbedder: Embedder | false;
  readonly staticEn: Embedder;
}

/** The analyzer a setting names; English by default. */
export function readAnalyzer(value: unknown, check: Checker): "english" | "plain" | Analyzer {
  if (value === undefined || value === "english") return "english";
  if (value === "plain") return "plain";
  const shape = shapeOf(value, ["id", "analyze"]);
  if (shape !== undefined && isId(shape.get("id")) && typeof shape.get("analyze") === "function")
    return value as Analyzer;
  check.refuse("analyzer", value, '"english", "plain" or { id, analyze(text) }', "invalid_analyzer");
  return "english";
}

/** The embedder a setting names: the engine's by default, none where records bring their own vectors. */
export function readEmbedder(
  value: unknown,
  ownVectors: boolean,
  check: Checker,
  choice: EmbedderChoice,
): Embedder | undefined {
  if (value === undefined) return ownVectors || choice.defaultEmbedder === false ? undefined : choice.defaultEmbedder;
  if (value === false) return undefined;
  if (value === "static-en") return choice.staticEn;
  return checkEmbedder("embedder", value, check, choice.limits);
}

/** A user's embedder, or undefined with a complaint. */
export function checkEmbedder(name: string, value: unknown, check: Checker, limits: Limits): Embedder | undefined {
  const shape = shapeOf(value, ["id", "dimensions", "maxBatchSize", "embed"]);
  if (shape === undefined || !isId(shape.get("id")) || typeof shape.get("embed") !== "function") {
    check.refuse(name, value, '"static-en", false or { id, dimensions, embed(texts, options) }', "invalid_embedder");
    return undefined;
  }
  const before = check.complaints.length;
  check.integer(`${name}.dimensions`, shape.get("dimensions") ?? null, 1, limits.dimensions, 1, "invalid_embedder");
  check.integer(`${name}.maxBatchSize`, shape.get("maxBatchSize"), 1, 1_000_000, 1, "invalid_embedder");
  return check.complaints.length === before ? (value as Embedder) : undefined;
}

/** Named properties of an object or class instance (inherited ones too: methods live there), each read once. */
function shapeOf(value: unknown, names: readonly string[]): Map<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return new Map(names.map((name) => [name, (value as Record<string, unknown>)[name]]));
  } catch {
    return undefined;
  }
}

function isId(value: unknown): boolean {
  return typeof value === "string" && value.length > 0 && value.length <= 256;
}
