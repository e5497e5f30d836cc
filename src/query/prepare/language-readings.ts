// A query where the searched fields are of several languages. It is read in each of them as in an index of the fields of that language alone.
// What stands at the same place of the query is one term: in each field it finds what the reading of the field's language found for it. A
// word that is a stop word in some of the languages counts less, in the fields of the others, and a match need not have it.

import type { QueryTerm, TermAlternative } from "../../analysis/query-term.js";
import type { TypedQuery, TypedToken } from "../../inverted/title/title-evidence.js";
import type { LanguageReading } from "../../settings/search-language.js";
import { joinKeys } from "../../util/json.js";
import type { OutOfVocabularyToken, RewrittenQuery } from "./rewrite-terms.js";

/** A query as it was rewritten in one language. */
export interface RewrittenReading {
  readonly reading: LanguageReading;
  readonly rewritten: RewrittenQuery;
  /** Whether a word that records hold is completed too. */
  readonly completesHeld: boolean;
}

/** The terms of all readings together, and by reading how it was typed. */
export interface MergedReadings extends Pick<RewrittenQuery, "terms" | "outOfVocabulary"> {
  readonly typed: readonly TypedQuery[];
  /** The terms that count less: stop words of some of the languages, and what a thing belongs to. */
  readonly weak: ReadonlySet<number>;
}

/** What one reading has at a place of the query. */
interface Piece {
  readonly by: RewrittenReading;
  /** Without the small words, unless there is nothing else. */
  readonly tokens: readonly TypedToken[];
}

/** Merges the readings of a query; of the first one are the keys. */
export function mergeReadings(readings: readonly RewrittenReading[], maxTerms: number): MergedReadings {
  const terms: QueryTerm[] = [];
  const outOfVocabulary: OutOfVocabularyToken[] = [];
  const weak = new Set<number>();
  const tokens: TypedToken[][] = readings.map(() => []);
  /** By reading and token: its place among the merged tokens. */
  const places = new Map<TypedToken, number>();
  for (const pieces of piecesOf(readings)) {
    const asked = pieces.filter((piece) => isSearched(piece));
    // What is a stop word in all languages of the query is none in the fields of others.
    const searched = asked.some(({ by }) => by.reading.isRead) ? asked : [];
    const made = searched.length === 0 ? undefined : mergedTerm(searched, searched.length < pieces.length);
    let term = made === undefined ? -1 : terms.findIndex(({ key }) => key === made.term.key);
    if (made !== undefined && term < 0 && terms.length < maxTerms) term = terms.push(made.term) - 1;
    else if (made !== undefined && term >= 0)
      terms[term] = { ...terms[term]!, alternatives: [...terms[term]!.alternatives, ...made.term.alternatives] };
    if (made?.outOfVocabulary !== undefined && term >= 0) outOfVocabulary.push(made.outOfVocabulary);
    if (searched.length < pieces.length && term >= 0) weak.add(term);
    for (const [r, own] of readings.entries()) {
      const piece = pieces.find(({ by }) => by === own) ?? pieces[0]!;
      if (term < 0) {
        for (const token of piece.tokens) places.set(token, tokens[r]!.push({ ...token, term }) - 1);
        continue;
      }
      const [first] = (isSearched(piece) ? piece : searched[0]!).tokens as readonly [TypedToken];
      const text = piece.tokens.map((token) => token.text).join(" ");
      const alternatives = isSearched(piece) && piece.by === own ? ownAlternatives(piece) : terms[term]!.alternatives;
      const place = tokens[r]!.push({ ...first, term, text, alternatives, isTelling: false }) - 1;
      for (const token of piece.tokens) places.set(token, place);
    }
  }
  const typed = readings.map(({ rewritten: { typed: own } }, r): TypedQuery => {
    const placeOf = (at: number): number => places.get(own.tokens[at]!) ?? -1;
    const belonging = own.tokens.filter(({ term }) => own.belonging.has(term)).map((token) => places.get(token));
    return {
      ...own,
      tokens: tokens[r]!,
      head: own.head < 0 ? -1 : placeOf(own.head),
      belonging: new Set(belonging.flatMap((at) => (at === undefined ? [] : [tokens[r]![at]!.term]))),
      unwanted: own.unwanted.map((one) => ({ ...one, at: placeOf(one.at) })),
    };
  });
  for (const { belonging } of typed) for (const term of belonging) weak.add(term);
  return { terms, outOfVocabulary, typed, weak };
}

