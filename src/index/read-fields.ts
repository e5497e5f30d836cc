// Finds the fields of a record: which texts are searched under which name, which values are identifiers, which text is embedded.
// Fields are sorted by name (by code unit), so that sums over fields are the same wherever a record is read.

import { wordsOf } from "../analysis/language-rules.js";
import { customsOf } from "../analysis/languages.js";
import { plainText } from "../analysis/markup.js";
import { normalizeText } from "../analysis/normalize-text.js";
import type { AttributeCatalog } from "../docvalues/attribute-catalog.js";
import { type EffectiveSettings, searchedName, type WeightedAttribute } from "../settings/settings.js";
import { lastName, plainName } from "../util/attribute-path.js";
import type { JsonRecord, JsonValue } from "../util/json.js";
import { partitionPoint } from "../util/sorted.js";

/** Which parts of a record are searched, and as what. */
export interface FieldRules {
  readonly idAttribute: string;
  /** Dotted paths to search; null: every text attribute, by its top-level name. */
  readonly searchable: readonly string[] | null;
  /** Of attributes with a language of their own that their names end with: the names without it, "title" for "title_de". */
  readonly translated: ReadonlyMap<string, string>;
  /** The {@link plainName}s of attributes that hold identifiers, at any depth. */
  readonly identifiers: ReadonlySet<string>;
  /** The {@link foldedName}s that titles and categories have in the language besides the English names; null: it names none. */
  readonly ownNames: OwnNames | null;
  /** The attribute that holds the record's vector; undefined: there is none. */
  readonly vectorAttribute: string | undefined;
  /** Dotted paths whose text is embedded; null: the searchable text without identifiers, with the title twice. */
  readonly embedded: readonly string[] | null;
  /** Whether titles are also stored word by word, for the title evidence of a score. */
  readonly titles: boolean;
}

/** Usual names of attributes in another language. */
interface OwnNames {
  /** The preferred ones first. */
  readonly titles: readonly string[];
  readonly categories: ReadonlySet<string>;
}

/** The usual names in the language of an index besides the English ones; null: there are none. */
function ownNamesOf(settings: Pick<EffectiveSettings, "language" | "analyzer">): OwnNames | null {
  const { attributes } = customsOf(settings);
  return attributes === undefined
    ? null
    : { titles: wordsOf(attributes.title), categories: new Set(wordsOf(attributes.category)) };
}

/** A name as those of other languages compare: without accents and points, too. "Art.-Nr." is "artnr". */
function foldedName(name: string): string {
  return normalizeText(plainName(name)).replaceAll(".", "");
}

/** The rules that these settings give. */
export function fieldRules(settings: Omit<EffectiveSettings, "semanticFloor">): FieldRules {
  return {
    idAttribute: settings.idAttribute,
    searchable: settings.searchableAttributes?.map(searchedName) ?? null,
    translated: new Map((settings.searchableAttributes ?? []).flatMap(withoutLanguage)),
    identifiers: new Set(settings.identifierAttributes.map(plainName)),
    ownNames: ownNamesOf(settings),
    vectorAttribute: settings.vectorAttribute ?? undefined,
    embedded: settings.embeddedAttributes,
    titles: settings.titleEvidence,
  };
}

function withoutLanguage(entry: string | WeightedAttribute): (readonly [string, string])[] {
  if (typeof entry === "string" || entry.language === undefined) return [];
  const name = plainName(entry.attribute);
  const tag = plainName(entry.language);
  const ends = [tag, tag.slice(0, entry.language.search(/-|$/))].filter((end) => name.endsWith(end));
  return ends.map((end) => [entry.attribute, name.slice(0, -end.length)]);
}

/** One searched field of a record. */
export interface RecordField {
  readonly name: string;
  /** Whether the field is the record's title, whose terms count more. */
  readonly isTitle: boolean;
  /** Without markup. */
  readonly texts: readonly string[];
  /** Codes, which are found whole and by part, and never stemmed. */
  readonly identifiers: readonly string[];
}

