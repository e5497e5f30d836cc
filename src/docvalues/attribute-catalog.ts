// The attributes that records have. Each segment counts the values of its own records by path. Beside that, an index remembers the
// attributes that were written last, because a name stays known after the last record that had it.
// An attribute that holds nothing but numbers passed as texts, as CSV files give them ("19.99"), is probably a mistake: no range finds them.

import { lastName } from "../util/attribute-path.js";
import type { DocSet, LocalDoc } from "../util/doc-set.js";
import { heapBytes, type JsonRecord, type JsonValue } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { pathsOf } from "./attribute-values.js";
import { type AttributeValue, type DocValues, isLiveOrdinal } from "./doc-values.js";

/** Strings of at most this many characters are values; longer ones are texts. */
const SHORT = 128;
/** The usual bytes of an entry of a map with its counts. */
const ENTRY_BYTES = 88;
/** Names visited between two pauses. */
const NAMES_AT_ONCE = 256;

/** The numbers of values and of texts (`long`) at one path. */
export interface ValueCounts {
  short: number;
  long: number;
}

/** Attributes, with the counts of their values and texts. */
class AttributeCounts {
  /** What is counted already; it is read when it is needed. */
  private first: (() => Iterable<readonly [string, ValueCounts]>) | undefined;
  private counted: Map<string, ValueCounts> | undefined;
  /** Objects that were found to have attributes: callers name the same few in each query. */
  protected readonly objects: Set<string> = new Set();

  constructor(first?: AttributeCounts["first"]) {
    this.first = first;
  }

  protected get seen(): Map<string, ValueCounts> {
    if (this.counted === undefined) {
      this.counted = new Map(this.first?.());
      this.first = undefined;
    }
    return this.counted;
  }

  /** The number of attributes. */
  get size(): number {
    return this.seen.size;
  }

  /** The counts of an attribute; undefined: it is not among these. */
  get(path: string): Readonly<ValueCounts> | undefined {
    return this.seen.get(path);
  }

  /** Whether there is an attribute within this path. */
  *holdsWithin(path: string): Task<boolean> {
    if (this.objects.has(path)) return true;
    const within = `${path}.`;
    let visited = 0;
    for (const one of [...this.paths()]) {
      if (++visited % NAMES_AT_ONCE === 0) yield;
      if (!one.startsWith(within)) continue;
      this.objects.add(path);
      return true;
    }
    return false;
  }

  entries(): IterableIterator<[string, Readonly<ValueCounts>]> {
    return this.seen.entries();
  }

  paths(): IterableIterator<string> {
    return this.seen.keys();
  }
}

/** The attributes of some records. */
export class AttributeCatalog extends AttributeCounts {
  /** False if it counts values of records that are gone. */
  readonly isExact: boolean;
  private nameBytes: number | undefined;

  /** `first`: what is counted already; it is read when it is needed. */
  constructor(isExact = true, first?: () => Iterable<readonly [string, ValueCounts]>) {
    super(first);
    this.isExact = isExact;
  }

  /** The approximate bytes of memory. */
  get bytes(): number {
    if (this.nameBytes === undefined) {
      this.nameBytes = 0;
      for (const path of this.paths()) this.nameBytes += ENTRY_BYTES + heapBytes(path);
    }
    return this.nameBytes;
  }

  /** The counts of an attribute, to add to. */
  open(path: string): ValueCounts {
    let seen = this.seen.get(path);
    if (seen === undefined) {
      seen = { short: 0, long: 0 };
      this.seen.set(path, seen);
      if (this.nameBytes !== undefined) this.nameBytes += ENTRY_BYTES + heapBytes(path);
    }
    return seen;
  }
}

/** A dotted path of attribute names. Nodes are shared by all records, so that a path is joined and looked up once. */
interface PathNode {
  readonly path: string;
  readonly children: Map<string, PathNode>;
  /** The counts of the path, from its first value on. */
  seen: ValueCounts | undefined;
  /** Whether its values may be numbers as texts alone. */
  isOpen: boolean;
}

