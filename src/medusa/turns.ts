// Who works on an index at the same time. A search that takes several queries of the engine must see one state of the index, so no write
// runs beside it. Writes run one after another, in the order of the calls, and under the definition that they were read by.

import { sharedSymbol } from "../util/brand.js";

/** Searches run together. */
type Work = "searches" | "write";

interface Turn {
  readonly work: Work;
  readonly begins: Promise<unknown>;
  /** Those who have not ended. */
  readonly members: Set<Promise<unknown>>;
}

/** The last turn on each index of an engine. */
type LastTurns = WeakMap<object, Map<string, Turn>>;

/** One for all copies of this package in a process, which may be given the same engine. */
function lastTurns(): LastTurns {
  const shared = globalThis as { [symbol: symbol]: LastTurns | undefined };
  const symbol = sharedSymbol("medusaTurns");
  shared[symbol] ??= new WeakMap();
  return shared[symbol];
}

/** Works on an index of an engine, in its turn. */
export async function inTurn<T>(engine: object, name: string, work: Work, run: () => Promise<T>): Promise<T> {
  const turns = lastTurns().get(engine) ?? new Map<string, Turn>();
  lastTurns().set(engine, turns);
  const last = turns.get(name);
  const isJoined = last?.work === work && work === "searches";
  const turn = isJoined
    ? last
    : { work, begins: Promise.allSettled(last?.members ?? []), members: new Set<Promise<unknown>>() };
  turns.set(name, turn);
  const running = turn.begins.then(run);
  turn.members.add(running);
  try {
    return await running;
  } finally {
    turn.members.delete(running);
    if (turn.members.size === 0 && turns.get(name) === turn) turns.delete(name);
  }
}
