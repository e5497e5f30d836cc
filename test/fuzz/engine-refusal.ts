// What every refusal of a fuzzed call must be, judged by the table of docs/errors.md; and what a warning must be.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SearchError, type SearchWarning } from "../../src/index.js";
import { ROOT } from "../support/source-tree.js";

const PRINTABLE = /^[\x20-\x7e…]{1,400}$/;
const STACK_LINE = /node_modules|node:internal|file:\/\/|\.[cm]?[jt]s:\d/;
/** Stands in every bad record: no message may hold it. */
export const SECRET = "confidential";

const PAGE = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");

/** The rows "| 400 | `a` `b` | when |" as "400 a", "400 b". */
const DOCUMENTED: ReadonlySet<string> = new Set(
  [...PAGE.matchAll(/^\| (\d{3}) \| ([^|]*) \|/gm)].flatMap(([, code, names]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => `${code} ${name}`),
  ),
);
const WARNINGS = PAGE.slice(PAGE.indexOf("## Warnings"));

/** "400 invalid_page"; throws when the refusal breaks a rule that every refusal keeps. */
export function refusalOf(thrown: unknown): string {
  if (!(thrown instanceof SearchError)) throw new Error(`not a SearchError: ${describe(thrown)}`);
  const kind = `${thrown.code} ${thrown.error}`;
  if (!DOCUMENTED.has(kind)) throw new Error(`"${kind}" is not in docs/errors.md: ${thrown.msg}`);
  for (const text of [thrown.msg, thrown.message, ...complaintsOf(thrown)]) {
    if (!PRINTABLE.test(text)) throw new Error(`${kind} has a message that is not printable: ${JSON.stringify(text)}`);
    if (text.includes(SECRET)) throw new Error(`${kind} tells what a record holds: ${text}`);
    if (STACK_LINE.test(text)) throw new Error(`${kind} tells a path: ${text}`);
  }
  const envelope = JSON.stringify({ msg: thrown.msg, code: thrown.code, data: null, error: thrown.error });
  if (JSON.stringify(thrown.toEnvelope()) !== envelope) throw new Error(`${kind} has another envelope than its fields`);
  if (thrown.code !== 503 && typeof thrown.param !== "string") throw new Error(`${kind} names no parameter`);
  return kind;
}

/** Throws for a warning that is not documented or cannot be printed. */
export function checkWarning({ code, message }: SearchWarning): void {
  if (!WARNINGS.includes(`\`${code}\``)) throw new Error(`the warning "${code}" is not in docs/errors.md`);
  if (!/^[\x20-\x7e…]{1,1000}$/.test(message))
    throw new Error(`a warning is not printable: ${JSON.stringify(message)}`);
}

/** The messages of all complaints; all of `details` must be data. */
function complaintsOf({ details }: SearchError): string[] {
  JSON.stringify(details);
  const complaints = details?.complaints;
  return Array.isArray(complaints) ? complaints.map((complaint: { readonly msg: string }) => complaint.msg) : [];
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : `a thrown ${typeof thrown}`;
}