/** The {@link plainName}s of title attributes, the preferred ones first. A record's title is the first of them that has a text. */
const TITLE_NAMES: readonly string[] =
  "title producttitle productname itemtitle itemname displayname name headline label".split(" ");

/** Whether an attribute has the name of a title. */
export function isTitleName(name: string, own: FieldRules["ownNames"] = null): boolean {
  return titleRank(name, own) !== NO_TITLE;
}

const NO_TITLE = Number.POSITIVE_INFINITY;

/** The place of a name among those of titles. */
function titleRank(name: string, own: FieldRules["ownNames"]): number {
  const place = TITLE_NAMES.indexOf(plainName(name));
  if (place >= 0) return place;
  const ownPlace = own === null ? -1 : own.titles.indexOf(foldedName(name));
  return ownPlace < 0 ? NO_TITLE : TITLE_NAMES.length + ownPlace;
}

const ALL_DIGITS = /^[0-9]+$/;

interface OpenField {
  readonly name: string;
  isTitle: boolean;
  texts: string[];
  identifiers: string[];
}

/** The searched fields of a record, sorted by name. The categories in them are added to `categories`, each by its last level. */
export function readFields(record: JsonRecord, id: string, rules: FieldRules, categories?: string[]): RecordField[] {
  const { searched, titleRanks } = knownNames(rules);
  const open: OpenField[] = [];
  const takesTexts = rules.searchable === null;
  const into = { open, name: "", rules, takesIdentifiers: true, takesTexts, isNamed: false, categories };
  if (!takesTexts) into.categories = undefined;
  for (const name of Object.keys(record)) {
    if (name === rules.vectorAttribute || name === rules.idAttribute) continue;
    into.name = name;
    collect(into, meaningOf(name, rules), record[name]!);
  }
  for (const { path, key } of searched) {
    const value = valueAt(record, path);
    const named = { ...into, name: path, takesIdentifiers: false, takesTexts: true, isNamed: true, categories };
    if (value !== undefined) collect(named, meaningOf(key, rules), value);
  }
  if (!ALL_DIGITS.test(id)) addIdentifier(fieldOf(open, rules.idAttribute), id);
  const title = firstTitle(record, titleRanks, rules);
  for (const field of open) field.isTitle = field.name === title;
  return open;
}

/** The names of attributes that hold categories, at any depth. */
const CATEGORY_NAMES = new Set(
  "category categories productcategory googleproductcategory producttype type department collection".split(" "),
);
/** Of a path of categories the last one counts. */
const LEVELS = /[>|/\u00bb]/;
/** The maximum number of categories of a record, and the maximum length of each. */
const MOST_CATEGORIES = 4;
const LONGEST_CATEGORY = 100;

function addCategory(value: string, found: string[]): void {
  if (found.length >= MOST_CATEGORIES) return;
  const levels = plainText(value)
    .split(LEVELS)
    .map((level) => level.trim());
  const last = levels.findLast((level) => level !== "");
  if (last !== undefined && last.length <= LONGEST_CATEGORY) found.push(last);
}

/** The name of the record's title attribute among the searched ones; undefined: it has no title. */
export function titleName(record: JsonRecord, rules: TitleRules = ANY_NAMES): string | undefined {
  return firstTitle(record, new Map(), rules);
}

type TitleRules = Pick<FieldRules, "searchable" | "translated" | "ownNames">;
const ANY_NAMES: TitleRules = { searchable: null, translated: new Map(), ownNames: null };

