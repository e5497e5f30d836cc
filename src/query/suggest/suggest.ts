// Suggests how a text that is being typed may go on: the shop's own suggestions, then what the records hold. Each is counted by the
// query that choosing it asks, so a suggestion never promises more than it finds; what no record has in words is not suggested.

import { isBlank } from "../../analysis/normalize-text.js";
import type { AttributeValue } from "../../docvalues/doc-values.js";
import type { FilterObject } from "../../docvalues/filter.js";
import { valuesOf } from "../../input/facets.js";
import { SUGGEST_PARAMETERS, type SuggestValues } from "../../input/parameter-table.js";
import {
  type CheckedParams,
  checkParameterNames,
  checkParams,
  type ParamsContext,
  readOwn,
} from "../../input/read-params.js";
import { comparedText } from "../../settings/own-suggestions.js";
import type { BoundedVersion } from "../../state/bounded-snapshot.js";
import type { IndexVersion } from "../../state/index-data.js";
import type { ParameterPath } from "../../util/attribute-path.js";
import type { SearchWarning } from "../../util/extension-points.js";
import { type JsonRecord, utf8Length } from "../../util/json.js";
import { runTask, type Task } from "../../util/tasks.js";
import { namingFacet } from "../facets/facet-search.js";
import { answerQueries, answerQuery, checkedVersion, preparingWords, type QueryContext } from "../run-query.js";
import { type Completion, Completions, readTyped, type TypedText } from "./completions.js";

/** What is suggested. */
export interface SuggestParams<R extends object = JsonRecord> {
  /** What was typed so far; blank: no suggestions. */
  readonly query: string;
  /** The number of suggestions, 0 … 1,000, more is clamped. Default 5. */
  readonly hitsPerPage?: number | undefined;
  /** Which records exist for these suggestions: as the parameter of a query. */
  readonly filters?: string | FilterObject<R> | undefined;
  /** An attribute: the first suggestion tells in which of its values it has the most hits. */
  readonly facet?: ParameterPath<R> | undefined;
}

/** A value of a facet in which a suggestion has hits. */
export interface SuggestedValue {
  readonly value: AttributeValue;
  /** How many hits the suggestion has with this value. */
  readonly nbHits: number;
}

/** One way to go on. */
export interface SuggestedText {
  readonly text: string;
  /** How many hits a query for it has with `matching: "all"` and the same filters, of which at least one holds its words. */
  readonly nbHits: number;
  /** Only of the first suggestion, with `facet`: at most three values, those with the most hits. */
  readonly in?: readonly SuggestedValue[];
}

/** The answer of `suggest`. */
export interface SuggestAnswer {
  readonly msg: string;
  readonly code: 200;
  readonly data: { readonly query: string; readonly suggestions: readonly SuggestedText[] };
}

/** Of the shop's own suggestions, so many without hits are passed over for one call. */
const MOST_WITHOUT_HITS = 200;
/** Texts that are counted at the same time. */
const COUNTED_AT_ONCE = 8;
const MOST_VALUES = 3;

/** Suggests how a text may go on. */
export async function suggest(given: unknown, params: ParamsContext, context: QueryContext): Promise<SuggestAnswer> {
  const { checked, most, facet } = checkSuggest(given, params);
  const facets = facet === undefined ? [] : [valuesOf(facet)];
  const rethrow = (error: unknown): never => {
    throw namingFacet(error, "facet");
  };
  const current = context.version();
  const version = await checkedVersion({ ...checked, facets }, current, context).catch(rethrow);
  const once = onlyOnce(current, context);
  const suggestions = isBlank(checked.query) ? [] : await suggestionsFor(checked, most, version, once);
  const [first, ...others] = suggestions;
  const maxValuesPerFacet = Math.min(MOST_VALUES, params.bounds?.maxHitsPerPage ?? MOST_VALUES);
  const withValues =
    first === undefined || facet === undefined
      ? suggestions
      : [{ ...first, in: await valuesIn(first.text, { ...checked, facets, maxValuesPerFacet }, once) }, ...others];
  return { msg: "success", code: 200, data: { query: checked.query, suggestions: withValues } };
}

const NAMES: readonly string[] = Object.keys(SUGGEST_PARAMETERS);

/** Checks all parameters of either form. */
function checkSuggest(
  given: unknown,
  params: ParamsContext,
): { readonly checked: CheckedParams; readonly most: number; readonly facet: string | undefined } {
  const { values, named, complaints } = readOwn<SuggestValues>(SUGGEST_PARAMETERS, given, params);
  const { hitsPerPage, facet } = values;
  // A query with the same text and filters complains about the others.
  const own = complaints.filter(({ param }) => param === "hitsPerPage" || param === "facet");
  const asked = Object.fromEntries(
    ["query", "filters"].flatMap((name) => (Object.hasOwn(named, name) ? [[name, named[name]]] : [])),
  );
  checkParameterNames(Object.keys(named), own, { ...params, known: NAMES });
  const checked = checkParams({ ...asked, matching: "all", hitsPerPage: 0 }, params, (others) => [...others, ...own]);
  const most = Math.min(hitsPerPage, params.bounds?.maxHitsPerPage ?? hitsPerPage);
  return { checked, most, facet };
}

