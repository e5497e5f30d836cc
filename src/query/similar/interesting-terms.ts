// The terms that tell most about some records: frequent in their searched texts and rare in all others (tf·idf), as the
// MoreLikeThis of Lucene chooses them. They are weighed as Rocchio weighs feedback: the mean over the records that hits shall be
// like, less a share of the mean over those that they shall not be like. Rocchio, "Relevance feedback in information retrieval", 1971.

import { readTokens } from "../../analysis/parse-query.js";
import type { QueryTerm } from "../../analysis/query-term.js";
import type { WordForms } from "../../analysis/word-forms.js";
import { idf, saturate } from "../../inverted/bm25.js";
import { holdersOf } from "../../inverted/find-holders.js";
import type { SearchableSegment, TextSearcher } from "../../inverted/text-searcher.js";
import { vocabularyOf } from "../../inverted/vocabulary.js";
import type { FieldRules } from "../../settings/field-rules.js";
import type { BoundedSnapshot } from "../../state/bounded-snapshot.js";
import { type RecordField, readFields } from "../../state/read-fields.js";
import { type Doc, type DocSet, toDoc } from "../../util/doc-set.js";
import type { Analyzer } from "../../util/extension-points.js";
import { sortWithPauses } from "../../util/sorted.js";
import type { Task } from "../../util/tasks.js";

/** The weight of what hits shall not be like, where what they shall be like has 1. Rocchio's gamma is below his beta. */
export const UNLIKE_WEIGHT = 0.5;
/** The maximum number of terms of either kind, as of MoreLikeThis. */
const MOST_TERMS = 25;
/** So many characters of a record are read, its title first: as many as a query may have. */
const MOST_CHARACTERS = 4096;
/** A text is cut within a word that is this long: in scripts without blanks, all words may be one. */
const LONGEST_WORD = 64;
/** Of more terms, the strongest are looked up. A single record has fewer. */
const MOST_LOOKED_UP = 2048;
/** Terms looked up between two pauses. */
const LOOKED_UP_AT_ONCE = 64;
/** Holders looked at between two pauses. */
const PAUSE_EVERY = 1 << 12;

/** What the terms are read from. */
export interface TermSource {
  readonly snapshot: BoundedSnapshot;
  readonly searcher: TextSearcher;
  readonly rules: FieldRules;
  /** How the texts of a field are read. */
  readonly wordsOf: (field: string) => WordForms | Analyzer;
  /** Records that are not looked for: a term that no other record holds tells nothing. */
  readonly leftOut: DocSet<Doc>;
}

/** A term, and how much it counts besides its idf. */
export interface InterestingTerm {
  readonly term: QueryTerm;
  readonly strength: number;
}

/** Chooses the terms. The records are in the order of their ids, so that no sum depends on the order of the call. */
export function* interestingTerms(
  like: readonly Doc[],
  unlike: readonly Doc[],
  source: TermSource,
): Task<{ readonly like: readonly InterestingTerm[]; readonly unlike: readonly InterestingTerm[] }> {
  const strengths = new Map<string, InterestingTerm>();
  for (const doc of like) add(yield* termsOf(doc, source), 1 / like.length, strengths);
  for (const doc of unlike) add(yield* termsOf(doc, source), -UNLIKE_WEIGHT / unlike.length, strengths);
  const raising: InterestingTerm[] = [];
  const lowering: InterestingTerm[] = [];
  for (const { term, strength } of strengths.values())
    if (strength > 0) raising.push({ term, strength });
    else if (strength < 0) lowering.push({ term, strength: -strength });
  yield;
  return { like: yield* mostInteresting(raising, source), unlike: yield* mostInteresting(lowering, source) };
}

function add(terms: readonly InterestingTerm[], weight: number, strengths: Map<string, InterestingTerm>): void {
  for (const { term, strength } of terms) {
    const known = strengths.get(term.key) ?? { term, strength: 0 };
    strengths.set(term.key, { term: known.term, strength: known.strength + weight * strength });
  }
}

