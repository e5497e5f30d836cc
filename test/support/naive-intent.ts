// What a query is understood to ask for, applied by its definition. What the text says comes as data: sentences are read once.

import { plainText } from "../../src/analysis/markup.js";
import type { WordForms } from "../../src/analysis/word-forms.js";
import type { Understood } from "../../src/index.js";
import { readFilter } from "./naive-filters.js";
import { placesOf, runOf } from "./naive-phrases.js";
import type { Entry } from "./naive-record.js";

/** What was understood. */
export interface NaiveIntent {
  /** Whether something was understood in the text that was typed, before any rule. */
  readonly isSentence: boolean;
  /** In the text that rules left. */
  readonly understood: Understood;
}

/** Whether a record meets the conditions, and holds nothing that is excluded. */
export function meetsIntent(
  { filters, excluded }: Pick<Understood, "filters" | "excluded">,
  words: WordForms,
): (entry: Entry, seen: Entry["record"]) => boolean {
  const passes = readFilter(filters);
  return (entry, seen) => passes(seen) && !excluded.some((term) => holdsOutsideNegation(entry, term, words));
}

const BEFORE = "no non not without zero never 0 0g 0mg";
const BETWEEN = "added any a an the real artificial of from g mg";
/** How many words before a term may hold its negation. */
const REACH = 4;

/** Whether a term stands side by side in a text of the record and is not negated there; or is one word, and stands in no text as it is. */
function holdsOutsideNegation({ fields }: Entry, term: string, words: WordForms): boolean {
  const run = runOf(term, words);
  const searched = [...fields.values()];
  if (run.length === 0 || !run.every((one) => searched.some(({ counts }) => counts.has(one)))) return false;
  const pieces = searched.flatMap(({ texts }) => texts).flatMap((text) => sentences(text));
  const places = pieces.flatMap((piece) => {
    const whole = runOf(piece, words);
    return placesOf(run, whole).map((at) => ({ before: whole.slice(0, at), behind: whole.slice(at + run.length) }));
  });
  const isNegated = negation(words);
  return places.length === 0 ? run.length === 1 : places.some((place) => !isNegated(place.before, place.behind));
}

/** Points, commas and colons end something only before a blank; "1.5" and "a:b" go on. */
function sentences(text: string): string[] {
  return plainText(text).split(/[;!?()[\]|\u2022\n\r]|[.,:](?=[.,;:!?()[\]|\u2022\n\r]*(?:\s|$))/);
}

/** "Sugar free"; "no added sugar", "free from any sugar", "without salt or sugar". */
function negation(words: WordForms): (before: readonly string[], behind: readonly string[]) => boolean {
  const escaped = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "\\$&");
  const oneOf = (text: string): string => `(?:${runOf(text, words).map(escaped).join("|")})`;
  const negating = `(?:${oneOf(BEFORE)}|${oneOf("free")} ${oneOf("of from")})`;
  const filler = `(?: ${oneOf(BETWEEN)}| \\S+ ${oneOf("or nor")})`;
  const pattern = new RegExp(`(?:^| )${negating}${filler}*$`);
  const [free] = runOf("free", words);
  return (before, behind) => behind[0] === free || pattern.test(before.slice(-REACH).join(" "));
}
