// Who works on an index at the same time. A search that takes several queries of the engine must see one state of the index, so no write
// runs beside it; and nothing runs beside a change of the definition, so that documents are written under the one that they were read by.

import { sharedSymbol } from "../util/brand.js";

/** What runs together: searches do, and so do writes of documents. */
export type Work = "searches" | "documents" | "definition";

/** Those who run together. */
interface Turn {
  readonly work: Work;
  readonly begins: Promise<void> | undefined;
  readonly ends: Promise<void>;
  readonly end: () => void;
  members: number;
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

function turnAfter(last: Turn | undefined, work: Work): Turn {
  let end = (): void => {};
  const ends = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work, begins: last?.ends, ends, end, members: 0 };
}

/** Works on an index of an engine, in its turn. */
export async function inTurn<T>(engine: object, name: string, work: Work, run: () => Promise<T>): Promise<T> {
  const all = lastTurns();
  const turns = all.get(engine) ?? new Map<string, Turn>();
  all.set(engine, turns);
  const last = turns.get(name);
  const turn = last?.work === work && work !== "definition" ? last : turnAfter(last, work);
  turns.set(name, turn);
  turn.members++;
  try {
    await turn.begins;
    return await run();
  } finally {
    turn.members--;
    if (turn.members === 0) {
      turn.end();
      if (turns.get(name) === turn) turns.delete(name);
    }
  }
}