/** The terms of the greatest strength times idf that records hold which are looked for. */
function* mostInteresting(terms: readonly InterestingTerm[], source: TermSource): Task<InterestingTerm[]> {
  const vocabulary = vocabularyOf(source.searcher);
  const { docCount } = vocabulary;
  const strongest = yield* sortWithPauses(terms, (a, b) => b.strength - a.strength || byKey(a, b));
  const rated: (InterestingTerm & { readonly rate: number })[] = [];
  for (const [i, { term, strength }] of strongest.slice(0, MOST_LOOKED_UP).entries()) {
    if ((i + 1) % LOOKED_UP_AT_ONCE === 0) yield;
    const docFreq = yield* vocabulary.count(ownForm(term), docCount);
    if (docFreq > 0) rated.push({ term, strength, rate: strength * idf(docCount, docFreq) });
  }
  rated.sort((a, b) => b.rate - a.rate || byKey(a, b));
  const interesting: InterestingTerm[] = [];
  for (const { term, strength } of rated) {
    if (interesting.length === MOST_TERMS) break;
    if (yield* isHeldByOthers(ownForm(term), source)) interesting.push({ term, strength });
  }
  return interesting;
}

function byKey(a: InterestingTerm, b: InterestingTerm): number {
  return a.term.key < b.term.key ? -1 : 1;
}

/** The index term that the records have of which the term was read. */
function ownForm({ alternatives }: QueryTerm): string {
  return alternatives[0]!.terms[0]!;
}

function* isHeldByOthers(text: string, { searcher, leftOut }: TermSource): Task<boolean> {
  for (const segment of searcher.segments) {
    let seen = 0;
    for (const doc of yield* holdersOf(segment, text)) {
      if (!leftOut.has(toDoc(segment.base, doc))) return true;
      if (++seen % PAUSE_EVERY === 0) yield;
    }
  }
  return false;
}

/** The terms of a record. Their strengths are a vector of length 1, so that records of many words count as much as others. */
function* termsOf(doc: Doc, { snapshot, searcher, rules, wordsOf }: TermSource): Task<InterestingTerm[]> {
  const [stored] = yield* snapshot.storedRecords([doc]);
  const segment = searcher.segments[snapshot.segments.indexOf(snapshot.segmentOf(doc))]!;
  const fields = readFields(stored!.parse(), snapshot.idOf(doc), rules);
  yield;
  const frequencies = new Map<string, { readonly term: QueryTerm; frequency: number }>();
  let left = MOST_CHARACTERS;
  for (const field of fields.sort((a, b) => Number(b.isTitle) - Number(a.isTitle))) {
    const weight = weightIn(segment, field);
    const words = wordsOf(field.name);
    for (const whole of weight === 0 ? [] : field.texts) {
      const text = beginningOf(whole, left);
      left -= text.length;
      for (const { term, stop } of readTokens(text, words)) {
        if (stop) continue;
        const known = frequencies.get(term.key);
        if (known === undefined) frequencies.set(term.key, { term, frequency: weight });
        else known.frequency += weight;
      }
      if (left <= 0) break;
      yield;
    }
  }
  const found = Array.from(frequencies.values(), ({ term, frequency }) => ({
    term,
    strength: saturate(frequency, searcher.k1),
  }));
  const length = Math.sqrt(found.reduce((sum, { strength }) => sum + strength * strength, 0));
  return found.map(({ term, strength }) => ({ term, strength: strength / length }));
}

/** The weight that a field has in queries; 0: it is not searched. */
function weightIn({ postings, scoring }: SearchableSegment, { name, isTitle }: RecordField): number {
  const field = postings.fields.indexOf(name);
  return (isTitle ? scoring.titleWeights : scoring.weights)[field] ?? 0;
}

/** At most so many characters of a text, cut at a blank if one is near. */
function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const blank = text.lastIndexOf(" ", most);
  return text.slice(0, blank > most - LONGEST_WORD ? Math.max(0, blank) : most);
}
