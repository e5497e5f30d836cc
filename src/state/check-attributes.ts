// Checks whether the attributes that a query names can be used: the settings declare them, some record has them, or the index
// remembers that a record had them since it was created or cleared. An index that never had a record accepts every name. Where
// an unknown name does no harm, it is a warning. Others warn where values are of another kind than they are meant to be: of numbers that
// were passed as texts, and of all that a filter compares with a number, a date, true or false, where the attribute has none of these.

import { canonicalLanguage } from "../analysis/languages.js";
import {
  type AttributeHistory,
  type AttributeNames,
  isWord,
  type NumberTexts,
  numberTextOf,
} from "../docvalues/attribute-catalog.js";
import { PathReader } from "../docvalues/attribute-values.js";
import { instantsOf } from "../docvalues/build-doc-values.js";
import { type AttributeValue, compareValues, isLiveOrdinal, ordinalOf } from "../docvalues/doc-values.js";
import { type Condition, conditionsOf, type Filter, pathWithin } from "../docvalues/filter.js";
import type { CheckedParams } from "../input/read-params.js";
import type { FieldRules } from "../settings/field-rules.js";
import type { CheckedSettings, ReadBoost, ResolvedSettings } from "../settings/resolved-settings.js";
import { searchedLanguages } from "../settings/search-language.js";
import { type IndexSettings, searchedName } from "../settings/settings.js";
import { facetPrefix, isFacetPattern, lastName, plainName } from "../util/attribute-path.js";
import { type LocalDoc, toDoc } from "../util/doc-set.js";
import { type Complaint, hintAt, show, throwValidationErrors } from "../util/errors.js";
import type { Warn } from "../util/extension-points.js";
import type { Task } from "../util/tasks.js";
import { columnKey, columnOf, itemsKeyOf } from "./column-store.js";
import type { IndexData } from "./index-data.js";
import { type IndexSnapshot, type LiveRecords, SnapshotReader } from "./index-snapshot.js";

const REMEDY = "Pass numbers, such as Number(text) gives";
/** Of so many attributes it is remembered that they were warned of; then nothing is warned of any more. */
const MOST_SETTLED = 10_000;
/** Values looked at between two pauses. */
const VALUES_AT_ONCE = 4096;
/** Of the records that were there before, so many are looked at. */
const LOOKED_AT = 256;

/** With fewer records it is rather a test, and no title is missed. */
const FEWEST_WITH_TITLES = 20;

/** What the check depends on. */
export interface AttributeContext {
  readonly settings: CheckedSettings;
  readonly attributes: AttributeNames;
}

/** Throws 400 for all unknown attributes in filters, facet refinements, facets and sorting together. */
export function* checkAttributes(params: CheckedParams, context: AttributeContext): Task<void> {
  const check = new AttributeCheck(context);
  yield* check.filter(params.filters, "filters");
  for (const { filter } of params.facetFilters) yield* check.filter(filter, "facetFilters");
  for (const { filter } of params.numericFilters) yield* check.filter(filter, "numericFilters");
  for (const { attribute: name } of params.facets)
    if (isFacetPattern(name)) yield* check.pattern(name);
    else yield* check.name(name, "facets", "unknown_field");
  for (const sort of params.sort)
    if (sort.center === undefined && !sort.isScore) yield* check.name(sort.attribute, "sort", "unknown_field");
  for (const boost of params.boosts ?? []) yield* check.boost(boost, "boosts");
  for (const boost of params.optionalFilters) yield* check.boost(boost, "optionalFilters");
  yield* check.searched(params.restrictSearchableAttributes ?? []);
  check.languages(params);
  if (Number(params.distinct ?? 0) > 0 && context.settings.attributeForDistinct === null) {
    const msg = `distinct is ${params.distinct}, but the index has no attributeForDistinct; name one in its settings.`;
    check.complaints.push({ error: "invalid_parameter", param: "distinct", msg });
  }
  throwValidationErrors(check.complaints);
}

