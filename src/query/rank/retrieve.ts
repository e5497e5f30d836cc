// Runs the lexical and the semantic search of a query over one snapshot: which records each of them matches, how many they are
// together, and which of them are in the rank window.
//
// Every match is counted. Listed, with their scores, are the semantic matches and those lexical matches that the page may show:
// the ones that compete for its ranks (`competitiveRanks`; `text-matches` says what this means). All lexical matches are listed
// where the order needs every score, or where the set of all matches is needed and only the list has them. The rank window is made
// of the matches before facet refinements, and the page of those that pass them: so with refinements there are two searches, or
// one that lists all.

import { QUANTITY_MARK } from "../../analysis/scan-tokens.js";
import { inEffect } from "../../input/parameter-table.js";
import { type CheckedParams, placesAsked } from "../../input/read-params.js";
import { findIdentifiers } from "../../inverted/find-holders.js";
import {
  type Candidates,
  findMatches,
  holdsAny,
  isAnyEnough,
  type MatchRule,
  type TextMatches,
} from "../../inverted/text-matches.js";
import { areHeldTogether, type WeightedQuery } from "../../inverted/weigh-terms.js";
import type { CheckedSettings } from "../../settings/resolved-settings.js";
import type { BoundedSnapshot } from "../../state/bounded-snapshot.js";
import { type Doc, type DocArray, DocSet, inAll } from "../../util/doc-set.js";
import { indexOfSorted } from "../../util/sorted.js";
import type { Task } from "../../util/tasks.js";
import { isNear, type SemanticMatches, searchVectors } from "../../vectors/search-vectors.js";
import type { UnitVector } from "../../vectors/unit-vector.js";
import type { VectorGraph } from "../../vectors/vector-graph.js";
import type { PreparedQuery } from "../prepare/prepare-query.js";
import type { RecallSource } from "../response.js";
import { type FusionMethod, needsOf, semanticWeightOf, withSemanticWeight } from "./fuse.js";
import { bestLexicalMatches, competitiveRanks } from "./rank-window.js";

/** What is searched besides the parameters. */
export interface RetrieveInput {
  readonly prepared: PreparedQuery;
  readonly snapshot: BoundedSnapshot;
  readonly settings: CheckedSettings;
  /** See `ResolvedSettings.outOfVocabularyWeight`. */
  readonly outOfVocabularyWeight: number | undefined;
  /** The query has no text: it asks for all records. */
  readonly blank: boolean;
  /** The identifiers that the whole query may be. */
  readonly identifiers: readonly string[];
  readonly vector: UnitVector | null;
  /** The minimum cosine of a semantic match. */
  readonly floor: number;
  /**
   * A match by words must reach the floor too, because no record holds all words, or hold one of these terms, of which meaning says
   * nothing; null: it need not.
   */
  readonly unjudged: readonly number[] | null;
  /** Called right before the graph is searched, because graphs are replaced while queries wait for their turn. */
  readonly graph: () => VectorGraph | undefined;
  /** The matches before any refinement are needed as a set. */
  readonly needsSet: boolean;
  /** Every match is listed and scored; false: only those that the page may show. */
  readonly needsAllScores: boolean;
  /** The facet refinements apply after all matches are scored, because the score of a match depends on the other matches. */
  readonly refinesAfterwards: boolean;
}

/** What both searches found. */
export interface RetrievedMatches {
  readonly fusion: FusionMethod;
  /** null: words were not searched. */
  readonly words: LexicalMatches | null;
  /** null: vectors were not searched. */
  readonly semantic: SemanticMatches | null;
  /** The semantic matches that pass the facet refinements, ascending; all, if refinements apply afterwards. */
  readonly semanticDocs: DocArray<Doc>;
  /** The records that pass the facet refinements and have the whole query as an identifier. */
  readonly exactIdentifierDocs: readonly Doc[];
  /** The promoted records that pass the facet refinements, ascending; all, if refinements apply afterwards. */
  readonly promoted: DocArray<Doc>;
  /** Those of them that do not match: they are hits all the same. */
  readonly added: ReadonlySet<Doc>;
  /** How many records match and pass the refinements. */
  readonly nbHits: number;
  /** All matches before any refinement; null: not needed. */
  readonly all: DocSet<Doc> | null;
  readonly recallSource: RecallSource[];
}