/** Counts the values of records, without those of the attribute of their vector. */
export class AttributeCollector {
  readonly catalog: AttributeCatalog = new AttributeCatalog();
  private readonly vectorAttribute: string | undefined;
  private readonly numberTexts: NumberTexts | undefined;
  private readonly root: PathNode = { path: "", children: new Map(), seen: undefined, isOpen: false };

  /** `numberTexts` takes the values, too. */
  constructor(vectorAttribute: string | undefined, numberTexts?: NumberTexts) {
    this.vectorAttribute = vectorAttribute;
    this.numberTexts = numberTexts;
  }

  add(record: JsonRecord): void {
    const names = Object.keys(record);
    // A name with dots may hide a path of the same name.
    if (names.some((name) => name.includes("."))) {
      for (const [path, value] of pathsOf(record))
        if (path !== this.vectorAttribute) {
          countValue(this.catalog.open(path), value);
          this.numberTexts?.take(path, value);
        }
    } else
      for (const name of names)
        if (name !== this.vectorAttribute) this.collect(record[name]!, childOf(this.root, name, ""));
  }

  private collect(value: JsonValue, node: PathNode): void {
    if (typeof value !== "object") {
      node.seen ??= this.catalog.open(node.path);
      countValue(node.seen, value);
      if (node.isOpen) node.isOpen = this.numberTexts?.take(node.path, value) === true;
    } else if (Array.isArray(value)) for (const item of value) this.collect(item, node);
    else if (value !== null)
      for (const name of Object.keys(value))
        this.collect((value as JsonRecord)[name]!, childOf(node, name, `${node.path}.`));
  }
}

/** Counts a value, or a text. */
function countValue(seen: ValueCounts, value: AttributeValue): void {
  if (typeof value === "string" && value.length > SHORT) seen.long++;
  else seen.short++;
}

function childOf(node: PathNode, name: string, before: string): PathNode {
  let child = node.children.get(name);
  if (child === undefined) {
    child = { path: before + name, children: new Map(), seen: undefined, isOpen: true };
    node.children.set(name, child);
  }
  return child;
}

/** Of more attributes than this, a merged catalog forgets those that no record has any more. */
const MOST_UNCOUNTED = 1000;

/**
 * The catalog of merged segments: the sum of theirs. That still counts the values of deleted records. Where it has more than
 * 1,000 attributes, the values of the records that are left are counted again. `someDeleted`: whether the catalogs count other records
 * than these.
 */
export function* mergeCatalogs(
  catalogs: readonly AttributeCatalog[],
  records: {
    readonly count: number;
    readonly at: (i: number) => Task<JsonRecord>;
    readonly someDeleted: boolean;
  },
): Task<AttributeCatalog> {
  const sum = new AttributeCatalog(!records.someDeleted && catalogs.every((catalog) => catalog.isExact));
  let visited = 0;
  for (const catalog of catalogs)
    for (const [path, { short, long }] of catalog.entries()) {
      const seen = sum.open(path);
      seen.short += short;
      seen.long += long;
      if (++visited % NAMES_AT_ONCE === 0) yield;
    }
  if (sum.size <= MOST_UNCOUNTED || sum.isExact) return sum;
  const collector = new AttributeCollector(undefined);
  for (let i = 0; i < records.count; i++) {
    collector.add(yield* records.at(i));
    yield;
  }
  // What the sum lacks is the attribute of the vector.
  const left = new AttributeCatalog();
  for (const [path, { short, long }] of collector.catalog.entries()) {
    if (sum.get(path) !== undefined) Object.assign(left.open(path), { short, long });
    if (++visited % NAMES_AT_ONCE === 0) yield;
  }
  return left;
}

/** The maximum number of remembered names, and of their characters: 1 MB at two bytes each. */
const MOST_NAMES = 10_000;
const MOST_CHARACTERS = 500_000;
const MOST_BYTES = ENTRY_BYTES * MOST_NAMES + 2 * MOST_CHARACTERS;

/** The attributes that were written last, with their counts since they are remembered. Those not written for longest are forgotten. */
export class AttributeHistory extends AttributeCounts {
  private characters = 0;

  /** Attributes with their counts, in the order in which they were written. */
  static of(entries: Iterable<readonly [string, Readonly<ValueCounts>]>): AttributeHistory {
    const written = new AttributeHistory();
    for (const [path, seen] of entries) written.write(path, seen);
    return written;
  }

