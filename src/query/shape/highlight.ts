// Highlights and snippets: what a query found in the texts of a record, between tags. Result names are Algolia's. The text is
// escaped for HTML unless a query says otherwise, the tags are not.
//
// Texts are read with the scanner and the word forms of the index, and marks are positions in the original text. Marks never
// overlap, never separate a character from its combining marks, and never cover a tag.

import { type PlainText, plainTextWithOrigin } from "../../analysis/markup.js";
import { pairOf } from "../../analysis/neighbour-pairs.js";
import { normalizeText, normalizeWithOffsets } from "../../analysis/normalize-text.js";
import { hasDigits, writtenAs } from "../../analysis/own-words.js";
import { quantitiesIn } from "../../analysis/quantities.js";
import { type TokenKind, tokensIn } from "../../analysis/scan-tokens.js";
import { tokenTerms } from "../../analysis/text-terms.js";
import { COMPOUND_JOINTS, cleanWord, compoundForms } from "../../analysis/token-forms.js";
import type { WordForms } from "../../analysis/word-forms.js";
import { type IsUntyped, PathTree } from "../../util/attribute-path.js";
import type { Analyzer } from "../../util/extension-points.js";
import type { JsonRecord, JsonValue } from "../../util/json.js";
import type { Task } from "../../util/tasks.js";

const PAUSE_EVERY_TOKENS = 512;
const PAUSE_EVERY_CHARACTERS = 2048;

/** A highlighted text. */
export interface HighlightResult {
  /** The whole text with matched words between the tags; HTML-escaped, unless `escapeHTML` is false. */
  readonly value: string;
  /** Only with `matchedPositions`: where the matched words are in the text as it is stored, in its order. */
  readonly matchedPositions?: readonly MatchedPosition[];
  /** How many terms of the query the text contains: none, some or all. */
  readonly matchLevel: MatchLevel;
  /** True when every word of the text matched. */
  readonly fullyHighlighted: boolean;
  /** The matched terms of the query, in the order of the text. */
  readonly matchedWords: readonly string[];
}

/** A part of a text, in UTF-16 code units: that of a JavaScript string `text` is `text.slice(start, start + length)`. */
export interface MatchedPosition {
  readonly start: number;
  readonly length: number;
}

/** Highlights the matches in a text. */
export function* highlightText(text: string, matcher: TermMatcher, painting: HighlightOptions): Task<HighlightResult> {
  const marking = yield* markText(plainTextWithOrigin(text), matcher);
  const positions = (): MatchedPosition[] => marking.marks.map(({ start, end }) => ({ start, length: end - start }));
  return {
    value: paintText(text, 0, text.length, marking.marks, painting),
    ...(painting.matchedPositions ? { matchedPositions: positions() } : {}),
    matchLevel: matchLevel(marking, matcher),
    fullyHighlighted: marking.isWhole,
    matchedWords: marking.keys,
  };
}

/** Results nested as the texts of a record are. */
type Shaped<T> = T | readonly Shaped<T>[] | { readonly [name: string]: Shaped<T> };

/** The results of a record, nested as the record is: a result for each text and number that was asked for. */
export type ShapedRecord<T, R extends object = JsonRecord> =
  IsUntyped<R> extends true
    ? { readonly [name: string]: Shaped<T> }
    : { readonly [K in keyof R]?: ShapedValue<T, NonNullable<R[K]>> };

type ShapedValue<T, V> = V extends string | number
  ? T
  : V extends readonly (infer U)[]
    ? readonly ShapedValue<T, NonNullable<U>>[]
    : V extends object
      ? ShapedRecord<T, V>
      : never;

/** The words of a snippet when `attributesToSnippet` gives no number. */
const DEFAULT_WORDS = 10;

/**
 * Highlights the texts and numbers at `paths`: names, dotted paths, `"*"` for all. A path to an object or array means
 * everything in it. An attribute whose own name is the path wins. Other values are left out; in an array they leave an empty
 * object, so that positions stay the same.
 */
