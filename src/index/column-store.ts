// The doc-values columns of segments. A column is built in pauses when an attribute is first used, and kept as long as its
// segment. Columns of declared attributes are built with the segment. A column depends on its segment alone, so the time at
// which it is built changes no answer. Callers choose which attributes are used, so a segment keeps a limited number of
// undeclared columns: the most recently used ones.

import { buildDocValues, mergeDocValues, newNumbers } from "../docvalues/build-doc-values.js";
import { bytesOf, type DocValues } from "../docvalues/doc-values.js";
import { evaluateFilter } from "../docvalues/evaluate-filter.js";
import { bytesOfValueSets } from "../docvalues/facet-counts.js";
import { conditionsOf, type Filter } from "../docvalues/filter.js";
import { parseRanking } from "../settings/check-settings.js";
import type { CheckedSettings } from "../settings/settings.js";
import { DocSet } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import type { IndexSnapshot } from "./index-snapshot.js";
import type { MergedSegment } from "./merge-segments.js";
import { RecordReader } from "./record-table.js";
import type { KeptColumn, Segment } from "./segment.js";

/** The number of undeclared columns that a segment keeps in addition to those in use. */
export const KEPT_COLUMNS = 128;

/** The column of an attribute in a segment, which must have been built; undefined: no record there has it. */
export function columnOf(segment: Segment, attribute: string): DocValues | undefined {
  return segment.caches.columns.get(attribute)?.column;
}

/** A column lease: the columns that a running query uses. They are not dropped until it releases them. */
export class ColumnLease {
  private readonly leased: { readonly segment: Segment; readonly kept: KeptColumn }[] = [];

  /** Leases the column of an attribute; false when it was not built. */
  acquire(segment: Segment, attribute: string): boolean {
    const { columns } = segment.caches;
    const kept = columns.get(attribute);
    if (kept === undefined) return false;
    columns.delete(attribute);
    columns.set(attribute, kept);
    kept.leases++;
    this.leased.push({ segment, kept });
    return true;
  }

  /** Releases all columns; each segment then keeps at most `most` undeclared ones. */
  release(most: number = KEPT_COLUMNS): void {
    const touched = new Set<Segment>();
    for (const { segment, kept } of this.leased.splice(0)) {
      kept.leases--;
      touched.add(segment);
    }
    for (const segment of touched) dropColumns(segment, most);
  }
}

/** Builds the missing columns of these attributes in all segments of a snapshot, and leases all of them. */
export function* ensureColumns(snapshot: IndexSnapshot, attributes: Iterable<string>, lease: ColumnLease): Task<void> {
  const wanted = [...new Set(attributes)];
  for (const { segment } of snapshot.segments) yield* ensureSegmentColumns(segment, wanted, lease);
}

/** Builds the columns of declared attributes in a new segment. */
export function* buildDeclaredColumns(segment: Segment, settings: CheckedSettings): Task<void> {
  const { columns } = segment.caches;
  const built = yield* buildMissing(segment, declaredAttributes(settings));
  for (const [attribute, kept] of built) columns.set(attribute, { ...kept, declared: true });
}

/** The attributes that the settings name for faceting, ranking or grouping. */
function declaredAttributes({ attributesForFaceting, customRanking, attributeForDistinct }: CheckedSettings): string[] {
  const ranking = customRanking.map((text) => parseRanking(text)!.attribute);
  const distinct = attributeForDistinct === null ? [] : [attributeForDistinct];
  return [...(attributesForFaceting ?? []), ...ranking, ...distinct];
}

function* ensureSegmentColumns(segment: Segment, attributes: readonly string[], lease: ColumnLease): Task<void> {
  const missing = attributes.filter((attribute) => !lease.acquire(segment, attribute));
  const { columns } = segment.caches;
  for (const [attribute, kept] of yield* buildMissing(segment, missing)) {
    // Another query may have built it meanwhile.
    if (!columns.has(attribute)) columns.set(attribute, kept);
    lease.acquire(segment, attribute);
  }
}

function* buildMissing(segment: Segment, attributes: readonly string[]): Task<Map<string, KeptColumn>> {
  if (attributes.length === 0) return new Map();
  const reader = new RecordReader(segment.records);
  const built = yield* buildDocValues(segment.size, (doc) => reader.parsed(doc), attributes);
  return new Map(attributes.map((attribute) => [attribute, keep(built.get(attribute))]));
}

/** Drops columns that are neither declared nor in use, except for the `most` most recently used. */
export function dropColumns(segment: Segment, most: number): void {
  const { columns } = segment.caches;
  const free = [...columns].filter(([, { declared, leases }]) => !declared && leases === 0);
  for (const [attribute] of free.slice(0, Math.max(0, free.length - most))) columns.delete(attribute);
}

/** The bytes that the columns of a segment take. */
export function columnBytes(segment: Segment): number {
  let total = 0;
  for (const { column, bytes } of segment.caches.columns.values())
    total += bytes + (column === undefined ? 0 : bytesOfValueSets(column));
  return total;
}

/** The bytes of those that may be dropped. */
export function undeclaredBytes({ caches }: Segment): number {
  let total = 0;
  for (const { bytes, declared } of caches.columns.values()) if (!declared) total += bytes;
  return total;
}

/** Merges the columns that all sources of a merged segment have, so that queries need not build them again. */
export function* inheritColumns({ segment, sources, origin, docs }: MergedSegment): Task<void> {
  const first = sources[0];
  if (first === undefined) return;
  const { columns: known } = segment.caches;
  const sizes = sources.map((live) => live.segment.size);
  const numbers = newNumbers(sizes, origin, docs);
  for (const attribute of [...first.segment.caches.columns.keys()]) {
    const kept = sources.map((live) => live.segment.caches.columns.get(attribute)).filter((one) => one !== undefined);
    if (kept.length < sources.length) continue;
    const columns = kept.map((one) => one.column);
    const merged = columns.every((column) => column === undefined)
      ? undefined
      : yield* mergeDocValues(columns, origin, docs, numbers);
    const declared = kept.every((one) => one.declared);
    known.set(attribute, {
      ...keep(merged === undefined || merged.values.length === 0 ? undefined : merged),
      declared,
    });
  }
}

function keep(column: DocValues | undefined): KeptColumn {
  return { column, bytes: column === undefined ? 0 : bytesOf(column), declared: false, leases: 0 };
}

/** The live records of a snapshot that pass a filter. The columns of its attributes must have been built. */
export function* passFilter(filter: Filter, snapshot: IndexSnapshot): Task<DocSet> {
  const passed = new DocSet(snapshot.docSpan);
  for (const { segment, deletedDocs, base } of snapshot.segments) {
    const found = yield* evaluateFilter(filter, (attribute) => columnOf(segment, attribute), segment.size);
    if (deletedDocs !== null) found.andNot(deletedDocs);
    passed.orFrom(found, base);
    yield;
  }
  return passed;
}

/** The attributes in a filter, whose columns must be built before it is evaluated. */
export function attributesOf(filter: Filter): string[] {
  return conditionsOf(filter).map((condition) => condition.attribute);
}
