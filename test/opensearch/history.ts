// Calls of several processes at once, and whether the contents that they left can be theirs. A call took effect at one moment between its
// begin and its end, or, where nobody knows whether it was done, at any later one or never.

import type { JsonRecord } from "../../src/index.js";
import { isUnknown, type Outcome } from "../support/cluster-child.js";

/** A call, with its place among the begins and ends of all. */
export interface MadeCall {
  readonly child: number;
  readonly verb: string;
  readonly args: readonly [name: string, ...rest: readonly unknown[]];
  readonly began: number;
  /** Undefined: it has not ended. */
  outcome: Outcome | undefined;
  ended: number;
}

export type Item = JsonRecord & { readonly id: string };

/** The records of each index by id, and the settings of the ledger as they were given. */
export interface Contents {
  readonly indexes: ReadonlyMap<string, ReadonlyMap<string, Item>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** An index that always stays, whose records are written one by one. */
export const LEDGER = "ledger";
/** Indexes that are renamed, replaced and deleted; an id is written once. */
export const SWAPPED = ["swap", "side"] as const;

type State = Readonly<Record<string, ReadonlyMap<string, string> | undefined>>;

/** A write of one value; undefined: there is none any more. */
interface Write {
  readonly value: string | undefined;
  readonly began: number;
  readonly ended: number;
  readonly isSure: boolean;
}

/** An effect on the swapped indexes: the states that it may make of one. */
interface Effect extends Pick<Write, "began" | "ended" | "isSure"> {
  readonly apply: (state: State) => readonly State[];
}

/** The search for an order of effects ends after so many states. */
const MOST_STATES = 100_000;

const json = JSON.stringify;

/** Whether a call was done; of one that wrote a part, a record of it. */
function fateOf({ outcome }: MadeCall, id?: string): "done" | "refused" | "unknown" {
  if (outcome === undefined || isUnknown(outcome)) return "unknown";
  if (!("refused" in outcome)) return "done";
  const { recordIds, written } = outcome.refused.details ?? {};
  if (Array.isArray(recordIds) && id !== undefined) return recordIds.map(String).includes(id) ? "refused" : "done";
  return written === undefined || written === 0 ? "refused" : "unknown";
}

const timesOf = (call: MadeCall, id?: string): Pick<Write, "began" | "ended" | "isSure"> => {
  const isSure = fateOf(call, id) === "done";
  return { began: call.began, ended: isSure ? call.ended : Number.POSITIVE_INFINITY, isSure };
};

/** What is wrong with the contents after some calls; undefined: nothing, or nothing that could be found. */
export function faultOf(before: Contents, calls: readonly MadeCall[], after: Contents): string | undefined {
  const ledger = new Ledger(before, calls, after);
  return ledger.faultOfRecords() ?? ledger.faultOfSettings() ?? faultOfSwapped(before, calls, after);
}

class Ledger {
  private readonly before: Contents;
  private readonly calls: readonly MadeCall[];
  private readonly after: Contents;

  constructor(before: Contents, calls: readonly MadeCall[], after: Contents) {
    this.before = before;
    this.calls = calls.filter(({ args: [name] }) => name === LEDGER);
    this.after = after;
  }

  faultOfRecords(): string | undefined {
    const [before, after] = [this.before, this.after].map(({ indexes }) => indexes.get(LEDGER) ?? new Map());
    const writes = new Map<string, Write[]>();
    for (const id of before!.keys()) writes.set(id, []);
    const add = (call: MadeCall, id: string, value: string | undefined): void => {
      if (fateOf(call, id) === "refused") return;
      writes.set(id, [...(writes.get(id) ?? []), { ...timesOf(call, id), value }]);
    };
    const added = this.calls.filter(({ verb }) => verb === "addRecords");
    const all = [...before!.values(), ...added.flatMap(({ args }) => args[1] as Item[])];
    for (const call of this.calls) {
      const [, given] = call.args;
      if (call.verb === "addRecords") for (const item of given as Item[]) add(call, item.id, json(item));
      if (call.verb === "deleteRecords") for (const id of given as string[]) add(call, id, undefined);
      if (call.verb !== "deleteBy") continue;
      const group = /"(.*)"/.exec((given as { filters: string }).filters)![1];
      for (const id of new Set(all.filter((item) => item.group === group).map((item) => item.id)))
        add(call, id, undefined);
    }
    for (const id of after!.keys()) if (!writes.has(id)) return `${id} was never written.`;
    for (const [id, ofId] of writes) {
      const [was, is] = [before!.get(id), after!.get(id)];
      const fault = id.startsWith("c")
        ? this.faultOfCounter(was!, is)
        : faultOfRegister(was && json(was), ofId, is && json(is));
      if (fault !== undefined) return `The record ${id} of the ledger ${fault}`;
    }
    return undefined;
  }

