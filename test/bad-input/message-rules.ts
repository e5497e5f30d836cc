// The rules every refusal keeps: one class, a printable message of 1 to 400 characters that names what is wrong and holds
// neither a record nor a path, and prototypes that stay as they were.

import { expect } from "vitest";
import { SearchError } from "../../src/index.js";
import type { Refusal } from "./row.js";
import { SECRET } from "./world.js";

const PRINTABLE = /^[\x20-\x7e…]{1,400}$/;
const PATHS = [process.cwd(), "node_modules", "file://", "node:internal"];
const STACK_LINE = /\.[cm]?[jt]s:\d/;

/** Asserts that `thrown` refuses as it must. */
export function expectRefusal(thrown: unknown, expected: Refusal): void {
  const error = searchError(thrown);
  const { code, error: name, param } = expected;
  expect({ code: error.code, error: error.error }).toEqual({ code, error: name });
  if (param !== undefined) expect(error.param).toBe(param);
  if (expected.msg !== undefined) expect(error.msg).toMatch(expected.msg);
  if (expected.cause !== undefined) expect(String(error.cause)).toMatch(expected.cause);
  if (expected.span !== undefined) expect([error.details?.start, error.details?.end]).toEqual(expected.span);
  expectMessageRules(error);
}

/** `thrown` as a SearchError; what else comes out of the library is a fault of its own. */
export function searchError(thrown: unknown): SearchError {
  expect(thrown, `thrown: ${String(thrown)}`).toBeInstanceOf(SearchError);
  return thrown as SearchError;
}

/** Asserts the rules for messages, on the error itself and on each complaint it carries. */
export function expectMessageRules(error: SearchError): void {
  expectTexts(error);
  if (error.code !== 503) expect(error.msg.toLowerCase()).toContain(spoken(error.param ?? ""));
}

/** Those of the rules that hold whether or not a parameter of this call is to blame. */
export function expectTexts(error: SearchError): void {
  for (const text of [error.msg, error.message, ...complaintsOf(error)]) {
    expect(text).toMatch(PRINTABLE);
    expect(text).not.toContain(SECRET);
    for (const path of PATHS) expect(text).not.toContain(path);
    expect(text).not.toMatch(STACK_LINE);
  }
  expect(error.toEnvelope()).toEqual({ msg: error.msg, code: error.code, data: null, error: error.error });
  if (error.code !== 503) expect(error.param, "the parameter that is to blame").toBeTypeOf("string");
}

/** The parameter as messages call it. */
function spoken(param: string): string {
  return (param === "indexName" ? "index" : param).toLowerCase();
}

function complaintsOf(error: SearchError): string[] {
  const complaints = error.details?.complaints;
  return Array.isArray(complaints) ? complaints.map((complaint: { readonly msg: string }) => complaint.msg) : [];
}

/** The own properties of the built-in prototypes, by identity. */
function prototypes(): unknown[] {
  return [Object, Array, String, Number, Function, Map, Promise, RegExp].map(({ prototype }) =>
    Reflect.ownKeys(prototype).map((key) => [key, Reflect.getOwnPropertyDescriptor(prototype, key)]),
  );
}

const CLEAN = prototypes();

/** What Object.prototype has from the beginning; `__proto__` may be switched off. */
const OWN_KEYS = process.execArgv.includes("--disable-proto=delete") ? 11 : 12;

/** Asserts that no built-in prototype has gained, lost or changed a property. */
export function expectCleanPrototypes(): void {
  expect(Reflect.ownKeys(Object.prototype)).toHaveLength(OWN_KEYS);
  expect(prototypes()).toEqual(CLEAN);
}
