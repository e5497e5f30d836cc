// What the indexes of a life must be: of each its naive twin and the settings given, in every version of the calls at
// hand. Calls that are made together may see any version since the last calm; writers make the next one in the order of
// their calls.

import type { FilterObject, SearchIndex } from "../../src/index.js";
import { NaiveEngine } from "../support/naive-engine.js";
import { type Call, faultOf, type Id, type Item, type Write } from "./calls.js";
import type { FuzzShop } from "./shop.js";

export interface Version {
  readonly naive: NaiveEngine;
  readonly given: Readonly<Record<string, unknown>>;
  readonly ids: ReadonlySet<string>;
  /** Components of its vectors; 0: it has none. */
  readonly dimensions: number;
}

/** What a call must give, and what it then makes of the indexes; a refusal is as "409 settings_changed". */
export type Effect = { readonly refusal: string } | { readonly result: unknown; readonly publish: () => void };

export class ModelIndex {
  shop: FuzzShop;
  handle: SearchIndex | undefined;
  /** Deleted since the records were last all replaced. */
  readonly deleted: Set<string> = new Set();
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
  next(change: (naive: NaiveEngine) => unknown, given: Version["given"]): Version {
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

  /** Puts another index's last version after all of this one's. */
  copyFrom(other: ModelIndex): void {
    this.shop = other.shop;
    this.publish(other.last);
    for (const id of other.everHeld) this.everHeld.add(id);
    this.deleted.clear();
    for (const id of other.deleted) this.deleted.add(id);
    this.resettled = true;
  }
}

export class Model {
  readonly indexes: Map<string, ModelIndex> = new Map();
  readonly stale: SearchIndex[] = [];
  private readonly mostRecords: number;

  constructor(mostRecords: number = Number.POSITIVE_INFINITY) {
    this.mostRecords = mostRecords;
  }

  create(name: string, shop: FuzzShop): ModelIndex {
    const model = new ModelIndex(shop);
    this.indexes.set(name, model);
    return model;
  }

  /** What any other call leads to. */
  effectOf(call: Write | Call<"copyIndex" | "moveIndex" | "deleteIndex">): Effect {
    const { verb, args } = call;
    const [name, destination] = args;
    const model = this.indexes.get(name);
    if (model === undefined) return { refusal: "404 index_not_found" };
    if (verb === "deleteIndex") return { result: undefined, publish: () => this.end(name, model) };
    if (verb !== "copyIndex" && verb !== "moveIndex") return this.written(model, call as Write);
    const publish = (): void => {
      if (name === destination) return;
      this.takeOver(model, destination as string);
      if (verb === "moveIndex") this.end(name, model);
    };
    return { result: undefined, publish };
  }

  /** Takes a call, and gives its result or how it is refused; nothing else is at hand. */
  take(call: Parameters<Model["effectOf"]>[0]): { readonly refusal: string } | { readonly result: unknown } {
    const effect = this.effectOf(call);
    if ("refusal" in effect) return effect;
    effect.publish();
    for (const model of this.indexes.values()) model.settle();
    return { result: effect.result };
  }

  private written(model: ModelIndex, { verb, args: [, given, options] }: Write): Effect {
    const { last } = model;
    const [items, ids, settings] = [given as readonly Item[], given as readonly Id[], given as object];
    const { filters } = { filters: "", ...(given as { readonly filters?: string | FilterObject }) };
    const { createIfNotExists = true, onInvalid } = (options ?? {}) as WriteOptions;
    const isHeld = ({ id }: Item): boolean => createIfNotExists || last.ids.has(String(id));
    let skipped: readonly Skipped[] = [];
    let good = items;
    /** Those are left out, and the others go on. */
    const setAside = (wrong: readonly Item[], errorOf: (item: Item) => string): void => {
      const named = wrong.map((item) => {
        const { id } = item;
        const shown = typeof id === "number" || (typeof id === "string" && id !== "") ? { id: String(id) } : {};
        return { index: items.indexOf(item), ...shown, error: errorOf(item) };
      });
      skipped = [...skipped, ...named].sort((a, b) => a.index - b.index);
      good = good.filter((item) => !wrong.includes(item));
    };
    const told = (): object => (onInvalid === undefined ? {} : { skipped });
    const naives: Readonly<Record<Write["verb"], (naive: NaiveEngine) => unknown>> = {
      addRecords: (naive) => good.map((record) => naive.add(record)),
      updateRecords: (naive) => {
        const undone = good.filter((patch) => !naive.update(patch, createIfNotExists));
        setAside(undone, () => "invalid_record");
      },
      replaceAllRecords: (naive) => naive.replaceAll(good),
      deleteRecords: (naive) => ids.map((id) => naive.delete(id)),
      deleteBy: (naive) => naive.deleteBy(filters),
      clearIndex: (naive) => naive.replaceAll([]),
      updateSettings: (naive) => naive.updateSettings(settings),
    };
    const results: Readonly<Record<Write["verb"], (next: Version) => unknown>> = {
      addRecords: () => ({ ...countItems(good, last.ids), ...told() }),
      updateRecords: () => ({ ...countItems(good.filter(isHeld), last.ids), ...told() }),
      replaceAllRecords: (next) => ({ added: next.ids.size, replaced: 0, ...told() }),
      deleteRecords: (next) => ({ deleted: last.ids.size - next.ids.size }),
      deleteBy: (next) => ({ deleted: last.ids.size - next.ids.size }),
      clearIndex: () => undefined,
      updateSettings: () => undefined,
    };
    // Records are read by the settings in force at the call.
    const reads = ["addRecords", "updateRecords", "replaceAllRecords"].includes(verb);
    if (reads && model.resettled) return { refusal: "409 settings_changed" };
    if (reads)
      setAside(
        items.filter((item) => faultOf(item) !== undefined),
        (item) => faultOf(item)!,
      );
    const next = model.next(naives[verb], verb === "updateSettings" ? { ...last.given, ...settings } : last.given);
    if (skipped.length > 0 && onInvalid === undefined) return { refusal: `400 ${skipped[0]!.error}` };
    if (next.ids.size > this.mostRecords) return { refusal: "507" };
    const publish = (): void => {
      model.publish(next);
      // Nothing need be remembered of deleted records where all records are new.
      if (verb === "replaceAllRecords" || verb === "clearIndex") model.deleted.clear();
      // The same settings change nothing.
      if (verb === "updateSettings" && differs(settings, last.given)) model.resettled = true;
    };
    return { result: results[verb](next), publish };
  }

  private takeOver(source: ModelIndex, destination: string): void {
    let model = this.indexes.get(destination);
    if (model === undefined) {
      model = new ModelIndex(source.shop);
      model.appearing = true;
      this.indexes.set(destination, model);
    }
    model.copyFrom(source);
  }

  private end(name: string, model: ModelIndex): void {
    this.indexes.delete(name);
    model.ended = true;
    if (model.handle !== undefined) this.stale.push(model.handle);
  }
}

type WriteOptions = { readonly createIfNotExists?: boolean; readonly onInvalid?: "skip" };

type Skipped = { readonly index: number; readonly id?: string; readonly error: string };

function differs(settings: object, given: Version["given"]): boolean {
  return Object.entries(settings).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(given[name]));
}

/** Of several records of one id the last counts, so this is how many records they are. */
function countItems(items: readonly Item[], held: ReadonlySet<string>): { added: number; replaced: number } {
  const ids = [...new Set(items.map(({ id }) => String(id)))];
  const replaced = ids.filter((id) => held.has(id)).length;
  return { added: ids.length - replaced, replaced };
}
