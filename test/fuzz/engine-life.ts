// How the life of an engine goes: random calls are made one after another or several at once, each is judged by the model, and
// after most the model is looked for in the engine; at the end the engine is closed.

import { expectCleanPrototypes } from "../bad-input/message-rules.js";
import type { Course, Life } from "../lives/live.js";
import type { Random } from "../support/random.js";
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
import { type Call, codeOf, type Judge, type Outcome, World } from "./world.js";

/** What Object.prototype has before anything was called. */
const OWN_KEYS = Reflect.ownKeys(Object.prototype).length;

const PATIENCE_MS = 60_000;
/** Longer than the engine works without a pause. */
const BUSY_MS = 6;
/** Of each call in the story. */
const MOST_CHARACTERS = 400;

/** An engine, with calls one after another or several at once; after most of them something is looked for in the engine. */
class EngineLife implements Life {
  readonly world: World;
  readonly story: string[] = [];
  readonly random: Random;
  calls = 0;
  private readonly unheard: unknown[] = [];
  private readonly hear = (reason: unknown): unknown => this.unheard.push(reason);

  constructor(random: Random) {
    this.random = random;
    this.world = new World(random);
    process.on("unhandledRejection", this.hear);
  }

  async begin(): Promise<void> {
    for (const create of this.random.list(1, 3, () => createCall)) await this.make(create(this.world));
  }

  /** A step that makes one call. */
  async one(call: (world: World) => Call): Promise<void> {
    await this.make(call(this.world));
    await this.rest();
  }

  /** Sometimes the work in the background is waited for. */
  async rest(): Promise<void> {
    if (!this.random.chance(0.05)) return;
    this.story.push("whenIdle");
    await Promise.all([...this.world.indexes.values()].map(({ handle }) => handle?.whenIdle()));
  }

  /** What must be so after all calls. */
  async end(): Promise<void> {
    await this.close();
    expectCleanPrototypes();
    // Rejections that nobody hears are told at the end of a turn.
    await new Promise(setImmediate);
    if (this.unheard.length > 0) throw new Error(`a rejection that nobody could hear: ${String(this.unheard[0])}`);
  }

  leave(): void {
    process.off("unhandledRejection", this.hear);
  }

  /** One call, awaited; then something that it must not have changed, or must have. */
  private async make(call: Call): Promise<void> {
    await this.all([() => call]);
    if (this.random.chance(0.7)) await this.all([() => probe(this.world)], { counted: false });
  }

  /** Calls that do not wait for each other; at most one of them gives or takes away a whole index. */
  async together(): Promise<void> {
    const { random, world } = this;
    const calls = random.list(1, 8, () => () => (random.chance(0.25) ? badCall(world) : anyCall(world)));
    world.together = true;
    if (random.chance(0.3)) {
      calls.push(() => random.pick([createCall, deleteIndexCall, copyCall, moveCall])(world));
      // Whole indexes are given away in the turn of a writer, so what is written later may come earlier.
    }
    // They come at any moment of the others' work. Writers do not: whether they meet old settings would be chance.
    const reads = random.list(0, 6, () => () => readCall(world));
    await this.all(calls, { reads });
    world.together = false;
    for (let probes = 0; probes < 2; probes++) await this.all([() => probe(world)], { counted: false });
    await this.rest();
  }

  /** Closes the engine while some calls are on their way; whoever comes later is refused. */
  private async close(): Promise<void> {
    const { random, world } = this;
    const { engine } = world;
    world.together = true;
    world.isClosing = true;
    // Reads are judged last, when it is known what was written.
    const writes = random.list(0, 3, () => () => this.unlessClosed(writeCall(world)));
    const reads = random.list(0, 2, () => () => this.unlessClosed(readCall(world)));
    const isBusy = random.chance(0.3);
    const run = (): Promise<void> => {
      // Then the engine pauses between two indexes.
      for (const began = performance.now(); isBusy && performance.now() - began < BUSY_MS; );
      return engine.close();
    };
    await this.all([...writes, ...reads, () => ({ what: "close", run, plan: () => world.returned(() => undefined) })]);
    const late = random.list(1, 6, () => (): Call => {
      const [verb, ...args] = randomArguments(world);
      const name = random.pick([...world.indexes.keys(), "nowhere"]);
      const run = (): unknown => Reflect.apply(Reflect.get(engine, verb) as () => unknown, engine, [name, ...args]);
      return { what: `${verb} after close`, run, plan: () => world.refused(["503 closed", "404 index_not_found"]) };
    });
    await this.all([...late, () => ({ what: "close twice", run: () => engine.close(), plan: () => world.either() })]);
  }

  /** A call that is refused makes nothing, though others that came later may still be done. So it is planned when its outcome is known. */
  private unlessClosed(call: Call): Call {
    const plan = (): Judge => (outcome) => {
      const isClosed = "error" in outcome && codeOf(outcome.error) === 503;
      (isClosed ? this.world.either() : call.plan())(outcome);
    };
    return { ...call, plan };
  }

  /** Plans and makes each call, the next without awaiting the last, the reads some turns later; then judges all. */
  private async all(makers: readonly (() => Call)[], { reads = [], counted = true }: Together = {}): Promise<void> {
    const made: Made[] = [];
    const make = (maker: () => Call): void => {
      const call = maker();
      if (counted) this.calls++;
      this.story.push(`${makers.length > 1 ? "together: " : ""}${call.what}`.slice(0, MOST_CHARACTERS));
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

/** A reading or a writing call of some index. Unlike {@link writeCall} it creates none. */
function anyCall(world: World): Call {
  return world.indexes.size > 0 && world.random.chance(0.5) ? writeCall(world) : readCall(world);
}

function readCall(world: World): Call {
  const { name, model } = world.randomIndex(1);
  return model === undefined ? listCall(world) : goodRead(world, name, model);
}

function writeCall(world: World): Call {
  const { name, model } = world.randomIndex(1);
  return model === undefined ? createCall(world) : goodWrite(world, name, model);
}

/** Random lives of engines. */
export const ENGINE_LIVES: Course<EngineLife> = {
  make: (random) => new EngineLife(random),
  begin: (life) => life.begin(),
  steps: [
    [31, (life) => life.one(badCall)],
    [24, (life) => life.one(readCall)],
    [24, (life) => life.one(writeCall)],
    [5, (life) => life.one(goodNaming)],
    [2, (life) => life.one(listCall)],
    [15, (life) => life.together()],
  ],
  length: [30, 255],
  end: (life) => life.end(),
  leave: (life) => life.leave(),
};
