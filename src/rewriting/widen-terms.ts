// Words that no living record holds are joined with their neighbour, completed (the last one), split or mended, in this
// order; words that are held stay as they are, because widening them loses more than it finds (docs/scoring.md). Words that
// have a meaning are joined or split at most.

import type { Task } from "../base/tasks.js";
import { squeeze } from "../language/code-forms.js";
import { identifierTerm } from "../language/index-terms.js";
import type { WordForms } from "../language/word-forms.js";
import type { QueryTerm, TermAlternative } from "../text/query-term.js";
import type { Vocabulary } from "../text/vocabulary.js";
import { type QueryToken, wordTerm } from "./query-token.js";

/** What may be done to a query's words. */
export interface WideningRules {
  readonly words: WordForms;
  readonly queryType: "prefixAuto" | "prefixLast" | "prefixAll" | "prefixNone";
  readonly typoTolerance: boolean;
  /** Keys of words that are never mended. */
  readonly exactWords: ReadonlySet<string>;
  /** Fields in which mended words do not count. */
  readonly exactFields: ReadonlySet<string>;
  readonly vocabulary: Vocabulary;
  /** Words that have a meaning of their own for this query: neither typing errors nor beginnings of words. */
  readonly isKnown: (word: string) => boolean;
}

const ONE_TYPO = 4;
const TWO_TYPOS = 8;
const SHORTEST_HALF = 3;
/** Completions of one word, and of all words of a query. */
const MOST_COMPLETIONS = 100;
const MOST_COMPLETIONS_IN_ALL = 400;
/** Each word to mend is a walk through the whole vocabulary, and nobody mistypes so many; the others stay as they are. */
const MOST_MENDED = 16;
const SHORTEST_NUMBER = 4;
/** A known word of so many letters is whole; a shorter one may be the beginning of another ("cha" of a chair). */
const WHOLE_WORD = 6;
/** Longer words are not split: nobody writes two words as one so long, and each place costs two stems. */
const LONGEST_COMPOUND = 32;

/** What a query may still ask of the vocabulary. */
interface Budget {
  mends: number;
  completions: number;
}

/** The tokens with unheld words widened. */
export function* widenTerms(tokens: readonly QueryToken[], rules: WideningRules): Task<QueryToken[]> {
  const joined = joinNeighbours(tokens, rules);
  const budget: Budget = { mends: MOST_MENDED, completions: MOST_COMPLETIONS_IN_ALL };
  const out: QueryToken[] = [];
  for (const [at, token] of joined.entries()) {
    const place = { isLast: at === joined.length - 1, isAlone: joined.length === 1 };
    out.push({ ...token, term: yield* widen(token, place, rules, budget) });
  }
  return out;
}

/** Quantities that no record holds are read as the words and numbers they are made of. */
export function settleQuantities(tokens: readonly QueryToken[], vocabulary: Vocabulary): QueryToken[] {
  return tokens.flatMap((token) =>
    token.plain === undefined || isHeld(token.term, vocabulary) ? [token] : token.plain,
  );
}

function* widen(
  token: QueryToken,
  { isLast, isAlone }: { readonly isLast: boolean; readonly isAlone: boolean },
  rules: WideningRules,
  budget: Budget,
): Task<QueryTerm> {
  const { term } = token;
  const { vocabulary, queryType } = rules;
  const held = isHeld(term, vocabulary);
  const known = !held && token.kind === "word" && rules.isKnown(token.text);
  const asNeeded = queryType === "prefixAuto" && !held && !(known && token.text.length >= WHOLE_WORD);
  const completes = (isLast && (queryType === "prefixLast" || asNeeded)) || queryType === "prefixAll";
  const added: TermAlternative[] = [];
  if (completes) added.push(...(yield* complete(token, isAlone, rules, budget)));
  if (!held && added.length === 0 && token.kind === "word") {
    added.push(...split(token.text, rules));
    if (added.length === 0 && !known) added.push(...(yield* mend(token, rules, budget)));
  }
  const alternatives = added.length === 0 ? term.alternatives : [...term.alternatives, ...added];
  return { ...term, alternatives, ...(known ? { known } : {}) };
}

/** Words by the words that begin with them; codes by whole identifiers only, never by a part. */
function* complete(
  token: QueryToken,
  isAlone: boolean,
  { vocabulary }: WideningRules,
  budget: Budget,
): Task<TermAlternative[]> {
  const isCode = token.kind === "code" || (token.kind === "number" && isAlone && token.text.length >= SHORTEST_NUMBER);
  if (!isCode && token.kind !== "word") return [];
  const prefix = isCode ? identifierTerm(squeeze(token.text)) : token.text;
  if (prefix === undefined) return [];
  const most = Math.min(MOST_COMPLETIONS, budget.completions);
  if (most === 0) return [];
  const found = yield* isCode ? vocabulary.termsFrom(prefix, most) : vocabulary.wordsFrom(prefix, most);
  budget.completions -= Math.min(most, found.length);
  return found.map((term) => ({ terms: [term], weight: 1 }));
}

/** "headphones" -> "head phones", where one record holds both halves. */
function split(word: string, { words, vocabulary }: WideningRules): TermAlternative[] {
  const found: TermAlternative[] = [];
  if (word.length > LONGEST_COMPOUND) return found;
  for (let at = SHORTEST_HALF; at <= word.length - SHORTEST_HALF; at++) {
    const halves = [words.stem(word.slice(0, at)), words.stem(word.slice(at))];
    if (halves.every((half) => vocabulary.holds(half)) && vocabulary.holdsTogether(halves))
      found.push({ terms: halves, weight: 1 });
  }
  return found;
}

/** "head phones" -> "headphones", where no record holds both words and some record holds them joined. */
function joinNeighbours(tokens: readonly QueryToken[], { words, vocabulary }: WideningRules): QueryToken[] {
  const out: QueryToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const next = tokens[at + 1];
    if (token.kind === "word" && next?.kind === "word" && !token.stop) {
      const text = token.text + next.text;
      const apart = [token.term.alternatives[0]!.terms[0]!, next.term.alternatives[0]!.terms[0]!];
      if (vocabulary.holds(words.stem(text)) && !vocabulary.holdsTogether(apart)) {
        out.push({ kind: "word", text, stop: false, term: { ...wordTerm(text, words), word: text } });
        at++;
        continue;
      }
    }
    out.push(token);
  }
  return out;
}

/** Damerau–Levenshtein: one error from 4 letters, two from 8; the nearest words only. */
function* mend({ text: word, term }: QueryToken, rules: WideningRules, budget: Budget): Task<TermAlternative[]> {
  const errors = word.length >= TWO_TYPOS ? 2 : word.length >= ONE_TYPO ? 1 : 0;
  if (!rules.typoTolerance || errors === 0 || rules.exactWords.has(term.key)) return [];
  if (budget.mends-- <= 0) return [];
  const stems = yield* rules.vocabulary.nearest(word, errors, rules.exactFields);
  return stems.map((stem) => ({ terms: [stem], weight: 1, notIn: rules.exactFields }));
}

/** True when a living record holds one of the term's alternatives. */
export function isHeld(term: QueryTerm, vocabulary: Vocabulary): boolean {
  return term.alternatives.some(({ terms }) =>
    terms.length === 1 ? vocabulary.holds(terms[0]!) : vocabulary.holdsTogether(terms),
  );
}
