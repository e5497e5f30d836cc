// From the text of a query to the terms that count: synonyms, doubles, stop words, quantities that nobody holds, words joined,
// completed, split and mended. The rules of docs/scoring.md, one after the other, over whole lists.

import { builtInSynonyms } from "../../src/analysis/built-in-synonyms.js";
import { formsOfNegation, negationsIn, withoutNegations } from "../../src/analysis/negations.js";
import { normalizeText } from "../../src/analysis/normalize-text.js";
import type { TokenKind } from "../../src/analysis/scan-tokens.js";
import { cleanWord, codeForms, compoundForms, stripSeparators } from "../../src/analysis/token-forms.js";
import { ENGLISH_WORDS, PLAIN_WORDS, type WordForms } from "../../src/analysis/word-forms.js";
import type { SearchParams } from "../../src/index.js";
import type { NaiveSettings } from "./naive-record.js";
import {
  type Alternative,
  type Asked,
  askedCode,
  askedCompound,
  askedWord,
  pairOf,
  plainly,
  readAsked,
  readableToken,
} from "./naive-terms.js";
import { type NaiveVocabulary, numbersOf } from "./naive-vocabulary.js";

const MOST_TERMS = 64;
const SHORTEST_NUMBER = 3;
const MOST_COMPLETIONS = 100;

/** Stems and stop words as the settings say. */
export function wordsOf({ analyzer, stopWords }: NaiveSettings): WordForms {
  const words = analyzer === "plain" ? PLAIN_WORDS : ENGLISH_WORDS;
  if (stopWords === undefined) return words;
  const own = stopWords === false ? [] : stopWords.map((word) => cleanWord(normalizeText(word.trim())));
  return { ...words, isStopWord: (word) => own.includes(word) };
}

interface Rewritten {
  readonly terms: readonly Asked[];
  /** The same and the stop words that are no terms, in reading order. */
  readonly typed: readonly Asked[];
}

/** The distinct terms that a text asks for; a whole identifier is `=` and its letters and digits. */
export function rewrite(
  text: string,
  params: SearchParams,
  settings: NaiveSettings,
  vocabulary: NaiveVocabulary,
  excluded: readonly string[] = [],
): Rewritten {
  const words = wordsOf(settings);
  const without = words.hasHeads ? excluded.flatMap((one) => readAsked(`without ${one}`, words)) : [];
  const given = [...readAsked(shortNames(text), words), ...without];
  const grouped = joinNegations(groupSynonyms(given, settings, words), words);
  const rules = widening(params, settings, vocabulary);
  const isWhole = ({ kind, alternatives }: Asked): boolean => {
    const whole = kind === "compound" ? alternatives.slice(0, 1) : alternatives.filter(({ weight }) => weight > 0.5);
    return isHeld(whole, vocabulary);
  };
  const settled = grouped
    .flatMap((asked) => (asked.plain !== undefined && !isWhole(asked) ? asked.plain : [asked]))
    .map((asked, at) => ({ ...asked, at }));
  const goesOn = (asked: Asked): boolean =>
    asked.kind === "word" &&
    rules.queryType !== "prefixNone" &&
    !(rules.queryType === "prefixAuto" && rules.held(asked));
  const joins = [joinInitials, joinWords, withPairs];
  const distinct = unite(joins.reduce((asked, join) => join(asked, words, vocabulary), settled as Asked[]));
  const kept = withoutStopWords(distinct, goesOn)
    .slice(0, MOST_TERMS)
    .map((asked) => withSigns(asked, vocabulary));
  const joined = joinCodes(kept, words, vocabulary);
  const widened = joined.flatMap((asked, i) => {
    const wide = widen(asked, i, joined, rules);
    if (!asked.stop || joined.every(({ stop }) => stop)) return [wide];
    return wide.alternatives.length > asked.alternatives.length ? [{ ...wide, optional: true }] : [];
  });
  const optional = keysOf([...(settings.optionalWords ?? []), ...(params.optionalWords ?? [])], words);
  const terms = unite(widened).map((asked) => ({ ...asked, optional: asked.optional || optional.includes(asked.key) }));
  const small = distinct.filter(({ stop, key }) => stop && !terms.some((term) => term.key === key));
  return { terms, typed: [...terms, ...small].sort((a, b) => a.at! - b.at!) };
}

