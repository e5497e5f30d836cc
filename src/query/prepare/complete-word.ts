// Completes what may not be typed to its end: the last word of a query, a number or a code. What begins with a token counts less than the
// token, where some record has that.

import { identifierTerm } from "../../analysis/identifier-terms.js";
import type { QueryToken } from "../../analysis/parse-query.js";
import { SPELLING_WEIGHT, type TermAlternative } from "../../analysis/query-term.js";
import { PAIR_MARK } from "../../analysis/term-marks.js";
import { codeForms, compoundForms, stripSeparators } from "../../analysis/token-forms.js";
import { HELD, type Vocabulary } from "../../inverted/vocabulary.js";
import type { Task } from "../../util/tasks.js";
import { type ExpansionRules, isIndexed, type RewriteRules, type StemmedRules } from "./rewrite-rules.js";

/** The maximum number of completions of one word, and of all words of a query. */
const MAX_COMPLETIONS = 100;
export const MAX_COMPLETIONS_IN_ALL = 400;
/** Shorter numbers are no beginning of an identifier. */
const SHORTEST_NUMBER = 3;
/** The last part of a compound may be completed by itself from so many letters on. */
const SHORTEST_BEGINNING = 2;
/** Words of this length that the embedder knows are not completed; shorter ones are, such as "cha" for "chair". */
const WHOLE_WORD = 6;
/** The weight of what only begins with a token, where some record has the token itself. */
const UNFINISHED_WEIGHT = 0.5;

/** The last token, if it is a stop word that may be the beginning of a word: "he" of "headset". */
export function* unfinishedStopWord(
  tokens: readonly QueryToken[],
  { queryType, vocabulary }: RewriteRules,
): Task<QueryToken | undefined> {
  const last = tokens.at(-1);
  if (last?.kind !== "word" || !last.stop || tokens.every(({ stop }) => stop)) return undefined;
  if (queryType === "prefixLast" || queryType === "prefixAll") return last;
  return queryType === "prefixNone" || (yield* isIndexed(last.term, vocabulary)) ? undefined : last;
}

/** Whether a record holds a held token as it is, not only its parts: those of an unfinished compound or code say nothing. */
export function isHeldAsTyped({ kind, term }: QueryToken, vocabulary: Vocabulary): Task<boolean> {
  if (kind !== "compound" && kind !== "code") return HELD;
  const isWhole = ({ terms, weight }: TermAlternative): boolean =>
    kind === "compound" ? terms.length === 1 && terms[0]![0] !== PAIR_MARK : weight === 1;
  return isIndexed({ alternatives: term.alternatives.filter(isWhole) }, vocabulary);
}

/** Whether a token of a query is completed. `known`: no record has it, and the embedder knows it. */
export function isCompleted(
  token: QueryToken,
  tokens: readonly QueryToken[],
  { finished, known }: { readonly finished: boolean; readonly known: boolean },
  queryType: RewriteRules["queryType"],
): boolean {
  if (queryType === "prefixNone") return false;
  // A code that is the whole query finds longer ones too, because one may be typed from its beginning.
  if (queryType === "prefixAll" || (tokens.length === 1 && mayBeIdentifier(token))) return true;
  const isWhole = finished || (known && token.text.length >= WHOLE_WORD);
  return token === tokens.at(-1) && (queryType === "prefixLast" || !isWhole);
}

function mayBeIdentifier({ kind, text }: QueryToken): boolean {
  return kind === "code" || (kind === "number" && text.length >= SHORTEST_NUMBER);
}

/** A completion of a token: index terms that a record must all hold. */
type Completion = Pick<TermAlternative, "terms" | "weight">;

/** What begins with a token; it counts less, and is farther from the query, than the token where some record has that. */
export function* complete(
  token: QueryToken,
  isAlone: boolean,
  finished: boolean,
  rules: ExpansionRules,
): Task<TermAlternative[]> {
  const { left } = rules;
  const max = Math.min(MAX_COMPLETIONS, left.completions);
  if (max === 0) return [];
  const found = yield* beginningWith(token, isAlone, max, rules);
  left.completions -= Math.min(max, found.length);
  return found.map(({ terms, weight }) => ({
    terms,
    weight: finished ? UNFINISHED_WEIGHT * weight : weight,
    distance: finished ? 1 : 0,
  }));
}

function* beginningWith(
  token: QueryToken,
  isAlone: boolean,
  max: number,
  rules: StemmedRules,
): Task<readonly Completion[]> {
  const { kind, text, plain } = token;
  const whole = (terms: readonly string[]): Completion[] => terms.map((one) => ({ terms: [one], weight: 1 }));
  switch (kind) {
    case "word":
      return whole(yield* rules.vocabulary.wordsFrom(text, max));
    case "compound":
      return yield* compoundsFrom(text, max, rules);
    case "code":
    case "number":
      return whole(yield* codesFrom(text, kind === "code" || (isAlone && mayBeIdentifier(token)), max, rules));
    case "quantity": {
      const last = plain!.at(-1)!;
      const first = plain!.slice(0, -1).flatMap((one) => one.term.alternatives[0]!.terms);
      const found = yield* beginningWith(last, false, max, rules);
      return found.map(({ terms, weight }) => ({ terms: [...new Set([...first, ...terms])], weight }));
    }
    default:
      return [];
  }
}

/** "t-sh" -> "t-shirt", and what is written "tshirt" or "t shirt". */
function* compoundsFrom(text: string, max: number, { words, vocabulary }: StemmedRules): Task<readonly Completion[]> {
  const { joined, parts } = compoundForms(text);
  const first = [...new Set(parts.slice(0, -1).map((part) => words.stem(part)))];
  const found: Completion[] = [];
  for (const one of yield* vocabulary.wordsFrom(joined, max)) {
    const isCompound = yield* vocabulary.cooccur([one, ...first]);
    found.push(isCompound ? { terms: [one, ...first], weight: 1 } : { terms: [one], weight: SPELLING_WEIGHT });
  }
  const last = parts.at(-1)!;
  if (last.length < SHORTEST_BEGINNING) return found;
  for (const one of yield* vocabulary.wordsFrom(last, max)) {
    if (found.length >= max) break;
    if (yield* vocabulary.cooccur([...first, one])) found.push({ terms: [...first, one], weight: SPELLING_WEIGHT });
  }
  return found;
}

/** Whole identifiers, if these may begin so, and the numbers and codes of texts, with and without separators. */
function* codesFrom(
  text: string,
  asIdentifier: boolean,
  max: number,
  { vocabulary }: StemmedRules,
): Task<readonly string[]> {
  const joined = stripSeparators(text);
  const identifier = asIdentifier ? identifierTerm(joined) : undefined;
  const prefixes = new Set([...(identifier === undefined ? [] : [identifier]), codeForms(text).whole, joined]);
  const found = new Set<string>();
  for (const prefix of prefixes)
    if (found.size < max) for (const one of yield* vocabulary.termsFrom(prefix, max - found.size)) found.add(one);
  return [...found];
}
