// One engine with its indexes and their model: what all fuzzed calls need, and the ways to make a call.

import { SearchEngine, type SearchIndex } from "../../src/index.js";
import type { Random } from "../support/random.js";
import type { Judge, ModelIndex, Outcome } from "./engine-model.js";
import { preview } from "./engine-preview.js";
import { checkWarning, refusalOf } from "./engine-refusal.js";

/** Names of indexes; some are names that every object has. */
export const NAMES: readonly string[] = ["shop", "other", "a.b-c_1", "constructor", "__proto__"];

/** One call: what is planned in the model comes right before the call is made. */
export interface Call {
  readonly what: string;
  readonly plan: () => Judge;
  readonly run: () => unknown;
  /** What has to be undone after it. */
  readonly after?: () => void;
}

export class World {
  readonly random: Random;
  readonly engine: SearchEngine;
  readonly strict: boolean;
  /** The indexes declare their attributes; else only those can be used that a record holds. */
  readonly declared: boolean;
  /** Records that an index may hold. */
  readonly mostRecords: number;
  readonly indexes: Map<string, ModelIndex> = new Map();
  /** Handles of indexes that are gone. */
  readonly stale: SearchIndex[] = [];
  readonly refusals: Map<string, number> = new Map();
  /** Several calls are being made without awaiting. */
  together = false;
  private warningFault: unknown;

  constructor(random: Random) {
    this.random = random;
    this.strict = random.chance(0.3);
    this.declared = random.chance(0.6);
    this.mostRecords = random.pick([10_000_000, 10_000_000, 40]);
    this.engine = new SearchEngine({
      embedder: false,
      strict: this.strict,
      limits: { indexRecords: this.mostRecords },
      onWarning: (warning) => {
        try {
          checkWarning(warning);
        } catch (error) {
          this.warningFault ??= error;
        }
        throw new Error("a handler that throws");
      },
    });
  }

  /** A random name of an index, and the index if there is one. */
  randomIndex(existing = 0.95): { readonly name: string; readonly model: ModelIndex | undefined } {
    const names = [...this.indexes.keys()];
    const name = this.random.pick(names.length > 0 && this.random.chance(existing) ? names : NAMES);
    return { name, model: this.indexes.get(name) };
  }

  /** Calls a verb of the index: by the engine, by a new handle, or by an old one. */
  invoke(name: string, verb: string, args: readonly unknown[]): () => unknown {
    const kept = this.indexes.get(name)?.handle;
    const way = this.random.between(0, 2);
    if (way === 2 && kept !== undefined) return () => apply(kept, verb, args);
    if (way === 1) return () => apply(this.engine.index(name), verb, args);
    return () => apply(this.engine, verb, [name, ...args]);
  }

  /** The outcome must be a refusal; of the kinds named, if any are. */
  refused(kinds: readonly string[] = []): Judge {
    return (outcome) => {
      if (!("error" in outcome)) throw new Error(`not refused: ${preview(outcome.value)}`);
      const kind = this.countRefusal(outcome.error);
      if (kinds.length > 0 && !kinds.some((start) => kind.startsWith(start)))
        throw new Error(`refused as ${kind}, not as ${kinds.join(" or ")}: ${String(outcome.error)}`);
    };
  }

  /** The outcome must be a value that `check` takes. */
  returned(check: (value: unknown) => void): Judge {
    return (outcome) => {
      if ("error" in outcome)
        throw new Error(
          `refused as ${this.countRefusal(outcome.error)}: ${String(outcome.error)}, ${String((outcome.error as Error).cause)}`,
        );
      check(outcome.value);
    };
  }

  /** The outcome may be anything but an error of another kind. */
  either(): Judge {
    return (outcome) => {
      if ("error" in outcome) this.countRefusal(outcome.error);
    };
  }

  /** The same, where the index may be gone, or not there yet. */
  unlessGone(model: ModelIndex, judge: Judge): Judge {
    const isRefused = (outcome: Outcome): boolean => "error" in outcome && codeOf(outcome.error) === 404;
    return (outcome) => ((model.ended || model.appearing) && isRefused(outcome) ? this.either() : judge)(outcome);
  }

  /** Throws for a wrong warning since the last time. */
  checkWarnings(): void {
    if (this.warningFault === undefined) return;
    throw this.warningFault;
  }

  private countRefusal(error: unknown): string {
    const kind = refusalOf(error);
    this.refusals.set(kind, (this.refusals.get(kind) ?? 0) + 1);
    return kind;
  }
}

export function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null ? (error as { readonly code?: unknown }).code : undefined;
}

function apply(target: object, verb: string, args: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(target, verb) as () => unknown, target, args);
}
