// What a cursor says: where a walk through the hits of a query stands. It is a text that holds all of it, so nothing is kept between calls:
// a digest of what it was made for, a digest that shows damage, and the state of the walk as JSON. Neither digest proves anything: what a
// caller may see is decided anew with each call, and whoever forges a state gets hits that a query would show, too.

import { createHash } from "node:crypto";
import type { AttributeValue } from "../docvalues/doc-values.js";
import type { CheckedParams } from "../input/read-params.js";
import { stableText, textInSteps } from "../settings/fingerprint.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import { SearchError } from "../util/errors.js";
import { runTask } from "../util/tasks.js";
import type { Numbers } from "./rank/order-hits.js";
import type { WalkFrom } from "./rank/rank-matches.js";

/** A walk whose next page is asked for. */
export interface Walk {
  readonly from: WalkFrom;
  /** The number of the page that is asked for, from 1. */
  readonly page: number;
  /** The cursor of a later state. Throws 400 where its texts are too long for one. */
  readonly cursorOf: (next: WalkFrom) => string;
}

/** What a cursor is made for besides the parameters; it holds for nothing else. */
export interface CursorScope {
  readonly name: string;
  readonly settings: ResolvedSettings;
  /** The records that hits are like; undefined: the query has a text. */
  readonly similarTo?: unknown;
  readonly signal: AbortSignal | undefined;
}

/** Parameters that may differ from page to page: they shape hits, or count them, and change no order. */
const FREE: ReadonlySet<string> = new Set([
  "cursor",
  "hitsPerPage",
  "attributesToRetrieve",
  "attributesToHighlight",
  "attributesToSnippet",
  "highlightPreTag",
  "highlightPostTag",
  "snippetEllipsisText",
  "escapeHTML",
  "matchedPositions",
  "facets",
  "maxValuesPerFacet",
  "explain",
  "getParsedQuery",
]);

const START: WalkFrom = { shown: 0, pins: { at: -1, nth: -1, waiting: [] }, last: null, sizes: [] };

const DIGEST_DIGITS = 16;
const LONGEST = 16_384;

/** Reads the cursor of some parameters; undefined: they have none. Rejects with 400 `invalid_cursor`. */
export async function walkOf(params: CheckedParams, scope: CursorScope): Promise<Walk | undefined> {
  const { cursor } = params;
  if (cursor === undefined) return undefined;
  const madeFor = await madeForIn(params, scope);
  const cursorAt =
    (page: number) =>
    (next: WalkFrom): string => {
      const text = write(madeFor, page, next);
      if (text.length <= LONGEST) return text;
      const msg = `The last hit of the page is sorted by texts that are too long for a cursor of ${LONGEST} characters; sort by shorter ones, or ask by page.`;
      throw new SearchError(400, "invalid_parameter", msg, { param: "cursor" });
    };
  if (cursor === "start") return { from: START, page: 1, cursorOf: cursorAt(1) };
  const { page, from } = read(cursor, madeFor);
  return { from, page: page + 1, cursorOf: cursorAt(page + 1) };
}

/** By settings: their digest. */
const digests = new WeakMap<ResolvedSettings, string>();

async function madeForIn({ named, bounds }: CheckedParams, scope: CursorScope): Promise<string> {
  const { name, settings, similarTo, signal } = scope;
  const known = digests.get(settings) ?? digestOf(await runTask(textInSteps(settings.shown), signal));
  digests.set(settings, known);
  const bound = Object.entries(named).filter(([key]) => !FREE.has(key));
  return digestOf(stableText([name, known, Object.fromEntries(bound), similarTo, bounds?.filters]));
}

function digestOf(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex").slice(0, DIGEST_DIGITS);
}

function write(madeFor: string, page: number, { shown, pins, last, sizes }: WalkFrom): string {
  const key = last === null ? null : [last.id, ...last.values.map((value) => value ?? null)];
  const json = JSON.stringify([page, shown, [pins.at, pins.nth, ...pins.waiting], sizes.map(Number), key]);
  const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const state = btoa(ascii).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return madeFor + digestOf(madeFor + state) + state;
}

/** Reads what {@link write} has written. */
function read(cursor: string, madeFor: string): { readonly page: number; readonly from: WalkFrom } {
  const state = cursor.slice(2 * DIGEST_DIGITS);
  const given = cursor.slice(0, DIGEST_DIGITS);
  if (cursor.slice(DIGEST_DIGITS, 2 * DIGEST_DIGITS) !== digestOf(given + state)) throw damaged();
  if (given !== madeFor)
    throw invalid("The cursor was made for another index, other settings or other parameters; send those, or begin");
  try {
    return stateIn(JSON.parse(atob(state.replaceAll("-", "+").replaceAll("_", "/"))));
  } catch {
    throw damaged();
  }
}

/** Checks a state, which anybody can forge. */
function stateIn(json: unknown): { readonly page: number; readonly from: WalkFrom } {
  const [page, shown, pins, sizes, key] = listIn(json);
  const [at, nth, ...waiting] = listIn(pins);
  const last = key === null ? null : keyIn(listIn(key));
  const from = {
    shown: countIn(shown, 1),
    pins: { at: countIn(at, -1), nth: countIn(nth, -1), waiting: waiting.map(numbersIn) },
    last,
    sizes: listIn(sizes).map(Boolean),
  };
  return { page: countIn(page, 1), from };
}

function keyIn([id, ...values]: readonly unknown[]): WalkFrom["last"] {
  if (typeof id !== "string" || values.some((value) => typeof value === "object" && value !== null)) throw damaged();
  return { id, values: values.map((value) => (value as AttributeValue | null) ?? undefined) };
}

function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw damaged();
  return value;
}

function numbersIn(value: unknown): Numbers {
  const [first, last] = listIn(value);
  return [countIn(first, 0), countIn(last, 0)];
}

function countIn(value: unknown, least: number): number {
  if (!Number.isSafeInteger(value) || (value as number) < least) throw damaged();
  return value as number;
}

function damaged(): SearchError {
  return invalid("The cursor is no nextCursor of an answer, or is damaged; send it as it was given, or begin");
}

function invalid(what: string): SearchError {
  return new SearchError(400, "invalid_cursor", `${what} anew with "start".`, { param: "cursor" });
}