/** Each negation is one term, which a hit need not hold. */
function joinNegations(asked: readonly Asked[], words: WordForms): Asked[] {
  const found = words.hasHeads ? negationsIn(asked) : [];
  return asked.flatMap((one, at): Asked[] => {
    const negation = found.find(({ from, to }) => from <= at && at < to);
    if (negation === undefined) return [one];
    if (negation.from < at) return [];
    const { from, to, words: negated } = negation;
    const text = asked.slice(from, to).map((each) => each.text);
    const alternatives = formsOfNegation(negated, words).map(({ terms }) => plainly(terms));
    const unwanted = negated.map((word) => words.stem(word));
    const key = `!${negated.join(" ")}`;
    return [{ kind: "negation", text: text.join(" "), key, stop: false, alternatives, optional: true, unwanted }];
  });
}

/** The last one may be the beginning of another word. */
function withoutStopWords(asked: readonly Asked[], goesOn: (asked: Asked) => boolean): readonly Asked[] {
  if (asked.every(({ stop }) => stop)) return asked;
  return asked.filter((one, i) => !one.stop || (i === asked.length - 1 && goesOn(one)));
}

/** "h & m" is "h&m". */
function shortNames(text: string): string {
  const short = (part: string | undefined, most: number): boolean =>
    part !== undefined && part.length <= most && /^\p{L}+$/u.test(part);
  const parts = text.split(/(\s+)/);
  for (let i = 0; i + 4 < parts.length; i += 2)
    if (short(parts[i], 2) && short(parts[i + 4], 3) && parts.slice(i + 1, i + 4).join("") === " & ")
      parts.splice(i, 5, `${parts[i]}&${parts[i + 4]}`);
  return parts.join("");
}

/** "u s a", "h and m", "at and t": a compound where some record has it joined; the longest, at most six words. */
function joinInitials(asked: readonly Asked[], words: WordForms, vocabulary: NaiveVocabulary): Asked[] {
  const joined: Asked[] = [];
  for (let at = 0; at < asked.length; ) {
    const { parts, count } = initials(asked.slice(at));
    const isHeld = parts.length > 1 && vocabulary.holds([words.stem(parts.join(""))]);
    joined.push(isHeld ? { ...askedCompound(parts, words), at: asked[at]!.at! } : asked[at]!);
    at += isHeld ? count : 1;
  }
  return joined;
}

function initials(asked: readonly Asked[]): { readonly parts: readonly string[]; readonly count: number } {
  const isAnd = ({ kind, stop, text }: Asked): boolean => kind === "word" && stop && text === "and";
  const isLetter = ({ kind, text }: Asked): boolean => kind === "word" && text.length === 1;
  const letters: string[] = [];
  let count = 0;
  for (let at = 0; at < asked.length && letters.length < 6; at++) {
    if (at > 0 && isAnd(asked[at]!)) at++;
    if (asked[at] === undefined || !isLetter(asked[at]!)) break;
    letters.push(asked[at]!.text);
    count = at + 1;
  }
  if (letters.length > 1) return { parts: letters, count };
  const [one, and, other] = asked;
  const arePair = one?.kind === "word" && and !== undefined && isAnd(and) && other?.kind === "word";
  const isPair = arePair && Math.min(one.text.length, other.text.length) <= 2;
  return isPair ? { parts: [one.text, other.text], count: 3 } : { parts: [], count: 0 };
}

/** Also found where it has signs, which counts half. */
function withSigns(asked: Asked, vocabulary: NaiveVocabulary): Asked {
  if (asked.kind === "signed") {
    // A letter without its sign is looked for only if nobody has it with the sign.
    const isHeld = vocabulary.holds([asked.key]);
    const others = asked.alternatives.filter(({ terms }) => terms.join(" ").length > 1);
    return isHeld ? { ...asked, alternatives: others } : asked;
  }
  const signed = [`+${asked.alternatives[0]!.terms[0]!}`];
  const isSigned = ["word", "number", "code", "compound"].includes(asked.kind) && vocabulary.holds(signed);
  return isSigned ? { ...asked, alternatives: [...asked.alternatives, { terms: signed, weight: 0.5 }] } : asked;
}

/** Equal terms are one, held by any form of any of them; a stop word only if all are. */
function unite(asked: readonly Asked[]): Asked[] {
  const keys = [...new Set(asked.map(({ key }) => key))];
  return keys.map((key) => {
    const equal = asked.filter((one) => one.key === key);
    const alternatives = equal.flatMap((one) => one.alternatives);
    return { ...equal[0]!, alternatives, stop: equal.every(({ stop }) => stop) };
  });
}

