// The paths to attributes that a query names, as a tree: a record is walked once, however many paths there are.

import type { JsonRecord, JsonValue } from "../util/json.js";
import type { Task } from "../util/tasks.js";

/** Attributes read between two pauses. */
const PAUSE_EVERY = 256;

/**
 * Dotted paths, each with an option. A name of a record may itself contain dots: an attribute whose own name is a path wins
 * over the same path into another attribute.
 */
export class PathTree<O> {
  /** The option of the path that ends here; undefined: none does. */
  option: O | undefined = undefined;
  private readonly children = new Map<string, PathTree<O>>();

  constructor(paths: Iterable<readonly [path: string, option: O]> = []) {
    for (const [path, option] of paths) this.add(path.split("."), option);
  }

  private add(steps: readonly string[], option: O): void {
    let node: PathTree<O> = this;
    for (const step of steps) {
      let child = node.children.get(step);
      if (child === undefined) {
        child = new PathTree<O>();
        node.children.set(step, child);
      }
      node = child;
    }
    node.option = option;
  }

  /** The rest of the paths that begin with an attribute's name. */
  at(name: string): PathTree<O> | undefined {
    const child = this.children.get(name);
    if (child !== undefined || !name.includes(".")) return child;
    let node: PathTree<O> | undefined = this;
    for (const step of name.split(".")) node = node?.children.get(step);
    return node;
  }

  /** The paths that are names of this object, dots included; they do not lead into its other attributes. */
  ownNames(names: readonly string[]): ReadonlySet<PathTree<O>> {
    const own = new Set<PathTree<O>>();
    for (const name of names) {
      const node = name.includes(".") ? this.at(name) : undefined;
      if (node?.option !== undefined) own.add(node);
    }
    return own;
  }
}

/** Paths that are the whole name of an attribute that was already found. */
type Taken = ReadonlySet<PathTree<true>>;

/**
 * The parts of a record that `attributesToRetrieve` names: paths, `*`, `-path`; undefined: all. Own properties only; arrays
 * of objects are walked item by item. Takes a fresh copy of the record, which it may return.
 */
export function* projectRecord(record: JsonRecord, paths: readonly string[] | undefined): Task<JsonRecord> {
  if (paths === undefined) return record;
  const hidden = paths.filter((path) => path.startsWith("-") && path.length > 1).map((path) => path.slice(1));
  const shown = paths.filter((path) => !path.startsWith("-"));
  // With exclusions only, everything else is shown.
  const whole = shown.includes("*") || (shown.length === 0 && hidden.length > 0);
  const walk = new Walk();
  const picked = whole ? record : ((yield* walk.part(record, treeOf(shown), true)) ?? {});
  if (hidden.length === 0) return picked as JsonRecord;
  const hiding = treeOf(hidden);
  // A name of the record with dots takes its path, shown or not.
  const taken = hiding.ownNames(Object.keys(record));
  return ((yield* walk.part(picked, hiding, false, taken)) ?? {}) as JsonRecord;
}

function treeOf(paths: readonly string[]): PathTree<true> {
  return new PathTree(paths.map((path) => [path, true]));
}

/** Picks or removes parts of values, with pauses. */
class Walk {
  private seen = 0;

  /** The part of a value that the paths name or, if `keeps` is false, the rest; undefined if that is nothing. */
  *part(
    value: JsonValue,
    paths: PathTree<true> | undefined,
    keeps: boolean,
    taken: Taken = new Set(),
  ): Task<JsonValue | undefined> {
    if (paths === undefined) return keeps ? undefined : value;
    if (paths.option === true && !taken.has(paths)) return keeps ? value : undefined;
    if (Array.isArray(value)) return yield* this.items(value as readonly JsonValue[], paths, keeps, taken);
    if (typeof value !== "object" || value === null) return keeps ? undefined : value;
    const names = Object.keys(value);
    const own = paths.ownNames(names);
    const takenInside = union(taken, own);
    const entries: [string, JsonValue][] = [];
    for (const name of names) {
      if (++this.seen % PAUSE_EVERY === 0) yield;
      const node = paths.at(name);
      const inner = (value as JsonRecord)[name]!;
      const isOwn = node !== undefined && own.has(node);
      const part = isOwn ? (keeps ? inner : undefined) : yield* this.part(inner, node, keeps, takenInside);
      if (part !== undefined) entries.push([name, part]);
    }
    return keeps && entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  private *items(
    items: readonly JsonValue[],
    paths: PathTree<true>,
    keeps: boolean,
    taken: Taken,
  ): Task<JsonValue | undefined> {
    const parts: JsonValue[] = [];
    for (const item of items) {
      if (++this.seen % PAUSE_EVERY === 0) yield;
      const part = yield* this.part(item, paths, keeps, taken);
      if (part !== undefined) parts.push(part);
    }
    return keeps && parts.length === 0 ? undefined : parts;
  }
}

function union<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> {
  return b.size === 0 ? a : a.size === 0 ? b : new Set([...a, ...b]);
}
