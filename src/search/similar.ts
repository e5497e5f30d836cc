// Finds records like some others: a query whose terms and whose vector come from records instead of a text. Its matches hold one of
// the terms that tell most about these records, or are near to them in meaning.

import type { BoundedSnapshot } from "../index/bounded-snapshot.js";
import { ColumnReferences, passFilter } from "../index/column-store.js";
import {
  type CheckedParams,
  checkParams,
  filterOf,
  type ParamsContext,
  type QueryBounds,
  readForm,
  takeParams,
} from "../input/read-params.js";
import type { SearchParams } from "../input/search-params.js";
import { type WeightedQuery, weighQuery } from "../inverted/weighted-query.js";
import { type Doc, toLocal } from "../util/doc.js";
import type { DocSet } from "../util/doc-set.js";
import { SearchError } from "../util/errors.js";
import { has, type JsonRecord } from "../util/json.js";
import { show } from "../util/show.js";
import { runTask, type Task } from "../util/tasks.js";
import { readVector, type UnitVector } from "../vectors/unit-vector.js";
import { vectorOf } from "../vectors/vector-rows.js";
import { NO_INTENT } from "./apply-intent.js";
import { findNamed, type NamedRecords, readNamedIds } from "./named-records.js";
import { type AllowedRecords, type PreparedQuery, prepareParts, type SearchedWords } from "./prepare-query.js";
import type { SearchAnswer } from "./response.js";
import { hiddenByRules, NO_EFFECTS } from "./rules.js";
import { checkedVersion, prepareContext, type QueryContext, rankAndCount, shapeAnswer } from "./search.js";
import { type TellingTerm, type TermSource, tellingTerms, UNLIKE_WEIGHT } from "./telling-terms.js";

/** Which of the similar records are shown, and how: the parameters of a query that are not about its text. */
export type SimilarParams<R extends object = JsonRecord> = Partial<
  Omit<
    SearchParams<R>,
    // A query must be blank; the others are checked, and have no effect.
    | "query"
    | "vector"
    | "matching"
    | "queryType"
    | "typoTolerance"
    | "optionalWords"
    | "advancedSyntax"
    | "getParsedQuery"
    | "getMatchInfo"
    | "understand"
    | "relevancyStrictness"
  >
>;

/** Finds records like those that are named. */
export async function similar(
  of: unknown,
  given: unknown,
  params: ParamsContext,
  context: QueryContext,
  bounds?: QueryBounds,
): Promise<SearchAnswer<JsonRecord>> {
  const asked = checkSimilar(given, params, bounds);
  const ids = readNamedIds(of, params.limits);
  const version = await checkedVersion(asked, context.version(), context);
  const { signal, clock } = context;
  const { snapshot } = version;
  const { language, fields: rules } = version.settings;
  const settings = version.settings.effective;
  const columnReferences = new ColumnReferences();
  try {
    const { attributeForDistinct } = settings;
    const named = await runTask(findNamed(ids, asked, { snapshot, attributeForDistinct, columnReferences }), signal);
    const vector = meanVector(named, snapshot, settings.dimensions);
    clock.end("parse");
    const learned = (stop: AbortSignal): Promise<number> => version.floor({ ...context, signal: stop });
    const floor = asked.semanticFloor ?? (vector === null ? 0 : await context.whileThere(learned));
    const began = clock.end("embed");
    const hide = await runTask(hiddenByRules(asked, version), signal);
    const effects = { ...NO_EFFECTS, hide };
    const embedded = { vector, parts: undefined };
    const own = { columnReferences, effects, intent: NO_INTENT };
    const preparing = prepareContext(version, embedded, context, own);
    const source = { snapshot, rules, wordsOf: (field: string) => language.wordsOf(field), leftOut: named.leftOut };
    const parts = {
      words: (corpus: TermSource["corpus"]) => tellingWords(named, { ...source, corpus }),
      allowed: ({ items }: Pick<PreparedQuery, "items">) =>
        allowedOthers(asked, { snapshot, leftOut: named.leftOut, items }),
    };
    const prepared = await runTask(prepareParts(asked, preparing, parts), signal);
    clock.end("prepare");
    const { graph } = version;
    const searched = { unheldWeight: undefined, unjudged: null, identifiers: [], vector, floor, graph };
    const input = { prepared, snapshot, settings, blank: false, listsAll: false, ...searched };
    const ranked = await rankAndCount(asked, input, { rankings: undefined, context, preparing });
    const ruled = { params: asked, effects: NO_EFFECTS };
    const answered = {
      ruled,
      understood: null,
      version,
      prepared,
      ...ranked,
      began,
      waited: 0,
    };
    return await shapeAnswer("", answered, context);
  } finally {
    columnReferences.release(context.memory.columnsToKeep());
  }
}