/** Warns about unknown attributes among those that a hit shows: one warning for each parameter. */
export function* warnUnknownShown(
  { attributesToRetrieve = [], attributesToHighlight, attributesToSnippet }: CheckedParams,
  context: AttributeContext,
  warn: Warn,
): Task<void> {
  const named = attributesToRetrieve.length + attributesToHighlight.length + attributesToSnippet.length;
  if (named === 0 || context.attributes.isEmpty) return;
  const check = new AttributeCheck(context);
  const unknown = (name: string): Task<string | undefined> => check.unknown(name);
  const retrieved = attributesToRetrieve.map((path) => path.replace(/^-/, ""));
  const snippets = attributesToSnippet.map((path) => path.replace(/:[0-9]+$/, ""));
  yield* warnOf("attributesToRetrieve", retrieved, unknown, warn);
  yield* warnOf("attributesToHighlight", attributesToHighlight, unknown, warn);
  yield* warnOf("attributesToSnippet", snippets, unknown, warn);
}

/** The warnings that an index gives after writes, each of them once. */
export class RecordWarnings {
  /** The settings of which it was warned, and what is remembered of the attributes where all that these name were found. */
  private warnedOf: ResolvedSettings | undefined;
  private fulfilled: AttributeHistory | undefined;
  /** The attributes that were warned of, or are no numbers. */
  private readonly settled = new Set<string>();
  private isTitleMissed = false;

  /** To be called after each write. The batch is published, so nothing that is wrong with other records may make the call fail. */
  *warnOf(data: IndexData, numberTexts: NumberTexts, warn: Warn): Task<void> {
    yield* this.warnUnfulfilled(data, warn);
    yield* this.warnOfNumberTexts(data, numberTexts, warn);
    this.warnOfTitles(data, warn);
  }

  /** Warns about attributes that settings name and no record has or had: one warning for each setting. */
  private *warnUnfulfilled(data: IndexData, warn: Warn): Task<void> {
    const { settings, attributes } = data.version();
    if (this.warnedOf === settings || this.fulfilled === data.written) return;
    const isWrong = !attributes.isEmpty && (yield* namesUnknown(settings.effective, data.given, attributes, warn));
    this.fulfilled = isWrong ? undefined : data.written;
    if (isWrong) this.warnedOf = settings;
  }

  /** Warns once of each attribute that holds nothing but numbers as texts in a batch, and no word in other records. */
  private *warnOfNumberTexts(
    { settings: { fields: rules }, snapshot }: IndexData,
    batch: NumberTexts,
    warn: Warn,
  ): Task<void> {
    if (this.settled.size > MOST_SETTLED) return;
    const found = batch.attributes().filter(([path]) => !this.settled.has(path) && !isMeantAsText(path, rules));
    if (found.length === 0) return;
    const words = yield* pathsOfWords(
      found.map(([path]) => path),
      snapshot,
    );
    for (const [path] of found) this.settled.add(path);
    const numbers = found.filter(([path]) => !words.has(path));
    if (numbers.length === 0) return;
    const [[param, example]] = numbers as [(typeof numbers)[0]];
    const names = numbers.slice(0, MOST_NAMED).map(([path]) => show(path));
    const more = numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : "";
    const which = numbers.length === 1 ? `attribute ${names} holds` : `attributes ${names.join(", ")}${more} hold`;
    const message = `The ${which} only texts that read as numbers, such as ${show(example)}, so no range finds them and facetStats leave them out. ${REMEDY}; name what are codes in identifierAttributes.`;
    warn({ code: "numbers_as_text", message, param });
  }

  /** Warns once where texts are searched, but no attribute has the name of a title, which an order by titles needs. */
  private warnOfTitles({ settings: { fields: rules }, snapshot }: IndexData, warn: Warn): void {
    const isTested = snapshot.liveCount >= FEWEST_WITH_TITLES;
    if (this.isTitleMissed || !rules.titles || rules.searchable !== null || !isTested) return;
    const fields = new Set(snapshot.segments.flatMap(({ segment }) => segment.postings.fields));
    const texts = [...fields].filter((name) => name !== rules.idAttribute && !isMeantAsText(name, rules)).sort();
    if (texts.length === 0 || texts.some((name) => rules.isTitleName(name))) return;
    this.isTitleMissed = true;
    const names = texts.slice(0, MOST_NAMED).map((name) => show(name));
    const more = texts.length > MOST_NAMED ? " and others" : "";
    const message = `No attribute has the name of a title, such as "title" or "name", so titles have no part in the order; searched are ${names.join(", ")}${more}. Call the attribute of titles "title", or say in searchableAttributes what each attribute weighs; titleEvidence: false needs no titles.`;
    warn({ code: "no_title", message, param: "searchableAttributes" });
  }
}