  /** Each patch adds to the number, and a word of its own to the list, both once; an attribute of each process is set. */
  private faultOfCounter(was: Item, is: Item | undefined): string | undefined {
    if (is === undefined) return "is gone.";
    const patches = this.calls.flatMap((call) =>
      call.verb !== "updateRecords"
        ? []
        : (call.args[1] as Item[]).flatMap((patch) => (patch.id === was.id ? [{ call, patch }] : [])),
    );
    const wordOf = (patch: Item): string => (patch.words as { value?: string } | undefined)?.value ?? "";
    const [old, words] = [was.words, is.words] as [string[], string[]];
    if (json(words.slice(0, old.length)) !== json(old)) return "lost words of before.";
    const fresh = words.slice(old.length);
    if (new Set(fresh).size < fresh.length) return `was given a word twice: ${fresh}.`;
    let sum = was.n as number;
    for (const { call, patch } of patches) {
      const { _operation, value } = patch.n as { _operation: string; value: number };
      const isThere = fresh.includes(wordOf(patch));
      if (isThere) sum += _operation === "Increment" ? value : -value;
      const fate = fateOf(call, was.id);
      if (fate === (isThere ? "refused" : "done"))
        return `${isThere ? "has" : "lacks"} ${wordOf(patch)}, of a call that was ${fate}.`;
    }
    const known = patches.map(({ patch }) => wordOf(patch));
    if (!fresh.every((word) => known.includes(word))) return `has words of no call: ${fresh}.`;
    if (sum !== is.n) return `counts ${is.n}, and its words say ${sum}.`;
    for (const key of new Set(
      patches.flatMap(({ patch }) => Object.keys(patch).filter((name) => name.startsWith("of"))),
    )) {
      const own = patches.filter(({ call, patch }) => key in patch && fateOf(call, was.id) !== "refused");
      const writes = own.map(({ call, patch }) => ({ ...timesOf(call, was.id), value: json(patch[key]) }));
      const fault = faultOfRegister(json(was[key]), writes, json(is[key]));
      if (fault !== undefined) return `${fault} (${key})`;
    }
    return undefined;
  }

