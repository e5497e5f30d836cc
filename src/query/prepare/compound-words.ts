// Words that are joined to longer ones, as in German. A word of a query also finds longer words that end with it, "Akkuschrauber" for
// "schrauber", where the front is a word too, or at least looks like one. What a query joins is also found apart, and, where nothing else
// is found, by one of its parts. The words of the index are the dictionary, and those of the language's word table.

import type { TermAlternative } from "../../analysis/query-term.js";
import { markedWord, stemOf, writtenForm } from "../../analysis/scan-tokens.js";
import type { Task } from "../../util/tasks.js";
import { type ExpansionRules, LONGEST_COMPOUND } from "./expand-word.js";

/** Where the front is a word; where it only looks like one; the parts apart. */
const END_WEIGHT = 0.6;
const LOOSE_WEIGHT = 0.3;
const APART_WEIGHT = 0.5;
/** Longer words that begin with a word are made of it, or for it. */
const BEGINNING_WEIGHT = 0.3;
/** Of what shares a part with the query alone: the end; the front; longer words that begin with it; those that end so, by their weight. */
const TAIL_WEIGHT = 0.4;
const FRONT_WEIGHT = 0.3;
const SHARED_FRONT_WEIGHT = 0.2;
const SHARED_END = 0.3;
/** Longer words that end with a word, or begin with it, at most. */
const MOST_ENDS = 400;
const MOST_SHARED_FRONTS = 50;
const SHORTEST_FRONT = 3;
const SHORTEST_SHARED_FRONT = 4;
/** A shorter word between two others, or before one in the dictionary, is mostly chance: "pas" of "tarwepastas". */
const SHORTEST_INNER = 4;
/** Shorter words need a front that is a word. */
const SHORTEST_LOOSE = 4;
/** Shorter words begin too many others, and shorter rests are mostly chance. */
const SHORTEST_BEGUN = 4;
const PAUSE_EVERY = 32;
const VOWEL = /[aeiouy]/;
const CONSONANT = /[^aeiouy]/;

/** Longer words that end with a word, or whose stems end with its stem. */
export function* compoundsEnding(
  word: string,
  rules: ExpansionRules,
): Task<{ readonly strict: readonly TermAlternative[]; readonly loose: readonly TermAlternative[] }> {
  const { words, vocabulary } = rules;
  const end = words.stem(word);
  if (end.length < words.compounds!.leastEnd) return { strict: [], loose: [] };
  const weights = new Map<string, number>();
  for (const [i, term] of (yield* vocabulary.wordsTo(word, end, MOST_ENDS)).entries()) {
    if ((i + 1) % PAUSE_EVERY === 0) yield;
    const stem = stemOf(term);
    const written = writtenForm(term);
    const front = written.endsWith(word) ? written.slice(0, -word.length) : stem.slice(0, -end.length);
    if (stem === end || weights.get(stem) === END_WEIGHT) continue;
    const isStrict = yield* isFront(front, rules);
    if (!isStrict && (word.length < SHORTEST_LOOSE || !looksLikeFront(front, word, rules))) continue;
    if (!(yield* hasLongerEnd(written, front.length, rules))) weights.set(stem, isStrict ? END_WEIGHT : LOOSE_WEIGHT);
  }
  const of = (wanted: number): TermAlternative[] =>
    [...weights].flatMap(([stem, weight]) =>
      weight === wanted ? [{ terms: [stem], weight, distance: 1, end: word }] : [],
    );
  return { strict: of(END_WEIGHT), loose: of(LOOSE_WEIGHT) };
}

/** Whether letters that join no words make another word of the end, behind a word: "Herdplatte" is no "Latte". */
function* hasLongerEnd(written: string, end: number, rules: ExpansionRules): Task<boolean> {
  for (let at = end - 1; at > end - SHORTEST_FRONT && at >= SHORTEST_FRONT; at--) {
    if (rules.links.includes(written.slice(at, end))) continue;
    if ((yield* isTail(written.slice(at), rules)) && (yield* isWord(written.slice(0, at), rules))) return true;
  }
  return false;
}

/** Longer words that begin with a word and go on with another, "Schokoladenriegel" for "schokolade". No title names the word by them. */
export function* compoundsBeginning(word: string, rules: ExpansionRules): Task<TermAlternative[]> {
  if (word.length < SHORTEST_BEGUN) return [];
  const own = rules.words.stem(word);
  // "Schul-" of "Schule"
  const short = /[en]$/.test(word) ? word.slice(0, -1) : word;
  const joints = [...rules.links.map((link) => word + link), short];
  const found = new Set<string>();
  for (const [i, term] of (yield* rules.vocabulary.wordsFrom(short, MOST_ENDS)).entries()) {
    if ((i + 1) % PAUSE_EVERY === 0) yield;
    const written = writtenForm(term);
    for (const joint of stemOf(term) === own ? [] : joints) {
      const rest = written.startsWith(joint) ? written.slice(joint.length) : "";
      if (rest.length >= SHORTEST_BEGUN && (yield* isTail(rest, rules))) found.add(stemOf(term));
    }
  }
  return Array.from(found, (stem) => ({ terms: [stem], weight: BEGINNING_WEIGHT, distance: 1, isHead: false }));
}