/** `ranks`: the places of names among those of titles, as far as they are known. */
function firstTitle(
  record: JsonRecord,
  ranks: Map<string, number>,
  { searchable, translated, ownNames }: TitleRules,
): string | undefined {
  let best: string | undefined;
  let bestRank = NO_TITLE;
  for (const name of Object.keys(record)) {
    let rank = ranks.get(name);
    if (rank === undefined) {
      if (ranks.size >= MAX_NAMES) ranks.clear();
      const own = translated.get(name) ?? name;
      rank = searchable?.includes(name) === false ? NO_TITLE : titleRank(own, ownNames);
      ranks.set(name, rank);
    }
    if (rank > bestRank || rank === NO_TITLE || (rank === bestRank && name > best!)) continue;
    const value = record[name];
    if (typeof value !== "string" || plainText(value).trim() === "") continue;
    best = name;
    bestRank = rank;
  }
  return best;
}

/** The value at a dotted path, by own properties only. An attribute whose name is the whole path has precedence. */
export function valueAt(record: JsonRecord, path: string): JsonValue | undefined {
  if (Object.hasOwn(record, path)) return record[path];
  let value: JsonValue | undefined = record;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as JsonRecord)[name];
  }
  return value;
}

/** The field of a name, which is inserted at its sorted place if it is missing. */
function fieldOf(open: OpenField[], name: string): OpenField {
  // A binary search, because a record may have many fields.
  const place = partitionPoint(0, open.length, (i) => open[i]!.name < name);
  const known = open[place];
  if (known?.name === name) return known;
  const field = { name, isTitle: false, texts: NONE, identifiers: NONE };
  if (place === open.length) open.push(field);
  else open.splice(place, 0, field);
  return field;
}

/** Shared by all fields without texts or identifiers: most fields have one text and no identifier, so lists are created late. */
const NONE: string[] = [];

function addText(field: OpenField, text: string): void {
  if (field.texts.length === 0) field.texts = [text];
  else field.texts.push(text);
}

function addIdentifier(field: OpenField, identifier: string): void {
  if (field.identifiers.length === 0) field.identifiers = [identifier];
  else field.identifiers.push(identifier);
}

/** What is derived from rules, once for all records. */
interface KnownNames {
  /** The paths to search, and the last name of each. */
  readonly searched: readonly { readonly path: string; readonly key: string }[];
  /** See `firstTitle`. */
  readonly titleRanks: Map<string, number>;
  /** What attributes of these names hold. A limited number of names is remembered. */
  readonly meanings: Map<string, number>;
}

const MAX_NAMES = 1 << 14;
/** The rules of the last record, and what is derived from them. */
let lastRules: FieldRules | undefined;
let known: KnownNames = { searched: [], titleRanks: new Map(), meanings: new Map() };

function knownNames(rules: FieldRules): KnownNames {
  if (lastRules !== rules) {
    const { searchable } = rules;
    const searched = (searchable ?? []).map((path) => ({ path, key: lastName(path) }));
    known = { searched, titleRanks: new Map(), meanings: new Map() };
    lastRules = rules;
  }
  return known;
}

/** Whether some attributes that are searched have names of categories. */
export function namesCategories(
  attributes: AttributeCatalog,
  settings: Pick<EffectiveSettings, "searchableAttributes" | "language" | "analyzer">,
): boolean {
  const searchable = settings.searchableAttributes;
  const known = catalogs.get(attributes);
  if (known?.searchable === searchable) return known.answer;
  const searched = searchable?.map(searchedName);
  const own = ownNamesOf(settings);
  const answer = [...attributes.paths()].some(
    (path) =>
      [path, lastName(path)].some((name) => isCategoryName(name, own)) &&
      (searched?.some((name) => path === name || path.startsWith(`${name}.`)) ?? true),
  );
  catalogs.set(attributes, { searchable, answer });
  return answer;
}

const catalogs = new WeakMap<
  AttributeCatalog,
  { readonly searchable: EffectiveSettings["searchableAttributes"]; readonly answer: boolean }
>();

function isCategoryName(name: string, own: OwnNames | null): boolean {
  return CATEGORY_NAMES.has(plainName(name)) || own?.categories.has(foldedName(name)) === true;
}