  /** The approximate bytes of memory. */
  get bytes(): number {
    return ENTRY_BYTES * this.seen.size + 2 * this.characters;
  }

  /** The bytes by which `add` raises `bytes`, or a little more where names are forgotten. */
  growthBy(later: AttributeHistory): number {
    let bytes = this.bytes;
    for (const path of later.paths()) if (!this.seen.has(path)) bytes += ENTRY_BYTES + 2 * path.length;
    return Math.min(bytes, Math.max(MOST_BYTES, this.bytes)) - this.bytes;
  }

  /** Adds what others remember, as written later. */
  add(later: AttributeHistory): void {
    for (const [path, seen] of later.entries()) this.write(path, seen);
    this.forget();
  }

  /** Adds the attributes of a segment, as written last. */
  *addSegment(catalog: AttributeCatalog): Task<void> {
    let visited = 0;
    for (const [path, seen] of catalog.entries()) {
      this.write(path, seen);
      if (++visited % NAMES_AT_ONCE > 0) continue;
      if (this.seen.size > 2 * MOST_NAMES || this.characters > 2 * MOST_CHARACTERS) this.forget();
      yield;
    }
    this.forget();
  }

  private write(path: string, { short, long }: Readonly<ValueCounts>): void {
    const before = this.seen.get(path);
    if (before === undefined) this.characters += path.length;
    else this.seen.delete(path);
    this.seen.set(path, { short: short + (before?.short ?? 0), long: long + (before?.long ?? 0) });
  }

  /** Forgets the first names in one pass: each new iterator of a map walks over the gaps that deletions left before. */
  private forget(): void {
    for (const path of this.seen.keys()) {
      if (this.seen.size <= MOST_NAMES && this.characters <= MOST_CHARACTERS) break;
      this.seen.delete(path);
      this.characters -= path.length;
      this.objects.clear();
    }
  }
}

/**
 * The attributes that an index knows: those that were written last, and those of its segments. A name that is neither is unknown.
 * Until segments are merged, they count deleted records too; this matters for forgotten names only.
 */
export class AttributeNames {
  private readonly written: AttributeHistory;
  private readonly segments: readonly AttributeCatalog[];
  /** The only names that are told; undefined: all known ones. */
  private readonly proposed: (() => Task<readonly string[]>) | undefined;

  constructor(
    written: AttributeHistory,
    segments: readonly AttributeCatalog[],
    proposed?: () => Task<readonly string[]>,
  ) {
    this.written = written;
    this.segments = segments;
    this.proposed = proposed;
  }

  /** The same attributes, of which only some are told by name. Asked for another one, they say the same as before. */
  proposing(names: () => Task<readonly string[]>): AttributeNames {
    return new AttributeNames(this.written, this.segments, names);
  }

  /** True for an index that never had a record. */
  get isEmpty(): boolean {
    return this.written.size === 0 && this.segments.every((catalog) => catalog.size === 0);
  }

  has(path: string): boolean {
    return this.written.get(path) !== undefined || this.segments.some((catalog) => catalog.get(path) !== undefined);
  }

  /** Whether an attribute of this path is known, or one within it. */
  *holds(path: string): Task<boolean> {
    return this.has(path) || (yield* this.holdsWithin(path));
  }

  /** Whether an attribute within this path is known. */
  *holdsWithin(path: string): Task<boolean> {
    for (const source of [this.written, ...this.segments]) if (yield* source.holdsWithin(path)) return true;
    return false;
  }

  /** Some attributes, of values or texts: all if there are at most `most`. In no order that means anything. */
  someAttributes(most: number): Task<string[]> {
    return this.some(most, (path) => path);
  }

  /** The last names of the paths of all attributes, each once. */
  lastNames(): Task<string[]> {
    return this.some(Number.POSITIVE_INFINITY, lastName);
  }

  /** Some attributes that hold values: all if there are at most `most`. In no order that means anything. */
  someValueAttributes(most: number): Task<string[]> {
    return this.some(most, (path) => (this.holdsValues(path) ? path : undefined));
  }

