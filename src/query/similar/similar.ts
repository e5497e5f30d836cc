// Finds records like some others: a query whose terms and whose vector come from records instead of a text. Its matches hold one of
// the terms that tell most about these records, or are near to them in meaning.

import { type AttributeValue, leastValue } from "../../docvalues/doc-values.js";
import { copyItems, copyProperties } from "../../input/plain-data.js";
import {
  type CheckedParams,
  checkParams,
  copyParams,
  filterOf,
  inGroups,
  type ParamsContext,
  readForm,
} from "../../input/read-params.js";
import { readRecordId } from "../../input/record-ids.js";
import type { SearchParams } from "../../input/search-params.js";
import { type WeightedQuery, weighQuery } from "../../inverted/weigh-terms.js";
import type { BoundedSnapshot, BoundedVersion } from "../../state/bounded-snapshot.js";
import { ColumnReferences, columnOf, ensureColumns, passFilter } from "../../state/column-store.js";
import { type Doc, DocSet, toLocal } from "../../util/doc-set.js";
import { SearchError, show } from "../../util/errors.js";
import { has, type JsonRecord } from "../../util/json.js";
import type { Limits } from "../../util/limits.js";
import { runTask, type Task } from "../../util/tasks.js";
import { readVector, type UnitVector } from "../../vectors/unit-vector.js";
import { vectorOf } from "../../vectors/vector-rows.js";
import { walkOf } from "../cursor.js";
import { type AllowedRecords, type PreparedQuery, prepareParts, type SearchedWords } from "../prepare/prepare-query.js";
import { NO_INTENT } from "../read/apply-intent.js";
import { hiddenByRules, NO_EFFECTS } from "../read/apply-rules.js";
import type { SearchAnswer } from "../response.js";
import { checkedVersion, prepareContext, type QueryContext, rankAndCount, shapeAnswer } from "../run-query.js";
import { type InterestingTerm, interestingTerms, type TermSource, UNLIKE_WEIGHT } from "./interesting-terms.js";

/** Ids of records, each a string or an integer. */
type RecordIds = readonly (string | number)[];

/** What hits shall be like: one record, some, or some and not others. 1 to 100 ids in `like`, at most 100 in `unlike`. */
export type SimilarTo =
  | string
  | number
  | RecordIds
  | { readonly like: RecordIds; readonly unlike?: RecordIds | undefined };

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
): Promise<SearchAnswer<JsonRecord>> {
  const checked = checkSimilar(given, params);
  const ids = readNamedIds(of, params.limits);
  const version = await checkedVersion(checked, context.version(), context);
  const asked = inGroups(checked, version.settings.effective.distinct, params.limits);
  const { signal, clock } = context;
  const { snapshot, graph } = version;
  const { language, fields: rules } = version.settings;
  const settings = version.settings.effective;
  const columnReferences = new ColumnReferences();
  try {
    const named = await runTask(findNamed(ids, asked, version, columnReferences), signal);
    const vector = meanVector(named, snapshot, settings.dimensions);
    clock.end("parse");
    const learned = (stop: AbortSignal): Promise<number> => version.floor({ ...context, signal: stop });
    const floor = asked.semanticFloor ?? (vector === null ? 0 : await context.whileThere(learned));
    const began = clock.end("embed");
    const hide = await runTask(hiddenByRules(asked, version), signal);
    const own = { columnReferences, effects: { ...NO_EFFECTS, hide }, intent: NO_INTENT };
    const preparing = prepareContext(version, { vector, parts: undefined }, context, own);
    const { leftOut } = named;
    const source = { snapshot, rules, wordsOf: (field: string) => language.wordsOf(field), leftOut };
    const parts = {
      words: (searcher: TermSource["searcher"]) => interestingWords(named, { ...source, searcher }),
      // The records that pass the filters, but none that is named, and none of its group.
      *allowed({ items }: Pick<PreparedQuery, "items">): Task<AllowedRecords> {
        const passing = yield* passFilter(filterOf(asked), snapshot, items?.passing);
        return { allowed: passing.andNot(leftOut), promoted: [] };
      },
    };
    const prepared = await runTask(prepareParts(asked, preparing, parts), signal);
    clock.end("prepare");
    const searched = { outOfVocabularyWeight: undefined, unjudged: null, identifiers: [], vector, floor, graph };
    const scope = { name: context.name, settings: version.settings, similarTo: ids, signal };
    const walk = await walkOf(asked, scope);
    const input = { prepared, snapshot, settings, blank: false, listsAll: false, walk: walk?.from, ...searched };
    const ranked = await rankAndCount(asked, input, preparing, context);
    const ruled = { params: asked, effects: NO_EFFECTS };
    return await shapeAnswer(
      "",
      { ruled, understood: null, version, prepared, walk, ...ranked, began, waited: 0 },
      context,
    );
  } finally {
    columnReferences.release(context.memory.columnsToKeep());
  }
}

