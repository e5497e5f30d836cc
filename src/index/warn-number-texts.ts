// Warns where numbers were passed as texts: after a batch, and in a query that compares them with a number.

import { PathReader } from "../docvalues/attribute-values.js";
import { conditionsOf, type Filter, pathWithin } from "../docvalues/filter.js";
import { isWord, type NumberTexts, numberTextOf } from "../docvalues/number-texts.js";
import { lastName, plainName } from "../util/attribute-path.js";
import { type LocalDoc, toDoc } from "../util/doc.js";
import type { Warn } from "../util/extension-points.js";
import { show } from "../util/show.js";
import type { Task } from "../util/tasks.js";
import { columnKey } from "./column-keys.js";
import { columnOf } from "./column-store.js";
import { type IndexSnapshot, SnapshotReader } from "./index-snapshot.js";
import type { LiveRecords } from "./live-records.js";
import type { FieldRules } from "./read-fields.js";

const REMEDY = "Pass numbers, such as Number(text) gives";
/** A warning names at most so many attributes. */
const MOST_NAMED = 3;
/** Of so many attributes it is remembered that they were warned of; then nothing is warned of any more. */
const MOST_SETTLED = 10_000;
/** Of the records that were there before, so many are looked at. */
const LOOKED_AT = 256;

/** The attributes of an index that were warned of, or are no numbers. */
export class SettledAttributes {
  private readonly settled = new Set<string>();

  /**
   * Warns once of each attribute that holds nothing but numbers as texts in a batch, and no word in other records. The batch is
   * published, so nothing that is wrong with those may make the call fail.
   */
  *warnOf(
    batch: NumberTexts,
    { rules, snapshot }: { readonly rules: FieldRules; readonly snapshot: IndexSnapshot },
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
}

/** Whether the settings say that an attribute is an identifier, or searched as text. */
function isMeantAsText(path: string, { identifiers, searchable }: FieldRules): boolean {
  if (identifiers.has(plainName(lastName(path)))) return true;
  return searchable?.some((name) => path === name || path.startsWith(`${name}.`)) === true;
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

/** Warns of each attribute that a filter compares with a number and that holds nothing but numbers as texts. The columns must be there. */
export function* warnOfRanges(filter: Filter, param: string, snapshot: LiveRecords, warn: Warn): Task<void> {
  const compared = new Map<string, string>();
  for (const { condition, list } of conditionsOf(filter)) {
    const { kind, attribute } = condition;
    if (kind === "compare" || kind === "between") compared.set(columnKey(list, attribute), pathWithin(list, attribute));
  }
  for (const [key, attribute] of compared) {
    const example = yield* numberTextIn(snapshot, key);
    if (example === undefined) continue;
    const message = `${param} compares ${show(attribute)} with a number, but the attribute holds only texts that read as numbers, such as ${show(example)}. ${REMEDY}.`;
    warn({ code: "numbers_as_text", message, param });
  }
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
