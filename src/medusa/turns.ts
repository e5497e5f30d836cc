// Who works on an index at the same time. A search that takes several queries of the engine must see one state of the index, so no write
// runs beside it; and nothing runs beside a change of the definition, so that documents are written under the one that they were read by.

import { sharedSymbol } from "../util/brand.js";

/** What runs together: searches do, and so do writes of documents. */
export type Work = "searches" | "documents" | "definition";

interface Waiting {
  readonly work: Work;
  readonly begin: () => void;
}

/** The turns on one index, in the order in which they are asked for. */
class Turns {
  private running = 0;
  private work: Work = "definition";
  private readonly waiting: Waiting[] = [];

  get areOver(): boolean {
    return this.running === 0 && this.waiting.length === 0;
  }

  async take(work: Work): Promise<void> {
    if (this.waiting.length === 0 && this.fits(work)) this.begin(work);
    else
      await new Promise<void>((begin) => {
        this.waiting.push({ work, begin });
      });
  }

  end(): void {
    this.running--;
    for (let next = this.waiting[0]; next !== undefined && this.fits(next.work); next = this.waiting[0]) {
      this.waiting.shift();
      this.begin(next.work);
      next.begin();
    }
  }

  private fits(work: Work): boolean {
    return this.running === 0 || (work === this.work && work !== "definition");
  }

  private begin(work: Work): void {
    this.work = work;
    this.running++;
  }
}

type TurnsByEngine = WeakMap<object, Map<string, Turns>>;

/** One for all copies of this package in a process, which may be given the same engine. */
function turnsByEngine(): TurnsByEngine {
  const shared = globalThis as { [symbol: symbol]: TurnsByEngine | undefined };
  const symbol = sharedSymbol("medusaTurns");
  shared[symbol] ??= new WeakMap();
  return shared[symbol];
}

/** Works on an index of an engine, in its turn. */
export async function inTurn<T>(engine: object, name: string, work: Work, run: () => Promise<T>): Promise<T> {
  const engines = turnsByEngine();
  const indexes = engines.get(engine) ?? new Map<string, Turns>();
  engines.set(engine, indexes);
  const turns = indexes.get(name) ?? new Turns();
  indexes.set(name, turns);
  await turns.take(work);
  try {
    return await run();
  } finally {
    turns.end();
    if (turns.areOver) indexes.delete(name);
  }
}