/** Checks the parameters of either form as those of a query without a text. Only boosts that were asked for count. */
function checkSimilar(given: unknown, params: ParamsContext): CheckedParams {
  const named = readForm(copyParams(given, params.limits), params);
  const checked = checkParams({ query: "", ...named }, params);
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

/** The ids of the records that hits shall be like, and of those that they shall not be like. */
type NamedIds = Readonly<Record<"like" | "unlike", readonly string[]>>;

const MOST_IDS = 100;

/** Reads what hits shall be like. Throws 400 `invalid_id`. */
function readNamedIds(given: unknown, limits: Limits): NamedIds {
  if (typeof given !== "object" || given === null) return { like: [readOne("of", given, limits)], unlike: [] };
  const all = readList("of", given, 1, limits);
  if (all !== undefined) return { like: all, unlike: [] };
  const { like, unlike, ...others } = copyProperties(given, { what: "of", error: "invalid_id" });
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw wrong("of", `of holds ${show(unknown)}; pass an id, a list of ids, or { like, unlike }.`);
  const liked = readList("of.like", like, 1, limits) ?? refuseList("of.like", show(like), 1);
  if (unlike === undefined) return { like: liked, unlike: [] };
  return { like: liked, unlike: readList("of.unlike", unlike, 0, limits) ?? refuseList("of.unlike", show(unlike), 0) };
}

/** The ids of a list; undefined: it is none. */
function readList(name: string, given: unknown, least: number, limits: Limits): string[] | undefined {
  const items = copyItems(given, MOST_IDS, (length) => refuseList(name, `a list of ${length} ids`, least));
  if (items !== undefined && items.length < least) refuseList(name, "an empty list", least);
  return items?.map((item, i) => readOne(`${name}[${i}]`, item, limits));
}

function refuseList(name: string, found: string, least: number): never {
  throw wrong(name, `${name} is ${found}; pass a list of ${least} to ${MOST_IDS} ids.`);
}

function readOne(name: string, given: unknown, limits: Limits): string {
  const read = readRecordId(given, limits);
  if (has(read, "id")) return read.id;
  throw wrong(name, `${name} ${read.complaint}.`);
}

function wrong(param: string, msg: string): SearchError {
  return new SearchError(400, "invalid_id", msg, { param });
}

/** The records that were named. */
interface NamedRecords {
  /** In the order of their ids, each once. */
  readonly like: readonly Doc[];
  readonly unlike: readonly Doc[];
  /** All of them, and those of their groups: none of these is found. */
  readonly leftOut: DocSet<Doc>;
}

/** Finds the records. Throws 404 `record_not_found`. */
function* findNamed(
  { like, unlike }: NamedIds,
  { distinct }: CheckedParams,
  { snapshot, settings }: BoundedVersion,
  columns: ColumnReferences,
): Task<NamedRecords> {
  const find = (id: string): Doc => {
    const doc = snapshot.find(id);
    if (doc >= 0) return doc;
    const msg = `of names ${show(id)}, but there is no record with this id.`;
    throw new SearchError(404, "record_not_found", msg, { param: "of" });
  };
  const inOrder = (ids: readonly string[]): Doc[] => [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1)).map(find);
  const found = { like: inOrder(like), unlike: inOrder(unlike) };
  const named = [...found.like, ...found.unlike];
  const leftOut = new DocSet<Doc>(snapshot.docSpan).addAll(named);
  const { attributeForDistinct } = settings.effective;
  if (attributeForDistinct !== null && Number(distinct ?? 1) > 0) {
    yield* ensureColumns(snapshot, [attributeForDistinct], columns);
    leftOut.addAll(yield* inGroupsOf(named, attributeForDistinct, snapshot));
  }
  return { ...found, leftOut };
}

