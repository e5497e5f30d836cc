// The engine of a life with the model of its indexes, and what its answers and refusals are judged by.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type JsonRecord,
  type SearchData,
  SearchEngine,
  type SearchParams,
  type SearchWarning,
} from "../../src/index.js";
import { expectTexts, searchError } from "../bad-input/message-rules.js";
import { Model, type ModelIndex, type Version } from "../lives/model.js";
import { preview } from "../lives/preview.js";
import type { NaiveAnswer } from "../support/naive-engine.js";
import { project } from "../support/naive-projection.js";
import type { Random } from "../support/random.js";
import { ROOT } from "../support/source-tree.js";

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Throws when the outcome is not what it must be. */
export type Judge = (outcome: Outcome) => void;

// What a refusal must be.

const PAGE = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");

/** The rows "| 400 | `a` `b` | when |" as "400 a", "400 b". */
const DOCUMENTED: ReadonlySet<string> = new Set(
  [...PAGE.matchAll(/^\| (\d{3}) \| ([^|]*) \|/gm)].flatMap(([, code, names]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => `${code} ${name}`),
  ),
);

const WARNINGS = PAGE.slice(PAGE.indexOf("## Warnings"));

/** "400 invalid_page"; throws when the refusal breaks a rule that every refusal keeps. */
function refusalOf(thrown: unknown): string {
  const error = searchError(thrown);
  const kind = `${error.code} ${error.error}`;
  if (!DOCUMENTED.has(kind)) throw new Error(`"${kind}" is not in docs/errors.md: ${error.msg}`);
  expectTexts(error);
  JSON.stringify(error.details);
  return kind;
}

/** Throws for a warning that is not documented or cannot be printed. */
function checkWarning({ code, message }: SearchWarning): void {
  if (!WARNINGS.includes(`\`${code}\``)) throw new Error(`the warning "${code}" is not in docs/errors.md`);
  if (!/^[\x20-\x7e…]{1,1000}$/.test(message))
    throw new Error(`a warning is not printable: ${JSON.stringify(message)}`);
}

// The engine of a life.

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

export class World extends Model {
  readonly random: Random;
  readonly engine: SearchEngine;
  readonly strict: boolean;
  /** The indexes declare their attributes; else only those can be used that a record holds. */
  readonly declared: boolean;
  readonly refusals: Map<string, number> = new Map();
  /** Several calls are being made without awaiting. */
  together = false;
  /** The engine is being closed, so calls that are on their way may be refused. */
  isClosing = false;
  private warningFault: unknown;

  constructor(random: Random) {
    const mostRecords = random.pick([10_000_000, 10_000_000, 40]);
    super(mostRecords);
    this.random = random;
    this.strict = random.chance(0.3);
    this.declared = random.chance(0.6);
    this.engine = new SearchEngine({
      embedder: false,
      strict: this.strict,
      limits: { indexRecords: mostRecords },
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

// Answers, compared with a version of an index.

/** Without a difference undefined, else what differs. */
export type Difference = string | undefined;

/** How two values differ, compared as JSON. */
export function differ(what: string, actual: unknown, expected: unknown): Difference {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a === b) return undefined;
  let at = 0;
  while (a?.[at] === b?.[at]) at++;
  const part = (text: string | undefined): string => `${text}`.slice(Math.max(0, at - 60), at + 200);
  return `${what} is …${part(a)}… and must be …${part(b)}…`;
}

/** Throws unless one of these versions has no difference; tells that of the last. */
export function agree(versions: readonly Version[], differenceFrom: (version: Version) => Difference): void {
  let last: Difference = "an answer where none can be";
  for (const version of versions) {
    last = differenceFrom(version);
    if (last === undefined) return;
  }
  const of = versions.length > 1 ? ` (in the last of ${versions.length} versions)` : "";
  throw new Error(`${last}${of}`);
}

/** How an answer differs from the twin's. */
export function answerDifference(
  data: SearchData,
  expected: NaiveAnswer,
  params: SearchParams,
  version: Version,
): Difference {
  const { page = 1, hitsPerPage = 12 } = params;
  const { nbHits, recallSource, hits, facets, facetStats } = expected;
  const seen = data.hits.map(({ id, score, _geoDistance: metres, matchedItems }) => ({
    id,
    score,
    ...(metres === undefined ? {} : { _geoDistance: metres }),
    ...(matchedItems === undefined ? {} : { matchedItems }),
  }));
  const [from, to] = [(page - 1) * hitsPerPage, page * hitsPerPage];
  return (
    differ("nbHits", data.nbHits, nbHits) ??
    differ("recallSource", data.recallSource, recallSource) ??
    differ("hits", seen, hits.slice(from, to)) ??
    differ("facets", data.facets, facets) ??
    differ("facetStats", data.facetStats, facetStats) ??
    differ("page", [data.query, data.page, data.hitsPerPage], [params.query, page, hitsPerPage]) ??
    sourcesDifference(data, params, version)
  );
}

function sourcesDifference(data: SearchData, params: SearchParams, { naive }: Version): Difference {
  if (data.hits.length === 0) return undefined;
  const byId = new Map(naive.records.map((record) => [String(record.id), record]));
  for (const { id, source, score, explanation, _highlightResult, _snippetResult } of data.hits) {
    const record = byId.get(id)!;
    const shown = differ(`the source of ${id}`, source, project(record, params.attributesToRetrieve));
    if (shown !== undefined) return shown;
    if ((explanation !== undefined) !== (params.explain === true)) return `${id} has no explanation, or too many`;
    const parts = [explanation?.lexical, explanation?.semantic, explanation?.title, explanation?.exactCode];
    const sum = [...parts, ...(explanation?.boosts ?? [])].reduce((all, part) => all + (part?.contribution ?? 0), 0);
    // Boosts may leave nothing of a score, and make none of 1.
    const most = explanation?.boosts === undefined || explanation.exactCode !== undefined ? 1 : 0.999999;
    const total = explanation?.boosts === undefined ? sum : Math.min(most, Math.max(0, sum));
    if (explanation !== undefined && !(Math.abs(total - score) < 1e-6))
      return `the explanation of ${id} is ${sum}, not ${score}`;
    if ((_highlightResult !== undefined) !== asked(params.attributesToHighlight)) return `${id} has other highlights`;
    if ((_snippetResult !== undefined) !== asked(params.attributesToSnippet)) return `${id} has other snippets`;
    const marked = plainTexts(_highlightResult).find((text) => !holdsText(record, text));
    if (marked !== undefined) return `${id} highlights ${JSON.stringify(marked)}, which it does not hold`;
  }
  return undefined;
}

function asked(names: readonly string[] | undefined): boolean {
  return names !== undefined && names.length > 0;
}

/** The highlighted texts without their marks. */
function plainTexts(shaped: unknown): string[] {
  if (typeof shaped !== "object" || shaped === null) return [];
  const { value, matchLevel } = shaped as { readonly value?: unknown; readonly matchLevel?: unknown };
  if (typeof value === "string" && typeof matchLevel === "string") return [plain(value)];
  return Object.values(shaped).flatMap(plainTexts);
}

function plain(html: string): string {
  const text = html.replace(/<\/?em>/g, "");
  const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => named[name]!);
}

function holdsText(value: JsonRecord[string] | JsonRecord, text: string): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some((inner) => holdsText(inner, text));
  return String(value) === text;
}
