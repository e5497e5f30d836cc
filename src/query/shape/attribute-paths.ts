// The paths to attributes that a query names, as a tree: a record is walked once, however many paths there are.

import type { JsonRecord, JsonValue } from "../../util/json.js";

/**
 * Dotted paths, each with an option. A name of a record may itself contain dots: an attribute whose own name is a path wins
 * over the same path into another attribute.
 */
export class PathTree<O> {
  /** The option of the path that ends here; undefined: none does. */
  option: O | undefined = undefined;
  private readonly children = new Map<string, PathTree<O>>();

  constructor(paths: Iterable<readonly [path: string, option: O]> = []) {
    for (const [path, option] of paths) {
      let node: PathTree<O> = this;
      for (const step of path.split(".")) {
        const child = node.children.get(step) ?? new PathTree<O>();
        node.children.set(step, child);
        node = child;
      }
      node.option = option;
    }
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
 * The parts of a record that `attributesToRetrieve` names: paths, `*`, `-path`. Own properties only; arrays of objects are walked item by
 * item. Takes a fresh copy of the record, which it may return.
 */
export function projectRecord(record: JsonRecord, paths: readonly string[]): JsonRecord {
  const hidden = paths.filter((path) => path.startsWith("-") && path.length > 1).map((path) => path.slice(1));
  const shown = paths.filter((path) => !path.startsWith("-"));
  // With exclusions only, everything else is shown.
  const whole = shown.includes("*") || (shown.length === 0 && hidden.length > 0);
  const picked = whole ? record : (partOf(record, treeOf(shown), true) ?? {});
  if (hidden.length === 0) return picked as JsonRecord;
  const hiding = treeOf(hidden);
  // A name of the record with dots takes its path, shown or not.
  return (partOf(picked, hiding, false, hiding.ownNames(Object.keys(record))) ?? {}) as JsonRecord;
}

function treeOf(paths: readonly string[]): PathTree<true> {
  return new PathTree(paths.map((path) => [path, true]));
}

/** The part of a value that the paths name or, if `keeps` is false, the rest; undefined if that is nothing. */
function partOf(
  value: JsonValue,
  paths: PathTree<true> | undefined,
  keeps: boolean,
  taken: Taken = new Set(),
): JsonValue | undefined {
  if (paths === undefined) return keeps ? undefined : value;
  if (paths.option === true && !taken.has(paths)) return keeps ? value : undefined;
  if (Array.isArray(value)) {
    const parts = value
      .map((item: JsonValue) => partOf(item, paths, keeps, taken))
      .filter((part) => part !== undefined);
    return keeps && parts.length === 0 ? undefined : parts;
  }
  if (typeof value !== "object" || value === null) return keeps ? undefined : value;
  const own = paths.ownNames(Object.keys(value));
  const takenInside = own.size === 0 ? taken : new Set([...taken, ...own]);
  const entries: [string, JsonValue][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const node = paths.at(name);
    const isOwn = node !== undefined && own.has(node);
    const part = isOwn ? (keeps ? inner : undefined) : partOf(inner, node, keeps, takenInside);
    if (part !== undefined) entries.push([name, part]);
  }
  return keeps && entries.length === 0 ? undefined : Object.fromEntries(entries);
}