/** Warns about attributes that settings, effective and as they were given, name and no record has or had. Returns whether it did. */
function* namesUnknown(
  settings: CheckedSettings,
  given: IndexSettings,
  attributes: AttributeNames,
  warn: Warn,
): Task<boolean> {
  const check = new AttributeCheck({ settings, attributes });
  const problemOf = (param: string, name: string): Task<string | undefined> => {
    if (param === "identifierAttributes") return check.noIdentifier(name);
    const isText = param === "searchableAttributes" || param === "embeddedAttributes";
    return isText ? check.absent(name) : check.withoutValues(name);
  };
  let isWrong = false;
  for (const [param, names] of Object.entries(namesBySetting(settings))) {
    // Nobody has all names of the default.
    if (param === "identifierAttributes" && given.identifierAttributes === undefined) continue;
    if (yield* warnOf(param, names, (name) => problemOf(param, name), warn)) isWrong = true;
  }
  return isWrong;
}

/** The attributes that settings name, but for those of the id and of the vector. */
function namesBySetting(settings: CheckedSettings): { readonly [setting: string]: readonly string[] } {
  const { searchableAttributes, identifierAttributes, embeddedAttributes, attributesForFaceting } = settings;
  const { customRanking, attributeForDistinct } = settings;
  return {
    searchableAttributes: (searchableAttributes ?? []).map(searchedName),
    identifierAttributes,
    embeddedAttributes: embeddedAttributes ?? [],
    attributesForFaceting: [...(attributesForFaceting?.keys() ?? [])],
    customRanking: customRanking.map(({ attribute }) => attribute),
    attributeForDistinct: attributeForDistinct === null ? [] : [attributeForDistinct],
  };
}

/** One warning about the names of a parameter or setting with which something is wrong; false: nothing is. */
function* warnOf(
  param: string,
  names: readonly string[],
  problemOf: (name: string) => Task<string | undefined>,
  warn: Warn,
): Task<boolean> {
  const messages: string[] = [];
  for (const name of names) {
    const problem = yield* problemOf(name);
    if (problem !== undefined) messages.push(`${param} names ${show(name)}, ${problem}`);
    if (messages.length === MOST_NAMED) break;
  }
  if (messages.length === 0) return false;
  warn({ code: "unknown_attribute", message: messages.join(" "), param });
  return true;
}

/** Throws 400 for all unknown attributes of a filter. */
export function* checkFilter(filter: Filter, param: string, context: AttributeContext): Task<void> {
  const check = new AttributeCheck(context);
  yield* check.filter(filter, param);
  throwValidationErrors(check.complaints);
}

/** Of one call, this many complaints suggest a name. */
const MOST_SUGGESTIONS = 16;
/** A warning names at most so many attributes. */
const MOST_NAMED = 3;
/** Names among which the nearest is looked for. */
const MOST_CANDIDATES = 1000;

/** Collects the complaints of one call. */
class AttributeCheck {
  readonly complaints: Complaint[] = [];
  /** The names of attributes, of values alone, and of values or texts. */
  private values: readonly string[] | undefined;
  private all: readonly string[] | undefined;
  private readonly context: AttributeContext;
  /** The last names of all attributes, by their plain names. */
  private keys: ReadonlyMap<string, string> | undefined;
  private suggestions = 0;

  constructor(context: AttributeContext) {
    this.context = context;
  }

  *filter(filter: Filter, param: string): Task<void> {
    for (const { condition, list } of conditionsOf(filter))
      yield* this.name(pathWithin(list, condition.attribute), param, "unknown_filter_field", condition.span);
  }

