// What writing calls share: the next version is made in the model when the call is made, in the order of the calls; some are
// given up, at once or late, and some meet an embedder that fails.

import type { Random } from "../support/random.js";
import { differ } from "./engine-answer.js";
import type { Judge, ModelIndex, Promised, Version } from "./engine-model.js";
import type { Call, World } from "./engine-world.js";
import { type FuzzShop, randomFault } from "./random-fuzz-shop.js";

/** A write that is ready to be planned: what it makes of the last version. */
export interface Write {
  readonly what: string;
  readonly verb: string;
  readonly args: readonly unknown[];
  /** The next version with the call's result, or the refusal. */
  readonly effect: () => { readonly version: Version; readonly result: unknown } | { readonly refusal: string };
  /** All records are new afterwards, or gone. */
  readonly renews?: boolean;
  readonly resettles?: boolean;
  /** It reads records by the settings in force at the call. */
  readonly bySettings?: boolean;
}

/** A call that makes the next version, or is refused and makes none. */
export function writing(world: World, name: string, model: ModelIndex, write: Write): Call {
  const { random } = world;
  const what = `${write.verb} ${name} ${write.what}`;
  const late = !world.together && random.chance(0.06);
  const fault = !world.together && model.shop.embedder !== undefined && random.chance(0.06);
  if (late || fault) return uncertain(world, name, model, write, late ? lateAbort(random) : faulty(random, model.shop));
  const aborted = random.chance(0.03) && write.verb !== "clearIndex";
  const control = new AbortController();
  const args = aborted ? [...write.args.slice(0, 1), { signal: control.signal }] : write.args;
  const run = world.invoke(name, write.verb, args);
  return {
    what: aborted ? `${what}, aborted at once` : what,
    plan: () => world.unlessGone(model, aborted ? world.refused(["499 aborted"]) : judgeOf(world, plan(model, write))),
    run: () => {
      const running = run();
      if (aborted) control.abort();
      // What the caller does with a list after the call is nobody's business.
      if (Array.isArray(args[0])) args[0].length = 0;
      return running;
    },
  };
}

/** Publishes what the write makes, and tells what its call must give. */
function plan(model: ModelIndex, write: Write): Promised {
  if (write.bySettings === true && model.resettled) return { refusal: "409 settings_changed" };
  const effect = write.effect();
  if ("refusal" in effect) return effect;
  model.publish(effect.version);
  if (write.renews === true) model.forgetDeleted();
  if (write.resettles === true) model.resettled = true;
  return { result: effect.result };
}

function judgeOf(world: World, promised: Promised): Judge {
  if ("refusal" in promised) return world.refused([promised.refusal]);
  return world.returned((value) => {
    const difference = differ("the result", value, promised.result);
    if (difference !== undefined) throw new Error(difference);
  });
}

/** Something that may or may not make a write fail. */
interface Hindrance {
  readonly what: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly start: () => void;
  readonly end: () => void;
  readonly kinds: readonly string[];
}

function lateAbort(random: Random): Hindrance {
  const control = new AbortController();
  const turns = random.between(1, 40);
  const start = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) await undefined;
    control.abort(random);
  };
  return {
    what: "aborted late",
    options: { signal: control.signal },
    start: () => void start(),
    end: () => {},
    kinds: ["499 aborted"],
  };
}

function faulty(random: Random, { embedder }: FuzzShop): Hindrance {
  const fault = randomFault(random);
  return {
    what: "with a failing embedder",
    options: {},
    start: () => {
      embedder!.fault = fault;
    },
    end: () => {
      embedder!.fault = undefined;
    },
    kinds: ["502 embedder_failed"],
  };
}

/** A write that is either done whole or refused and not done at all. */
function uncertain(world: World, name: string, model: ModelIndex, write: Write, hindrance: Hindrance): Call {
  const [first, given] = write.args;
  const options = { ...(given as object | undefined), ...hindrance.options };
  const takesOptions = write.verb !== "clearIndex";
  const run = world.invoke(name, write.verb, takesOptions ? [first, options] : []);
  return {
    what: `${write.verb} ${name} ${write.what}, ${hindrance.what}`,
    plan: () => (outcome) => {
      if ("error" in outcome) world.refused([...hindrance.kinds, ...refusalsOf(write)])(outcome);
      else judgeOf(world, plan(model, write))(outcome);
    },
    run: () => {
      hindrance.start();
      return run();
    },
    after: hindrance.end,
  };
}

function refusalsOf(write: Write): string[] {
  const effect = write.effect();
  return "refusal" in effect ? [effect.refusal] : [];
}
