// Runs the examples of scripts/reference.mjs against the built package, and asks it what may be given.

import { format } from "node:util";
import * as library from "../../dist/index.js";
import * as shared from "../../docs/examples/reference-shop.mjs";
import { wrap } from "./text.mjs";

/** What may be given, in the words of the message about a number that may not. */
export async function expectedBy(call) {
  const error = await call(-7).catch((thrown) => thrown);
  const [, expected] = /expected (.*?)\.(?: |$)/.exec(error.msg ?? "") ?? [];
  if (expected === undefined) throw new Error(`The example needs a value: ${error.msg ?? error}`);
  return expected
    .replace(/\{[^}]*\}|"[^"]*"/g, "`$&`")
    .replace(/\d{4,}/g, (digits) => Number(digits).toLocaleString("en"));
}

const AsyncFunction = (async () => {}).constructor;

/** What the lines print, or how they fail. */
async function run(code, names) {
  const printed = [];
  const log = (...values) => printed.push(format(...values));
  const scope = { ...library, ...shared, ...names, console: { log } };
  const { query, ...known } = scope;
  try {
    await new AsyncFunction(...Object.keys(known), code)(...Object.values(known));
  } catch (error) {
    if (!(error instanceof library.SearchError)) throw new Error(`An example fails: ${code}`, { cause: error });
    return { printed, error };
  }
  return { printed };
}

export async function answerOf(code, { isFailing, withIndex }) {
  for (const { name } of await shared.engine.listIndexes()) await shared.engine.deleteIndex(name);
  const names = withIndex ? { index: await shared.shop() } : {};
  const { printed, error } = await run(code, names);
  if ((error !== undefined) !== isFailing)
    throw new Error(`An example ${isFailing ? "does not fail" : "fails"}: ${code}`);
  if (error === undefined) return printed.join("\n").trimEnd();
  const { code: number, error: name, param, msg } = error;
  return `${number} ${name}${param === undefined || param === "" ? "" : `, param "${param}"`}\n${wrap(msg, 100)}`;
}