/** The parts of a word, where one record has both: "Fahrrad für Kinder" for "kinderfahrrad". */
export function* compoundApart(word: string, rules: ExpansionRules): Task<TermAlternative[]> {
  const { words, vocabulary } = rules;
  const found: TermAlternative[] = [];
  for (const [front, tail] of cutsOf(word, rules)) {
    if (!(yield* isTail(tail, rules))) continue;
    const last = words.stem(tail);
    for (const bare of baresOf(front, rules)) {
      const first = words.stem(bare);
      if (first === last || !(yield* vocabulary.has(first))) continue;
      if (yield* vocabulary.cooccur([first, last]))
        found.push({ terms: [first, last], weight: APART_WEIGHT, distance: 1, apart: true });
    }
  }
  return found;
}

/**
 * For a word that nothing else stands for: its end and its front, and longer words that share one of them. It is cut where both are
 * in the dictionary, else before the longest end that is a word of the index. None where the embedder knows that end: it then finds
 * what is near to the whole word.
 */
export function* compoundsSharing(word: string, rules: ExpansionRules): Task<TermAlternative[]> {
  const { words, isInDictionary, isKnownToEmbedder } = rules;
  for (const [front, tail] of cutsOf(word, rules)) {
    if (!isInDictionary(tail) || words.smallWords.has(tail)) continue;
    if (isKnownToEmbedder(tail)) return [];
    const found = baresOf(front, rules).some(isInDictionary) ? yield* sharing(front, tail, rules) : [];
    if (found.length > 0) return found;
  }
  for (const [front, tail] of cutsOf(word, rules)) {
    if (!(yield* isTail(tail, rules))) continue;
    if (isKnownToEmbedder(tail)) return [];
    const isLoose = tail.length >= SHORTEST_LOOSE && looksLikeFront(front, tail, rules);
    if (isLoose || (yield* isFront(front, rules))) return yield* sharing(front, tail, rules);
  }
  return [];
}

/** Words of the index that share the end or the front of a word. */
function* sharing(front: string, tail: string, rules: ExpansionRules): Task<TermAlternative[]> {
  const { words, vocabulary } = rules;
  const found = new Map<string, TermAlternative>();
  const add = (stem: string, weight: number, more: Partial<TermAlternative> = {}): void => {
    if (!found.has(stem)) found.set(stem, { terms: [stem], weight, distance: 1, ...more });
  };
  if (yield* isTail(tail, rules)) add(words.stem(tail), TAIL_WEIGHT);
  const { strict, loose } = yield* compoundsEnding(tail, rules);
  for (const { terms, weight } of [...strict, ...loose]) add(terms[0]!, weight * SHARED_END, { end: tail });
  for (const bare of baresOf(front, rules)) {
    const stem = words.stem(bare);
    if (yield* vocabulary.has(stem)) add(stem, FRONT_WEIGHT);
    if (bare.length < SHORTEST_SHARED_FRONT) continue;
    for (const longer of yield* vocabulary.wordsFrom(bare, MOST_SHARED_FRONTS))
      add(stemOf(longer), SHARED_FRONT_WEIGHT);
  }
  return [...found.values()];
}

/** The ways to cut a word in two, the longest end first. */
function cutsOf(word: string, { words }: ExpansionRules): (readonly [front: string, tail: string])[] {
  const cuts: [string, string][] = [];
  if (word.length > LONGEST_COMPOUND) return cuts;
  for (let at = SHORTEST_FRONT; at <= word.length - words.compounds!.leastEnd; at++)
    cuts.push([word.slice(0, at), word.slice(at)]);
  return cuts;
}

function* isTail(tail: string, { words, vocabulary }: ExpansionRules): Task<boolean> {
  return !words.smallWords.has(tail) && (yield* vocabulary.has(words.stem(tail)));
}

/** A front without the sounds that may join it. */
function baresOf(front: string, { words, links }: ExpansionRules): string[] {
  return links
    .filter((link) => front.endsWith(link))
    .map((link) => front.slice(0, front.length - link.length))
    .filter((bare) => bare.length >= SHORTEST_FRONT && !words.smallWords.has(bare));
}

/** Whether a front is a word of the index, perhaps with a linking sound, or two of them. */
function* isFront(front: string, rules: ExpansionRules): Task<boolean> {
  if (yield* isWord(front, rules)) return true;
  for (let at = SHORTEST_FRONT; at <= front.length - SHORTEST_INNER; at++)
    if ((yield* isWord(front.slice(at), rules)) && (yield* isWord(front.slice(0, at), rules))) return true;
  return false;
}

function* isWord(front: string, rules: ExpansionRules): Task<boolean> {
  for (const bare of baresOf(front, rules)) {
    if (bare.length >= SHORTEST_INNER && rules.isInDictionary(bare)) return true;
    const stem = rules.words.stem(bare);
    if (yield* rules.vocabulary.has(stem === bare ? bare : markedWord(stem, bare))) return true;
  }
  return false;
}

function looksLikeFront(front: string, end: string, { words }: ExpansionRules): boolean {
  return (
    front.length >= SHORTEST_FRONT &&
    VOWEL.test(front) &&
    CONSONANT.test(front) &&
    !words.compounds!.noFront.test(front) &&
    !(front.at(-1) === end[0] && front.at(-2) === end[0])
  );
}