  faultOfSettings(): string | undefined {
    const updates = this.calls.filter((call) => call.verb === "updateSettings" && fateOf(call) !== "refused");
    const given = (call: MadeCall): Readonly<Record<string, unknown>> => call.args[1] as Record<string, unknown>;
    for (const key of new Set([
      ...updates.flatMap((call) => Object.keys(given(call))),
      ...Object.keys(this.before.settings),
    ])) {
      const own = updates.filter((call) => key in given(call));
      const writes = own.map((call) => ({ ...timesOf(call), value: json(given(call)[key]) }));
      const fault = faultOfRegister(json(this.before.settings[key]), writes, json(this.after.settings[key]));
      if (fault !== undefined) return `The setting ${key} ${fault}`;
    }
    return undefined;
  }
}

/** The value is that of a write after which no other began and was done. */
function faultOfRegister(
  before: string | undefined,
  writes: readonly Write[],
  after: string | undefined,
): string | undefined {
  const sure = writes.filter(({ isSure }) => isSure);
  const last = writes.filter(({ ended }) => !sure.some(({ began }) => began > ended));
  const possible = [...(sure.length === 0 ? [before] : []), ...last.map(({ value }) => value)];
  return possible.includes(after) ? undefined : `is ${after}, and may be ${possible.join(" or ") || "nothing"}.`;
}

/** Looks for an order of the effects that leads to what is there. */
function faultOfSwapped(before: Contents, calls: readonly MadeCall[], after: Contents): string | undefined {
  const goal = textOf(stateOf(after));
  const effects = calls.flatMap((call) => effectsOf(call, calls, goal));
  const seen = new Set<string>();
  let isCut = false;
  const search = (state: State, taken: ReadonlySet<Effect>): boolean => {
    const left = effects.filter((effect) => !taken.has(effect));
    const sure = left.filter(({ isSure }) => isSure);
    const text = textOf(state);
    if (sure.length === 0 && text === goal) return true;
    const copies = Object.entries(state).map(([name, items]) => `${name} ${[...(items?.values() ?? [])]}`);
    const key = `${left.map((effect) => effects.indexOf(effect))} ${text} ${copies}`;
    if (seen.has(key)) return false;
    if (seen.size >= MOST_STATES) {
      isCut = true;
      return false;
    }
    seen.add(key);
    const end = Math.min(...sure.map(({ ended }) => ended));
    return left
      .filter(({ began }) => began <= end)
      .some((effect) => effect.apply(state).some((next) => search(next, new Set([...taken, effect]))));
  };
  if (search(stateOf(before), new Set()) || isCut) return undefined;
  return `No order of the calls gives what ${SWAPPED.join(" and ")} have: ${goal}, after ${textOf(stateOf(before))}.`;
}

function stateOf({ indexes }: Contents): State {
  const idsOf = (name: string): readonly (readonly [string, ReadonlyMap<string, string>])[] => {
    const items = indexes.get(name);
    return items === undefined ? [] : [[name, new Map([...items].map(([id, item]) => [id, json(item)]))]];
  };
  return Object.fromEntries(SWAPPED.flatMap(idsOf));
}

function textOf(state: State): string {
  return SWAPPED.map((name) => {
    const items = state[name];
    return items === undefined ? `no ${name}` : `${name} ${[...items.values()].sort()}`;
  }).join("; ");
}

function effectsOf(call: MadeCall, calls: readonly MadeCall[], goal: string): readonly Effect[] {
  const { verb, args } = call;
  const [name, given] = args;
  if (name === LEDGER || fateOf(call) === "refused") return [];
  const times = timesOf(call);
  const mapOf = (items: readonly Item[]): Map<string, string> => new Map(items.map((item) => [item.id, json(item)]));
  /** Of an index that must be there. */
  const change = (of: (items: ReadonlyMap<string, string>, state: State) => readonly State[]): Effect => ({
    ...times,
    apply: (state) => (state[name] === undefined ? [] : of(state[name], state)),
  });
  const sets = (state: State, items: ReadonlyMap<string, string> | undefined, to = name): State => ({
    ...state,
    [to]: items,
  });
  // A copy reads at one moment, and is there at a later one.
  const held = `held ${calls.indexOf(call)}`;
  switch (verb) {
    case "addRecords": {
      // A record that may be written and is nowhere changes nothing that is looked for.
      const items = (given as Item[]).filter((item) => times.isSure || goal.includes(json(item)));
      return items.map((item) => change((old, state) => [sets(state, new Map([...old, [item.id, json(item)]]))]));
    }
    case "clearIndex":
      return [change((_, state) => [sets(state, new Map())])];
    case "replaceAllRecords": {
      const beside = calls.filter(
        (each) => each.verb === "addRecords" && each.began < times.ended && timesOf(each).ended > times.began,
      );
      const carried = new Set(beside.flatMap((each) => (each.args[1] as Item[]).map(({ id }) => id)));
      return [
        change((old, state) => {
          const some = [mapOf(given as Item[])];
          for (const [id, item] of [...old].filter(([each]) => carried.has(each)))
            some.push(...some.map((items) => new Map([...items, [id, item]])));
          return some.map((items) => sets(state, items));
        }),
      ];
    }
    case "createIndex":
      return [{ ...times, apply: (state) => [state[name] === undefined ? sets(state, new Map()) : state] }];
    case "deleteIndex":
      return [change((_, state) => [sets(state, undefined)])];
    case "copyIndex":
      return [
        change((old, state) => [sets(state, old, held)]),
        {
          ...times,
          apply: (state) =>
            state[held] === undefined ? [] : [sets(sets(state, state[held], given as string), undefined, held)],
        },
      ];
    case "moveIndex":
      return [change((old, state) => [sets(sets(state, undefined), old, given as string)])];
    case "importIndex": {
      const items = (given as string[]).map((line) => JSON.parse(line) as Item);
      return [{ ...times, apply: (state) => [sets(state, mapOf(items))] }];
    }
    default:
      return [];
  }
}
