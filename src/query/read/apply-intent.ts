// What a text asks for on an index, and what that does to a query: its text without the parts that became something else, and what these
// became. Conditions and exclusions are refinements, which apply after the matches were found: so they add no hit, and change no score.

import { readAdvancedSyntax } from "../../analysis/parse-query.js";
import type { Filter } from "../../docvalues/filter.js";
import { MOST_BOOSTS, USUAL_WEIGHT } from "../../input/boosts.js";
import { readFilters } from "../../input/filter-object.js";
import type { SortAttribute } from "../../input/parameter-table.js";
import type { CheckedParams } from "../../input/read-params.js";
import type { ReadBoost } from "../../settings/resolved-settings.js";
import { type BoundedVersion, unboundedVersion } from "../../state/bounded-snapshot.js";
import { warnOfPrices } from "../../state/check-attributes.js";
import { ColumnReferences } from "../../state/column-store.js";
import type { IndexVersion } from "../../state/index-data.js";
import type { MemoryBudget } from "../../state/memory-budget.js";
import { loadEnglishReader } from "../../understanding/english-reader.js";
import type { Intent, Understood, UnderstoodPart } from "../../understanding/intent.js";
import { type LeftAlone, readIntent } from "../../understanding/read-intent.js";
import { SearchError, show } from "../../util/errors.js";
import { utf8Length } from "../../util/json.js";
import type { Limits } from "../../util/limits.js";
import { runTask, type Task } from "../../util/tasks.js";
import { applyRules, type RuleContext, type RuledQuery } from "./apply-rules.js";
import { FactsOfIndex } from "./intent-facts.js";

/** What a query was understood to ask for besides its parameters. */
export interface IntentEffects {
  /** What hits must pass; null: nothing. */
  readonly condition: Filter | null;
  /** Terms that hits must not hold, but negated. */
  readonly excluded: readonly string[];
  /** What the hits that are what is asked for are sorted by; empty: nothing. */
  readonly sort: readonly SortAttribute[];
}

/** Nothing was understood. */
export const NO_INTENT: IntentEffects = { condition: null, excluded: [], sort: [] };

/** A query by the rules of its index, and by what its text is understood to ask for. */
export interface UnderstoodQuery {
  readonly ruled: RuledQuery;
  readonly intent: IntentEffects;
  /** What the answer tells; null: the query does not ask for it. */
  readonly understood: Understood | null;
}

/** What a text is read with. */
export interface IntentContext extends RuleContext {
  readonly signal: AbortSignal | undefined;
  readonly memory: MemoryBudget;
}

/** The context of rules for queries in which something was understood. */
const CONTEXT = "natural_language";

/** Applies the rules of an index, and where the query asks for it, what its text is understood to ask for. */
export async function applyRulesAndIntent(
  given: CheckedParams,
  version: BoundedVersion,
  context: IntentContext,
): Promise<UnderstoodQuery> {
  const { limits, signal } = context;
  const { understand, query: typed } = given;
  if (understand === false)
    return { ruled: await runTask(applyRules(given, version, context), signal), intent: NO_INTENT, understood: null };
  const read = (query: string, except: readonly number[]): Promise<Intent> => {
    const ranges = given.advancedSyntax ? readAdvancedSyntax(query).ranges : [];
    return readOnIndex(query, version, context, { ranges, except });
  };
  // All parts count here: which rules hold does not change when one of them is taken back, and so their places do not.
  const hasRules = !version.settings.effective.rules.isEmpty && given.enableRules;
  const asTyped = hasRules ? await read(typed, []) : null;
  const isSentence = asTyped !== null && asTyped.parts.length > 0;
  const situated = isSentence ? { ...given, ruleContexts: [...given.ruleContexts, CONTEXT] } : given;
  const { params, effects } = await runTask(applyRules(situated, version, context), signal);
  const isAsTyped = asTyped !== null && params.query === typed && understand.except.length === 0;
  const intent = isAsTyped ? asTyped : await read(params.query, understand.except);
  return {
    ruled: { params: withIntent(params, intent, limits), effects },
    intent: effectsOf(intent, limits),
    understood: { ...intent, parts: placedIn(typed, intent) },
  };
}

