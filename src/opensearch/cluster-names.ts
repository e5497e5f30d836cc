// What the indexes of an engine are called in the cluster. An index is an alias of a physical one, so that another can take its place at
// once; a second alias of each is for writing alone: a write must not make an index that was replaced or deleted meanwhile.

import { SearchError } from "../util/errors.js";
import { show } from "../util/show.js";

const PLAIN = /[a-z0-9.-]/;

/** Behind the prefix; no name of an index is written so, so that no prefix begins another one's names. */
const BEHIND_PREFIX = "_-";
/** The cluster takes names of 255 bytes, and physical ones are longer than aliases. */
const LONGEST_ALIAS = 200;

/** The names in the cluster of an engine's indexes. */
export class ClusterNames {
  private readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix + BEHIND_PREFIX;
  }

  /** Throws 400 `invalid_index_name` for a name that is too long in the cluster. */
  check(name: string): void {
    if (this.aliasOf(name).length <= LONGEST_ALIAS) return;
    const msg = `The index name ${show(name)} is too long in a cluster, where each capital and each _ counts twice; shorten it.`;
    throw new SearchError(400, "invalid_index_name", msg, { param: "indexName" });
  }

  /** The alias of an index. The cluster takes lower case alone: `_a` is `A`, and `__` is `_`. */
  aliasOf(name: string): string {
    return this.prefix + Array.from(name, (c) => (PLAIN.test(c) ? c : `_${c.toLowerCase()}`)).join("");
  }

  /** The name of an index with this alias; undefined: it is not one of this engine's. */
  nameOf(alias: string): string | undefined {
    if (!alias.startsWith(this.prefix) || alias.includes("~")) return undefined;
    return alias.slice(this.prefix.length).replace(/_(.)/g, (_, c: string) => c.toUpperCase());
  }

  /** All aliases, for the cluster to match. */
  get all(): string {
    return `${this.prefix}*`;
  }
}

/** A name for a physical index: no other has it. */
export function newPhysical(alias: string): string {
  return `${alias}~${crypto.randomUUID().slice(0, 18)}`;
}

/** The alias of a physical index for writing. */
export function writeAliasOf(physical: string): string {
  return `${physical}~w`;
}
