// The dotted paths of a record type, for parameters and settings that name attributes, how names compare, and paths as a tree: a record is
// walked once, however many there are.

import type { WrittenValue } from "./json.js";

/** The depth to which paths are typed. */
type Depth = [never, 0, 1, 2];

type Item<T> = T extends readonly (infer U)[] ? U : T;
/** A value, or what an array holds, without null and undefined. */
export type Inner<T> = NonNullable<Item<NonNullable<T>>>;

/** A value without attributes of its own. A Date is one: it is stored as its ISO text. */
type Leaf = string | number | boolean | Date;

type PathsOf<T, D extends number> = [D] extends [never]
  ? never
  : T extends object
    ? {
        [K in keyof T & string]: Inner<T[K]> extends Leaf
          ? K
          : Inner<T[K]> extends object
            ? K | `${K}.${PathsOf<Inner<T[K]>, Depth[D]>}`
            : K;
      }[keyof T & string]
    : never;

/**
 * Whether nothing is known of the attributes of a record type. It goes through a mapped type so that TypeScript compares
 * `SearchParams<A>` with `SearchParams<B>` member by member; by their arguments alone none would be the other.
 */
export type IsUntyped<R extends object> = {
  readonly [K in keyof R & string]-?: string extends keyof R ? true : false;
} extends { readonly [name: string]: true }
  ? true
  : false;

/** A record of which nothing is known, as it is written: a `Date` is stored as its ISO text. */
export type UntypedRecord<R extends object> =
  IsUntyped<R> extends true ? { readonly [name: string]: WrittenValue } : never;

/** The dotted paths of a record type, three names deep; any string when the type has no known keys. */
export type AttributePath<R extends object> = IsUntyped<R> extends true ? string : PathsOf<R, 2>;

/** A path as a setting takes it: a misspelt name does not compile. Paths of more than three names are not checked. */
export type SettingPath<R extends object> = AttributePath<R> | `${string}.${string}.${string}.${string}`;

/** A path as a parameter takes it: known ones are suggested, and any text is accepted, because it may come from a URL. */
export type ParameterPath<R extends object> = AttributePath<R> | (string & Record<never, never>);

/** The last name of a path. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/**
 * A name as usual names compare: without case, blanks, signs, and the prefix of Google's feeds. "part_number", "Part Number", "partNumber" and
 * "g:part_number" are one name.
 */
export function plainName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/^g:/, "")
    .replace(/[^\p{L}\p{N}.]+/gu, "");
  return plain === "" ? name : plain;
}

/** Whether a name in `facets` stands for several attributes: all, or those within one. */
export function isFacetPattern(name: string): boolean {
  return name === "*" || (name.length > 2 && name.endsWith(".*"));
}

/** What the names of these attributes begin with. */
export function facetPrefix(pattern: string): string {
  return pattern.slice(0, -1);
}

/**
 * Dotted paths, each with an option. A name of a record may itself contain dots: an attribute whose own name is a path wins
 * over the same path into another attribute.
 */
export class PathTree<O> {
  /** The option of the path that ends here; undefined: none does. */
  option: O | undefined = undefined;
  readonly children: Map<string, PathTree<O>> = new Map();

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