/** What stands together in a query, and what the settings say may stand for it; undefined: no synonym is known for it. */
interface Sequence {
  readonly tokens: readonly Asked[];
  readonly outputs: readonly string[] | undefined;
  readonly spellings: readonly string[];
}

function piecesOf({ kind, text, plain }: Asked): string[] {
  if (kind === "signed") return [text];
  if (plain !== undefined) return plain.flatMap(piecesOf);
  if (kind === "compound") return [...compoundForms(text).parts];
  return kind === "code" ? [...codeForms(text).parts] : [text];
}

const glued = (pieces: readonly string[]): string => pieces.join(" ").replace(/(?<![0-9]) | (?![0-9])/g, "");

/** What a sequence shares with its other spellings. */
function spellingsOf(tokens: readonly Asked[], { stem }: WordForms): string[] {
  const pieces = tokens.flatMap(piecesOf);
  return [glued(pieces.map((piece) => stem(piece))), stem(glued(pieces))];
}

const keyOf = (tokens: readonly Asked[]): string => tokens.map(({ key }) => key).join(" ");

interface Rule {
  readonly input: string;
  readonly key: string;
  readonly spellings: readonly string[];
  readonly count: number;
  /** The most tokens that a spelling may have: a word may be typed as two words, one of four letters as four. */
  readonly most: number;
  readonly outputs: readonly string[];
}

function rulesOf(inputs: readonly string[], outputs: readonly string[], words: WordForms): Rule[] {
  return inputs.map((input) => {
    const tokens = readAsked(input, words);
    const pieces = tokens.flatMap(piecesOf);
    const letters = glued(pieces).length;
    return {
      input,
      key: keyOf(tokens),
      spellings: spellingsOf(tokens, words),
      count: tokens.length,
      most: Math.max(tokens.length, pieces.length + 1, letters <= 4 ? letters : 0),
      outputs: outputs.filter((output) => output !== input),
    };
  });
}

function ownRules({ synonyms = [] }: NaiveSettings, words: WordForms): Rule[] {
  return synonyms.flatMap((rule) =>
    rulesOf(rule.type === "synonym" ? rule.synonyms : [rule.input], rule.synonyms, words),
  );
}

const BUILT_IN = builtInSynonyms().flatMap(({ inputs, outputs }) => rulesOf(inputs, outputs, ENGLISH_WORDS));

/** The longest known sequences from the left, and between them tokens alone. */
function sequencesOf(asked: readonly Asked[], rules: readonly Rule[], words: WordForms): Sequence[] {
  const found: Sequence[] = [];
  const most = Math.max(0, ...rules.map((rule) => rule.most));
  const fittingOf = (tokens: readonly Asked[]): readonly Rule[] => {
    const spelled = tokens.length <= most ? spellingsOf(tokens, words) : [];
    const fits = ({ key, spellings }: Rule): boolean =>
      key === keyOf(tokens) || spellings.some((spelling) => spelled.includes(spelling));
    return rules.filter((rule) => rule.count > 0 && fits(rule));
  };
  for (let rest = asked; rest.length > 0; ) {
    const beginnings = rest.map((_, i) => rest.slice(0, rest.length - i));
    const tokens = beginnings.find((beginning) => fittingOf(beginning).length > 0) ?? rest.slice(0, 1);
    const fitting = fittingOf(tokens);
    const spellings = fitting.filter(({ key }) => key !== keyOf(tokens)).map(({ input }) => input);
    const outputs = fitting.length === 0 ? undefined : fitting.flatMap((rule) => rule.outputs);
    found.push({ tokens, outputs, spellings });
    rest = rest.slice(tokens.length);
  }
  return found;
}

