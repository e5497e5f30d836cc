// What a row of the tables is: a call that must be refused, leaving everything as it was, or whose result is checked.

import type { EngineOptions } from "../../src/index.js";
import type { World } from "./world.js";

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
export type Check = (result: unknown, world: World) => void | Promise<void>;

/** One row: `row` is its number in the catalogue. */
export interface Row {
  readonly row: string;
  readonly what: string;
  /** Options of the engine it runs on. */
  readonly options?: EngineOptions;
  /** Done before the picture is taken that a refused call must leave as it was. */
  readonly prepare?: (world: World) => unknown;
  readonly run: (world: World) => unknown;
  readonly expect: Refusal | Check;
}

/** One refused row for each of the named inputs. */
export function refusedEach(
  row: string,
  what: string,
  inputs: readonly (readonly [label: string, input: unknown])[],
  run: (world: World, input: unknown) => unknown,
  expect: Refusal,
): Row[] {
  return inputs.map(([label, input]) => ({ row, what: `${what} ${label}`, run: (world) => run(world, input), expect }));
}

/** One row with a checked result for each of the named inputs. */
export function passedEach(
  row: string,
  what: string,
  inputs: readonly (readonly [label: string, input: unknown])[],
  run: (world: World, input: unknown) => unknown,
  check: Check,
): Row[] {
  return inputs.map(([label, input]) => ({
    row,
    what: `${what} ${label}`,
    run: (world) => run(world, input),
    expect: check,
  }));
}

/** Inputs under their own printed form. */
export function shown(...inputs: readonly unknown[]): (readonly [string, unknown])[] {
  return inputs.map((input) => [print(input), input] as const);
}

function print(input: unknown): string {
  if (typeof input === "string") return JSON.stringify(input).slice(0, 60);
  if (typeof input === "symbol" || typeof input === "number" || input === undefined) return String(input);
  if (typeof input === "bigint") return `${input}n`;
  if (typeof input === "function") return "a function";
  return `${Object.prototype.toString.call(input)} ${JSON.stringify(input)}`.slice(0, 60);
}
