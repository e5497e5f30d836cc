// Tables of bad input: each row is a call that must be refused, leaving everything as it was, or whose result is
// checked. Either way no prototype changes.

import { afterAll, describe, expect, it } from "vitest";
import type { EngineOptions } from "../../src/index.js";
import { FAST } from "../support/size.js";
import { expectCleanPrototypes, expectRefusal } from "./message-rules.js";
import { cells, refusedValues } from "./refused-values.js";
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

/** The refusal of a wrong argument; of all that is refused under this name where `param` is left out. */
export function bad(error: string, param?: string, code = 400): Refusal {
  return { code, error, ...(param !== undefined && { param }) };
}

/** Rows, in lists of lists too. */
export type Rows = Row | readonly Rows[];

function flat(rows: Rows): readonly Row[] {
  return isRow(rows) ? [rows] : rows.flatMap(flat);
}

function isRow(rows: Rows): rows is Row {
  return !Array.isArray(rows);
}

/** What a row is made for, each: under its own printed form, under the name of its property, or as cells. */
export type Inputs = string | readonly unknown[] | Readonly<Record<string, unknown>>;
type Try = (world: World, input: unknown) => unknown;

/** A call that must be refused; with inputs, one for each. */
export function refuses(what: string, refusal: Refusal, run: Try, inputs?: Inputs): Row[] {
  return rowsOf(what, run, refusal, inputs);
}

/** A call whose result must equal what is expected; with inputs, one for each. */
export function gives(what: string, expected: unknown, run: Try, inputs?: Inputs): Row[] {
  return rowsOf(what, run, (result) => expect(result).toEqual(expected), inputs);
}

/** A call whose result must hold what is expected; with inputs, one for each. */
export function resembles(what: string, expected: unknown, run: Try, inputs?: Inputs): Row[] {
  return rowsOf(what, run, (result) => expect(result).toMatchObject(anything<object>(expected)), inputs);
}

/** A call for each of the inputs, whose result is looked at. */
export function passes(what: string, inputs: Inputs, run: Try, check: Check): Row[] {
  return rowsOf(what, run, check, inputs);
}

function rowsOf(what: string, run: Try, expected: Refusal | Check, inputs?: Inputs): Row[] {
  if (inputs === undefined) return [{ what, run: (world) => run(world, undefined), expect: expected }];
  return namedInputs(inputs).map(([label, input]) => ({
    what: `${what} ${label}`,
    run: (world) => run(world, input),
    expect: expected,
  }));
}

/**
 * Refused rows of a table of {@link refusedValues}. The parameter of a part stands for its whole: a[0].b is refused for what is passed as a.
 */
export function refusesTable(table: string, run: (world: World, name: string, value: unknown) => unknown): Row[] {
  return refusedValues(table).flatMap(({ param, code, error, values }) => {
    const name = param.replace(/\[.*/, "");
    return refuses(param, bad(error, param, code), (world, value) => run(world, name, value), values);
  });
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
export function testRows(what: string, rows: Rows): void {
  describe(what, () => {
    it.each(flat(rows).map((row) => [row.what, row] as const))("%s", async (_what, row) => {
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

/** Inputs, or cells, under their own printed form; of those that print alike each has a number too. */
export function shown(...inputs: readonly unknown[]): Readonly<Record<string, unknown>> {
  const named = new Map<string, unknown>();
  for (const input of inputs) {
    const label = print(input);
    named.set(named.has(label) ? `${label} (${named.size})` : label, input);
  }
  return Object.fromEntries(named);
}

function namedInputs(inputs: Inputs): [label: string, input: unknown][] {
  if (typeof inputs === "string") return Object.entries(shown(...cells(inputs)));
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