/** Whether the rules say that an attribute of this name holds codes. */
export function isIdentifierName(name: string, { identifiers, ownNames }: FieldRules): boolean {
  return identifiers.has(plainName(name)) || (ownNames !== null && identifiers.has(foldedName(name)));
}

/** What attributes of a name hold, as bits. */
const IDENTIFIER = 1;
const CATEGORY = 2;

function meaningOf(name: string, rules: FieldRules): number {
  const { meanings } = knownNames(rules);
  let meaning = meanings.get(name);
  if (meaning === undefined) {
    if (meanings.size >= MAX_NAMES) meanings.clear();
    meaning = (isIdentifierName(name, rules) ? IDENTIFIER : 0) | (isCategoryName(name, rules.ownNames) ? CATEGORY : 0);
    meanings.set(name, meaning);
  }
  return meaning;
}

/** What is collected of an attribute, at any depth. */
interface Collecting {
  readonly open: OpenField[];
  /** The name of its field. */
  readonly name: string;
  readonly rules: FieldRules;
  readonly takesIdentifiers: boolean;
  readonly takesTexts: boolean;
  /** Whether the settings name it: then its numbers, URLs and dates are texts, too. */
  readonly isNamed: boolean;
  readonly categories: string[] | undefined;
}

function collect(into: Collecting, meaning: number, value: JsonValue): void {
  const { open, name, rules, isNamed, categories } = into;
  const isIdentifier = (meaning & IDENTIFIER) !== 0;
  if (typeof value === "string") {
    if ((meaning & CATEGORY) !== 0 && categories !== undefined) addCategory(value, categories);
    if (isIdentifier) {
      if (into.takesIdentifiers && value.trim() !== "") addIdentifier(fieldOf(open, name), value);
    } else if (into.takesTexts) {
      const text = plainText(value);
      if ((isNamed || isFreeText(text)) && text.trim() !== "") addText(fieldOf(open, name), text);
    }
  } else if (typeof value === "number") {
    if (isIdentifier ? into.takesIdentifiers : isNamed)
      (isIdentifier ? addIdentifier : addText)(fieldOf(open, name), String(value));
  } else if (Array.isArray(value)) for (const item of value) collect(into, meaning, item);
  else if (typeof value === "object" && value !== null) {
    // Objects in place of an identifier have categories alone.
    const within = isIdentifier ? { ...into, takesIdentifiers: false, takesTexts: false, isNamed: false } : into;
    for (const inner of Object.keys(value)) collect(within, meaningOf(inner, rules), (value as JsonRecord)[inner]!);
  }
}

const URL = /^(?:[a-z][a-z0-9+.-]{1,15}:\/\/|www\.|data:|mailto:)[^\s]*$/i;
const UUID = /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** False for URLs, data URIs, UUIDs and ISO dates, which are searched only in attributes that the settings name. */
export function isFreeText(value: string): boolean {
  const text = value.trim();
  return !(URL.test(text) || (text.length < 48 && (UUID.test(text) || DATE.test(text))));
}

/** The text of a record that is embedded: by default the searchable text without identifiers, with the title twice. May be "". */
export function embeddedText(record: JsonRecord, fields: readonly RecordField[], rules: FieldRules): string {
  const texts: string[] = [];
  if (rules.embedded !== null) {
    for (const path of rules.embedded) collectText(valueAt(record, path), texts);
    return texts.join(" ").trim();
  }
  const title = fields.find((field) => field.isTitle);
  if (title !== undefined) texts.push(...title.texts, ...title.texts);
  for (const field of fields) if (field !== title) texts.push(...field.texts);
  return texts.join(" ").trim();
}

function collectText(value: JsonValue | undefined, texts: string[]): void {
  if (typeof value === "string") texts.push(plainText(value));
  else if (typeof value === "number") texts.push(String(value));
  else if (Array.isArray(value)) for (const item of value) collectText(item, texts);
  else if (typeof value === "object" && value !== null)
    for (const item of Object.values(value)) collectText(item, texts);
}
