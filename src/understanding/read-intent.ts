// Reads what a query text asks for. What is ambiguous is left alone: a wrong understanding is worse than none. Each step claims the
// words of its parts, so the order matters: names with a colon first, purposes and values last.

import type { Task } from "../util/tasks.js";
import { readConditions } from "./conditions.js";
import type { EnglishReader } from "./english-reader.js";
import { readExclusions } from "./exclusions.js";
import type { IndexFacts } from "./index-facts.js";
import type { Intent } from "./intent.js";
import { readOrder } from "./orders.js";
import { type FoundPart, Reading, readSentence } from "./reading.js";
import { readNamedValues, readValues } from "./values.js";

/** What of a text is left alone. */
export interface LeftAlone {
  /** Nothing is understood that touches these characters, `from` … `to` - 1. */
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
  /** Parts that are taken back, by their places in the list of parts. */
  readonly except: readonly number[];
}

const NOTHING: LeftAlone = { ranges: [], except: [] };

/** What a text asks for, read against the facts of an index. */
export function* readIntent(
  text: string,
  facts: IndexFacts,
  reader: EnglishReader,
  { ranges, except }: LeftAlone = NOTHING,
): Task<Intent> {
  const tokens = readSentence(text, reader);
  if (tokens === undefined || tokens.length === 0) return intentOf(text, []);
  const reading = new Reading(text, tokens, facts);
  yield* readNamedValues(reading);
  yield* readOrder(reading);
  yield* readConditions(reading);
  yield* readExclusions(reading);
  yield* readValues(reading);
  const parts = reading.parts.filter((part) => !ranges.some(({ from, to }) => from < part.to && part.from < to));
  // What is taken back stays in the list, so that the places of the others stay.
  const left = (part: FoundPart, place: number): FoundPart =>
    except.includes(place) ? { ...part, became: "", list: "none" } : part;
  return intentOf(text, parts.map(left));
}

function intentOf(original: string, parts: readonly FoundPart[]): Intent {
  const became = (list: FoundPart["list"]): string[] => [
    ...new Set(parts.filter((part) => part.list === list).map((part) => part.became)),
  ];
  const [filters, sort] = [became("filters"), became("order")];
  return {
    original,
    query: withoutParts(original, parts),
    ...(filters.length > 0 && { filters: filters.join(" AND ") }),
    preferred: became("preferred"),
    excluded: became("excluded"),
    ...(sort.length > 0 && { order: { sort, within: "named" } }),
    parts: parts.map(({ from, to, text, kind, became }) => ({ from, to, text, kind, became })),
  };
}

/** The text without the parts that are no words to search for. */
function withoutParts(original: string, parts: readonly FoundPart[]): string {
  const removed = parts.filter(({ list }) => list === "filters" || list === "excluded" || list === "order");
  if (removed.length === 0) return original;
  let query = "";
  let done = 0;
  for (const { from, to } of removed) {
    query += original.slice(done, from);
    done = to;
  }
  const left = query + original.slice(done);
  return left
    .replace(/\s+/g, " ")
    .replace(/ (?=[,;.])/g, "")
    .replace(/^[\s,;.]+|[\s,;]+$/g, "");
}
