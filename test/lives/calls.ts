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
  const skipping = random.chance(0.2);
  const records = (): readonly Item[] => (skipping ? withWrong(random, goods.records()) : goods.records());
  const skip = skipping ? { onInvalid: "skip" } : {};
  const argsOf: Readonly<Record<WriteVerb, () => readonly unknown[]>> = {
    addRecords: () => [records(), ...(skipping ? [skip] : [])],
    updateRecords: () => [patchesOf(random, records()), { createIfNotExists: random.chance(0.7), ...skip }],
    replaceAllRecords: () => [records(), ...(skipping ? [skip] : [])],
    deleteRecords: () => [goods.ids()],
    deleteBy: () => [{ filters: goods.filters() }],
    clearIndex: () => [],
    updateSettings: () => [goods.settings()],
  };
  const verbs = Object.keys(argsOf) as WriteVerb[];
  const verb = random.pick(verbs.flatMap((each) => new Array<WriteVerb>(shares[each]).fill(each)));
  return { verb, args: [name, ...argsOf[verb]()] };
}

/** Wrong attributes, and the name of the error. */
const FAULTS: readonly (readonly [fault: JsonRecord, error: string])[] = [
  [{ id: null }, "invalid_id"],
  [{ id: "" }, "invalid_id"],
  [{ _geoloc: { lat: 91, lng: 0 } }, "invalid_record"],
  [{ within: { deep: { _operation: "Add", value: 1 } } }, "invalid_record"],
];

/** The records with some wrong ones among them. */
function withWrong(random: Random, records: readonly Item[]): Item[] {
  const wrong = random.some(records, 0.5).map((record) => ({ ...record, ...random.pick(FAULTS)[0] }) as Item);
  return random.shuffle([...records, ...wrong]);
}

/** What is wrong with a record or a patch, by the name of the error; undefined: nothing that could be seen without the index. */
export function faultOf(record: JsonRecord): string | undefined {
  const isFault = ([name, value]: [string, JsonValue]): boolean =>
    JSON.stringify(record[name]) === JSON.stringify(value);
  return FAULTS.find(([fault]) => Object.entries(fault).every(isFault))?.[1];
}

/** The result of a write without the sentences that say what is wrong with records that were left out. */
export function withoutSentences(result: unknown): unknown {
  const { skipped, ...rest } = (result ?? {}) as { readonly skipped?: readonly { readonly msg: string }[] };
  return skipped === undefined ? result : { ...rest, skipped: skipped.map(({ msg: _msg, ...each }) => each) };
}

/** Some attributes of the records, and operations on some; the same id may come twice. */
function patchesOf(random: Random, records: readonly Item[]): Item[] {
  const change = (name: string, value: JsonValue): JsonValue => {
    // Neither a vector nor a place takes an operation.
    const isChanged =
      name !== "vec" &&
      name !== "_geoloc" &&
      name !== "within" &&
      random.chance(typeof value === "number" || Array.isArray(value) ? 0.3 : 0.005);
    return isChanged ? randomOperation(random, value) : value;
  };
  return [...records, ...random.some(records, 0.2)].map(({ id, ...rest }) => {
    const some = random.some(Object.entries(rest), 0.3);
    return { id, ...Object.fromEntries(some.map(([name, value]) => [name, change(name, value)])) };
  });
}
