// Finds the fields of a record: which texts are searched under which name, which values are identifiers, which text is embedded.
// Fields are sorted by name (by code unit), so that sums over fields are the same wherever a record is read.

import { plainText } from "../analysis/markup.js";
import { CATEGORY, type FieldRules, IDENTIFIER, NO_TITLE } from "../settings/field-rules.js";
import type { JsonRecord, JsonValue } from "../util/json.js";
import { partitionPoint } from "../util/sorted.js";
import type { Segment } from "./segment.js";

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

const ALL_DIGITS = /^[0-9]+$/;

interface OpenField {
  readonly name: string;
  isTitle: boolean;
  texts: string[];
  identifiers: string[];
}

/** The searched fields of a record, sorted by name. The categories in them are added to `categories`, each by its last level. */
export function readFields(record: JsonRecord, id: string, rules: FieldRules, categories?: string[]): RecordField[] {
  const open: OpenField[] = [];
  const takesTexts = rules.searchable === null;
  const into = { open, name: "", rules, takesIdentifiers: true, takesTexts, isNamed: false, categories };
  if (!takesTexts) into.categories = undefined;
  for (const name of Object.keys(record)) {
    if (name === rules.vectorAttribute || name === rules.idAttribute) continue;
    into.name = name;
    collect(into, rules.meaningOf(name), record[name]!);
  }
  for (const { path, key } of rules.searched) {
    const value = valueAt(record, path);
    const named = { ...into, name: path, takesIdentifiers: false, takesTexts: true, isNamed: true, categories };
    if (value !== undefined) collect(named, rules.meaningOf(key), value);
  }
  if (rules.findsIds && !ALL_DIGITS.test(id)) addIdentifier(fieldOf(open, rules.idAttribute), id);
  const title = titleName(record, rules);
  for (const field of open) field.isTitle = field.name === title;
  return open;
}

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
export function titleName(record: JsonRecord, rules: FieldRules): string | undefined {
  let best: string | undefined;
  let bestRank = NO_TITLE;
  for (const name of Object.keys(record)) {
    const rank = rules.titleRank(name);
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

/** Whether some attributes of a segment that are searched have names of categories. */
export function namesCategories({ attributes, caches }: Segment, rules: FieldRules): boolean {
  const { categories: known } = caches;
  if (known?.rules === rules) return known.areNamed;
  const areNamed = rules.namesCategories(attributes.paths());
  caches.categories = { rules, areNamed };
  return areNamed;
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
    for (const inner of Object.keys(value)) collect(within, rules.meaningOf(inner), (value as JsonRecord)[inner]!);
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