export function highlightRecord(
  record: JsonRecord,
  paths: readonly string[],
  matcherOf: (path: string) => TermMatcher,
  options: HighlightOptions,
): Task<ShapedRecord<HighlightResult>> {
  const wanted = new PathTree(paths.map((path) => [path, true] as const));
  return shapeRecord(record, wanted, (text, _, path) => highlightText(text, matcherOf(path), options));
}

/** Cuts snippets from the attributes at `paths`, each optionally with a number of words (`"title:5"`); default 10. */
export function snippetRecord(
  record: JsonRecord,
  paths: readonly string[],
  matcherOf: (path: string) => TermMatcher,
  options: Omit<SnippetOptions, "words">,
): Task<ShapedRecord<SnippetResult>> {
  const wanted = new PathTree(paths.map(readSnippetPath));
  return shapeRecord(record, wanted, (text, words, path) => snippetText(text, matcherOf(path), { ...options, words }));
}

function readSnippetPath(path: string): readonly [path: string, words: number] {
  const [, name, words] = /^(.*):([0-9]+)$/s.exec(path) ?? [];
  return name === undefined ? [path, DEFAULT_WORDS] : [name, Number(words)];
}

/** `wanted` holds the option of each path. A path inside an attribute wins over the attribute, a name over `"*"`. */
function* shapeRecord<T, O>(
  record: JsonRecord,
  wanted: PathTree<O>,
  shapeText: (text: string, option: O, path: string) => Task<T>,
): Task<ShapedRecord<T>> {
  function* shape(
    value: JsonValue,
    path: string | undefined,
    option: O | undefined,
    inside: PathTree<O> | undefined,
    taken: ReadonlySet<PathTree<O>>,
  ): Task<Shaped<T> | undefined> {
    if (typeof value === "string" || typeof value === "number")
      return option === undefined ? undefined : yield* shapeText(String(value), option, path!);
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value)) {
      const items: (Shaped<T> | undefined)[] = [];
      for (const item of value as readonly JsonValue[]) items.push(yield* shape(item, path, option, inside, taken));
      return items.some((item) => item !== undefined) ? items.map((item) => item ?? {}) : undefined;
    }
    const own = inside?.ownNames(Object.keys(value)) ?? new Set();
    const takenInside = own.size === 0 ? taken : new Set([...taken, ...own]);
    const all = inside?.at("*")?.option ?? option;
    const entries: [string, Shaped<T>][] = [];
    for (const [name, inner] of Object.entries(value)) {
      const node = inside?.at(name);
      const named = node === undefined || taken.has(node) ? undefined : node.option;
      const innerPath = path === undefined ? name : `${path}.${name}`;
      const shaped = yield* shape(inner, innerPath, named ?? all, node, takenInside);
      if (shaped !== undefined) entries.push([name, shaped]);
    }
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  }
  return ((yield* shape(record, undefined, undefined, wanted, new Set())) ?? {}) as ShapedRecord<T>;
}

/** How a snippet is cut and shown. */
export interface SnippetOptions extends Painting {
  /** The maximum number of words, at least 1. */
  readonly words: number;
  /** Inserted unescaped where the text was cut. */
  readonly snippetEllipsisText: string;
}

/** A snippet of a text. */
export interface SnippetResult {
  /** A part of the text with matched words between the tags; HTML-escaped, unless `escapeHTML` is false. */
  readonly value: string;
  /** How many terms of the query the whole text contains. */
  readonly matchLevel: MatchLevel;
}

