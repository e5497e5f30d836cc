// What attributes the live records have, counted in the records themselves: a catalog still counts records that were deleted.

import { createHash } from "node:crypto";
import { PathReader } from "../docvalues/attribute-values.js";
import type { AttributeValue } from "../docvalues/doc-values.js";
import type { LocalDoc } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import type { IndexSnapshot } from "./index-snapshot.js";
import { RecordReader } from "./record-table.js";

/** An attribute that records have. */
export interface AttributeInfo {
  /** Its name; of one within another, the dotted path, as filters and facets take it. */
  readonly attribute: string;
  /** What its values are: all texts, all numbers, all `true` or `false`; else `"mixed"`. */
  readonly kind: "text" | "number" | "boolean" | "mixed";
  /** How many records have it. */
  readonly records: number;
  /** How many different values it has; 10 and `"10"` are two. */
  readonly values: number;
}

/** The records are read once for so many values, the different ones of which are in memory at the same time. */
const MOST_VALUES = 2_000_000;
/** Of longer texts the digest is kept. */
const LONGEST_KEPT = 128;
const PAUSE_EVERY_RECORDS = 16;

/** The attributes of the live records: those of most records first, then by name. */
export function* listAttributes(snapshot: IndexSnapshot, mostValues: number = MOST_VALUES): Task<AttributeInfo[]> {
  const found: AttributeInfo[] = [];
  for (const names of yield* roundsOf(snapshot, mostValues)) found.push(...(yield* summarise(snapshot, names)));
  yield;
  return found.sort((a, b) => b.records - a.records || (a.attribute < b.attribute ? -1 : 1));
}

/** All names in groups, by the values that the catalogs count, which are not fewer than there are. */
function* roundsOf({ segments }: IndexSnapshot, mostValues: number): Task<string[][]> {
  const counts = new Map<string, number>();
  for (const { segment } of segments) {
    for (const [name, { short, long }] of segment.attributes.entries())
      counts.set(name, (counts.get(name) ?? 0) + short + long);
    yield;
  }
  const rounds: string[][] = [];
  let values = Number.POSITIVE_INFINITY;
  for (const [name, count] of counts) {
    if (values + count > mostValues) {
      rounds.push([]);
      values = 0;
    }
    values += count;
    rounds.at(-1)!.push(name);
  }
  return rounds;
}

function* summarise({ segments }: IndexSnapshot, names: readonly string[]): Task<AttributeInfo[]> {
  const reader = new PathReader(names);
  const attributes = names.map(() => new Attribute());
  let read = 0;
  for (const { segment, deletedDocs } of segments) {
    const records = new RecordReader(segment.records);
    for (let doc = 0 as LocalDoc; doc < segment.size; doc++) {
      if (doc % PAUSE_EVERY_RECORDS === 0) yield;
      if (deletedDocs?.has(doc)) continue;
      const record = ++read;
      reader.read(yield* records.parsed(doc), (path, value) => attributes[path]!.add(record, value));
    }
  }
  return names.flatMap((name, i) => attributes[i]!.info(name));
}

/** One attribute, while records are read. */
class Attribute {
  private readonly kinds = new Set<string>();
  private readonly values = new Set<AttributeValue>();
  private readonly digests = new Set<string>();
  private records = 0;
  private last = 0;

  /** Records have ascending numbers from 1. */
  add(record: number, value: AttributeValue): void {
    if (record !== this.last) this.records++;
    this.last = record;
    this.kinds.add(typeof value);
    if (typeof value !== "string" || value.length <= LONGEST_KEPT) this.values.add(value);
    // In JSON, half a character is not the same as another half.
    else this.digests.add(createHash("sha256").update(JSON.stringify(value)).digest("hex"));
  }

  /** Nothing where no live record has the attribute. */
  info(attribute: string): AttributeInfo[] {
    const [kind] = this.kinds;
    if (kind === undefined) return [];
    const one = kind === "string" ? "text" : (kind as "number" | "boolean");
    const values = this.values.size + this.digests.size;
    return [{ attribute, kind: this.kinds.size > 1 ? "mixed" : one, records: this.records, values }];
  }
}