/** Groups looked up between two pauses. */
const PAUSE_EVERY = 1 << 13;

/** The records of the same groups as these. A record without the attribute is a group of its own. */
function* inGroupsOf(named: readonly Doc[], attribute: string, snapshot: BoundedSnapshot): Task<Doc[]> {
  const groupOf = (doc: Doc): AttributeValue | undefined => {
    const { segment, base } = snapshot.segmentOf(doc);
    return leastValue(columnOf(segment, attribute), toLocal(base, doc));
  };
  const groups = new Set(named.map(groupOf));
  const values = [...groups].filter((value) => value !== undefined);
  const found: Doc[] = [];
  // Of several values the least is that of the group.
  const holders = (yield* passFilter({ kind: "in", attribute, values }, snapshot)).toArray();
  for (const [i, doc] of holders.entries()) {
    if ((i + 1) % PAUSE_EVERY === 0) yield;
    if (groups.has(groupOf(doc as Doc))) found.push(doc as Doc);
  }
  return found;
}

/** The terms that tell most about the records, weighed. */
function* interestingWords({ like, unlike }: NamedRecords, source: TermSource): Task<SearchedWords> {
  const interesting = yield* interestingTerms(like, unlike, source);
  const terms = interesting.like.map(({ term }) => term);
  const query = yield* weigh(interesting.like, source);
  const sum = query.idfs.reduce((whole, idf, i) => whole + idf * interesting.like[i]!.strength, 0);
  const lowers = terms.length > 0 && interesting.unlike.length > 0;
  const lowering = lowers ? yield* weigh(interesting.unlike, source, sum) : null;
  // Without a term, meaning is all that counts.
  const coveredShare = terms.length === 0 ? 0 : query.coveredShare;
  return { terms, outOfVocabulary: [], query: { ...query, coveredShare, unlike: lowering }, titles: null };
}

function weigh(interesting: readonly InterestingTerm[], { searcher }: TermSource, sum?: number): Task<WeightedQuery> {
  const strengths = Float64Array.from(interesting, ({ strength }) => strength);
  return weighQuery(
    searcher,
    interesting.map(({ term }) => term),
    strengths,
    sum,
  );
}

/** The mean of the vectors of the liked records, less a share of the mean of the others; null: no liked record has one. */
function meanVector({ like, unlike }: NamedRecords, snapshot: BoundedSnapshot, dimensions: number): UnitVector | null {
  const sum = new Float64Array(dimensions);
  const hasLiked = addMean(like, 1, snapshot, sum);
  addMean(unlike, -UNLIKE_WEIGHT, snapshot, sum);
  const read = readVector(sum, dimensions);
  // Vectors may cancel each other out.
  return hasLiked && has(read, "vector") ? read.vector : null;
}

/** Adds the weighted mean of the vectors of some records; false: none has one. */
function addMean(docs: readonly Doc[], weight: number, snapshot: BoundedSnapshot, sum: Float64Array): boolean {
  const vectors = docs.flatMap((doc) => {
    const { segment, base } = snapshot.segmentOf(doc);
    return segment.vectors === null ? [] : (vectorOf(segment.vectors, toLocal(base, doc)) ?? []);
  });
  const share = weight / vectors.length;
  for (const { components, inverseLength } of vectors)
    for (let i = 0; i < sum.length; i++) sum[i]! += share * inverseLength * components[i]!;
  return vectors.length > 0;
}