/** Each sequence becomes one term, held by any of its synonyms too; what has none gets those that are built in. */
function groupSynonyms(asked: readonly Asked[], settings: NaiveSettings, words: WordForms): Asked[] {
  const rules = ownRules(settings, words);
  const read = (text: string): readonly Alternative[] => asOne(readAsked(text, words), words);
  const group = ({ tokens, outputs, spellings }: Sequence, weight: number): Asked => {
    const own = asOne(tokens, words);
    const others = spellings.flatMap(read).map((one) => ({ ...one, strange: 0 }));
    const synonymous = (outputs ?? []).flatMap(read);
    const asSynonyms = synonymous.map((one) => ({ ...one, weight: weight * one.weight, strange: 0.21 }));
    const alternatives = [...own, ...others, ...asSynonyms];
    if (tokens.length === 1) return { ...tokens[0]!, alternatives, stop: false };
    return { kind: "group", text: keyOf(tokens), key: keyOf(tokens), stop: false, alternatives };
  };
  const isInput = (text: string): boolean => {
    const [first, ...more] = sequencesOf(readAsked(text, words), rules, words);
    return first?.outputs !== undefined && more.length === 0;
  };
  const hasBuiltIn = settings.analyzer !== "plain" && settings.builtInSynonyms !== false;
  const done: Asked[] = [];
  let plain: Asked[] = [];
  const endPlain = (): void => {
    for (const built of sequencesOf(plain, hasBuiltIn ? BUILT_IN : [], words)) {
      const outputs = built.outputs?.filter((output) => !isInput(output)) ?? [];
      done.push(...(outputs.length > 0 ? [group({ ...built, outputs }, 0.8)] : built.tokens));
    }
    plain = [];
  };
  for (const known of sequencesOf(asked, rules, words)) {
    if (known.outputs === undefined) plain.push(...known.tokens);
    else {
      endPlain();
      done.push(group(known, 0.98));
    }
  }
  endPlain();
  return done;
}

/** A text in parts, each with its synonyms, as an embedder reads it; undefined: it has none. */
export function synonymousParts(text: string, settings: NaiveSettings): string[][] | undefined {
  const words = wordsOf(settings);
  const readable = (tokens: readonly Asked[]): string =>
    tokens.map(({ kind, key, text }) => (kind === "unspaced" ? key : readableToken(kind, text))).join(" ");
  const asked = withoutNegations(readAsked(shortNames(text), words), words);
  const found = sequencesOf(asked, ownRules(settings, words), words);
  if (found.every(({ outputs }) => outputs === undefined)) return undefined;
  return found.map(({ tokens, outputs }) => {
    const texts = [readable(tokens), ...(outputs ?? []).map((output) => readable(readAsked(output, words)))];
    return [...new Set(texts)].slice(0, 16);
  });
}

/** The first eight words as typed that the embedder knows and no record holds. */
export function outOfVocabularyWords(asked: readonly Asked[], vocabulary: NaiveVocabulary): string[] {
  const known = asked.filter(({ knownToEmbedder }) => knownToEmbedder);
  const outOfVocabulary = known.filter(({ alternatives }) => !isHeld(alternatives, vocabulary));
  return outOfVocabulary.map(({ text }) => text).slice(0, 8);
}

/** Whether a query for this word would find a record. */
export function holdsWord(word: string, settings: NaiveSettings, vocabulary: NaiveVocabulary): boolean {
  const asked = readAsked(word, wordsOf(settings));
  return asked.length > 0 && asked.every(({ alternatives }) => isHeld(alternatives, vocabulary));
}

function isHeld(alternatives: readonly Alternative[], vocabulary: NaiveVocabulary): boolean {
  return alternatives.some(({ terms }) => vocabulary.holds(terms));
}

/** Several words are held together, each by its first form; words with hyphens by their parts too; words also joined. */
function asOne(tokens: readonly Asked[], { stem }: WordForms): readonly Alternative[] {
  if (tokens.length === 0) return [];
  if (tokens.length === 1) return tokens[0]!.alternatives;
  const first = tokens.flatMap(({ alternatives }) => alternatives[0]!.terms);
  const areWords = tokens.every(({ kind }) => kind === "word" || kind === "compound");
  const pieces = tokens.flatMap(piecesOf);
  const forms = areWords ? [first, pieces.map((piece) => stem(piece)), [stem(pieces.join(""))]] : [first];
  return forms.map((terms) => ({ terms, weight: 1 }));
}

const CONNECTIVES = "a an and as at by for from in of on or the to with".split(" ");

/** Two words side by side are also one, where some record has that; nothing but one, where no record has both. */
function joinWords(asked: readonly Asked[], words: WordForms, vocabulary: NaiveVocabulary): Asked[] {
  const united: Asked[] = [];
  for (let rest = asked; rest.length > 0; ) {
    const [one, next] = rest;
    const mayBeOne = next !== undefined && mayJoin(one!, next, united.length > 0, words, vocabulary);
    const isOne = mayBeOne && !one!.stop && !next.stop && !vocabulary.holds([one!.key, next.key]);
    united.push(isOne ? { ...askedWord(one!.text + next.text, words), at: one!.at! } : one!);
    rest = rest.slice(isOne ? 2 : 1);
  }
  return united.map((own, i) => {
    const found = [i > 0 ? united.slice(i - 1, i + 1) : [], united.slice(i, i + 2)].flatMap((pair, side) => {
      const [one, next] = pair;
      if (next === undefined || !mayJoin(one!, next, i - 1 + side > 0, words, vocabulary)) return [];
      const apart = plainly([one!.key, next.key]);
      const joined = plainly([words.stem(one!.text + next.text)], 0.9);
      return own.stop ? [apart, joined] : [joined];
    });
    if (found.length === 0) return own;
    if (!own.stop) return { ...own, alternatives: [...own.alternatives, ...found] };
    const key = found[0]!.terms.join(" ");
    return { kind: "group", text: key, key, stop: false, alternatives: found, optional: true, at: own.at! };
  });
}