interface Word extends Range {
  /** The keys of the marks in it. */
  readonly keys: string[];
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Cuts the best window of words out of a text; a short text is shown whole. The best window contains the most terms of the
 * query, then the most matched words, then has them nearest to its middle, then comes first. Words are runs between blanks
 * with a letter or digit, and are never cut.
 */
export function* snippetText(text: string, matcher: TermMatcher, options: SnippetOptions): Task<SnippetResult> {
  const source = plainTextWithOrigin(text);
  const marking = yield* markText(source, matcher);
  const words = wordsOf(source);
  yield;
  const most = Math.max(1, options.words);
  addKeys(words, marking.marks);
  const first = words.length <= most ? 0 : bestWindow(words, most);
  const isCutBefore = first > 0;
  const isCutBehind = first + most < words.length;
  const start = isCutBefore ? words[first]!.start : 0;
  const end = isCutBehind ? words[first + most - 1]!.end : text.length;
  const value = paintText(text, start, end, marking.marks, options);
  return {
    value: (isCutBefore ? options.snippetEllipsisText : "") + value + (isCutBehind ? options.snippetEllipsisText : ""),
    matchLevel: matchLevel(marking, matcher),
  };
}

/** No word begins or ends within a tag, so that no snippet does. */
function wordsOf({ plain, originsOf }: PlainText): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of plain.matchAll(/\S+/g)) {
    if (!LETTER_OR_DIGIT.test(run)) continue;
    const origins = originsOf(index, index + run.length);
    words.push({ start: origins[0]!.start, end: origins.at(-1)!.end, keys: [] });
  }
  return words;
}

/** Assigns the marks to the words in one pass over both. A mark may span several words, and a word contain several marks. */
function addKeys(words: readonly Word[], marks: readonly Mark[]): void {
  let at = 0;
  for (const { start, end, keys } of marks) {
    while (at < words.length && words[at]!.end <= start) at++;
    for (let i = at; i < words.length && words[i]!.start < end; i++) words[i]!.keys.push(...keys);
  }
}

