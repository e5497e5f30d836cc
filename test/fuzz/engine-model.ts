// What the indexes of a life must be: of each its naive twin and the settings given, in every version of the calls at
// hand. Calls that are made together may see any version since the last calm; writers make the next one in the order of
// their calls. And the engine of a life, with what its answers and refusals are judged by.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type JsonRecord,
  type SearchData,
  SearchEngine,
  SearchError,
  type SearchIndex,
  type SearchParams,
  type SearchWarning,
} from "../../src/index.js";
import { type NaiveAnswer, NaiveEngine } from "../support/naive-engine.js";
import { project } from "../support/naive-projection.js";
import type { Random } from "../support/random.js";
import { ROOT } from "../support/source-tree.js";
import type { FuzzShop } from "./random-fuzz-shop.js";

// The model.

/** An index at one moment. */
export interface Version {
  readonly naive: NaiveEngine;
  readonly given: Readonly<Record<string, unknown>>;
  readonly ids: ReadonlySet<string>;
  /** Components of its vectors; 0: it has none. */
  readonly dimensions: number;
}

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Throws when the outcome is not what it must be. */
export type Judge = (outcome: Outcome) => void;

/** What a writer must give: the result, or the refusal as "409 settings_changed". */
export type Promised = { readonly result: unknown } | { readonly refusal: string };

export class ModelIndex {
  shop: FuzzShop;
  /** A handle that was got at some time. */
  handle: SearchIndex | undefined;
  /** Deleted since the records were last all replaced. */
  readonly deleted: Set<string> = new Set();
  /** Every id that ever was in it. */
  readonly everHeld: Set<string> = new Set();
  versions: Version[];
  /** The settings in force were replaced in the calls at hand. */
  resettled = false;
  /** It was deleted or moved away in the calls at hand: who was earlier may be refused with 404. */
  ended = false;
  /** It came into being in the calls at hand, but not at once: who reads it may be refused with 404. */
  appearing = false;

  constructor(shop: FuzzShop) {
    this.shop = shop;
    const { settings, naive } = shop.shop;
    const { dimensions } = shop;
    this.versions = [{ naive: new NaiveEngine(naive), given: { ...settings }, ids: new Set(), dimensions }];
  }

  get last(): Version {
    return this.versions.at(-1)!;
  }

  /** The calls at hand are over. */
  settle(): void {
    this.versions = [this.last];
    this.resettled = false;
    this.appearing = false;
  }

  /** A copy of the last version, changed. */
  next(change: (naive: NaiveEngine) => void, given: Version["given"] = this.last.given): Version {
    const naive = new NaiveEngine();
    naive.copyFrom(this.last.naive);
    change(naive);
    const ids = new Set(naive.records.map(({ id }) => String(id)));
    return { naive, given, ids, dimensions: this.last.dimensions };
  }

  /** A version comes after all others. */
  publish(version: Version): void {
    for (const id of this.last.ids) if (!version.ids.has(id)) this.deleted.add(id);
    for (const id of version.ids) this.everHeld.add(id);
    this.versions.push(version);
  }

  /** What was remembered of deleted records may be gone: all records are new. */
  forgetDeleted(): void {
    this.deleted.clear();
  }

  /** Puts another index's last version after all of this one's. */
  copyFrom(other: ModelIndex): void {
    this.shop = other.shop;
    this.publish(other.last);
    for (const id of other.everHeld) this.everHeld.add(id);
    this.forgetDeleted();
    for (const id of other.deleted) this.deleted.add(id);
    this.resettled = true;
  }
}

/** Of several records of one id the last counts, so this is how many records they are. */
export function countIds(ids: Iterable<string>, among: ReadonlySet<string>): { added: number; replaced: number } {
  const distinct = [...new Set(ids)];
  const replaced = distinct.filter((id) => among.has(id)).length;
  return { added: distinct.length - replaced, replaced };
}

// Prints of values for the messages of failures.

// A short print of any value, traps and endless lists too, for the messages of failures.

const MOST_ITEMS = 6;
const MOST_LEVELS = 4;
const MOST_CHARACTERS = 60;

/** At most 400 characters. */
export function preview(value: unknown): string {
  return print(value, MOST_LEVELS).slice(0, 400);
}

function print(value: unknown, levels: number): string {
  try {
    if (typeof value === "string") return JSON.stringify(value.slice(0, MOST_CHARACTERS));
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "function") return "a function";
    if (typeof value !== "object" || value === null) return String(value);
    if (levels === 0) return "…";
    if (Array.isArray(value)) {
      const items = Array.from({ length: Math.min(value.length, MOST_ITEMS) }, (_, i) => print(value[i], levels - 1));
      return `[${items.join()}${value.length > MOST_ITEMS ? `, … ${value.length} in all` : ""}]`;
    }
    const entries = Object.keys(value).slice(0, 3 * MOST_ITEMS);
    const kind = Object.getPrototypeOf(value) === Object.prototype ? "" : Object.prototype.toString.call(value);
    return `${kind}{${entries.map((name) => `${name.slice(0, MOST_CHARACTERS)}: ${print(Reflect.get(value, name), levels - 1)}`).join()}}`;
  } catch {
    return "(a trap)";
  }
}

// What a refusal must be.

const PRINTABLE = /^[\x20-\x7e…]{1,400}$/;
const STACK_LINE = /node_modules|node:internal|file:\/\/|\.[cm]?[jt]s:\d/;

/** Stands in every bad record: no message may hold it. */
export const SECRET = "confidential";

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
  if (!(thrown instanceof SearchError)) throw new Error(`not a SearchError: ${describe(thrown)}`);
  const kind = `${thrown.code} ${thrown.error}`;
  if (!DOCUMENTED.has(kind)) throw new Error(`"${kind}" is not in docs/errors.md: ${thrown.msg}`);
  for (const text of [thrown.msg, thrown.message, ...complaintsOf(thrown)]) {
    if (!PRINTABLE.test(text)) throw new Error(`${kind} has a message that is not printable: ${JSON.stringify(text)}`);
    if (text.includes(SECRET)) throw new Error(`${kind} tells what a record holds: ${text}`);
    if (STACK_LINE.test(text)) throw new Error(`${kind} tells a path: ${text}`);
  }
  const envelope = JSON.stringify({ msg: thrown.msg, code: thrown.code, data: null, error: thrown.error });
  if (JSON.stringify(thrown.toEnvelope()) !== envelope) throw new Error(`${kind} has another envelope than its fields`);
  if (thrown.code !== 503 && typeof thrown.param !== "string") throw new Error(`${kind} names no parameter`);
  return kind;
}

/** Throws for a warning that is not documented or cannot be printed. */
function checkWarning({ code, message }: SearchWarning): void {
  if (!WARNINGS.includes(`\`${code}\``)) throw new Error(`the warning "${code}" is not in docs/errors.md`);
  if (!/^[\x20-\x7e…]{1,1000}$/.test(message))
    throw new Error(`a warning is not printable: ${JSON.stringify(message)}`);
}

/** The messages of all complaints; all of `details` must be data. */
function complaintsOf({ details }: SearchError): string[] {
  JSON.stringify(details);
  const complaints = details?.complaints;
  return Array.isArray(complaints) ? complaints.map((complaint: { readonly msg: string }) => complaint.msg) : [];
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : `a thrown ${typeof thrown}`;
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
  const seen = data.hits.map(({ id, score }) => ({ id, score }));
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
    const sum = parts.reduce((all, part) => all + (part?.contribution ?? 0), 0);
    if (explanation !== undefined && !(Math.abs(sum - score) < 1e-6))
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
