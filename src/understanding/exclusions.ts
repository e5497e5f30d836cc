// Exclusions: "without caffeine", "no leather", "not from Forge", "that does not need ink". wink says where a negation reaches. What "no"
// and "not" exclude must stand in records: else it may be a name.

import { wordsOf } from "../analysis/language-rules.js";
import type { Task } from "../util/tasks.js";
import { filterOf, type Reading } from "./reading.js";
import { longestValue } from "./values.js";

/** Words between a negation and what it excludes. */
const LINKS = new Set(["from", "by", "made", "of", "with", "any", "a", "an", "the", "in"]);
/** What follows a "no" or "not" that negates no thing. */
const NO_THINGS = new Set(
  wordsOf(
    "more less over above under below only just so too exceeding higher lower later sooner one matter problem way",
  ),
);
const PHRASE_TAGS = new Set(["NOUN", "PROPN", "ADJ", "VERB", "X"]);
const DO_NOT = new Set(["don't", "doesn't", "dont", "doesnt", "didn't"]);
const IS_NOT = new Set(["isn't", "aren't", "isnt", "arent"]);
const JOINS = new Set(["or", "nor", "and"]);
const MOST_WORDS = 4;

interface Negation {
  /** The first token behind it. */
  readonly to: number;
  /** The token that negates. */
  readonly word: number;
  /** Whether wink knows it as a negation. */
  readonly isKnown: boolean;
  /** Whether it can mean nothing else: "no mercy" may be a name, "without mercy" is rather none. */
  readonly isClear: boolean;
}

/** Reads all exclusions. They stand behind the thing that is searched. */
export function* readExclusions(reading: Reading): Task<void> {
  for (let i = 1; i < reading.tokens.length; i++) {
    const negation = reading.isFree(i) ? negationAt(reading, i) : undefined;
    if (negation === undefined || !reading.hasThing(i, i, i) || isStatement(reading, i, negation)) continue;
    if (yield* isInTitle(reading, negation)) continue;
    let to = yield* excludeAt(reading, i, negation.to, negation);
    while (to !== undefined && JOINS.has(reading.key(to))) to = yield* excludeAt(reading, to, to + 1, negation);
    yield;
  }
}

function negationAt(reading: Reading, i: number): Negation | undefined {
  const key = (at: number): string => (reading.isFree(at) ? reading.key(at) : "");
  let at = i;
  if ((key(at) === "but" || key(at) === "and") && ["not", "no", "without"].includes(key(at + 1))) at++;
  let word = at;
  if (key(at) === "that" || key(at) === "which") {
    at++;
    if ((key(at) === "do" || key(at) === "does") && key(at + 1) === "not") at += 2;
    else if (DO_NOT.has(key(at))) at++;
    else if ((key(at) === "is" || key(at) === "are") && key(at + 1) === "not")
      return behind(reading, at + 1, at + 2, true, true);
    else if (IS_NOT.has(key(at))) return behind(reading, at, at + 1, false, true);
    else if ((key(at) === "has" || key(at) === "have") && key(at + 1) === "no")
      return behind(reading, at + 1, at + 2, true, true);
    else return undefined;
    const verb = reading.tokens[at];
    if (verb === undefined || (verb.pos !== "VERB" && verb.pos !== "AUX")) return undefined;
    // wink gets a contraction as another word.
    return behind(reading, at - 1, at + 1, key(at - 1) === "not", true);
  }
  if (key(at) === "with" && key(at + 1) === "no") word = ++at;
  else if (key(at) === "w" && key(at + 1) === "/" && key(at + 2) === "o")
    return behind(reading, at, at + 3, false, true);
  else if (key(at) === "other" && key(at + 1) === "than") return behind(reading, word, at + 2, false, false);
  else if (key(at) === "excluding" || key(at) === "except") return behind(reading, word, at + 1, false, false);
  else if (key(at) !== "without" && key(at) !== "no" && key(at) !== "not") return undefined;
  return behind(reading, word, at + 1, true, key(at) === "without" || word > i);
}

/** The negation by the word `word`, if it excludes something from the token `first` on. */
function behind(
  reading: Reading,
  word: number,
  first: number,
  isKnown: boolean,
  isClear: boolean,
): Negation | undefined {
  let to = first;
  while (reading.isFree(to) && LINKS.has(reading.key(to))) to++;
  if (!reading.isFreeWord(to) || NO_THINGS.has(reading.key(to)) || reading.tokens[to]!.pos === "NUM") return undefined;
  return { to, word, isKnown, isClear };
}

/** "It's not butter" and "the drill has no cord" say something, and exclude nothing; "a drill that has no cord" does. */
function isStatement({ tokens }: Reading, from: number, { word }: Negation): boolean {
  const [before, negator] = [tokens[word - 1]!, tokens[word]!];
  if (negator.key === "not" && (before.pos === "PRON" || before.pos === "DET" || before.key.includes("'"))) return true;
  if (tokens[from]!.key === "that" || tokens[from]!.key === "which") return false;
  const states = before.pos === "AUX" || (before.pos === "VERB" && before.key.endsWith("s"));
  return (negator.key === "not" || negator.key === "no") && states;
}

/** Whether a title holds the negation with what it excludes ("Pot without lid"), or with the word before it ("Forget Me Not"). */
function* isInTitle(reading: Reading, { word, to }: Negation): Task<boolean> {
  const { facts } = reading;
  if (yield* facts.standsInTitle(reading.words(word, to + 1))) return true;
  return reading.key(word) === "not" && (yield* facts.standsInTitle(reading.words(word - 1, word + 1)));
}

/** Excludes what begins at a token; the part begins at `from`. The token behind it; undefined: nothing can be excluded. */
function* excludeAt(
  reading: Reading,
  from: number,
  first: number,
  { isKnown, isClear }: Negation,
): Task<number | undefined> {
  const { tokens, facts } = reading;
  if (!reading.isFreeWord(first) || (isKnown && !tokens[first]!.isNegated)) return undefined;
  const end = yield* endOfPhrase(reading, first);
  const value = yield* longestValue(reading, first);
  if (value !== undefined && value.to >= end) {
    reading.add("exclusion", from, value.to, `NOT ${filterOf(value.found)}`, "filters");
    return value.to;
  }
  if (end === first) return undefined;
  const words = reading.words(first, end);
  if (!(yield* facts.holds(words))) {
    // Of words that records hold one by one, nobody knows where the excluded ones end.
    if (!isClear) return undefined;
    for (let i = first; end > first + 1 && i < end; i++)
      if (yield* facts.holds(reading.words(i, i + 1))) return undefined;
  }
  reading.add("exclusion", from, end, words, "excluded");
  return end;
}

/** The end of the words that belong together from a token on: up to a value, a preposition, a sign. */
function* endOfPhrase(reading: Reading, first: number): Task<number> {
  let end = first;
  while (end < first + MOST_WORDS && reading.isFreeWord(end) && PHRASE_TAGS.has(reading.tokens[end]!.pos)) {
    if (end > first && (yield* longestValue(reading, end)) !== undefined) break;
    end++;
  }
  return end;
}