  /** At most `most` of what `nameOf` makes of the paths, each once. */
  private *some(most: number, nameOf: (path: string) => string | undefined): Task<string[]> {
    const found = new Set<string>();
    let visited = 0;
    for (const paths of yield* this.sources())
      for (const path of paths) {
        if (found.size >= most) return [...found];
        const name = nameOf(path);
        if (name !== undefined) found.add(name);
        if (++visited % NAMES_AT_ONCE === 0) yield;
      }
    return [...found];
  }

  /** True for an attribute that holds values (numbers, booleans, mostly short strings) rather than texts. */
  holdsValues(path: string): boolean {
    const written = this.written.get(path);
    if (written !== undefined) return written.long <= written.short;
    let [short, long] = [0, 0];
    for (const catalog of this.segments) {
      const seen = catalog.get(path);
      short += seen?.short ?? 0;
      long += seen?.long ?? 0;
    }
    return short > 0 && long <= short;
  }

  private *sources(): Task<readonly Iterable<string>[]> {
    if (this.proposed !== undefined) return [(yield* this.proposed()).filter((name) => this.has(name))];
    // A copy, because a write between two pauses may move names to the end.
    return [[...this.written.paths()], ...this.segments.map((catalog) => catalog.paths())];
  }
}

/** With a point, or of at most six digits without a leading zero. Longer texts of digits are codes. */
const NUMBER = /^\s*-?(?:(?:0|[1-9][0-9]{0,14})\.[0-9]{1,15}|0|[1-9][0-9]{0,5})\s*$/;
const LONGEST = 40;

function isNumberText(text: string): boolean {
  return text.length <= LONGEST && NUMBER.test(text);
}

function isBlank(text: string): boolean {
  return text.length <= LONGEST && text.trim() === "";
}

/** Of more attributes than this, the others are not looked at. */
const MOST_ATTRIBUTES = 10_000;
/** Values between two pauses. */
const VALUES_AT_ONCE = 4096;

/** Finds the attributes of a batch that hold nothing but numbers as texts. Blank texts do not count. */
export class NumberTexts {
  /** By path: the first such text; null: the attribute holds something else, too. */
  private readonly found = new Map<string, string | null>();
  private readonly idAttribute: string;

  constructor(idAttribute: string) {
    this.idAttribute = idAttribute;
  }

  /** Takes the next value of an attribute; false if the others need not be taken. */
  take(path: string, value: AttributeValue): boolean {
    const before = this.found.get(path);
    if (before === null || path === this.idAttribute) return false;
    if (typeof value === "string" && isBlank(value)) return true;
    const isNumber = typeof value === "string" && isNumberText(value);
    if (before === undefined && this.found.size >= MOST_ATTRIBUTES) return false;
    if (!isNumber) this.found.set(path, null);
    else if (before === undefined) this.found.set(path, value);
    return isNumber;
  }

  /** The attributes, sorted, each with such a text. */
  attributes(): (readonly [path: string, example: string])[] {
    const found: (readonly [string, string])[] = [];
    for (const [path, example] of this.found) if (example !== null) found.push([path, example]);
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** Whether a value is a word: a text that is neither blank nor a number. */
export function isWord(value: AttributeValue): boolean {
  return typeof value === "string" && !isBlank(value) && !isNumberText(value);
}

/**
 * A text by which the records of a column that are not deleted hold nothing but numbers as texts; null: they hold something else;
 * undefined: they hold nothing.
 */
export function* numberTextOf(
  column: DocValues,
  deletedDocs: DocSet<LocalDoc> | null,
): Task<string | null | undefined> {
  const { values } = column;
  let example: string | undefined;
  // From the end, because words come behind digits, and numbers at the beginning.
  if (typeof values[0] === "number" && isLiveOrdinal(column, 0, deletedDocs)) return null;
  for (let i = values.length - 1; i >= 0; i--) {
    if (i % VALUES_AT_ONCE === 0) yield;
    const value = values[i]!;
    if (!isLiveOrdinal(column, i, deletedDocs)) continue;
    if (typeof value !== "string" || isWord(value)) return null;
    if (!isBlank(value)) example = value;
  }
  return example;
}