/** The parameters with the text that is searched, and the values that are rather wanted as boosts. */
function withIntent(params: CheckedParams, { query, preferred }: Intent, limits: Limits): CheckedParams {
  if (query === params.query && preferred.length === 0) return params;
  const boosts = preferred.slice(0, MOST_BOOSTS).map((filter): ReadBoost => {
    return { weight: USUAL_WEIGHT, signal: { kind: "filter", filter: readOwn(filter, limits), shown: filter } };
  });
  return Object.freeze({ ...params, query, optionalFilters: [...params.optionalFilters, ...boosts] });
}

function effectsOf(intent: Intent, limits: Limits): IntentEffects {
  const { order, filters } = intent;
  const sort = order?.sort ?? [];
  return {
    condition: filters === undefined ? null : readOwn(filters, limits),
    excluded: intent.excluded,
    sort: sort.map((text) => {
      const colon = text.lastIndexOf(":");
      return { attribute: text.slice(0, colon), direction: text.slice(colon + 1) as "asc" | "desc" };
    }),
  };
}

/** Reads a filter that nobody typed: a sentence is short, so the limits of callers need not hold. */
function readOwn(filter: string, limits: Limits): Filter {
  const most = Number.MAX_SAFE_INTEGER;
  return readFilters(filter, {
    ...limits,
    filterBytes: most,
    filterDepth: most,
    filterConditions: most,
    filterValues: most,
  });
}

/** The parts with their places in what was typed: where a rule changed the text, those before and behind the change have one. */
function placedIn(typed: string, { original, parts }: Intent): readonly UnderstoodPart[] {
  if (original === typed) return parts;
  const shorter = Math.min(typed.length, original.length);
  let before = 0;
  while (before < shorter && typed[before] === original[before]) before++;
  let behind = 0;
  while (behind < shorter - before && typed.at(-1 - behind) === original.at(-1 - behind)) behind++;
  const moved = typed.length - original.length;
  return parts.map(({ from, to, ...part }) => {
    if (to <= before) return { from, to, ...part };
    return from >= original.length - behind ? { from: from + moved, to: to + moved, ...part } : part;
  });
}

/** Reads what a text asks for. Rejects with 400 where it is no text, is too long, or the language of the index is not English. */
export async function understandQuery(
  text: unknown,
  context: IntentContext & { readonly version: () => IndexVersion },
): Promise<Intent> {
  const { queryBytes } = context.limits;
  if (typeof text !== "string")
    throw new SearchError(400, "invalid_query", `The query is ${show(text)}; pass a text.`, { param: "query" });
  if (text.length > queryBytes || utf8Length(text) > queryBytes) {
    const msg = `The query has more than ${queryBytes} bytes; shorten it.`;
    throw new SearchError(400, "query_too_long", msg, { param: "query" });
  }
  requireEnglish(context.version());
  await loadEnglishReader();
  return readOnIndex(text, unboundedVersion(context.version()), context);
}

/** What a text asks for, read against a version of an index. Rejects with 400 where its language is not English. */
async function readOnIndex(
  text: string,
  version: BoundedVersion,
  { signal, memory, warn }: IntentContext,
  scope?: LeftAlone,
): Promise<Intent> {
  requireEnglish(version);
  const reader = await loadEnglishReader();
  const columns = new ColumnReferences();
  const read = function* (): Task<Intent> {
    const facts = yield* FactsOfIndex.of(version, columns);
    const intent = yield* readIntent(text, facts, reader, scope);
    if (facts.missedPrices !== null) yield* warnOfPrices(facts.missedPrices, version.snapshot, warn);
    return intent;
  };
  try {
    return await runTask(read(), signal);
  } finally {
    columns.release(memory.columnsToKeep());
  }
}

function requireEnglish({ settings: { effective } }: Pick<IndexVersion, "settings">): void {
  const { language } = effective;
  if (language !== null && new Intl.Locale(language).language === "en") return;
  const is = language === null ? "has none" : `has ${show(language)}`;
  const msg = `Queries are understood in English only, and this index ${is} as its language; set language to "en" if its texts are English.`;
  throw new SearchError(400, "invalid_parameter", msg, { param: "understand" });
}