function mayJoin(
  one: Asked,
  next: Asked,
  isWithin: boolean,
  { stem, isStopWord }: WordForms,
  vocabulary: NaiveVocabulary,
): boolean {
  const text = one.text + next.text;
  const isSmall = one.stop || next.stop;
  if (one.kind !== "word" || next.kind !== "word" || text.length > 32 || (one.stop && next.stop)) return false;
  if (isSmall && isStopWord(text)) return false;
  if (one.stop && isWithin && CONNECTIVES.includes(one.text)) return false;
  return vocabulary.holds([stem(text)]);
}

/** What stands side by side is also a part of a code, and a word one of which a letter stands apart, where some record has that. */
function withPairs(asked: readonly Asked[], { stem }: WordForms, vocabulary: NaiveVocabulary): Asked[] {
  const pairs = asked.slice(1).map((next, i): string[] => {
    const one = asked[i]!;
    const isOpen = ({ kind, stop }: Asked): boolean => !["quantity", "group", "negation"].includes(kind) && !stop;
    if (!isOpen(one) || !isOpen(next)) return [];
    const pair = pairOf([one.kind as TokenKind, one.text], [next.kind as TokenKind, next.text]);
    if (pair === undefined) return [];
    const areAlike = one.kind === next.kind && ["word", "number"].includes(one.kind);
    return areAlike ? [`^${stem(pair)}`] : [`^${stem(pair)}`, pair];
  });
  return asked.map((own, i) => {
    const joined = own.kind === "word" || own.kind === "compound" ? compoundForms(own.text).joined : "";
    const isWhole = own.kind !== "code" || codeForms(own.text).parts.length === 1;
    const found = [
      ...(joined.length < 3 ? [] : [`^${stem(joined)}`]),
      ...(isWhole ? [...(pairs[i - 1] ?? []), ...(pairs[i] ?? [])] : []),
    ];
    const held = found.filter((term) => vocabulary.holds([term])).map((term) => plainly([term], 0.9));
    return { ...own, alternatives: [...own.alternatives, ...held] };
  });
}

function joinCodes(asked: readonly Asked[], words: WordForms, vocabulary: NaiveVocabulary): Asked[] {
  const joined: Asked[] = [];
  for (let rest = asked; rest.length > 0; ) {
    const { code, size } = joinedCode(rest, words, vocabulary) ?? { code: rest[0]!, size: 1 };
    joined.push({ ...code, at: rest[0]!.at! });
    rest = rest.slice(size);
  }
  return joined;
}

/** "502 654 31": the longest code of up to six pieces that some record holds joined and none holds apart. */
function joinedCode(from: readonly Asked[], words: WordForms, vocabulary: NaiveVocabulary) {
  for (const size of [6, 5, 4, 3, 2]) {
    const pieces = from.slice(0, size);
    if (pieces.length < size || !pieces.every(({ kind }) => ["word", "number", "code"].includes(kind))) continue;
    const text = pieces.map((piece) => stripSeparators(piece.text)).join("");
    const isCode = /[0-9]/.test(text) && (text.length >= 5 || !/^[0-9]+$/.test(text));
    const apart = pieces.flatMap(({ alternatives }) => alternatives[0]!.terms);
    if (isCode && vocabulary.holds([text]) && !vocabulary.holds(apart)) return { code: askedCode(text, words), size };
  }
  return undefined;
}

type Widening = ReturnType<typeof widening>;

function widening(params: SearchParams, settings: NaiveSettings, vocabulary: NaiveVocabulary) {
  const words = wordsOf(settings);
  const exact = keysOf(settings.disableTypoToleranceOnWords ?? [], words);
  const tolerant = params.typoTolerance ?? settings.typoTolerance ?? true;
  const { mendsKnown = false, isWord } = settings;
  const knows = ({ kind, text }: Asked): boolean => kind === "word" && settings.knows?.(text) === true;
  /** Whether a word may be mended, if it were not known. */
  const mendsAny = ({ key }: Asked): boolean => tolerant && !exact.includes(key);
  return {
    ...{ words, vocabulary, mendsKnown, isWord, knows, mendsAny },
    mends: (asked: Asked): boolean => mendsAny(asked) && (!knows(asked) || mendsKnown),
    held: ({ alternatives }: Asked): boolean => isHeld(alternatives, vocabulary),
    queryType: params.queryType ?? settings.queryType ?? "prefixAuto",
    left: { corrections: 16 },
  };
}

