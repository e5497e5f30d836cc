// What the indexes of an engine are called in the cluster. An index is an alias of a physical one, so that another can take its place at
// once; a second alias of each is for writing alone: a write must not make an index that was replaced or deleted meanwhile.

const PLAIN = /[a-z0-9.-]/;

/** The names in the cluster of an engine's indexes. */
export class ClusterNames {
  private readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
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