  *name(name: string, param: string, error: string, span?: object): Task<void> {
    const { settings, attributes } = this.context;
    const declared = settings.attributesForFaceting;
    const isCounted = declared?.get(name);
    // Whoever writes records may name an attribute like a column of items.
    const isKey = itemsKeyOf(name) !== undefined;
    const holds = declared === null ? attributes.isEmpty || attributes.holdsValues(name) : isCounted !== undefined;
    const details = span === undefined ? {} : { details: { ...span } };
    if (param === "facets" && isCounted === false) {
      const shown = show(name);
      const msg = `facets names ${shown}, which is declared as filterOnly; declare it as ${shown} to count its values.`;
      this.complaints.push({ error: "not_filterable", param, msg });
      return;
    }
    if (holds && !isKey) return;
    if (attributes.has(name) && !isKey) {
      const why = declared === null ? "holds long texts" : "is not declared";
      const msg = `${param} names ${show(name)}, which ${why}; declare it in attributesForFaceting to use it.`;
      this.complaints.push({ error: param === "sort" ? "not_sortable" : "not_filterable", param, msg, ...details });
      return;
    }
    const msg = `${param} names the unknown attribute ${show(name)}${yield* this.hintAmong(name, yield* this.known())}`;
    this.complaints.push({ error, param, msg, ...details });
  }

  /** Checks that there may be attributes for which a pattern stands. */
  *pattern(pattern: string): Task<void> {
    const { settings, attributes } = this.context;
    const prefix = facetPrefix(pattern);
    if (prefix === "") return;
    const declared = settings.attributesForFaceting;
    const isUsable =
      declared === null
        ? attributes.isEmpty || (yield* attributes.holdsWithin(prefix.slice(0, -1)))
        : [...declared].some(([name, isCounted]) => isCounted && name.startsWith(prefix));
    if (isUsable) return;
    const known = (yield* this.known()).filter((name) => name.includes("."));
    const patterns = [...new Set(known.map((name) => `${name.slice(0, name.lastIndexOf("."))}.*`))];
    const hint = yield* this.hintAmong(pattern, patterns);
    const msg = `facets names ${show(pattern)}, within which there is no attribute${hint}`;
    this.complaints.push({ error: "unknown_field", param: "facets", msg });
  }

  *boost({ signal }: ReadBoost, param: string): Task<void> {
    if (signal.kind === "filter") yield* this.filter(signal.filter, param);
    else if (signal.kind !== "place") yield* this.name(signal.attribute, param, "unknown_field");
  }

  /** Checks the fields in which words count. */
  *searched(names: readonly string[]): Task<void> {
    if (this.context.attributes.isEmpty) return;
    const param = "restrictSearchableAttributes";
    for (const name of names) {
      if (yield* this.isKnown(name)) continue;
      const msg = `${param} names the unknown attribute ${show(name)}${yield* this.hintAmong(name, yield* this.everyName())}`;
      if (this.complaints.push({ error: "unknown_field", param, msg }) >= MOST_SUGGESTIONS) break;
    }
  }

  /** Checks the languages of the query. */
  languages({ queryLanguages = [], restrictSearchableAttributes }: CheckedParams): void {
    if (queryLanguages.length === 0) return;
    const there = searchedLanguages(this.context.settings, restrictSearchableAttributes);
    const unknown = queryLanguages.filter((tag) => !there.includes(canonicalLanguage(tag)!));
    if (unknown.length === 0) return;
    const names = there.length === 0 ? "no language, but your analyzer" : there.join(", ");
    const msg = `queryLanguages names ${show(unknown[0])}, which no searched field has; searched are ${names}.`;
    this.complaints.push({ error: "invalid_parameter", param: "queryLanguages", msg });
  }

  /** Whether a record has or had an attribute of this path, or one within it, or the settings declare it. */
  private *isKnown(path: string): Task<boolean> {
    // What stands before a "*".
    const name = /^(?:\*|(.*?)\.\*)(?:\.|$)/s.exec(path);
    const known = name === null ? path : (name[1] ?? "");
    const { settings } = this.context;
    if (known === "" || known === settings.idAttribute || known === settings.vectorAttribute) return true;
    if (Object.values(namesBySetting(settings)).flat().includes(known)) return true;
    return yield* this.context.attributes.holds(known);
  }

  /** What is wrong with a path that may have a "*", or that the settings may declare. */
  *unknown(path: string): Task<string | undefined> {
    return (yield* this.isKnown(path)) ? undefined : yield* this.noRecordHas(path);
  }

