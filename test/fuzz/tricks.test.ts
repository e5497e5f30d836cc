// Objects that trick whoever reads them, as arguments of every verb: the call is refused with a SearchError or does what it should;
// nothing else is thrown, nothing else changes, and the engine goes on. All tricks in all places within an argument are played on the
// door (test/input/tricks.test.ts), and within records, which do not go through it, here.

import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectCleanPrototypes } from "../bad-input/message-rules.js";
import { property } from "../support/random.js";
import { FAST } from "../support/size.js";
import {
  isRecord,
  ofHandle,
  type Place,
  type Planted,
  placesOf,
  Stage,
  TRICK_VERBS,
  type TrickVerb,
  tricksFor,
  valueAt,
} from "./tricks.js";

const PAIRS = 400;
/** The fast size plays every 19th trick; the number of tricks a place has is no multiple of it. */
const EVERY = FAST ? 19 : 1;
const MINUTES = 3 * 60_000;
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
const printers = process.listeners("warning");
beforeAll(() => {
  process.on("unhandledRejection", note);
  // Options that are a trick may bring no onWarning: what is warned of then is not to be printed.
  process.removeAllListeners("warning");
});
afterAll(() => {
  process.off("unhandledRejection", note);
  for (const printer of printers) process.on("warning", printer);
});

async function expectSound(stage: Stage, planted: readonly Planted[]): Promise<string | undefined> {
  try {
    await stage.play(planted);
    return undefined;
  } catch (error) {
    const where = planted.map(({ place, trick }) => `${place.join(".")}: ${trick.name}`).join(" and ");
    return `${stage.verb.name}(${where}): ${String(error).slice(0, 300)}`;
  }
}

function all(verb: TrickVerb): Planted[] {
  const plain = verb.args();
  return placesOf(plain).flatMap((place) => {
    const tricks = tricksFor(valueAt(plain, place), place.length > 1);
    const isWhole = place.length === 1 || isRecord(verb, place);
    return tricks.filter(({ getter }) => isWhole || getter !== undefined).map((trick) => ({ place, trick }));
  });
}

describe("one trick at a time", () => {
  it.each(TRICK_VERBS.map((verb) => [verb.name, verb] as const))("%s", { timeout: MINUTES }, async (_name, verb) => {
    const faults: string[] = [];
    let stage = new Stage(verb);
    for (const planted of all(verb).filter((_, i) => i % EVERY === 0)) {
      const fault = await expectSound(stage, [planted]);
      if (fault === undefined) continue;
      faults.push(fault);
      stage = new Stage(verb);
    }
    await nextTurn();
    expect(faults.join("\n")).toBe("");
    expect(unhandled).toEqual([]);
    expectCleanPrototypes();
  });
});

const HANDLES = TRICK_VERBS.flatMap((verb) => ofHandle(verb) ?? []);
const MANY = [...TRICK_VERBS, ...HANDLES].filter((verb) => placesOf(verb.args()).length > 1);

property("two tricks at once, on engines and handles", PAIRS, async (random) => {
  const verb = random.pick(MANY);
  const plain = verb.args();
  const places = random.shuffle(placesOf(plain));
  const first = places[0]!;
  const second = places.find((place) => !isWithin(place, first) && !isWithin(first, place));
  const planted = [first, ...(second === undefined ? [] : [second])].map((place) => ({
    place,
    trick: random.pick(tricksFor(valueAt(plain, place), place.length > 1)),
  }));
  expect(await expectSound(new Stage(verb), planted)).toBeUndefined();
  await nextTurn();
  expect(unhandled).toEqual([]);
});

function isWithin(place: Place, other: Place): boolean {
  return other.every((key, i) => place[i] === key);
}