/** What the readings have at each place, as finely as all of them divide the query; in a place that all divide alike, token by token. */
function* piecesOf(readings: readonly RewrittenReading[]): Generator<Piece[]> {
  const told = readings.filter(({ rewritten }) => rewritten.typed.tokens.length > 0);
  if (told.length === 0) return;
  const placed = told.map((by) => {
    let from = 0;
    // What has no place of its own stands with what is before it.
    return by.rewritten.typed.tokens.map((token) => {
      from = token.from ?? from;
      return { token, from };
    });
  });
  const starts = placed.map((tokens) => new Set(tokens.map(({ from }) => from)));
  const shared = [...(starts[0] ?? [])].filter((from) => starts.every((one) => one.has(from)));
  // What stands before the first place that all have belongs to it.
  const cuts = [0, ...shared.sort((a, b) => a - b).slice(1), Number.POSITIVE_INFINITY];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const pieces = placed.map((tokens, r) => {
      const here = tokens.filter(({ from }) => from >= cuts[i]! && from < cuts[i + 1]!).map(({ token }) => token);
      const searched = here.filter(({ term }) => term >= 0);
      return { by: told[r]!, tokens: searched.length > 0 ? searched : here };
    });
    const size = pieces[0]!.tokens.length;
    const isAlike = pieces.every(({ tokens }) => tokens.length === size);
    if (!isAlike) yield pieces;
    else for (let k = 0; k < size; k++) yield pieces.map(({ by, tokens }) => ({ by, tokens: [tokens[k]!] }));
  }
}

function isSearched({ tokens }: Piece): boolean {
  return tokens[0]!.term >= 0;
}

/** One term of what some readings have at a place. */
function mergedTerm(
  pieces: readonly Piece[],
  isStopWordElsewhere: boolean,
): { readonly term: QueryTerm; readonly outOfVocabulary: OutOfVocabularyToken | undefined } {
  const read = pieces.map((piece) => ({
    piece,
    outOfVocabulary: piece.tokens.map((token) => outOfVocabularyOf(piece, token)),
  }));
  const isHeld = read.some(({ outOfVocabulary }) => outOfVocabulary.includes(undefined));
  /** By what they find: an alternative counts in a field where one of its readings counts it. */
  const found = new Map<string, TermAlternative>();
  for (const { piece, outOfVocabulary } of read) {
    const wrong = isHeld && !piece.by.completesHeld ? outOfVocabulary.flatMap((one) => one?.alternatives ?? []) : [];
    const { elsewhere } = piece.by.reading;
    for (const one of ownAlternatives(piece)) {
      if (wrong.includes(one)) continue;
      const key = joinKeys([String(one.weight), String(one.distance), ...one.terms]);
      const notIn = one.notIn === undefined ? elsewhere : new Set([...one.notIn, ...elsewhere]);
      const known = found.get(key)?.notIn;
      const shared = known === undefined ? notIn : new Set([...known].filter((field) => notIn.has(field)));
      found.set(key, { ...one, notIn: shared });
    }
  }
  const own = pieces.flatMap((piece) => piece.tokens.map((token) => termOf(piece, token)));
  const { key } = own[0]!;
  const word = own.find((term) => term.word !== undefined)?.word;
  const first = read.flatMap(({ piece, outOfVocabulary }) =>
    outOfVocabulary.map((one) => one && { one, reading: piece.by.reading }),
  );
  const told = isHeld ? undefined : (first.find((one) => one!.one.became !== "unknown") ?? first[0]);
  return {
    term: {
      key,
      alternatives: [...found.values()],
      ...(word === undefined ? {} : { word }),
      ...(isStopWordElsewhere || own.some(({ optional }) => optional === true) ? { optional: true } : {}),
      ...(own.every(({ byPart }) => byPart === true) ? { byPart: true } : {}),
      ...(own.every(({ knownToEmbedder }) => knownToEmbedder === true) ? { knownToEmbedder: true } : {}),
    },
    outOfVocabulary: told && outOfVocabularyAs(key, told.one, told.reading),
  };
}

function outOfVocabularyAs(
  key: string,
  one: OutOfVocabularyToken,
  { language, elsewhere }: LanguageReading,
): OutOfVocabularyToken {
  const reading = { words: language.words, exactFields: new Set([...language.exactFields, ...elsewhere]) };
  return { ...one, token: { ...one.token, term: { ...one.token.term, key } }, reading };
}

function termOf({ by }: Piece, { term }: TypedToken): QueryTerm {
  return by.rewritten.terms[term]!;
}

function outOfVocabularyOf(piece: Piece, token: TypedToken): OutOfVocabularyToken | undefined {
  const { key } = termOf(piece, token);
  return piece.by.rewritten.outOfVocabulary.find((one) => one.token.term.key === key);
}

/** The alternatives of a reading; of several tokens, the first ones together. */
function ownAlternatives(piece: Piece): readonly TermAlternative[] {
  const [first, ...others] = piece.tokens.map((token) => termOf(piece, token).alternatives);
  if (others.length === 0) return first!;
  const terms = [first!, ...others].flatMap(([one]) => one!.terms);
  return [{ terms: [...new Set(terms)], weight: 1, distance: 0 }];
}