  /** What is wrong with the path of an attribute, or of an object. */
  *absent(path: string): Task<string | undefined> {
    return (yield* this.context.attributes.holds(path)) ? undefined : yield* this.noRecordHas(path);
  }

  /** What is wrong with the path of an attribute whose values count. */
  *withoutValues(path: string): Task<string | undefined> {
    const { attributes } = this.context;
    if (attributes.has(path)) return undefined;
    if (!(yield* attributes.holds(path))) return yield* this.noRecordHas(path);
    const within = (yield* this.everyName()).find((name) => name.startsWith(`${path}.`));
    const example = within === undefined ? "" : `, such as ${show(within)}`;
    return `which holds no values of its own; name what is within${example}.`;
  }

  /** What is wrong with the name of an identifier. */
  *noIdentifier(name: string): Task<string | undefined> {
    this.keys ??= new Map((yield* this.context.attributes.lastNames()).map((key) => [plainName(key), key]));
    if (this.keys.has(plainName(name))) return undefined;
    const key = this.keys.get(plainName(lastName(name)));
    if (key === undefined) return `which no record has${yield* this.hintAmong(name, [...this.keys.values()].sort())}`;
    return `but identifiers are named without a path, at any depth; write ${show(key)}.`;
  }

  private *noRecordHas(path: string): Task<string> {
    return `which no record has${yield* this.hintAmong(path, yield* this.everyName())}`;
  }

  /** The names of attributes, of values or of texts, sorted; of very many, some. */
  private *everyName(): Task<readonly string[]> {
    this.all ??= (yield* this.context.attributes.someAttributes(MOST_CANDIDATES)).sort();
    return this.all;
  }

  private *hintAmong(name: string, candidates: readonly string[]): Task<string> {
    if (++this.suggestions > MOST_SUGGESTIONS) return ".";
    yield;
    return hintAt(name, candidates);
  }

  private *known(): Task<readonly string[]> {
    const { settings, attributes } = this.context;
    const declared = settings.attributesForFaceting;
    if (declared !== null) return [...declared.keys()];
    this.values ??= (yield* attributes.someValueAttributes(MOST_CANDIDATES)).sort();
    return this.values;
  }
}

/** Whether the settings say that an attribute is an identifier, or searched as text. */
function isMeantAsText(path: string, rules: FieldRules): boolean {
  if (rules.isIdentifierName(lastName(path))) return true;
  return rules.searchable?.some((name) => path === name || path.startsWith(`${name}.`)) === true;
}

/** Those of the paths at which one of the first records has a word, because the batch may be a single record. */
function* pathsOfWords(paths: readonly string[], snapshot: IndexSnapshot): Task<ReadonlySet<string>> {
  const found = new Set<string>();
  const values = new PathReader(paths);
  const records = new SnapshotReader(snapshot);
  let left = LOOKED_AT;
  try {
    for (const { segment, base } of snapshot.segments)
      for (let i = 0; i < segment.size && left > 0; i++, left--) {
        const record = (yield* records.stored(toDoc(base, i as LocalDoc))).parse();
        values.read(record, (path, value) => {
          if (isWord(value)) found.add(paths[path]!);
        });
        yield;
      }
  } catch {
    // A file may be damaged. Whoever asks for its records is told.
  }
  return found;
}

/** What a condition compares values with. */
type Kind = "number" | "date" | "boolean";

/** By kind: what a condition does, what no value is, and what is to be passed. */
const WORDS: Record<Kind, readonly [asks: string, is: string, remedy: string]> = {
  number: ["compares it with a number", "a number", "Pass numbers, such as 19.99"],
  date: [
    "compares it with a date",
    "a date",
    'Pass a Date or an ISO 8601 text, such as "2024-03-15" or "2024-03-15T09:30:00Z"',
  ],
  boolean: ["asks whether it is true or false", "true or false", "Pass booleans"],
};

/** What a parameter compares the values of an attribute with. */
interface Comparison {
  readonly attribute: string;
  /** Of its column. */
  readonly key: string;
  readonly kind: Kind;
  readonly param: string;
}