/** The index of the first word of the best window of `size` words. O(words). */
function bestWindow(words: readonly Word[], size: number): number {
  const matched = [...words.keys()].filter((at) => words[at]!.keys.length > 0);
  const counts = new Map<string, number>();
  let best = { start: 0, terms: 0, found: 0, lean: 0 };
  /** The matched words of a window: from … to - 1. */
  let [from, to] = [0, 0];
  for (let end = 0; end < words.length; end++) {
    for (const key of words[end]!.keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const start = end - size + 1;
    if (start < 0) continue;
    while (matched[from]! < start) from++;
    while (matched[to]! <= end) to++;
    const found = to - from;
    const lean = found === 0 ? 0 : Math.abs(matched[from]! - start - (end - matched[to - 1]!));
    const terms = counts.size;
    if ((terms - best.terms || found - best.found || best.lean - lean) > 0) best = { start, terms, found, lean };
    for (const key of words[start]!.keys) {
      const left = counts.get(key)! - 1;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    }
  }
  return best.start;
}

/** The terms of a query, as highlighting needs them. */
export interface TermMatcher {
  /** The word forms of the index. */
  readonly words: WordForms;
  /** The user's analyzer. It is asked word by word, so what it makes of several words together is not marked. */
  readonly analyzer: Analyzer | undefined;
  /** The characters of a normalised text that are read; what is behind them is not searched either. */
  readonly characters: number;
  /** The number of terms of the query. */
  readonly keys: number;
  /** The keys of those query terms that a token with these index terms matches. */
  matchTerms(indexTerms: readonly string[]): readonly string[];
  /** The end by which alone a token with these index terms matches a key, "schrauber" of "Akkuschrauber"; undefined: the whole token. */
  endOf(key: string, indexTerms: readonly string[]): string | undefined;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A matched part of a text (code units, end exclusive), with the keys of the query terms it matches. */
export interface Mark extends Range {
  readonly keys: readonly string[];
}

/** All matches in a text. */
interface Marking {
  /** In reading order. */
  readonly marks: readonly Mark[];
  /** The distinct keys of the matched terms, in the order of the text. */
  readonly keys: readonly string[];
  /** True when every word of the text is marked. */
  readonly isWhole: boolean;
}

/** How many terms of the query a text contains: none, some or all. */
export type MatchLevel = "none" | "partial" | "full";

/** How matches are shown. */
export interface Painting {
  /** Inserted unescaped around each mark, as `highlightPostTag`. */
  readonly highlightPreTag: string;
  readonly highlightPostTag: string;
  /** Whether the text is escaped for HTML. */
  readonly escapeHTML: boolean;
}

/** How a whole text is highlighted. */
export interface HighlightOptions extends Painting {
  /** Whether results have the positions of the marks. */
  readonly matchedPositions: boolean;
}

/** Finds all matches in the part of a text that is searched. No mark covers a tag: a word with a tag in it has several marks. */
function* markText(source: PlainText, matcher: TermMatcher): Task<Marking> {
  const { normalization, units } = matcher.words;
  const origin = yield* normalizeWithOffsets(source.plain, matcher.characters, normalization);
  const { normal, starts, ends } = origin;
  const inOrigin = <R extends Range>(range: R): R => ({
    ...range,
    start: starts[range.start]!,
    end: ends[range.end - 1]!,
  });
  const found = new FoundMarks(matcher);
  for (const { start, end, term } of quantitiesIn(normal, units)) found.add(start, end, matcher.matchTerms([term]));
  yield;
  const tokens = tokensIn(normal);
  for (const [i, { kind, text: token, start, end }] of tokens.entries()) {
    if (i % PAUSE_EVERY_TOKENS === 0) yield;
    if (matcher.analyzer !== undefined && !hasDigits(kind, token))
      found.addOwn(token, start, matcher.analyzer.analyze(writtenAs(source.plain, origin, start, end)));
    else yield* found.addToken(kind, token, start);
    const before = tokens[i - 1];
    const pair = before && pairOf(before, tokens[i]!, matcher.words);
    if (pair === undefined) continue;
    const keys = matcher.matchTerms([pair]);
    found.add(before!.start, before!.end, keys);
    found.add(start, end, keys);
  }
  const marks = mergeMarks(found.marks.map(inOrigin));
  yield;
  const isWhole = normal.length < matcher.characters && coversAll(marks, found.pieces.map(inOrigin));
  yield;
  return {
    marks: marks.flatMap(({ start, end, keys }) => source.originsOf(start, end).map((part) => ({ ...part, keys }))),
    keys: [...new Set(marks.flatMap(({ keys }) => keys))],
    isWhole,
  };
}

/** The share of the query's terms that matched. */
function matchLevel({ keys }: Marking, matcher: TermMatcher): MatchLevel {
  if (keys.length === 0) return "none";
  return keys.length >= matcher.keys ? "full" : "partial";
}

/** A part of a text, its marks between tags; marks are cut at the ends of the part. */
export function paintText(
  text: string,
  start: number,
  end: number,
  marks: readonly Mark[],
  { highlightPreTag, highlightPostTag, escapeHTML }: Painting,
): string {
  const part = (from: number, to: number): string => {
    const plain = text.slice(from, to);
    return escapeHTML ? escapeHtml(plain) : plain;
  };
  let painted = "";
  let at = start;
  for (const mark of marks) {
    const from = Math.max(mark.start, start);
    const to = Math.min(mark.end, end);
    if (from >= to) continue;
    painted += part(at, from) + highlightPreTag + part(from, to) + highlightPostTag;
    at = to;
  }
  return painted + part(at, end);
}

/** Marks and words while a text is read, as positions in its normal form. */
class FoundMarks {
  readonly marks: Mark[] = [];
  /** Words, parts of compounds, runs of scripts without blanks: the units that can be marked. */
  readonly pieces: Range[] = [];
  private readonly matcher: TermMatcher;

  constructor(matcher: TermMatcher) {
    this.matcher = matcher;
  }

  add(start: number, end: number, keys: readonly string[]): void {
    if (keys.length > 0) this.marks.push({ start, end, keys });
  }

  *addToken(kind: TokenKind, token: string, start: number): Task<void> {
    if (kind === "compound") this.addCompound(token, start);
    else {
      this.pieces.push({ start, end: start + token.length });
      if (kind === "unspaced") yield* this.addUnspaced(token, start);
      else this.addWord(token, start, tokenTerms(kind, token, this.matcher.words));
    }
  }

  /** Marks a token, or only its end if that is all that was asked for. */
  private addWord(token: string, start: number, terms: readonly string[]): void {
    for (const key of this.matcher.matchTerms(terms)) {
      const part = this.matcher.endOf(key, terms) ?? token;
      this.add(start + (token.endsWith(part) ? token.length - part.length : 0), start + token.length, [key]);
    }
  }

  /** Marks the parts of a token that a user's analyzer made terms of; of terms that do not stand in it one behind the other, the whole token. */
  addOwn(token: string, start: number, terms: readonly string[]): void {
    const parts: (Range & { readonly terms: readonly string[] })[] = [];
    let at = 0;
    for (const term of terms.length > 1 ? terms : []) {
      const form = normalizeText(term);
      const place = token.indexOf(form, at);
      if (place < 0) break;
      at = place + form.length;
      parts.push({ start: start + place, end: start + at, terms: [term] });
    }
    const areAll = parts.length > 0 && parts.length === terms.length;
    for (const { terms: own, ...part } of areAll ? parts : [{ start, end: start + token.length, terms }]) {
      this.pieces.push(part);
      this.add(part.start, part.end, this.matcher.matchTerms(own));
    }
  }

  /** Marks a compound as a whole if its joined form matches, and its matching parts. */
  private addCompound(token: string, start: number): void {
    const { stem } = this.matcher.words;
    const { joined, owned, parts } = compoundForms(token);
    if (parts.length > 1)
      this.addWord(token, start, owned === undefined ? [stem(joined)] : [stem(joined), stem(owned)]);
    let at = start;
    for (const part of token.split(COMPOUND_JOINTS)) {
      const end = at + part.length;
      const word = cleanWord(part);
      if (word !== "") {
        this.pieces.push({ start: at, end });
        this.addWord(part, at, [stem(word)]);
      }
      at = end + 1;
    }
  }

  /** Marks matching characters and pairs of neighbours; adjacent ones form one mark. */
  private *addUnspaced(run: string, start: number): Task<void> {
    let open: Mark | undefined;
    let before = "";
    let at = start;
    let read = 0;
    for (const character of run) {
      if (++read % PAUSE_EVERY_CHARACTERS === 0) yield;
      const end = at + character.length;
      const pair = before === "" ? [] : this.matcher.matchTerms([before + character]);
      const found = [...pair, ...this.matcher.matchTerms([character])];
      if (found.length > 0) {
        const from = pair.length > 0 ? at - before.length : at;
        const goesOn = open !== undefined && open.end >= from;
        if (open !== undefined && !goesOn) this.marks.push(open);
        const known: Mark = goesOn ? open! : { start: from, end, keys: [] };
        open = { start: known.start, end, keys: [...new Set([...known.keys, ...found])] };
      }
      before = character;
      at = end;
    }
    if (open !== undefined) this.marks.push(open);
  }
}

/** Merges overlapping marks; adjacent marks stay apart. */
function mergeMarks(found: readonly Mark[]): Mark[] {
  const marks: Mark[] = [];
  for (const mark of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = marks.at(-1);
    if (last === undefined || mark.start >= last.end) marks.push(mark);
    else
      marks[marks.length - 1] = {
        start: last.start,
        end: Math.max(last.end, mark.end),
        keys: [...new Set([...last.keys, ...mark.keys])],
      };
  }
  return marks;
}

/** Whether every piece lies in a mark; both are in reading order. */
function coversAll(marks: readonly Mark[], pieces: readonly Range[]): boolean {
  let at = 0;
  for (const { start, end } of pieces) {
    while (at < marks.length && marks[at]!.end < end) at++;
    if (at === marks.length || marks[at]!.start > start) return false;
  }
  return pieces.length > 0;
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }),
);

/** Escapes a text for HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES.get(character)!);
}