function keysOf(texts: readonly string[], words: WordForms): string[] {
  return texts.flatMap((text) => readAsked(text, words).map(({ key }) => key));
}

function mendings(asked: Asked, { vocabulary, words, mends, left }: Widening): Alternative[] {
  const { text } = asked;
  const most = text.length >= 8 ? 2 : text.length >= 4 ? 1 : 0;
  if (most === 0 || !mends(asked) || left.corrections-- <= 0) return [];
  const stems = vocabulary.nearest(text, most, words.id !== PLAIN_WORDS.id);
  return stems.map((stem) => ({ ...plainly([stem]), mended: true }));
}

/** The nearest words, where what the word begins is one letter longer, and fewer records have that. */
function besides(asked: Asked, begun: readonly Alternative[], rules: Widening): Alternative[] {
  const { vocabulary } = rules;
  const written = (term: string): string => (term[0] === "~" ? term.slice(term.lastIndexOf("~") + 1) : term);
  if (!begun.every(({ terms }) => terms.length === 1 && written(terms[0]!).length === asked.text.length + 1)) return [];
  const stems = begun.map(({ terms }) => (terms[0]![0] === "~" ? terms[0]!.split("~")[1]! : terms[0]!));
  const most = Math.max(...stems.map((stem) => vocabulary.count(stem)));
  const others = mendings(asked, rules).filter(({ terms }) => !stems.includes(terms[0]!));
  return others.some(({ terms }) => vocabulary.count(terms[0]!) > most) ? others : [];
}

/** Of a word that the embedder knows: frequent words next to it that a record has with all others of the query. */
function besideOthers(asked: Asked, all: readonly Asked[], rules: Widening): Alternative[] {
  const { vocabulary, words, held, left, mendsAny } = rules;
  const others = all.filter((one) => one.key !== asked.key && !one.stop);
  if (others.length === 0 || !others.every(held) || asked.text.length < 4 || !mendsAny(asked)) return [];
  if (left.corrections-- <= 0) return [];
  const least = Math.max(10, Math.floor(vocabulary.size / 100));
  const company = others.flatMap(({ alternatives }) => alternatives[0]!.terms);
  const stems = [...new Set(vocabulary.neighbours(asked.text, words).map(([, stem]) => stem))];
  return stems
    .filter((stem) => vocabulary.count(stem) >= least && vocabulary.holds([stem, ...company]))
    .map((stem) => ({ terms: [stem], weight: 0.5, strange: 1, mended: true }));
}

/** A term with the words it may mean besides: those it begins, its halves, the nearest; mostly the first of these that there are. */
function widen(given: Asked, place: number, all: readonly Asked[], rules: Widening): Asked {
  const count = all.length;
  const umlauts = rules.held(given) ? [] : umlautsOf(given, rules);
  const apart = rules.held(given) ? [] : codeApart(given, rules);
  const asked = { ...given, alternatives: [...given.alternatives, ...umlauts, ...apart] };
  const { queryType, held, vocabulary, words, knows } = rules;
  const { kind, text, alternatives } = asked;
  const isLast = place === count - 1;
  const outOfVocabulary = !held(asked);
  const asTyped = alternatives.filter(({ terms, weight }) =>
    kind === "compound" ? terms.length === 1 && !terms[0]!.startsWith("^") : kind !== "code" || weight === 1,
  );
  const unfinished = apart.length === 0 && !isHeld(asTyped, vocabulary);
  const isLoneCode = count === 1 && (kind === "code" || (kind === "number" && text.length >= SHORTEST_NUMBER));
  const completes =
    queryType === "prefixAll" ||
    (isLast && queryType === "prefixLast") ||
    (isLast && queryType === "prefixAuto" && unfinished && !(outOfVocabulary && knows(asked) && text.length >= 6)) ||
    (isLoneCode && queryType !== "prefixNone");
  const added: Alternative[] = (completes ? completions(asked, isLoneCode, rules) : []).map((one) =>
    unfinished ? { ...one, strange: 0 } : { ...one, weight: one.weight / 2, strange: 1 },
  );
  if (kind === "word" && !asked.stop) {
    if (held(given)) added.push(...otherSpellings(asked, rules));
    else if (outOfVocabulary && added.length > 0) {
      if (!knows(asked) && queryType === "prefixAuto") added.push(...besides(asked, added, rules));
    } else if (outOfVocabulary) {
      const apart = halves(text, words, vocabulary, (shorter) => shorter >= 3);
      const mended = knows(asked) && !rules.mendsKnown ? besideOthers(asked, all, rules) : mendings(asked, rules);
      const before = all[place - 1];
      const isUnit = before !== undefined && /^\d+[.,]\d+$/.test(before.text) && !(knows(asked) && !rules.mendsKnown);
      const number = isUnit ? before.alternatives[0]!.terms : [];
      const kept = mended.filter(({ terms }) => !isUnit || vocabulary.holds([...number, ...terms]));
      const isLikely = apart.length === 0 || kept.some(({ terms }) => vocabulary.count(terms[0]!) >= 10);
      added.push(...(isLikely ? kept : []), ...apart);
      if (added.length === 0 && !(knows(asked) && !rules.mendsKnown))
        added.push(...halves(text, words, vocabulary, (shorter) => shorter === 2));
    }
  }
  return { ...asked, alternatives: [...alternatives, ...added], knownToEmbedder: knows(asked) };
}

