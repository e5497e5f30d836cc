// Which attributes there are, and which of them can be filtered by: numbers, booleans, and strings that are mostly short.
// Decided per attribute, over all records since the index was created or cleared.

import type { AttributeValue } from "./filter.js";

/** Strings up to so many characters are values; longer ones are texts. */
const SHORT = 128;

/** What records held under one path. */
interface Seen {
  short: number;
  long: number;
}

/** Paths with what they hold. */
export class AttributeCatalog {
  private readonly seen = new Map<string, Seen>();

  /** Counts one value. */
  see(path: string, value: AttributeValue): void {
    let seen = this.seen.get(path);
    if (seen === undefined) {
      seen = { short: 0, long: 0 };
      this.seen.set(path, seen);
    }
    if (typeof value === "string" && value.length > SHORT) seen.long++;
    else seen.short++;
  }

  /** Takes over what another has counted. */
  add(other: AttributeCatalog): void {
    for (const [path, { short, long }] of other.seen) {
      const before = this.seen.get(path) ?? { short: 0, long: 0 };
      this.seen.set(path, { short: before.short + short, long: before.long + long });
    }
  }

  clear(): void {
    this.seen.clear();
  }

  get isEmpty(): boolean {
    return this.seen.size === 0;
  }

  has(path: string): boolean {
    return this.seen.has(path);
  }

  /** True for an attribute that holds values rather than texts. */
  holdsValues(path: string): boolean {
    const seen = this.seen.get(path);
    return seen !== undefined && seen.long <= seen.short;
  }

  /** The attributes that hold values, by name. */
  valueAttributes(): string[] {
    return [...this.seen.keys()].filter((path) => this.holdsValues(path)).sort();
  }
}
