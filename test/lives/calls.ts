// Calls as data, each the name of a verb and its arguments, so that several engines, and other processes, can be given the same.

import type { FilterObject, IndexSettings, JsonRecord, JsonValue, SearchEngine } from "../../src/index.js";
import { randomOperation } from "../support/naive-operations.js";
import type { Random } from "../support/random.js";
import { preview } from "./preview.js";

/** The verbs that change the records or the settings of an index. */
type WriteVerb =
  | "addRecords"
  | "updateRecords"
  | "replaceAllRecords"
  | "deleteRecords"
  | "deleteBy"
  | "clearIndex"
  | "updateSettings";

/** The verbs that change what an engine holds. */
type Verb = WriteVerb | "createIndex" | "copyIndex" | "moveIndex" | "deleteIndex" | "importIndex" | "readSnapshot";

/** A call of an engine; the first argument is the name of an index. */
export interface Call<V extends Verb = Verb> {
  readonly verb: V;
  readonly args: readonly [name: string, ...rest: readonly unknown[]];
}

export type Write = Call<WriteVerb>;

export type Id = string | number;
export type Item = JsonRecord & { readonly id: Id };

/** What the calls of one index are made of. */
export interface Goods {
  readonly records: () => Item[];
  readonly ids: () => Id[];
  readonly filters: () => string | FilterObject;
  readonly settings: () => IndexSettings;
}

/** How often each verb is drawn beside the others, in whole numbers. */
export type Shares = Readonly<Record<WriteVerb, number>>;

/** Gives a call to an engine. */
export async function take(engine: SearchEngine, { verb, args }: Call): Promise<unknown> {
  return Reflect.apply(engine[verb], engine, args);
}

/** A call as a line of a story. */
export function shown({ verb, args }: Call): string {
  return `${verb} ${args.map(preview).join(" ")}`;
}

/** A call that writes to an index. */
export function writeOf(random: Random, name: string, goods: Goods, shares: Shares): Write {
  const argsOf: Readonly<Record<WriteVerb, () => readonly unknown[]>> = {
    addRecords: () => [goods.records()],
    updateRecords: () => [patchesOf(random, goods.records()), { createIfNotExists: random.chance(0.7) }],
    replaceAllRecords: () => [goods.records()],
    deleteRecords: () => [goods.ids()],
    deleteBy: () => [{ filters: goods.filters() }],
    clearIndex: () => [],
    updateSettings: () => [goods.settings()],
  };
  const verbs = Object.keys(argsOf) as WriteVerb[];
  const verb = random.pick(verbs.flatMap((each) => new Array<WriteVerb>(shares[each]).fill(each)));
  return { verb, args: [name, ...argsOf[verb]()] };
}

/** Some attributes of the records, and operations on some; the same id may come twice. */
function patchesOf(random: Random, records: readonly Item[]): Item[] {
  const change = (name: string, value: JsonValue): JsonValue => {
    // Neither a vector nor a place takes an operation.
    const isChanged =
      name !== "vec" &&
      name !== "_geoloc" &&
      random.chance(typeof value === "number" || Array.isArray(value) ? 0.3 : 0.005);
    return isChanged ? randomOperation(random, value) : value;
  };
  return [...records, ...random.some(records, 0.2)].map(({ id, ...rest }) => {
    const some = random.some(Object.entries(rest), 0.3);
    return { id, ...Object.fromEntries(some.map(([name, value]) => [name, change(name, value)])) };
  });
}