/** A code in the fewest pieces, up to five, that one record has side by side; a number as two numbers, or as a tyre. */
function codeApart({ kind, text }: Asked, { words, vocabulary }: Widening): Alternative[] {
  const pair = (joined: string): string => `^${words.stem(joined)}`;
  const held = (ways: readonly (readonly string[])[]): Alternative[] =>
    ways.filter((terms) => vocabulary.holds(terms)).map((terms) => plainly(terms, 0.8));
  if (kind === "number") {
    const [, width, height, rim] = /^([1-3]\d5)([2-9][05])(1\d|2[0-4])$/.exec(text) ?? [];
    const rims = height === undefined ? [] : [`r${rim}`, pair(`r${rim}`), `${height}r${rim}`];
    return held([...(text.length >= 5 ? [[pair(text)]] : []), ...rims.map((last) => [pair(width! + height), last])]);
  }
  const joined = stripSeparators(text);
  if (kind !== "code" || joined.length > 20) return [];
  for (let count = 1; count <= 5; count++) {
    const found = held(partitions(joined, count).flatMap((pieces) => termsOfPieces(pieces, pair) ?? []));
    if (found.length > 0) return found;
  }
  return [];
}

function partitions(text: string, count: number): string[][] {
  if (count === 1) return text === "" ? [] : [[text]];
  return Array.from(text, (_, i) => i + 1).flatMap((end) =>
    partitions(text.slice(end), count - 1).map((rest) => [text.slice(0, end), ...rest]),
  );
}

/** What a record has that has the pieces side by side, as a list of one; undefined: such pieces are none. */
function termsOfPieces(pieces: readonly string[], pair: (joined: string) => string): string[][] | undefined {
  if (!pieces.every((piece) => /^(?:[a-z]{1,4}\d*|\d+[a-z]{0,4})$/.test(piece))) return undefined;
  const joints = pieces.slice(1).map((piece, i) => [pieces[i]!, piece] as const);
  const areWords = joints.filter(([before, after]) => /[a-z]$/.test(before) && /^[a-z]/.test(after));
  if (areWords.length > 1 || areWords.some((joint) => joint.some((piece) => !/\d/.test(piece)))) return undefined;
  const isCrossed = ([before, after]: readonly [string, string]): boolean => /\d$/.test(before) && /^x\d+$/.test(after);
  const beside = joints.filter((joint) => !areWords.includes(joint) && !isCrossed(joint));
  const own = pieces.map((piece, i) => (i > 0 && isCrossed([pieces[i - 1]!, piece]) ? piece.slice(1) : piece));
  const joined = (joint: readonly string[]): string => /(?:[a-z]+|\d+) (?:[a-z]+|\d+)/.exec(joint.join(" "))![0];
  const pairs = beside.map((joint) => pair(joined(joint).replace(" ", "")));
  return [[...new Set([...own.filter((piece) => !/^[a-z]$/.test(piece)), ...pairs])]];
}