/** Warns of each attribute that a filter compares with what none of its values can equal. The columns must be there. */
export function* warnOfComparisons(filter: Filter, param: string, snapshot: LiveRecords, warn: Warn): Task<void> {
  const compared = new Map<string, Comparison>();
  for (const { condition, list } of conditionsOf(filter)) {
    const kind = kindOf(condition);
    const key = columnKey(list, condition.attribute);
    const attribute = pathWithin(list, condition.attribute);
    if (kind !== undefined) compared.set(`${kind} ${key}`, { attribute, key, kind, param });
  }
  for (const comparison of compared.values()) yield* warnOfKind(comparison, snapshot, warn);
}

/** Warns that a sentence asks for a price, if no value of the attribute of prices is a number. The columns must be there. */
export function warnOfPrices(attribute: string, snapshot: LiveRecords, warn: Warn): Task<void> {
  return warnOfKind({ attribute, key: columnKey("", attribute), kind: "number", param: "query" }, snapshot, warn);
}

function* warnOfKind({ attribute, key, kind, param }: Comparison, snapshot: LiveRecords, warn: Warn): Task<void> {
  const example = yield* otherKindIn(snapshot, key, kind);
  if (example === undefined) return;
  const numberText = kind === "number" ? yield* numberTextIn(snapshot, key) : undefined;
  if (numberText === undefined) {
    const [asks, is, remedy] = WORDS[kind];
    const message = `${param} names ${show(attribute)} and ${asks}, but no value of the attribute is ${is}; one is ${show(example)}. ${remedy}.`;
    warn({ code: "values_of_another_kind", message, param });
  } else {
    const message = `${param} compares ${show(attribute)} with a number, but the attribute holds only texts that read as numbers, such as ${show(numberText)}. ${REMEDY}.`;
    warn({ code: "numbers_as_text", message, param });
  }
}

/** With which kind of values a condition compares; undefined: with those that print alike. */
function kindOf(condition: Condition): Kind | undefined {
  switch (condition.kind) {
    case "compare":
    case "between":
      return condition.isInstant === true ? "date" : "number";
    case "equals":
      return isTruth(condition.value) ? "boolean" : undefined;
    case "in":
      return condition.values.length > 0 && condition.values.every(isTruth) ? "boolean" : undefined;
    default:
      return undefined;
  }
}

/** Whatever prints as true or false. */
const TRUTHS: readonly AttributeValue[] = [true, false, "true", "false"];

function isTruth(value: AttributeValue): boolean {
  return TRUTHS.includes(value);
}

/** The first live value of an attribute of which none is of a kind; undefined: one is, or there is no value. */
function* otherKindIn(snapshot: LiveRecords, key: string, kind: Kind): Task<AttributeValue | undefined> {
  let first: AttributeValue | undefined;
  for (const { segment, deletedDocs } of snapshot.segments) {
    const column = columnOf(segment, key);
    if (column === undefined) continue;
    const isLive = (ordinal: number): boolean => ordinal >= 0 && isLiveOrdinal(column, ordinal, deletedDocs);
    if (kind === "boolean" && TRUTHS.some((value) => isLive(ordinalOf(column, value)))) return undefined;
    if (kind === "date") {
      const instants = yield* instantsOf(column);
      if (instants?.values.some((_, ordinal) => isLiveOrdinal(instants, ordinal, deletedDocs)) === true)
        return undefined;
    }
    for (let ordinal = 0; ordinal < column.values.length; ordinal++) {
      if ((ordinal + 1) % VALUES_AT_ONCE === 0) yield;
      if (!isLive(ordinal)) continue;
      const value = column.values[ordinal]!;
      // Numbers stand first.
      if (kind === "number" && typeof value === "number") return undefined;
      if (first === undefined || compareValues(value, first) < 0) first = value;
      break;
    }
    yield;
  }
  return first;
}

function* numberTextIn(snapshot: LiveRecords, key: string): Task<string | undefined> {
  let example: string | undefined;
  for (const { segment, deletedDocs } of snapshot.segments) {
    const column = columnOf(segment, key);
    const text = column === undefined ? undefined : yield* numberTextOf(column, deletedDocs);
    if (text === null) return undefined;
    if (text !== undefined && (example === undefined || text < example)) example = text;
  }
  return example;
}
