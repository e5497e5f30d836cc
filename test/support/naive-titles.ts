// What titles add to scores, by the definitions of docs/scoring.md: every title read part by part, every phrase tried from every
// place.

import { plainText } from "../../src/analysis/markup.js";
import { normalizeText } from "../../src/analysis/normalize-text.js";
import { differInNumberOnly } from "../../src/analysis/plurals.js";
import { type Quantity, quantitiesIn } from "../../src/analysis/quantities.js";
import type { TokenKind } from "../../src/analysis/scan-tokens.js";
import { TITLE_WORDS } from "../../src/analysis/title-roles.js";
import { bigrams, cleanWord, codeForms, compoundForms, stripSeparators } from "../../src/analysis/token-forms.js";
import type { WordForms } from "../../src/analysis/word-forms.js";
import {
  type Alternative,
  type Asked,
  areCrossed,
  indexTerms,
  neighbourPairs,
  rangesIn,
  type Token,
} from "./naive-terms.js";

type Role = "head" | "weak head" | "modifier";

export interface Part {
  readonly role: Role;
  /** Every index term that it is found under. */
  readonly terms: ReadonlySet<string>;
  /** Each of the terms, with the forms it was written in. */
  readonly written: readonly Written[];
}

type Written = readonly [term: string, form: string];

export type Title = { readonly field: string; readonly parts: readonly Part[] };

/** A term of the query, and which records hold it anywhere. */
export interface HeldTerm extends Asked {
  readonly holders: ReadonlyMap<string, number>;
}

interface Titled {
  readonly id: string;
  readonly title: Title | undefined;
  readonly categories: readonly (readonly Part[])[];
}

interface TitleRules {
  readonly entries: readonly Titled[];
  readonly isSearched: (field: string) => boolean;
  readonly isWhole: boolean;
  readonly isExact: (field: string) => boolean;
  readonly hasHeads: boolean;
}

/** What a title adds, and what all is divided by. */
export interface TitlePoints {
  readonly divisor: number;
  /** `lacking`: what a record lacks of the greatest score by words. */
  readonly of: (id: string, lacking: number) => number;
  /** Whether a record is what is asked for, by its title or its category. */
  readonly names: (id: string) => boolean;
}

const MOST_PARTS = 80;

interface Placed {
  readonly kind: TokenKind;
  readonly text: string;
  /** Up to the next token; undefined: there is none. */
  readonly gap: string | undefined;
  readonly quantities: readonly Quantity[];
}

function placedIn(normal: string): Placed[] {
  return rangesIn(normal).map((range, i, all) => {
    const [kind, text] = range.token;
    const gap = all[i + 1] && normal.slice(range.end, all[i + 1]!.start);
    return { kind, text, gap, quantities: quantitiesIn(normal).filter((quantity) => areCrossed(quantity, range)) };
  });
}

/** What the roles of tokens depend on. */
type Read = Pick<Placed, "kind" | "text">;