/** The matches by words. */
export interface LexicalMatches {
  readonly matches: TextMatches;
  /**
   * Those that pass the facet refinements: all, or those that the page may show. If refinements apply afterwards, also those that do not
   * pass.
   */
  readonly listed: Candidates;
  /** How many pass the refinements. */
  readonly count: number;
  /** The best ones before any refinement, ascending: only they get a cosine and title evidence; null: all do. */
  readonly window: DocArray<Doc> | null;
  /** All of them before any refinement; null: not needed. */
  readonly all: DocSet<Doc> | null;
  /** The records among which they were sought; null: all live records. */
  readonly allowed: DocSet<Doc> | null;
}

/** Promoted records compared with the matches between two pauses. */
const COMPARED_AT_ONCE = 1 << 12;

/** Searches words and vectors. */
export function* retrieve(params: CheckedParams, input: RetrieveInput): Task<RetrievedMatches> {
  const { prepared, snapshot, settings, blank, vector } = input;
  const { searcher, query, allowed, refinementSets } = prepared;
  const givenWeight = blank ? 1 : (params.semanticWeight ?? semanticWeightOf(settings.fusion));
  const neighbours = { floor: input.floor, depth: inEffect("semanticDepth", params, settings) };
  const semantic =
    vector !== null && givenWeight > 0
      ? searchVectors(snapshot.statistics.vectors, vector, neighbours, input.graph(), allowed)
      : null;
  // Words that no record holds can only be found by their meaning: its weight grows by their share of the query.
  const usualWeight =
    semantic !== null && !blank && params.semanticWeight === undefined
      ? yield* weightFor(query, givenWeight, input)
      : givenWeight;
  const semanticWeight = usualWeight + (1 - usualWeight) * (1 - query.coveredShare);
  const fusion = withSemanticWeight(settings.fusion, semanticWeight);
  const identified = yield* findIdentifiers(searcher.segments, input.identifiers);
  const allIdentifierDocs = identified.filter((doc) => allowed?.has(doc) ?? true);

  const refined = refinementSets.length === 0 || input.refinesAfterwards ? null : inAll(refinementSets);
  const isRefined = (doc: Doc): boolean => refined?.has(doc) ?? true;
  const words =
    semantic === null || givenWeight < 1 ? yield* searchLexical(params, input, { fusion, semantic, refined }) : null;
  const semanticDocs = semantic === null ? (new Uint32Array(0) as DocArray<Doc>) : semantic.docs.filter(isRefined);
  const exactIdentifierDocs = allIdentifierDocs.filter(isRefined);
  const allPromoted = prepared.promoted.map(({ doc }) => doc);
  const promoted = allPromoted.filter(isRefined);

  const isNotByWords = (doc: Doc): boolean => words?.matches.isMatch(doc) !== true || words.allowed?.has(doc) === false;
  const isNotSemantic = (doc: Doc): boolean => indexOfSorted(semanticDocs, doc) < 0;
  const bySemanticAlone = semanticDocs.filter(isNotByWords);
  const byIdentifierAlone = exactIdentifierDocs.filter((doc) => isNotSemantic(doc) && isNotByWords(doc));
  const added = new Set<Doc>();
  for (const [i, doc] of promoted.entries()) {
    if ((i + 1) % COMPARED_AT_ONCE === 0) yield;
    if (isNotSemantic(doc) && !exactIdentifierDocs.includes(doc) && isNotByWords(doc)) added.add(doc);
  }

  const recallSource: RecallSource[] = [];
  if (words !== null || allIdentifierDocs.length > 0) recallSource.push("fullTextSearch");
  if (semantic !== null) recallSource.push("semanticSearch");
  const allByWords = words === null ? new DocSet<Doc>(snapshot.docSpan) : words.all;
  return {
    fusion,
    words,
    semantic,
    semanticDocs,
    exactIdentifierDocs,
    promoted: Uint32Array.from(promoted).sort() as DocArray<Doc>,
    added,
    nbHits: (words?.count ?? 0) + bySemanticAlone.length + byIdentifierAlone.length + added.size,
    all: input.needsSet
      ? allByWords!
          .addAll(semantic?.docs ?? [])
          .addAll(allIdentifierDocs)
          .addAll(allPromoted)
      : null,
    recallSource,
  };
}

/** Queries of more terms are seldom held whole, so that says nothing of them. */
const MOST_TERMS_OF_SHORT = 4;

/** Whether a query has so few terms that it says something whether a record holds them all. */
export function isShort({ terms }: Pick<WeightedQuery, "terms">): boolean {
  // A quantity was typed as a number and its unit.
  const size = terms.reduce((sum, { key }) => sum + (key.startsWith(QUANTITY_MARK) ? 2 : 1), 0);
  return size > 0 && size <= MOST_TERMS_OF_SHORT;
}

