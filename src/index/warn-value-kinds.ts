// Warns where values are of another kind than they are meant to be: of numbers that were passed as texts, after a batch; and of all that a
// filter compares with a number, a date, true or false, where the attribute has none of these.

import { compareValues, PathReader } from "../docvalues/attribute-values.js";
import { instantsOf } from "../docvalues/build-doc-values.js";
import { isLiveOrdinal, ordinalOf } from "../docvalues/doc-values.js";
import { type AttributeValue, type Condition, conditionsOf, type Filter, pathWithin } from "../docvalues/filter.js";
import { isWord, type NumberTexts, numberTextOf } from "../docvalues/number-texts.js";
import type { FieldRules } from "../settings/field-rules.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import { lastName } from "../util/attribute-path.js";
import { type LocalDoc, toDoc } from "../util/doc.js";
import type { Warn } from "../util/extension-points.js";
import { show } from "../util/show.js";
import type { Task } from "../util/tasks.js";
import { columnKey, columnOf } from "./column-store.js";
import type { LiveRecords } from "./index-snapshot.js";
import { type IndexSnapshot, SnapshotReader } from "./index-snapshot.js";

const REMEDY = "Pass numbers, such as Number(text) gives";
/** A warning names at most so many attributes. */
const MOST_NAMED = 3;
/** Of so many attributes it is remembered that they were warned of; then nothing is warned of any more. */
const MOST_SETTLED = 10_000;
/** Values looked at between two pauses. */
const VALUES_AT_ONCE = 4096;
/** Of the records that were there before, so many are looked at. */
const LOOKED_AT = 256;

interface WrittenIndex {
  readonly settings: Pick<ResolvedSettings, "fields">;
  readonly snapshot: IndexSnapshot;
}

/** The attributes of an index that were warned of, or are no numbers. */
export class SettledAttributes {
  private readonly settled = new Set<string>();

  /**
   * Warns once of each attribute that holds nothing but numbers as texts in a batch, and no word in other records. The batch is
   * published, so nothing that is wrong with those may make the call fail.
   */
  *warnOf(batch: NumberTexts, { settings, snapshot }: WrittenIndex, warn: Warn): Task<void> {
    if (this.settled.size > MOST_SETTLED) return;
    const found = batch
      .attributes()
      .filter(([path]) => !this.settled.has(path) && !isMeantAsText(path, settings.fields));
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
}

/** Warns once where texts are searched, but no attribute has the name of a title, which an order by titles needs. */
export class TitleWarning {
  private isGiven = false;

  /** To be called after each write. */
  warnOf({ settings: { fields: rules }, snapshot }: WrittenIndex, warn: Warn): void {
    if (this.isGiven || !rules.titles || rules.searchable !== null || liveCountOf(snapshot) < FEWEST_WITH_TITLES)
      return;
    const fields = new Set(snapshot.segments.flatMap(({ segment }) => segment.postings.fields));
    const texts = [...fields].filter((name) => name !== rules.idAttribute && !isMeantAsText(name, rules)).sort();
    if (texts.length === 0 || texts.some((name) => rules.isTitleName(name))) return;
    this.isGiven = true;
    const names = texts.slice(0, MOST_NAMED).map((name) => show(name));
    const more = texts.length > MOST_NAMED ? " and others" : "";
    const message = `No attribute has the name of a title, such as "title" or "name", so titles have no part in the order; searched are ${names.join(", ")}${more}. Call the attribute of titles "title", or say in searchableAttributes what each attribute weighs; titleEvidence: false needs no titles.`;
    warn({ code: "no_title", message, param: "searchableAttributes" });
  }
}

function liveCountOf({ segments }: IndexSnapshot): number {
  return segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
}

/** Fewer records are rather a test. */
const FEWEST_WITH_TITLES = 20;

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
export function* warnOfPrices(attribute: string, snapshot: LiveRecords, warn: Warn): Task<void> {
  yield* warnOfKind({ attribute, key: columnKey("", attribute), kind: "number", param: "query" }, snapshot, warn);
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
