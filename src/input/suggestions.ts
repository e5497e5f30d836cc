// The setting `suggestions`: texts of the shop's own, checked as a whole.

import type { Suggestion } from "../settings/settings.js";
import { utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";
import type { Task } from "../util/tasks.js";
import type { Checker } from "./checker.js";

/** The maximum number of suggestions. */
export const MOST_SUGGESTIONS = 100_000;
const KNOWN: readonly string[] = ["text", "weight"];
/** Suggestions read between two pauses. */
const PAUSE_EVERY = 256;

/** Reads the setting; it stays as it was given, because it is shown and stored. */
export function* readSuggestions(
  value: unknown,
  setting: string,
  check: Checker,
  limits: Limits,
): Task<readonly Suggestion[] | undefined> {
  if (!Array.isArray(value) || value.length > MOST_SUGGESTIONS) {
    check.complain(setting, value, `a list of at most ${MOST_SUGGESTIONS} of { text, weight }`);
    return undefined;
  }
  const texts = new Set<string>();
  for (const [i, item] of value.entries()) {
    if ((i + 1) % PAUSE_EVERY === 0) yield;
    const label = `${setting}[${i}]`;
    const entries = check.entries(label, item as unknown);
    const other = [...entries.keys()].find((name) => !KNOWN.includes(name));
    if (other !== undefined) check.complain(label, item, `an object of text and weight, without ${show(other)}`);
    const text = entries.get("text");
    if (typeof text !== "string" || text.trim() === "" || utf8Length(text) > limits.queryBytes)
      check.complain(`${label}.text`, text, `a text of 1 to ${limits.queryBytes} bytes, not blank`);
    else if (texts.has(text)) check.complain(`${label}.text`, text, "each text once");
    else texts.add(text);
    const weight = entries.has("weight") ? entries.get("weight") : 1;
    if (typeof weight !== "number" || !(weight > 0) || weight === Number.POSITIVE_INFINITY)
      check.complain(`${label}.weight`, weight, "a number above 0");
  }
  return value as readonly Suggestion[];
}
