// Random lives of an engine: one step after another, each checked. fast-check draws the steps. When a life fails, it leaves steps
// out and shortens the lists of the others for as long as the life still fails, and tells the shortest.

import fc from "fast-check";
import { Random } from "../support/random.js";

export interface Life {
  /** Begins anew at each step, so that a step draws the same when others before it are left out. */
  readonly random: Random;
  /** What was done, a line for each call; a failure tells it. */
  readonly story: string[];
}

export interface Course<L extends Life> {
  readonly make: (random: Random) => L;
  /** What comes before the first step. */
  readonly begin?: (life: L) => Promise<void>;
  /** The steps, and how often each is drawn beside the others, in whole numbers. */
  readonly steps: readonly (readonly [weight: number, take: (life: L) => Promise<void>])[];
  /** The least and the greatest number of steps. */
  readonly length: readonly [least: number, most: number];
  readonly end: (life: L) => Promise<void>;
  /** Frees what the life holds, also when it has failed. */
  readonly leave?: (life: L) => void | Promise<void>;
}

/** Tests whose lives have seeds of their own: FUZZ_SEED=n lives one life of those. */
type Family = "FUZZ" | "PROPERTY" | "STORAGE";

/** Shrinking begins no other life when it has taken so long. */
const SHRINK_MS = 60_000;
const MOST_LINES = 30;

/** What a step draws from: a seed, and the most items of a list. */
type Choices = readonly [seed: number, most: number];

/** Any seed and lists of any length; shrinking keeps the seed, and shortens the lists. */
class AnyChoices extends fc.Arbitrary<Choices> {
  generate(random: fc.Random): fc.Value<Choices> {
    return new fc.Value([random.nextInt(0, 2 ** 32 - 1), Number.POSITIVE_INFINITY], undefined);
  }

  canShrinkWithoutContext(_: unknown): _ is Choices {
    return false;
  }

  shrink([seed, most]: Choices): fc.Stream<fc.Value<Choices>> {
    const shorter = [1, 3, 8].filter((length) => length < most);
    return fc.Stream.of(...shorter.map((length) => new fc.Value<Choices>([seed, length], undefined)));
  }
}

/** Draws nothing shorter, but shrinks to what is. */
class AtLeast<T extends Iterable<unknown>> extends fc.Arbitrary<T> {
  private readonly inner: fc.Arbitrary<T>;
  private readonly least: number;

  constructor(inner: fc.Arbitrary<T>, least: number) {
    super();
    this.inner = inner;
    this.least = least;
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    for (;;) {
      const drawn = this.inner.generate(random, bias);
      if ([...drawn.value_].length >= this.least) return drawn;
    }
  }

  canShrinkWithoutContext(_: unknown): _ is T {
    return false;
  }

  shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.inner.shrink(value, context);
  }
}

/** The seed to live, where one is given. */
export function seedOf(family: Family): number | undefined {
  const given = process.env[`${family}_SEED`];
  return given === undefined ? undefined : Number(given);
}

/** Lives the life of a seed, or the shrunk one that FUZZ_PATH names. A failure tells both, and the steps of the shrunk one. */
export async function live<L extends Life>(family: Family, seed: number, course: Course<L>): Promise<L> {
  const [path, replayPath] = process.env[`${family}_PATH`]?.split("@") ?? [];
  const [least, maxCommands] = course.length;
  const choices = new AnyChoices();
  const steps = fc.oneof(...course.steps.map(([weight, take]) => ({ weight, arbitrary: choices.map(stepOf(take)) })));
  const drawn = fc.commands([steps], { maxCommands, size: "max", ...(replayPath && { replayPath }) });
  let last: L | undefined;
  let failedAt = Number.POSITIVE_INFINITY;
  const isOver = () => performance.now() - failedAt > SHRINK_MS;
  const property = fc.asyncProperty(new AtLeast(drawn, least), choices, async (commands, [own, most]) => {
    if (isOver()) return;
    const random = new Random(own, most);
    const life = course.make(random);
    try {
      await course.begin?.(life);
      await fc.asyncModelRun(() => ({ model: {}, real: life }), commands);
      random.restart(own, most);
      await course.end(life);
    } catch (error) {
      failedAt = Math.min(failedAt, performance.now());
      throw Object.assign(error instanceof Error ? error : new Error(String(error)), { story: life.story });
    } finally {
      await course.leave?.(life);
    }
    last = life;
  });
  const run = await fc.check(property, { seed, numRuns: 1, ...(path && { path }) });
  if (!run.failed) return last!;
  const error = run.errorInstance as Error & { readonly story?: readonly string[] };
  const shrunk = `${run.counterexamplePath}@${/replayPath="(.*)"/.exec(String(run.counterexample?.[0]))?.[1]}`;
  error.message = [
    `${family}_SEED=${seed} fails: ${error.message}`,
    `after these calls, shrunk ${run.numShrinks} times:`,
    ...(error.story ?? []).slice(-MOST_LINES),
    `${family}_SEED=${seed} ${family}_PATH=${shrunk} makes these calls alone.`,
  ].join("\n  ");
  throw error;
}

/** A step as fast-check takes it. */
const stepOf =
  <L extends Life>(take: (life: L) => Promise<void>) =>
  ([seed, most]: Choices): fc.AsyncCommand<object, L> => ({
    check: () => true,
    run: async (_, life) => {
      life.random.restart(seed, most);
      await take(life);
    },
    toString: () => "step",
  });
