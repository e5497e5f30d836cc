// The dotted paths of a record type, for parameters and settings that name attributes, its dates, and how names compare.

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