/** The semantic weight of a query that names none: meaning says more of a short query that no live record holds whole. */
function* weightFor(
  query: WeightedQuery,
  usual: number,
  { outOfVocabularyWeight }: Pick<RetrieveInput, "outOfVocabularyWeight">,
): Task<number> {
  if (outOfVocabularyWeight === undefined || !isShort(query)) return usual;
  const isByPart = query.terms.some(({ byPart }) => byPart === true);
  return isByPart || !(yield* areHeldTogether(query)) ? outOfVocabularyWeight : usual;
}

/** What the search by words is combined with. */
interface LexicalContext extends Pick<RetrievedMatches, "fusion" | "semantic"> {
  /** Records that pass the refinements; null: all do. */
  readonly refined: DocSet<Doc> | null;
}

function* searchLexical(
  params: CheckedParams,
  input: RetrieveInput,
  { fusion, semantic, refined }: LexicalContext,
): Task<LexicalMatches> {
  const { prepared, settings, needsSet, needsAllScores } = input;
  const { query, titles } = prepared;
  const needs = needsOf(fusion);
  const rule = { matching: inEffect("matching", params, settings), ratio: settings.matchingRatio };
  const { unjudged } = input;
  const near =
    unjudged !== null && semantic !== null ? yield* nearMatches(rule, semantic, { ...input, unjudged }) : undefined;
  const allowed = near?.docs ?? prepared.allowed;
  // Promoted records are among the others where they match, and leave room for these on the page.
  const pageEnd = placesAsked(params).to + prepared.promoted.length;
  const pageRanks = competitiveRanks(pageEnd, semantic === null ? 0 : needs.cosineShare, input);
  const hasWindow = needs.window && (semantic !== null || (needs.titles && titles !== null));
  const windowRanks = hasWindow && refined !== null ? [{ count: settings.rankWindow, slack: 0 }] : pageRanks;
  const scoresAll = needsAllScores || needs.allCosines;
  // The set of the matches is made from their list, or where any term is enough, from the posting lists.
  const listsAll = scoresAll || (needsSet && !isAnyEnough(query, rule.matching));

  const matches = yield* findMatches(query, rule, allowed, listsAll ? [] : windowRanks, near?.bestScore);
  yield;
  const all = needsSet ? matches.toSet() : null;
  yield;
  const window = hasWindow ? yield* bestLexicalMatches(matches.candidates, input) : null;

  let found = { candidates: matches.candidates, count: matches.count };
  if (refined !== null && listsAll) {
    found.candidates.keepAmong(refined);
    found.count = found.candidates.size;
  } else if (refined !== null) {
    const refinedAndAllowed = allowed === null ? refined : inAll([refined, allowed]);
    // Refinements do not change which records match: the ratio is of the best score before them.
    found = yield* findMatches(query, rule, refinedAndAllowed, pageRanks, matches.bestScore);
  }
  yield;
  const { candidates: listed, count } = found;
  if (!scoresAll) listed.keepFrom(listed.thresholdFor(pageRanks));
  return { matches, listed, count, window, all, allowed };
}

/** Matches whose cosines are computed between two pauses. */
const NEAR_AT_ONCE = 1 << 14;
/** The matches by words that reach the semantic floor or hold one of some terms, and the best score of all matches. */
function* nearMatches(
  rule: MatchRule,
  semantic: SemanticMatches,
  { prepared: { query, allowed }, snapshot, floor, unjudged }: RetrieveInput & { readonly unjudged: readonly number[] },
): Task<{ readonly docs: DocSet<Doc>; readonly bestScore: number }> {
  const { candidates, bestScore } = yield* findMatches(query, rule, allowed);
  const { docs } = candidates.inOrder();
  const near = new DocSet<Doc>(snapshot.docSpan);
  for (let from = 0; from < docs.length; from += NEAR_AT_ONCE) {
    yield;
    const some = docs.subarray(from, from + NEAR_AT_ONCE) as DocArray<Doc>;
    const cosines = semantic.similaritiesOf(some);
    for (let i = 0; i < some.length; i++) {
      const doc = some[i]!;
      if (isNear(cosines[i]!, floor) || holdsAny(unjudged, query, doc)) near.add(doc);
    }
  }
  return { docs: near, bestScore };
}
