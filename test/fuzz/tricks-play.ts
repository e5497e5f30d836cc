// Plays tricks on one call: where they can stand, how they get there, and what must hold whatever comes of it.

import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { SearchEngine, SearchError, SearchIndex } from "../../src/index.js";
import { anything } from "../bad-input/world.js";
import type { Trick } from "./tricks-values.js";
import type { TrickVerb } from "./tricks-verbs.js";
import { openWorld, pictureOf, type TrickWorld } from "./tricks-world.js";

/** A place in the arguments of a call; the first key is the position. */
export type Place = readonly (string | number)[];

/** A trick and its place. */
export interface Planted {
  readonly place: Place;
  readonly trick: Trick;
}

type Outcome = { readonly answer: unknown } | { readonly refused: string };

const LONGEST_MS = 20_000;
const LOOK_EVERY = 20;
/** What works for the caller is used as it is, by calling it; only data is copied. */
const WORKERS = ["signal", "onProgress", "onWarning", "embedder", "analyzer"];
const PRINTABLE = /^[\x20-\x7e…]{1,400}$/;
const PROTOTYPES = [Object, Array, String, Number, Function, Map, Promise].map(({ prototype }) => prototype);
const KEYS = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).length);

/** Every position, property and item of the arguments. */
export function placesOf(given: readonly unknown[]): Place[] {
  const within = (value: unknown, place: Place): Place[] => {
    const inner = isData(value) ? Object.keys(value).map((key) => [...place, key]) : [];
    return [place, ...inner.flatMap((each) => within(valueAt(given, each), each))];
  };
  return given.flatMap((value, i) => within(value, [i]));
}

function isData(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** What stands at a place. */
export function valueAt(given: unknown, place: Place): unknown {
  return place.reduce<unknown>((value, key) => anything<Record<string, unknown>>(value)[String(key)], given);
}

function plant(args: unknown[], { place, trick }: Planted, world: TrickWorld, reads: { most: number }): void {
  const holder = valueAt(args, place.slice(0, -1)) as object;
  const key = place.at(-1)!;
  const value = valueAt(args, place);
  if (trick.make !== undefined) {
    Object.defineProperty(holder, key, {
      value: trick.make(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return;
  }
  let times = 0;
  const get = (): unknown => {
    reads.most = Math.max(reads.most, ++times);
    return trick.getter!(value, times, world);
  };
  Object.defineProperty(holder, key, { get, enumerable: true, configurable: true });
}

async function outcomeOf(verb: TrickVerb, world: TrickWorld, args: readonly unknown[]): Promise<Outcome> {
  const late = pause(LONGEST_MS, "late" as const, { ref: false });
  try {
    const answer = await Promise.race([Promise.resolve(verb.call(world, args)), late]);
    if (answer === "late") throw new Error(`no answer within ${LONGEST_MS} ms`);
    return { answer: withoutTimes(answer) };
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    expect(error.msg).toMatch(PRINTABLE);
    expect(error.msg).not.toContain("from the trick");
    return { refused: error.error };
  }
}

function withoutTimes(answer: unknown): unknown {
  if (answer instanceof SearchIndex || answer instanceof SearchEngine) return answer.constructor.name;
  const text = JSON.stringify(answer);
  const copy: unknown = text === undefined ? undefined : JSON.parse(text);
  expect(copy, "the answer is plain data").toEqual(answer);
  const { data } = anything<{ data?: Record<string, unknown> }>(copy ?? {});
  if (data !== undefined) for (const time of ["serverTimeMS", "processingTimeMS"]) delete data[time];
  return copy;
}

/** One verb's stage: what its plain call comes to, and a world that is replaced when a call has changed it. */
export class Stage {
  readonly verb: TrickVerb;
  private stage: TrickWorld | undefined;
  private fresh = "";
  private played = 0;
  private plain: { outcome: Outcome; picture: string } | undefined;

  constructor(verb: TrickVerb) {
    this.verb = verb;
  }

  /** Plays the tricks, and asserts what must hold. */
  async play(planted: readonly Planted[]): Promise<void> {
    const { verb } = this;
    this.plain ??= await this.playPlainly();
    const world = this.stage ?? (await openWorld());
    this.stage = world;
    const args = verb.args();
    const reads = { most: 0 };
    for (const each of planted) plant(args, each, world, reads);
    const outcome = await outcomeOf(verb, world, args);
    const upset = planted.some(({ trick }) => trick.upsets === true);
    // Reading is looked after now and then only, so that there is time for all of it.
    const looks = verb.writes || upset || ++this.played % LOOK_EVERY === 0;
    const picture = looks ? await pictureOf(world) : this.fresh;
    if (upset || picture !== this.fresh) this.stage = undefined;
    if (!upset) await this.expectGood(outcome, picture, planted);
    if (planted.some(({ place }) => isRecord(verb, place))) expect(reads.most, "reads of one property").toBeLessThan(2);
    expect(PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).length)).toEqual(KEYS);
    if (upset) await world.engine.close();
    else if (looks) await world.engine.query(this.survivor(picture), { query: "drill" });
  }

  private async expectGood(outcome: Outcome, picture: string, planted: readonly Planted[]): Promise<void> {
    const { verb, plain, fresh } = this;
    if ("refused" in outcome || !verb.writes) expect(picture, "nothing changed").toBe(fresh);
    const mustBePlain = planted.every(({ place, trick }) => trick.plain && !isWorker(place));
    if (mustBePlain) expect({ outcome, picture }, "as the plain call").toEqual(plain);
    // A record that no call names stays as it was, unless all are replaced, cleared or deleted.
    if (verb.name.endsWith("Records") && !/replace/.test(verb.name))
      expect(picture).toContain('"id":"c","title":"green lamp"');
  }

  private survivor(picture: string): string {
    return picture.includes('"name":"shop"') ? "shop" : "other";
  }

  private async playPlainly(): Promise<{ outcome: Outcome; picture: string }> {
    const world = await openWorld();
    this.fresh = await pictureOf(world);
    const args = this.verb.args();
    const before = JSON.stringify(args);
    const outcome = await outcomeOf(this.verb, world, args);
    expect(JSON.stringify(args), "the caller's objects are as they were").toBe(before);
    expect(outcome, "the plain call is answered").toHaveProperty("answer");
    return { outcome, picture: await pictureOf(world) };
  }
}

function isWorker(place: Place): boolean {
  return place.some((key) => WORKERS.includes(String(key)));
}

function isRecord({ name }: TrickVerb, place: Place): boolean {
  return /(add|update|replaceAll)Records$/.test(name) && place[0] === 1;
}