/** Checks the parameters of either form as those of a query without a text. Only boosts that were asked for count. */
function checkSimilar(given: unknown, params: ParamsContext, bounds: QueryBounds | undefined): CheckedParams {
  const named = readForm(takeParams(given, params.limits), params);
  const checked = checkParams({ query: "", ...named }, params, bounds);
  if (checked.query.trim() !== "") {
    const msg = `query is ${show(checked.query)}, but similar looks for records like others; leave it out, or call query.`;
    throw new SearchError(400, "invalid_parameter", msg, { param: "query" });
  }
  const { boosts = [] } = checked;
  return {
    ...checked,
    query: "",
    boosts,
    matching: "any",
    relevancyStrictness: 0,
    getParsedQuery: false,
    getMatchInfo: false,
    understand: false,
  };
}

/** What decides which records are found. */
interface OtherRecords extends Pick<PreparedQuery, "items"> {
  readonly snapshot: BoundedSnapshot;
  readonly leftOut: DocSet<Doc>;
}

/** The records that pass the filters, but none that is named, and none of its group. */
function* allowedOthers(params: CheckedParams, { snapshot, leftOut, items }: OtherRecords): Task<AllowedRecords> {
  const passing = yield* passFilter(filterOf(params), snapshot, items?.passing);
  return { allowed: passing.andNot(leftOut), promoted: [] };
}

/** The terms that tell most about the records, weighed. */
function* tellingWords({ like, unlike }: NamedRecords, source: TermSource): Task<SearchedWords> {
  const telling = yield* tellingTerms(like, unlike, source);
  const strengths = strengthsOf(telling.like);
  const terms = termsOf(telling.like);
  const query = yield* weighQuery(source.corpus, terms, strengths);
  const lowers = terms.length > 0 && telling.unlike.length > 0;
  const sum = query.idfs.reduce((whole, idf, i) => whole + idf * strengths[i]!, 0);
  const lowering: WeightedQuery | null = lowers
    ? yield* weighQuery(source.corpus, termsOf(telling.unlike), strengthsOf(telling.unlike), sum)
    : null;
  // Without a term, meaning is all that counts.
  const coveredShare = terms.length === 0 ? 0 : query.coveredShare;
  return { terms, unheld: [], query: { ...query, coveredShare, unlike: lowering }, titles: null };
}

function termsOf(telling: readonly TellingTerm[]): TellingTerm["term"][] {
  return telling.map(({ term }) => term);
}

function strengthsOf(telling: readonly TellingTerm[]): Float64Array {
  return Float64Array.from(telling, ({ strength }) => strength);
}

/** The mean of the vectors of the liked records, less a share of the mean of the others; null: no liked record has one. */
function meanVector({ like, unlike }: NamedRecords, snapshot: BoundedSnapshot, dimensions: number): UnitVector | null {
  const liked = vectorsOf(like, snapshot);
  if (liked.length === 0) return null;
  const unliked = vectorsOf(unlike, snapshot);
  const sum = new Float64Array(dimensions);
  addVectors(liked, 1 / liked.length, sum);
  addVectors(unliked, -UNLIKE_WEIGHT / unliked.length, sum);
  const read = readVector(sum, dimensions);
  // Vectors may cancel each other out.
  return has(read, "vector") ? read.vector : null;
}

function vectorsOf(docs: readonly Doc[], snapshot: BoundedSnapshot): UnitVector[] {
  return docs.flatMap((doc) => {
    const { segment, base } = snapshot.segmentOf(doc);
    return segment.vectors === null ? [] : (vectorOf(segment.vectors, toLocal(base, doc)) ?? []);
  });
}

function addVectors(vectors: readonly UnitVector[], weight: number, sum: Float64Array): void {
  for (const { components, inverseLength } of vectors)
    for (let i = 0; i < sum.length; i++) sum[i]! += weight * inverseLength * components[i]!;
}
