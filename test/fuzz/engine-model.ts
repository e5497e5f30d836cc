// What the indexes must be: of each its naive twin and the settings given, in every version of the calls at hand. Calls that
// are made together may see any version since the last calm; writers make the next one in the order of their calls.

import type { SearchIndex } from "../../src/index.js";
import { NaiveEngine } from "../support/naive-engine.js";
import type { FuzzShop } from "./random-fuzz-shop.js";

/** An index at one moment. */
export interface Version {
  readonly naive: NaiveEngine;
  readonly given: Readonly<Record<string, unknown>>;
  readonly ids: ReadonlySet<string>;
  /** Components of its vectors; 0: it has none. */
  readonly dimensions: number;
}

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Throws when the outcome is not what it must be. */
export type Judge = (outcome: Outcome) => void;

/** What a writer must give: the result, or the refusal as "409 settings_changed". */
export type Promised = { readonly result: unknown } | { readonly refusal: string };

export class ModelIndex {
  shop: FuzzShop;
  /** A handle that was got at some time. */
  handle: SearchIndex | undefined;
  /** Deleted since the records were last all replaced. */
  readonly deleted: Set<string> = new Set();
  /** Every id that ever was in it. */
  readonly everHeld: Set<string> = new Set();
  versions: Version[];
  /** The settings in force were replaced in the calls at hand. */
  resettled = false;
  /** It was deleted or moved away in the calls at hand: who was earlier may be refused with 404. */
  ended = false;
  /** It came into being in the calls at hand, but not at once: who reads it may be refused with 404. */
  appearing = false;

  constructor(shop: FuzzShop) {
    this.shop = shop;
    const { settings, naive } = shop.shop;
    const { dimensions } = shop;
    this.versions = [{ naive: new NaiveEngine(naive), given: { ...settings }, ids: new Set(), dimensions }];
  }

  get last(): Version {
    return this.versions.at(-1)!;
  }

  /** The calls at hand are over. */
  settle(): void {
    this.versions = [this.last];
    this.resettled = false;
    this.appearing = false;
  }

  /** A copy of the last version, changed. */
  next(change: (naive: NaiveEngine) => void, given: Version["given"] = this.last.given): Version {
    const naive = new NaiveEngine();
    naive.copyFrom(this.last.naive);
    change(naive);
    const ids = new Set(naive.records.map(({ id }) => String(id)));
    return { naive, given, ids, dimensions: this.last.dimensions };
  }

  /** A version comes after all others. */
  publish(version: Version): void {
    for (const id of this.last.ids) if (!version.ids.has(id)) this.deleted.add(id);
    for (const id of version.ids) this.everHeld.add(id);
    this.versions.push(version);
  }

  /** What was remembered of deleted records may be gone: all records are new. */
  forgetDeleted(): void {
    this.deleted.clear();
  }

  /** Puts another index's last version after all of this one's. */
  copyFrom(other: ModelIndex): void {
    this.shop = other.shop;
    this.publish(other.last);
    for (const id of other.everHeld) this.everHeld.add(id);
    this.forgetDeleted();
    for (const id of other.deleted) this.deleted.add(id);
    this.resettled = true;
  }
}

/** Of several records of one id the last counts, so this is how many records they are. */
export function countIds(ids: Iterable<string>, among: ReadonlySet<string>): { added: number; replaced: number } {
  const distinct = [...new Set(ids)];
  const replaced = distinct.filter((id) => among.has(id)).length;
  return { added: distinct.length - replaced, replaced };
}
