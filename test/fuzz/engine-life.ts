// One life: an engine is made, random calls are made one after another or several at once, each is judged by the model, and
// after most the model is looked for in the engine; at the end the engine is closed. The seed decides everything.

import { expectCleanPrototypes } from "../bad-input/message-rules.js";
import { Random } from "../support/random.js";
import { badCall, randomArguments } from "./bad-calls.js";
import {
  copyCall,
  createCall,
  deleteIndexCall,
  goodNaming,
  goodRead,
  goodWrite,
  listCall,
  moveCall,
  probe,
} from "./engine-calls.js";
import { type Call, type Judge, type Outcome, World } from "./engine-model.js";

/** What Object.prototype has before anything was called. */
const OWN_KEYS = Reflect.ownKeys(Object.prototype).length;

/** What a life was. */
interface LifeReport {
  readonly calls: number;
  /** By kind, "400 invalid_page". */
  readonly refusals: ReadonlyMap<string, number>;
}

const PATIENCE_MS = 60_000;

class Life {
  readonly world: World;
  calls = 0;
  /** The last calls, for the message of a failure. */
  private readonly story: string[] = [];
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
    this.world = new World(random);
  }

  async live(): Promise<void> {
    const { random, world } = this;
    for (let count = random.between(1, 3); count > 0; count--) await this.make(createCall(world));
    for (let steps = random.pick([30, 100, 300]); steps > 0; steps--) {
      await (random.chance(0.15) ? this.together() : this.make(this.oneCall()));
      if (random.chance(0.05)) await Promise.all([...world.indexes.values()].map(({ handle }) => handle?.whenIdle()));
    }
    await this.close();
    expectCleanPrototypes();
  }

  /** The story so far, told at a failure. */
  get told(): string {
    return `call ${this.calls}, the last of these:\n  ${this.story.slice(-6).join("\n  ")}`;
  }

  private oneCall(): Call {
    const { random, world } = this;
    if (random.chance(0.36)) return badCall(world);
    if (random.chance(0.1)) return goodNaming(world);
    if (random.chance(0.05)) return listCall(world);
    return this.indexCall();
  }

  private indexCall(): Call {
    const { world } = this;
    const { name, model } = world.randomIndex(1);
    if (model === undefined) return createCall(world);
    return (this.random.chance(0.5) ? goodRead : goodWrite)(world, name, model);
  }

  /** One call, awaited; then something that it must not have changed, or must have. */
  private async make(call: Call): Promise<void> {
    await this.all([() => call]);
    if (this.random.chance(0.7)) await this.all([() => probe(this.world)], { counted: false });
  }

  /** Calls that do not wait for each other; at most one of them gives or takes away a whole index. */
  private async together(): Promise<void> {
    const { random, world } = this;
    const calls = random.list(2, 8, () => () => (random.chance(0.25) ? badCall(world) : this.indexCall()));
    world.together = true;
    if (random.chance(0.3)) {
      calls.push(() => random.pick([createCall, deleteIndexCall, copyCall, moveCall])(world));
      // Whole indexes are given away in the turn of a writer, so what is written later may come earlier.
    }
    // They come at any moment of the others' work. Writers do not: whether they meet old settings would be chance.
    const reads = random.list(0, 6, () => () => this.readCall());
    await this.all(calls, { reads });
    world.together = false;
    for (let probes = 0; probes < 2; probes++) await this.all([() => probe(world)], { counted: false });
  }

  private readCall(): Call {
    const { name, model } = this.world.randomIndex(1);
    return model === undefined ? listCall(this.world) : goodRead(this.world, name, model);
  }

  /** Closes the engine while some calls are on their way; whoever comes later is refused. */
  private async close(): Promise<void> {
    const { random, world } = this;
    const { engine } = world;
    world.together = true;
    const calls = random.list(0, 3, () => () => this.unlessClosed(this.indexCall()));
    calls.push(() => ({ what: "close", run: () => engine.close(), plan: () => world.returned(() => undefined) }));
    await this.all(calls);
    const late = random.list(1, 6, () => (): Call => {
      const [verb, ...args] = randomArguments(world);
      const name = random.pick([...world.indexes.keys(), "nowhere"]);
      const run = (): unknown => Reflect.apply(Reflect.get(engine, verb) as () => unknown, engine, [name, ...args]);
      return { what: `${verb} after close`, run, plan: () => world.refused(["503 closed", "404 index_not_found"]) };
    });
    await this.all([...late, () => ({ what: "close twice", run: () => engine.close(), plan: () => world.either() })]);
  }

  private unlessClosed(call: Call): Call {
    const plan = (): Judge => {
      const judge = call.plan();
      return (outcome) => {
        const isClosed = "error" in outcome && (outcome.error as { readonly code?: unknown } | null)?.code === 503;
        return isClosed ? this.world.either()(outcome) : judge(outcome);
      };
    };
    return { ...call, plan };
  }

  /** Plans and makes each call, the next without awaiting the last, the reads some turns later; then judges all. */
  private async all(makers: readonly (() => Call)[], { reads = [], counted = true }: Together = {}): Promise<void> {
    const made: Made[] = [];
    const make = (maker: () => Call): void => {
      const call = maker();
      if (counted) this.calls++;
      this.story.push(`${makers.length > 1 ? "together: " : ""}${call.what}`.slice(0, 200));
      made.push({ call, judge: call.plan(), outcome: outcomeOf(call.run) });
    };
    for (const maker of makers) make(maker);
    for (const maker of reads) {
      for (let turns = this.random.between(0, 8); turns > 0; turns--) await undefined;
      make(maker);
    }
    for (const each of made) await judgeOne(each);
    for (const model of this.world.indexes.values()) model.settle();
    this.world.checkWarnings();
    if (Reflect.ownKeys(Object.prototype).length !== OWN_KEYS) throw new Error("Object.prototype has changed");
  }
}

/** What goes beside calls that are made together. */
interface Together {
  readonly reads?: readonly (() => Call)[];
  readonly counted?: boolean;
}

/** A call on its way. */
interface Made {
  readonly call: Call;
  readonly judge: Judge;
  readonly outcome: Promise<Outcome>;
}

async function judgeOne({ call, judge, outcome }: Made): Promise<void> {
  const known = await inTime(outcome);
  call.after?.();
  try {
    judge(known);
  } catch (error) {
    throw Object.assign(error as Error, { message: `${(error as Error).message}\n  in ${call.what.slice(0, 2000)}` });
  }
}

async function outcomeOf(run: () => unknown): Promise<Outcome> {
  try {
    return { value: await run() };
  } catch (error) {
    return { error };
  }
}

async function inTime(outcome: Promise<Outcome>): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("a call does not come to an end")), PATIENCE_MS);
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lives the life of a seed; a failure names the seed and the call. */
export async function live(seed: number): Promise<LifeReport> {
  const life = new Life(new Random(seed));
  const unheard: unknown[] = [];
  const hear = (reason: unknown): unknown => unheard.push(reason);
  process.on("unhandledRejection", hear);
  try {
    await life.live();
    // Rejections that nobody hears are told at the end of a turn.
    await new Promise(setImmediate);
    if (unheard.length > 0) throw new Error(`a rejection that nobody could hear: ${String(unheard[0])}`);
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const told = `FUZZ_SEED=${seed} fails: ${message}\n  at ${life.told}`;
    throw Object.assign(new Error(told), { stack: `${told}\n${stack}` });
  } finally {
    process.off("unhandledRejection", hear);
  }
  return { calls: life.calls, refusals: life.world.refusals };
}
