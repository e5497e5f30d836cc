// Tables of bad input: each row is a call that must be refused, leaving everything as it was, or whose result is
// checked. Either way no prototype changes.

import { afterAll, describe, expect, it } from "vitest";
import type { EngineOptions } from "../../src/index.js";
import { FAST } from "../support/size.js";
import { expectCleanPrototypes, expectRefusal } from "./message-rules.js";
import { anything, World } from "./world.js";

/** How a call must be refused. */
export interface Refusal {
  readonly code: number;
  readonly error: string;
  readonly param?: string;
  /** The message must match. */
  readonly msg?: RegExp;
  /** The message of the error's cause must match. */
  readonly cause?: RegExp;
  /** Where in a text the fault stands: code units, end exclusive. */
  readonly span?: readonly [start: number, end: number];
}

/** Looks at the result of a call that must succeed. */
type Check = (result: unknown, world: World) => void | Promise<void>;

/** One call on a new engine. */
export interface Row {
  readonly what: string;
  /** Options of the engine it runs on. */
  readonly options?: EngineOptions;
  /** Done before the picture is taken that a refused call must leave as it was. */
  readonly prepare?: (world: World) => unknown;
  readonly run: (world: World) => unknown;
  readonly expect: Refusal | Check;
}

/** What a row is made for, each: under its own printed form, or under the name of its property. */
type Inputs = readonly unknown[] | Readonly<Record<string, unknown>>;
type Try = (world: World, input: unknown) => unknown;

/** A call that must be refused. */
export function refuses(what: string, refusal: Refusal, run: Row["run"]): Row {
  return { what, run, expect: refusal };
}

/** A call whose result must equal what is expected. */
export function gives(what: string, expected: unknown, run: Row["run"]): Row {
  return { what, run, expect: (result) => expect(result).toEqual(expected) };
}

/** A call whose result must hold what is expected. */
export function resembles(what: string, expected: unknown, run: Row["run"]): Row {
  return { what, run, expect: (result) => expect(result).toMatchObject(anything<object>(expected)) };
}

/** One refused row for each of the named inputs. */
export function refusesEach(what: string, refusal: Refusal, run: Try, inputs: Inputs): Row[] {
  return namedInputs(inputs).map(([label, input]) =>
    refuses(`${what} ${label}`, refusal, (world) => run(world, input)),
  );
}

/** One row for each of the named inputs, each with the same result. */
export function givesEach(what: string, expected: unknown, run: Try, inputs: Inputs): Row[] {
  return namedInputs(inputs).map(([label, input]) => gives(`${what} ${label}`, expected, (world) => run(world, input)));
}

/** One row for each of the named inputs, each with a result that holds the same. */
export function resemblesEach(what: string, expected: unknown, run: Try, inputs: Inputs): Row[] {
  return namedInputs(inputs).map(([label, input]) =>
    resembles(`${what} ${label}`, expected, (world) => run(world, input)),
  );
}

/** One row with a checked result for each of the named inputs. */
export function passedEach(what: string, inputs: Inputs, run: Try, check: Check): Row[] {
  return namedInputs(inputs).map(([label, input]) => ({
    what: `${what} ${label}`,
    run: (world) => run(world, input),
    expect: check,
  }));
}

/** A world that only refused calls have met, what it looked like before them, and how many they were. */
interface Untouched {
  readonly world: World;
  readonly outline: unknown;
  readonly picture: unknown;
  readonly calls: number;
}
let untouched: Untouched | undefined;

/** After each refused call the outline is looked at; all that can be seen, in the fast size, after every eighth and the last. */
const LOOK_EVERY = FAST ? 8 : 1;

/** Under MUTATION nobody looks: looking takes ten times as long as the call. */
const LOOKS = process.env.MUTATION === undefined;

/** Tests of rows. A call whose result is checked gets an engine of its own; refused calls share one, which none may change. */
export function testRows(what: string, rows: readonly Row[]): void {
  describe(what, () => {
    it.each(rows.map((row) => [row.what, row] as const))("%s", async (_what, row) => {
      if (typeof row.expect !== "function") await expectRefused(row, row.expect);
      else {
        const world = await World.open(row.options);
        await row.prepare?.(world);
        await row.expect(await row.run(world), world);
        await world.engine.close();
      }
      expectCleanPrototypes();
    });
    afterAll(async () => {
      if (untouched !== undefined) await expectUntouched(untouched);
    });
  });
}

async function expectRefused(row: Row, refusal: Refusal): Promise<void> {
  const isShared = row.options === undefined && row.prepare === undefined;
  const seen = (isShared ? untouched : undefined) ?? (await openWorld(row));
  // Set again only where all is well.
  untouched = undefined;
  const thrown = await Promise.resolve()
    .then(() => row.run(seen.world))
    .then(
      (result: unknown) => expect.fail(`not refused; the result is ${JSON.stringify(result)?.slice(0, 200)}`),
      (error: unknown) => error,
    );
  expectRefusal(thrown, refusal);
  const calls = seen.calls + 1;
  if (LOOKS) expect(await seen.world.outline()).toEqual(seen.outline);
  if (!isShared || calls % LOOK_EVERY === 0) await expectUntouched(seen);
  seen.world.embedder.answer = undefined;
  if (isShared) untouched = { ...seen, calls };
  else await seen.world.engine.close();
}

async function openWorld({ options, prepare }: Row): Promise<Untouched> {
  const world = await World.open(options);
  await prepare?.(world);
  return { world, outline: await world.outline(), picture: await world.picture(), calls: 0 };
}

async function expectUntouched({ world, picture }: Untouched): Promise<void> {
  if (LOOKS) expect(await world.picture()).toEqual(picture);
}

/** Inputs under their own printed form; of those that print alike each has a number too. */
export function shown(...inputs: readonly unknown[]): Readonly<Record<string, unknown>> {
  const named = new Map<string, unknown>();
  for (const input of inputs) {
    const label = print(input);
    named.set(named.has(label) ? `${label} (${named.size})` : label, input);
  }
  return Object.fromEntries(named);
}

function namedInputs(inputs: Inputs): [label: string, input: unknown][] {
  return Object.entries(isList(inputs) ? shown(...inputs) : inputs);
}

function isList(inputs: Inputs): inputs is readonly unknown[] {
  return Array.isArray(inputs);
}

function print(input: unknown): string {
  if (typeof input === "string") return JSON.stringify(input).slice(0, 60);
  if (Object.is(input, -0)) return "-0";
  if (typeof input === "symbol" || typeof input === "number" || input === undefined) return String(input);
  if (typeof input === "bigint") return `${input}n`;
  if (typeof input === "function") return "a function";
  return `${Object.prototype.toString.call(input)} ${JSON.stringify(input)}`.slice(0, 60);
}