/** The context of the queries behind one call: they all read one version, and each of their warnings comes once. */
function onlyOnce(version: IndexVersion, context: QueryContext): QueryContext {
  const warned = new Set<string>();
  const warn = (warning: SearchWarning): void => {
    if (warned.has(warning.message)) return;
    warned.add(warning.message);
    context.warn(warning);
  };
  return { ...context, version: () => version, warn };
}

/** The values of a facet in which a text has the most hits. */
async function valuesIn(query: string, params: CheckedParams, context: QueryContext): Promise<SuggestedValue[]> {
  const { facets } = await answerQuery({ ...params, query }, context);
  const [counts = []] = Object.values(facets?.facets ?? {});
  return counts.map(({ value, count }) => ({ value, nbHits: count }));
}

async function suggestionsFor(
  params: CheckedParams,
  most: number,
  version: BoundedVersion,
  context: QueryContext,
): Promise<SuggestedText[]> {
  const found = new FoundSuggestions(params, most, context);
  const run = <T>(task: Task<T>): Promise<T> => runTask(task, context.signal);
  const { suggestions } = version.settings.effective;
  if (most > 0) await found.take(await run(suggestions.beginningWith(params.query, most + MOST_WITHOUT_HITS)));
  if (found.isFull) return found.list;
  const own = found.list.length;
  const typed = await run(readTyped(params.query, version.settings.language.words));
  await complete(typed, params, found, version, context);
  // What nothing completes may be whole words in other forms, such as two that are joined.
  if (found.list.length === own && typed.beginning !== "")
    await complete({ ...typed, before: `${params.query} `, beginning: "" }, params, found, version, context);
  return found.list;
}

/** Adds completions of a text to what was found. */
async function complete(
  typed: TypedText,
  params: CheckedParams,
  found: FoundSuggestions,
  version: BoundedVersion,
  context: QueryContext,
): Promise<void> {
  const run = <T>(task: Task<T>): Promise<T> => runTask(task, context.signal);
  const before: CheckedParams = { ...params, query: typed.before, queryType: "prefixNone" };
  await preparingWords(before, version, context, async (prepared) => {
    const completions = new Completions({ typed, prepared, version });
    if (!(await run(completions.begin()))) return;
    const others = found.list.length;
    await takeAll([completions.fromTitles, completions.fromTexts], completions, found, run);
    for (const mended of [completions.fromTitlesMended, completions.fromTextsMended]) {
      // What begins as was typed is no typing error.
      if (found.isFull || found.list.length > others) return;
      await takeAll([mended], completions, found, run);
    }
  });
}

/** Takes completions, in the order of where they come from, until the list is full. Only of those that are needed the texts are read. */
async function takeAll(
  sources: readonly ((this: Completions) => Task<readonly Completion[]>)[],
  completions: Completions,
  found: FoundSuggestions,
  run: <T>(task: Task<T>) => Promise<T>,
): Promise<void> {
  const left = [...sources];
  const some: Completion[] = [];
  while (!found.isFull) {
    while (some.length < found.missing && left.length > 0) some.push(...(await run(left.shift()!.call(completions))));
    const batch = some.splice(0, found.missing);
    if (batch.length === 0) return;
    await found.take(await run(completions.textsOf(batch)));
  }
}

/** Counts texts, and keeps those that have hits. */
class FoundSuggestions {
  readonly list: SuggestedText[] = [];
  private readonly params: CheckedParams;
  private readonly most: number;
  private readonly context: QueryContext;
  private readonly compared = new Set<string>();

  constructor(params: CheckedParams, most: number, context: QueryContext) {
    this.params = params;
    this.most = most;
    this.context = context;
  }

  get isFull(): boolean {
    return this.list.length >= this.most;
  }

  /** How many texts to count next. */
  get missing(): number {
    return Math.min(COUNTED_AT_ONCE, this.most - this.list.length);
  }

  /** Takes those of some texts that are new and have hits, until the list is full. */
  async take(texts: readonly (string | undefined)[]): Promise<void> {
    const added = texts.filter((text) => text !== undefined && this.isNew(text)) as string[];
    let left = MOST_WITHOUT_HITS;
    for (let next = 0; next < added.length && left > 0 && !this.isFull; ) {
      const some = added.slice(next, next + Math.min(left, this.missing));
      next += some.length;
      const counts = await answerQueries(
        some.map((query) => ({ ...this.params, query })),
        this.context,
      );
      for (const [i, { ranked }] of counts.entries()) {
        const { nbHits, lexical } = ranked;
        // What is only near in meaning to the words of a text is not sold.
        if (nbHits > 0 && lexical?.count !== 0) this.list.push({ text: some[i]!, nbHits });
        else left--;
      }
    }
  }

  /** Whether a text can be asked for and does not compare like one before. */
  private isNew(text: string): boolean {
    const compared = comparedText(text);
    if (this.compared.has(compared) || utf8Length(text) > this.context.limits.queryBytes) return false;
    this.compared.add(compared);
    return true;
  }
}
