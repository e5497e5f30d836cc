// Copies settings, so that nothing that the caller does later can change them.

import { copyItems, lengthOf, ownEntries } from "../util/checks.js";
import { SearchError } from "../util/errors.js";
import type { JsonLimits } from "../util/json-reader.js";
import { type IndexSettings, SETTING_NAMES, type Synonym, type WeightedAttribute } from "./settings.js";

/** Settings with functions are kept as they are; all others are data and copied. */
const EXTENSIONS: readonly string[] = ["analyzer", "embedder"];

/** No documented setting is nested deeper; deeper nesting is an error. */
const DEEPEST = 6;
const MOST_ITEMS = 100_000;
/** All values of the settings of one call, and the characters of all texts, names included. */
const MOST_VALUES = 250_000;
const MOST_CHARACTERS = 4_000_000;

/** What stored settings may hold: several calls may have given more than one call can. Limits for texts of JSON. */
export const STORED_SETTINGS: JsonLimits = Object.freeze({
  depth: 16,
  names: 1000,
  values: 2 * MOST_VALUES,
  containers: 2 * MOST_VALUES,
  characters: 4 * MOST_CHARACTERS,
});

/** What may still be copied. */
interface Budget {
  values: number;
  characters: number;
}

/**
 * Copies settings, each read once; of the caller's objects only analyzer and embedder are kept. Unknown names stay, so that
 * the checks can report them. Throws 400 `settings_too_large` for more than 250,000 values or 4,000,000 characters.
 */
export function copySettings(given: unknown = {}): IndexSettings {
  return copyAll(given, { values: MOST_VALUES, characters: MOST_CHARACTERS });
}

/** Copies settings that were copied and checked before: several calls may have given more than one call can. */
export function copyKept(given: IndexSettings): IndexSettings {
  return copyAll(given, { values: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY });
}

function copyAll(given: unknown, budget: Budget): IndexSettings {
  const entries = ownEntries(given, "settings", "invalid_settings");
  return Object.fromEntries(
    [...entries].map(([name, value]) => [
      name,
      EXTENSIONS.includes(name) ? value : copy(value, { what: `settings.${name}`, depth: 1, budget }),
    ]),
  );
}

/** The settings with known names. Objects in lists keep only the properties that were checked. */
export function knownSettings(settings: IndexSettings): IndexSettings {
  const known = SETTING_NAMES.filter((name) => Object.hasOwn(settings, name));
  return Object.fromEntries(known.map((name) => [name, knownValue(name, settings)]));
}

function knownValue(name: keyof IndexSettings, settings: IndexSettings): unknown {
  if (name === "synonyms") return settings.synonyms?.map(knownSynonym);
  if (name === "searchableAttributes") return settings.searchableAttributes?.map(knownAttribute);
  return settings[name];
}

function knownAttribute(entry: string | WeightedAttribute): string | WeightedAttribute {
  if (typeof entry === "string") return entry;
  const { attribute, weight } = entry;
  return weight === undefined ? ({ attribute } as WeightedAttribute) : { attribute, weight };
}

function knownSynonym(synonym: Synonym): Synonym {
  const { type, synonyms } = synonym;
  return type === "synonym" ? { type, synonyms } : { type, input: synonym.input, synonyms };
}

/** Where a value stands, for messages, and what may still be copied. */
interface Place {
  readonly what: string;
  readonly depth: number;
  readonly budget: Budget;
}

/** Copies lists and objects item by item; other values are left to the checks. */
function copy(value: unknown, place: Place): unknown {
  const { what, depth, budget } = place;
  spend(budget, 1, typeof value === "string" ? value.length : 0);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST)
    throw new SearchError(400, "invalid_setting", `${what} is nested too deep; pass lists and objects as documented.`, {
      param: what.slice("settings.".length),
    });
  const items = listOf(value, what);
  if (items !== undefined) return items.map((item, i) => copyInner(item, place, i));
  return Object.fromEntries(
    [...ownEntries(value, what, "invalid_setting")].map(([name, item]) => {
      spend(budget, 0, name.length);
      return [name, copyInner(item, place, name)];
    }),
  );
}

function copyInner(value: unknown, { what, depth, budget }: Place, name: string | number): unknown {
  if (typeof value === "string") {
    spend(budget, 1, value.length);
    return value;
  }
  return copy(value, { what: what + (typeof name === "number" ? `[${name}]` : `.${name}`), depth: depth + 1, budget });
}

function spend(budget: Budget, values: number, characters: number): void {
  budget.values -= values;
  budget.characters -= characters;
  if (budget.values >= 0 && budget.characters >= 0) return;
  const msg = `settings hold more than ${MOST_VALUES} values or ${MOST_CHARACTERS} characters in all; pass less.`;
  throw new SearchError(400, "settings_too_large", msg, { param: "settings" });
}

/** The items of a list, each read once; undefined: the value is no list. */
function listOf(value: object, what: string): unknown[] | undefined {
  try {
    if (!Array.isArray(value)) return undefined;
    const length = lengthOf(value);
    if (length <= MOST_ITEMS) return copyItems(value, length);
    throw new SearchError(400, "invalid_setting", `${what} has ${length} items; pass at most ${MOST_ITEMS}.`, {
      param: what.slice("settings.".length),
    });
  } catch (cause) {
    if (cause instanceof SearchError) throw cause;
    const msg = `${what} could not be read (a getter or proxy threw); pass a plain array.`;
    throw new SearchError(400, "invalid_setting", msg, { param: what.slice("settings.".length), cause });
  }
}