/** "kuehlbox" as "kuhlbox", with each e left out or not; of short words that the embedder knows none. */
function umlautsOf(asked: Asked, { words, vocabulary, knows }: Widening): Alternative[] {
  const { kind, text, stop } = asked;
  if (kind !== "word" || stop || (text.length < 5 && knows(asked))) return [];
  const [first, ...rest] = text.split(/(?<=[aou])e/);
  const longer = (form: string, part: string): string[] => [`${form}e${part}`, form + part];
  return rest
    .reduce((forms, part, i) => forms.flatMap((form) => longer(form, part).slice(0, i < 4 ? 2 : 1)), [first!])
    .filter((form) => form !== text && form.length > 1 && !words.isStopWord(form))
    .map((form) => plainly([words.stem(form)]))
    .filter(({ terms }) => vocabulary.holds(terms));
}

/** Of a word that one record has, or one in a thousand: its halves, and what it may be a typing error for. */
function otherSpellings(asked: Asked, { vocabulary, words, mends, isWord, left }: Widening): Alternative[] {
  const { text } = asked;
  const holders = vocabulary.countWritten(text, words);
  if (holders > Math.max(1, vocabulary.size / 1000)) return [];
  const split = halves(text, words, vocabulary, (shorter) => shorter >= 3);
  const apart = split.map((half) => ({ ...half, weight: 0.5, strange: 1 }));
  const hasSynonyms = asked.alternatives.some(({ strange }) => strange === 0.21);
  const isKnown = isWord && [text, ...(words.id === PLAIN_WORDS.id ? [] : numbersOf(text))].some(isWord);
  if (isKnown !== false || hasSynonyms || text.length < 4 || !mends(asked) || left.corrections-- <= 0) return apart;
  const near = vocabulary.neighbours(text, words).filter(([, stem]) => vocabulary.count(stem) >= Math.max(1, holders));
  const form = holders === 0 ? { weight: 1, strange: 0 } : { weight: 0.5, strange: 1 };
  const stems = [...new Set(near.map(([, stem]) => stem))];
  return [...apart, ...stems.map((stem) => ({ terms: [stem], ...form, mended: true }))];
}

function completions({ kind, text, plain }: Asked, isIdentifier: boolean, rules: Widening): Alternative[] {
  const { vocabulary, words } = rules;
  const alone = (term: string): Alternative => ({ terms: [term], weight: 1 });
  if (kind === "word") return vocabulary.wordsFrom(text).map(alone);
  if (kind === "compound") {
    const { joined, parts } = compoundForms(text);
    const first = [...new Set(parts.slice(0, -1).map((part) => words.stem(part)))];
    const last = parts.at(-1)!;
    const asOne = vocabulary.wordsFrom(joined).map((term): Alternative => {
      const all = [term, ...first];
      return vocabulary.holds(all) ? { terms: all, weight: 1 } : { terms: [term], weight: 0.8 };
    });
    const ends = last.length < 2 ? [] : vocabulary.wordsFrom(last);
    const apart = ends.map((term) => ({ terms: [...first, term], weight: 0.8 }));
    const room = Math.max(0, MOST_COMPLETIONS - asOne.length);
    return [...asOne, ...apart.filter(({ terms }) => vocabulary.holds(terms)).slice(0, room)];
  }
  if (kind === "quantity") {
    const first = plain!.slice(0, -1).flatMap(({ alternatives }) => alternatives[0]!.terms);
    const ends = completions(plain!.at(-1)!, false, rules);
    return ends.map(({ terms, weight }) => ({ terms: [...first, ...terms], weight }));
  }
  if (kind !== "code" && kind !== "number") return [];
  const bare = stripSeparators(text);
  const exact = isIdentifier || kind === "code" ? vocabulary.identifiersFrom(bare).map((code) => `=${code}`) : [];
  const found = [...exact, ...vocabulary.termsFrom(codeForms(text).whole), ...vocabulary.termsFrom(bare)];
  return [...new Set(found)].slice(0, MOST_COMPLETIONS).map(alone);
}

function halves(
  word: string,
  { stem, isStopWord }: WordForms,
  vocabulary: NaiveVocabulary,
  fits: (shorter: number) => boolean,
): Alternative[] {
  const cuts = Array.from({ length: word.length }, (_, at) => [word.slice(0, at), word.slice(at)]);
  return (word.length > 32 ? [] : cuts)
    .filter(([one, other]) => fits(Math.min(one!.length, other!.length)))
    .filter((pair) => !pair.some((half) => half.length === 2 && isStopWord(half)))
    .map((pair) => plainly(pair.map((half) => stem(half))))
    .filter(({ terms }) => vocabulary.holds(terms));
}