const isCode = ({ kind, text }: Read): boolean => kind === "code" || (kind === "signed" && /[0-9][+#]+$/.test(text));

const isOneOf = (list: readonly string[], { kind, text }: Read): boolean => kind === "word" && list.includes(text);

const { attributes, boundaries, ends, joiners, numbers, units } = TITLE_WORDS;

const isNumber = (token: Read | undefined): boolean =>
  token !== undefined && (token.kind === "number" || isOneOf(numbers, token));

/** The word that everything behind says what the product goes with; not the first one. */
function boundaryAmong(tokens: readonly Read[]): number {
  const found = tokens.findIndex((token, i) => {
    const before = tokens[i - 1];
    if (before === undefined) return false;
    return isOneOf(boundaries, token) || (isOneOf(["in"], token) && !isNumber(before) && !isCode(before));
  });
  return found < 0 ? tokens.length : found;
}

/** Whether a word is none that the roles of others depend on; "pack" is one after a number only. */
function isNoun(tokens: readonly Read[], at: number): boolean {
  const token = tokens[at]!;
  if (isNumber(token) || isCode(token)) return false;
  if (isOneOf(units, token) && isNumber(tokens[at - 1])) return false;
  return !isAttribute(token) && !isOneOf([...boundaries, ...ends, ...joiners, "in"], token);
}

/** A sign after it changes nothing. */
const isAttribute = ({ kind, text }: Read): boolean =>
  (kind === "word" || kind === "signed") && attributes.includes(text.replace(/[+#]+$/, ""));

function rolesIn(tokens: readonly Placed[], isCapital: (at: number) => boolean): Role[] {
  const own = tokens.map((_, at) => ownRoleOf(at, tokens, isCapital));
  const first = phraseOf(tokens, own.indexOf("head"));
  return own.map((role, at) => (role === "head" && phraseOf(tokens, at) > first ? "weak head" : role));
}

function phraseOf(tokens: readonly Placed[], at: number): number {
  return tokens.slice(0, Math.max(0, at)).filter(({ gap }) => isBreak(gap!)).length;
}

function ownRoleOf(at: number, tokens: readonly Placed[], isCapital: (at: number) => boolean): Role {
  const own = tokens[at]!;
  if (!isNoun(tokens, at) || own.quantities.length > 0 || at >= boundaryAmong(tokens)) return "modifier";
  const isSpecification = (i: number): boolean =>
    tokens[i]!.quantities.length > 0 ||
    isNumber(tokens[i]) ||
    isCode(tokens[i]!) ||
    isAttribute(tokens[i]!) ||
    isOneOf(["in"], tokens[i]!) ||
    (isOneOf(units, tokens[i]!) && isNumber(tokens[i - 1])) ||
    isCapital(i);
  const isSpecified = (from: number): boolean => {
    const last = tokens.findIndex(({ gap }, i) => i >= from && (gap === undefined || isBreak(gap)));
    const behind = [...tokens.keys()].slice(from + 1, last + 1);
    return tokens.slice(from, last).every((token) => isBlank(token.gap)) && behind.every(isSpecification);
  };
  for (let i = at; ; ) {
    if (isSpecified(i)) return "head";
    const gap = tokens[i]!.gap;
    if (gap === undefined || isBreak(gap)) return "head";
    const next = tokens[++i]!;
    if (/[/&+]/.test(gap)) continue;
    const isCounted = isNumber(next) && isBlank(next.gap) && isOneOf([...units, "in"], tokens[i + 1]!);
    if (next.quantities.length > 0 || isCounted) return "head";
    if (isNumber(next) || isCode(next)) return "weak head";
    if (isOneOf([...boundaries, ...ends, "in"], next)) return "head";
    if (isAttribute(next)) continue;
    if (!isOneOf(joiners, next)) return "modifier";
    if (next.gap === undefined || isBreak(next.gap)) return "head";
    i++;
  }
}

/** Which tokens of a title are short words in capitals, or names; none if normalising changed its length, or most letters are capitals. */
function capitalsIn(title: string): (at: number) => boolean {
  const normal = normalizeText(title);
  const changed = [...normal].length === 0 ? 0 : title.split("").filter((unit, i) => unit !== normal[i]).length;
  const letters = normal.split("").filter((unit) => unit >= "a" && unit <= "z").length;
  if (title.length !== normal.length || 2 * changed > letters) return () => false;
  const written = rangesIn(normal).map(({ start, end }) => title.slice(start, end));
  const behindFirst = written.slice(1);
  const isName = (word: string): boolean => /^\p{Lu}\p{Ll}+$/u.test(word);
  const isNounWithoutCapital = (word: string): boolean =>
    /^\p{Ll}{3,}$/u.test(word) && ![...boundaries, ...ends, ...joiners, ...SMALL_UNITS].includes(word);
  const hasNames = behindFirst.filter(isName).length <= behindFirst.filter(isNounWithoutCapital).length;
  return (at) => /^\p{Lu}{2,5}\p{Ll}?$/u.test(written[at]!) || (at > 0 && hasNames && isName(written[at]!));
}

/** Units in lower case, whatever the other words of a title. */
const SMALL_UNITS = "x dpi ppm pixels rpm mbit mbps pc pcs pack piece pieces each".split(" ");

function isBreak(gap: string): boolean {
  return /[,;:|()[\]"!?\n•·«»“”„]| - |\. /.test(gap);
}

function isBlank(gap: string | undefined): boolean {
  return gap !== undefined && !isBreak(gap) && !/[/&+]/.test(gap);
}

/** The parts of a title; `writtenAs`: the term of a word as it was written. */
export function readTitle(
  title: string,
  words: WordForms,
  writtenAs: (word: string, stem: string) => string,
): readonly Part[] {
  const tokens = placedIn(normalizeText(title));
  const pairs = neighbourPairs(title, words);
  const roles = rolesIn(tokens, capitalsIn(title));
  const parts = tokens.flatMap(({ kind, text, quantities }, at) => {
    const beside = [pairs[at], pairs[at + 1]].filter((pair) => pair !== undefined);
    const units = [...quantities.map(({ term }) => term), ...beside];
    const written = (word: string): string[] => [words.stem(word), writtenAs(word, words.stem(word))];
    const role = roles[at]!;
    const places = placesOf([kind, text], words, written);
    const areAlike = kind !== "compound" || /[/&.]/.test(text);
    return places.map(({ terms: own, forms }, i): Part => {
      const terms = new Set([...units, ...own]);
      const asForms = forms.flatMap((form) => written(form).map((term): Written => [term, form]));
      const asThemselves = [...terms].filter((term) => !asForms.some(([known]) => known === term));
      const whole = kind === "code" ? [...terms] : asThemselves;
      return {
        role: areAlike || i === places.length - 1 ? role : "modifier",
        terms,
        written: [...asForms, ...whole.map((term): Written => [term, term])],
      };
    });
  });
  return parts.slice(0, MOST_PARTS);
}

type Place = { readonly terms: readonly string[]; readonly forms: readonly string[] };

function placesOf(token: Token, words: WordForms, written: (word: string) => string[]): Place[] {
  const [kind, text] = token;
  if (kind === "word") {
    const word = cleanWord(text);
    return word === "" ? [] : [{ terms: written(word), forms: [word] }];
  }
  if (kind === "compound") {
    const { joined, parts } = compoundForms(text);
    return parts.map((part, i) => {
      const owned = i === 0 && text.includes("'s") ? [stripSeparators(text)] : [];
      const forms = [part, ...(parts.length > 1 ? [joined] : []), ...owned];
      return { terms: forms.flatMap(written), forms };
    });
  }
  if (kind === "unspaced") {
    const { characters, pairs } = bigrams(text);
    return characters.map((one, i) => ({ terms: [one, ...pairs.slice(0, i + 1).slice(-1)], forms: [] }));
  }
  const indexed = indexTerms(token, words);
  const whole = kind === "code" ? codeForms(text).whole : text;
  const forms = indexed.written.map(([word]) => word);
  return [{ terms: [whole, ...indexed.terms, ...forms.flatMap(written)], forms }];
}

const CATEGORIES =
  "category categories productcategory googleproductcategory producttype type department collection".split(" ");

/** A name in small letters and digits, as names of titles, categories and identifiers are compared. */
export function bareName(name: string): string {
  const small = name.toLowerCase().replace(/^g:/, "");
  return small.replace(/[^\p{L}\p{N}.]/gu, "");
}

/** The categories of a record: the texts of the attributes of these names, at any depth, each by its last level. */
export function categoriesOf(value: unknown, name: string): string[] {
  if (typeof value === "string") {
    const levels = plainText(value).split(/[>|/»]/);
    const last = levels.map((level) => level.trim()).findLast((level) => level !== "");
    return CATEGORIES.includes(bareName(name)) && last !== undefined && last.length <= 100 ? [last] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => categoriesOf(item, name));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([inner, item]) => categoriesOf(item, inner));
}

/** What each title adds to a score. `typed`: the query's tokens in reading order, with the small words that are no terms. */
export function askTitles(
  terms: readonly HeldTerm[],
  typed: readonly Asked[],
  rules: TitleRules,
): TitlePoints | undefined {
  if (terms.length === 0) return undefined;
  const records = new Map(rules.entries.map((entry) => [entry.id, entry]));
  const tokens = asTerms(terms, typed);
  const head = rules.hasHeads ? headAmong(tokens) : undefined;
  const shares = head === undefined ? new Map<string, number>() : sharesAmong(head, rules);
  return {
    divisor: 1 + (0.15 + 0.1 + 0.15 + 0.05 + 0.1 + 0.05),
    of: (id, lacking) => pointsOf(records.get(id)!, terms, tokens, { ...rules, shares }, lacking),
    names: (id) => isNamed(records.get(id)!, tokens, rules),
  };
}

/** Whether the title has the head of the query as a head; or a category is the head and other words of the query, and the title does not say less. */
function isNamed({ title, categories }: Titled, tokens: readonly TypedToken[], rules: TitleRules): boolean {
  const head = rules.hasHeads ? headAmong(tokens) : undefined;
  if (head === undefined) return false;
  const isRead = title !== undefined && rules.isSearched(title.field);
  const parts = isRead ? title.parts : [];
  const held = holding(parts, head, isRead && rules.isExact(title.field));
  const roles = parts.filter((part) => held.some((one) => isWordAt(part, one, head))).map(({ role }) => role);
  if (roles.includes("head")) return true;
  if (roles.length > 0 && !roles.includes("weak head")) return false;
  const isOwn = (category: readonly Part[]): boolean =>
    category.length > 0 &&
    isNamedAt(category.at(-1)!, category, head) &&
    category.every((part) => tokens.some((token) => isNamedAt(part, category, token)));
  return rules.isWhole && categories.some(isOwn);
}

type TypedToken = Asked & { readonly isTerm: boolean };

function asTerms(terms: readonly Asked[], typed: readonly Asked[]): TypedToken[] {
  return typed.map((asked) => ({ ...asked, isTerm: terms.some(({ key }) => key === asked.key) }));
}

function pointsOf(
  record: Titled,
  terms: readonly HeldTerm[],
  tokens: readonly TypedToken[],
  { shares, ...rules }: TitleRules & { readonly shares: ReadonlyMap<string, number> },
  lacking: number,
): number {
  const isRead = record.title !== undefined && rules.isSearched(record.title.field);
  const title: Title = isRead ? record.title : { field: "", parts: [] };
  const exact = isRead && rules.isExact(title.field);
  const size = terms.length + terms.filter(({ kind }) => kind === "quantity").length;
  const isShort = size <= 3 || behindThing(tokens).length > 0;
  const head = rules.hasHeads && isShort ? headAmong(tokens) : undefined;
  const holdsAll = terms.every(({ optional, holders }) => optional === true || holders.has(record.id));
  let points = 0;
  if (head !== undefined) points += headPoints(title.parts, head, exact, holdsAll ? lacking : undefined);
  if (tokens.length <= 4 && holdsAll) {
    const ends = title.parts.map((_, from) => coveredFrom(title.parts, tokens, exact, from));
    if (tokens.length > 1 && ends.some(({ length }) => length > 0)) points += 0.05;
    if (ends[0]?.includes(title.parts.length - 1)) points += 0.1;
  }
  const many = Math.min(1, 4 / size);
  const first = tokens.slice(0, 31);
  const small = first.filter(({ isTerm, text }) => !isTerm && !["the", "a", "an", "of", "and", "or"].includes(text));
  const had = small.filter((token) => holding(title.parts, token, exact).length > 0);
  const inCategories = head === undefined || !rules.isWhole ? [] : record.categories;
  const shareOf = (one: readonly Part[]): number =>
    isOfCategory(one, head!, tokens) ? 1 : (shares.get(nameOf(one)) ?? 0);
  points += 0.15 * Math.max(0, ...inCategories.map(shareOf));
  if (small.length > 0) points += (many * 0.05 * had.length) / small.length;
  const asked = tokens.filter((token) => token.isTerm);
  const distances = asked.map((token) => {
    const forms = holding(title.parts, token, exact);
    const all = forms.flatMap((form) => title.parts.map((part) => distanceAt(part, form, token)));
    return all.length === 0 ? 0 : Math.min(...all);
  });
  const behind = rules.hasHeads ? behindThing(tokens) : [];
  const weightOf = ({ key }: TypedToken): number => (behind.includes(key) ? 0.2 : 1);
  const sumOf = (some: readonly TypedToken[]): number => some.reduce((sum, token) => sum + weightOf(token), 0);
  const there = asked.filter(
    (token) => holding(title.parts, token, exact).length > 0 || inCategories.some((one) => hasWord(one, token)),
  );
  if (terms.length > 1) points += (0.15 * sumOf(there)) / sumOf(asked);
  const isThere = (term: string): boolean => title.parts.some((part) => part.terms.has(term));
  const isWrong = (token: TypedToken): boolean =>
    token.unwanted?.every(isThere) === true && holding(title.parts, token, exact).length === 0;
  if (asked.some(isWrong)) points -= 0.15;
  return points - (0.12 * distances.reduce((sum, one) => sum + one, 0)) / terms.length;
}

const readRoles = (tokens: readonly Asked[]): Read[] =>
  tokens.map(({ kind, text }) => {
    if (kind === "quantity") return { kind: "number", text };
    return { kind: kind === "group" || kind === "negation" ? "word" : kind, text };
  });

/** The keys of the terms that say what a thing belongs to, which has at most three terms. */
export function belonging(terms: readonly Asked[], typed: readonly Asked[]): string[] {
  return behindThing(asTerms(terms, typed));
}

function behindThing(tokens: readonly TypedToken[]): string[] {
  const boundary = boundaryAmong(readRoles(tokens));
  const isThing = tokens.slice(0, boundary).filter(({ isTerm }) => isTerm).length <= 3;
  const behind = tokens.slice(boundary).filter(({ isTerm }) => isTerm);
  const asked = tokens.filter(({ isTerm }) => isTerm);
  if (asked.length + asked.filter(({ kind }) => kind === "quantity").length > 8) return [];
  return isThing && headAmong(tokens) !== undefined ? behind.map(({ key }) => key) : [];
}

function headAmong(tokens: readonly TypedToken[]): TypedToken | undefined {
  const read = readRoles(tokens);
  const mayBeHead = ({ kind, text, stop, isTerm }: TypedToken): boolean =>
    ["word", "compound", "group"].includes(kind) && text.length > 1 && isTerm && !stop;
  return tokens.slice(0, boundaryAmong(read)).findLast((token, i) => isNoun(read, i) && mayBeHead(token));
}

/** `lacking`: undefined if the record lacks terms of the query. */
function headPoints(parts: readonly Part[], head: TypedToken, exact: boolean, lacking: number | undefined): number {
  const held = holding(parts, head, exact);
  if (held.length === 0) return 0;
  const roles = parts.filter((part) => held.some((one) => isWordAt(part, one, head))).map(({ role }) => role);
  if (roles.includes("head")) return lacking === undefined ? 0.06 : 0.1 + 0.3 * lacking;
  if (roles.includes("weak head")) return lacking === undefined ? 0.03 : 0.05;
  return lacking === undefined ? 0 : -0.03;
}

/** Whether a part has the word of an alternative, in any number, or what stands for it. */
function isWordAt(part: Part, one: Alternative, asked: Asked): boolean {
  const isThere = one.terms.some((term) => part.terms.has(term));
  return isThere && (one.strange !== undefined || distanceAt(part, one, asked) <= 0.2);
}

/** How far the form in a part is from what was typed, 0 … 1; Infinity: the alternative is not there. */
function distanceAt(part: Part, { terms, strange }: Alternative, { kind, text }: Asked): number {
  if (!terms.some((term) => part.terms.has(term))) return Number.POSITIVE_INFINITY;
  if (strange !== undefined) return strange;
  if (new Set(terms).size > 1 || kind !== "word") return 0;
  const forms = part.written.filter(([term]) => term === terms[0]).map(([, form]) => form);
  return Math.min(...forms.map((form) => (form === text ? 0 : differInNumberOnly(form, text) ? 0.2 : 1)));
}

function holding(parts: readonly Part[], { alternatives }: Asked, exact: boolean): Alternative[] {
  const own = new Set(parts.flatMap(({ terms }) => [...terms]));
  return alternatives
    .filter(({ mended }) => mended !== true || !exact)
    .filter(({ terms }) => terms.every((term) => own.has(term)));
}

function placesWhere(parts: readonly Part[], token: Asked, exact: boolean): number[] {
  const held = holding(parts, token, exact);
  return [...parts.keys()].filter((place) => held.some((one) => distanceAt(parts[place]!, one, token) <= 0.2));
}

/** Where the tokens end, one after the other from a place on; a part may have several tokens, and a token several parts. */
function coveredFrom(
  parts: readonly Part[],
  tokens: readonly Asked[],
  exact: boolean,
  from: number,
): readonly number[] {
  const places = tokens.map((token) => placesWhere(parts, token, exact));
  const seen = new Set<string>();
  const walk = (place: number, token: number): number[] => {
    if (token >= tokens.length || !places[token]!.includes(place) || seen.has(`${place} ${token}`)) return [];
    seen.add(`${place} ${token}`);
    const ends = token === tokens.length - 1 ? [place] : [];
    return [...ends, ...walk(place + 1, token), ...walk(place + 1, token + 1), ...walk(place, token + 1)];
  };
  return walk(from, 0);
}

/** Of each category, the share of the records with it among those whose titles have the head. */
function sharesAmong(head: TypedToken, rules: TitleRules): ReadonlyMap<string, number> {
  const holders = rules.entries.filter(({ title }) => {
    if (title === undefined || !rules.isSearched(title.field)) return false;
    return holding(title.parts, head, rules.isExact(title.field)).length > 0;
  });
  const counts = new Map<string, number>();
  for (const name of holders.flatMap(({ categories }) => categories.map(nameOf)))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].map(([name, count]) => [name, count / (holders.length + 2)]));
}

function nameOf(category: readonly Part[]): string {
  return category.map(({ written }) => written.map(([, form]) => form).join("+")).join(" ");
}

/** Whether the last word of a category is the head, and the category has all terms of the query. */
function isOfCategory(category: readonly Part[], head: TypedToken, tokens: readonly TypedToken[]): boolean {
  const isLast = category.length > 0 && isNamedAt(category.at(-1)!, category, head);
  return isLast && tokens.every((token) => !token.isTerm || hasWord(category, token));
}

function hasWord(category: readonly Part[], token: TypedToken): boolean {
  return category.some((part) => isNamedAt(part, category, token));
}

function isNamedAt(part: Part, category: readonly Part[], token: TypedToken): boolean {
  const own = new Set(category.flatMap(({ terms }) => [...terms]));
  return token.alternatives.some((one) => one.terms.every((term) => own.has(term)) && isWordAt(part, one, token));
}
