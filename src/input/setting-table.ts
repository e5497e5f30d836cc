// The settings of an index: how each is checked, and what counts where none is given. To add one, add its entry here, its type in
// settings.ts and its line in docs/parameters.md.

import type { CheckedSettings, ReadBoost } from "../settings/resolved-settings.js";
import type { ReadRule } from "../settings/rule-index.js";
import {
  type IndexSettings,
  parseRanking,
  plainFaceting,
  type RankingAttribute,
  type ShownSettings,
  type Suggestion,
  type Synonym,
  searchedName,
  type WeightedAttribute,
} from "../settings/settings.js";
import { show } from "../util/errors.js";
import { utf8Length } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { readBoosts } from "./boosts.js";
import {
  attributeNames,
  boolean,
  type Checker,
  dependent,
  distinct,
  type Entry,
  integer,
  isName,
  type Kind,
  language,
  MATCHING,
  MOST_NAMES,
  number,
  oneOf,
  QUERY_TYPE,
  type Reading,
  readEntry,
} from "./kinds.js";
import type { PlainObject } from "./plain-data.js";
import { readRules } from "./rules.js";

const MOST_WORDS = 10_000;
const MOST_SYNONYMS = 10_000;
const MOST_OF_ONE = 1000;
/** Synonyms, and words of them, read between two pauses. */
const SYNONYMS_AT_ONCE = 256;
const LONGEST_WORD = 256;
const MOST_RANKINGS = 16;
const HIGHEST_WEIGHT = 1000;

const attributeName: Kind<string> = {
  read: (value, name, { check, limits }) => check.name(name, value, limits.attributeName),
};

const wordList: Kind<readonly string[]> = {
  read: (value, name, { check }) => check.texts(name, value, LONGEST_WORD, MOST_WORDS) ?? [],
};

const stopWords: Kind<readonly string[] | false> = {
  read: (value, name, reading) => (value === false ? false : wordList.read(value, name, reading)),
};

const faceting: Kind<readonly string[]> = {
  read: (value, name, { check, limits }) =>
    check.names(name, value, limits.attributeName, MOST_NAMES)?.map(plainFaceting),
};

const rankings: Kind<readonly RankingAttribute[]> = {
  read: (value, name, { check, limits }) => {
    const isItem = (item: unknown): item is string =>
      typeof item === "string" && isName(parseRanking(item)?.attribute, limits.attributeName);
    const expected = 'of "asc(attribute)" or "desc(attribute)"';
    return check.list(name, value, { most: MOST_RANKINGS, isItem, expected })?.map((item) => parseRanking(item)!);
  },
};

const searchable: Kind<readonly (string | WeightedAttribute)[]> = {
  read: (value, setting, reading) => {
    const { check, limits } = reading;
    if (!Array.isArray(value) || value.length > MOST_NAMES)
      return check.complain(setting, value, `a list of at most ${MOST_NAMES} names or { attribute, weight, language }`);
    const seen = new Set<string>();
    return value.flatMap((item: unknown, i) => {
      const label = `${setting}[${i}]`;
      if (typeof item !== "string" && (typeof item !== "object" || item === null || Array.isArray(item))) {
        check.complain(label, item, "a name or { attribute, weight, language }");
        return [];
      }
      const entry =
        typeof item === "string" ? check.name(label, item, limits.attributeName) : readWeighted(item, label, reading);
      const name = searchedName(entry);
      if (seen.has(name)) check.complain(label, name, "each attribute once");
      else seen.add(name);
      return [entry];
    });
  },
};

function readWeighted(item: object, label: string, reading: Reading): WeightedAttribute {
  const { check, limits } = reading;
  const entries = check.entries(label, item);
  const attribute = check.name(`${label}.attribute`, entries.get("attribute") ?? null, limits.attributeName);
  const given = entries.get("weight");
  const weight = check.number(`${label}.weight`, given, 0, HIGHEST_WEIGHT, 1);
  if (weight === 0) check.complain(`${label}.weight`, weight, `a number above 0, at most ${HIGHEST_WEIGHT}`);
  if (entries.get("language") === undefined) return { attribute, weight };
  const own = language.read(entries.get("language"), `${label}.language`, reading);
  return { attribute, ...(given === undefined ? {} : { weight }), ...(own === undefined ? {} : { language: own }) };
}

function* readSynonyms(value: unknown, setting: string, { check }: Reading): Task<readonly Synonym[] | undefined> {
  if (!Array.isArray(value) || value.length > MOST_SYNONYMS)
    return check.complain(setting, value, `a list of at most ${MOST_SYNONYMS} synonyms`);
  const expansions = new Map<string, number>();
  const read: Synonym[] = [];
  let seen = 0;
  for (const [i, item] of value.entries()) {
    const label = `${setting}[${i}]`;
    const synonym = readSynonym(item, label, check);
    for (const word of synonym.type === "synonym" ? synonym.synonyms : [synonym.input]) {
      const input = word.trim().toLowerCase();
      const before = expansions.get(input) ?? 0;
      const count = before + synonym.synonyms.length;
      if (count > MOST_OF_ONE && before <= MOST_OF_ONE)
        check.complain(label, count, `at most ${MOST_OF_ONE} synonyms of one word`);
      expansions.set(input, count);
    }
    read.push(synonym);
    seen += 1 + synonym.synonyms.length;
    if (seen < SYNONYMS_AT_ONCE) continue;
    seen = 0;
    yield;
  }
  return read;
}

function readSynonym(item: unknown, label: string, check: Checker): Synonym {
  const before = check.complaints.length;
  const entries = check.entries(label, item ?? null);
  if (check.complaints.length > before) return { type: "synonym", synonyms: [] };
  const type = check.oneOf(`${label}.type`, entries.get("type") ?? null, ["synonym", "oneWaySynonym"], "synonym");
  const list = check.texts(`${label}.synonyms`, entries.get("synonyms") ?? null, LONGEST_WORD, MOST_WORDS) ?? [];
  if (type === "synonym") return { type, synonyms: list };
  const input = entries.get("input");
  if (typeof input !== "string" || input.length > LONGEST_WORD)
    check.complain(`${label}.input`, input, `a text of at most ${LONGEST_WORD} characters`);
  return { type, input: typeof input === "string" ? input : "", synonyms: list };
}

const MOST_SUGGESTIONS = 100_000;
const SUGGESTION: readonly string[] = ["text", "weight"];
/** Suggestions read between two pauses. */
const SUGGESTIONS_AT_ONCE = 256;

/** Reads texts of the shop's own; they stay as they were given, because they are shown and stored. */
function* readSuggestions(
  value: unknown,
  setting: string,
  { check, limits }: Reading,
): Task<readonly Suggestion[] | undefined> {
  if (!Array.isArray(value) || value.length > MOST_SUGGESTIONS)
    return check.complain(setting, value, `a list of at most ${MOST_SUGGESTIONS} of { text, weight }`);
  const texts = new Set<string>();
  for (const [i, item] of value.entries()) {
    if ((i + 1) % SUGGESTIONS_AT_ONCE === 0) yield;
    const label = `${setting}[${i}]`;
    const entries = check.entries(label, item as unknown);
    const other = [...entries.keys()].find((name) => !SUGGESTION.includes(name));
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

/** An object of settings of one subject; each has a kind, and what counts where it is not given. */
const group = <T extends object>(
  members: {
    readonly [name in keyof T]: readonly [kind: Kind<T[name]>, fallback: T[name]];
  },
): Entry<T> => {
  const entries = Object.entries<readonly [Kind<unknown>, unknown]>(members);
  return {
    fallback: Object.freeze(Object.fromEntries(entries.map(([name, [, fallback]]) => [name, fallback])) as T),
    kind: {
      read: (value, setting, reading) => {
        const given = reading.check.entries(setting, value);
        refuseOthers(given.keys(), setting, Object.keys(members), reading.check);
        return Object.fromEntries(
          entries.map(([name, [kind, fallback]]) => [
            name,
            given.has(name) ? kind.read(given.get(name), `${setting}.${name}`, reading) : fallback,
          ]),
        ) as T;
      },
    },
  };
};

/** Complains about settings of a group that it does not have. */
export function refuseOthers(names: Iterable<string>, setting: string, known: readonly string[], check: Checker): void {
  const paths = (list: Iterable<string>): string[] => Array.from(list, (each) => `${setting}.${each}`);
  check.refuseOthers(paths(names), paths(known), "setting", "unknown_setting");
}

const IDENTIFIERS =
  "sku ean gtin upc isbn mpn asin barcode gtin8 gtin12 gtin13 gtin14 ean8 ean13 isbn10 isbn13 articleNumber partNumber modelNumber productCode articleNo itemNumber itemNo itemCode partNo modelNo productNumber productNo manufacturerPartNumber oemNumber oeNumber styleNumber styleCode stockCode orderNumber catalogNumber eanCode upcCode pzn issn variantSku variantBarcode gtinUpcEanOrIsbn";

/** What settings say, and the short form of `fusion`, which `readSettings` takes up into it. */
interface SettingValues extends Omit<ShownSettings, "customRanking" | "boosts" | "rules"> {
  readonly customRanking: readonly RankingAttribute[];
  readonly boosts: readonly ReadBoost[];
  readonly rules: readonly ReadRule[];
  readonly semanticWeight: number | undefined;
}

/** The settings of an index. */
export const SETTINGS: { readonly [N in keyof IndexSettings]-?: Entry<Exclude<SettingValues[N], undefined>> } = {
  idAttribute: { kind: attributeName, fallback: "id" },
  searchableAttributes: { kind: searchable, fallback: null },
  identifierAttributes: { kind: attributeNames(MOST_NAMES), fallback: Object.freeze(IDENTIFIERS.split(" ")) },
  analyzer: { kind: dependent },
  matching: { kind: MATCHING, fallback: "auto" },
  matchingRatio: { kind: number(0, 1), fallback: 0.4 },
  embedder: { kind: dependent },
  embeddedAttributes: { kind: attributeNames(MOST_NAMES), fallback: null },
  vectorAttribute: { kind: attributeName, fallback: null },
  dimensions: { kind: dependent },
  vectorIndex: group<CheckedSettings["vectorIndex"]>({
    kind: [oneOf("auto", "exact", "hnsw", "hnswlib"), "auto"],
    m: [integer(2, 256), 16],
    efConstruction: [integer(4, 10_000), 200],
    efSearch: [integer(1, 10_000), 250],
  }),
  fusion: { kind: dependent },
  semanticWeight: { kind: number(0, 1) },
  titleEvidence: { kind: boolean, fallback: true },
  semanticFloor: { kind: dependent },
  semanticDepth: { kind: integer(1, "semanticDepth"), fallback: 100 },
  rankWindow: { kind: integer(1, 10_000), fallback: 1000 },
  relevancyStrictness: { kind: integer(0, 100), fallback: 0 },
  bm25: group<CheckedSettings["bm25"]>({ k1: [number(0, 1000), 1.2], b: [number(0, 1), 0.6] }),
  attributesForFaceting: { kind: faceting, fallback: null },
  customRanking: { kind: rankings, fallback: [] },
  boosts: { kind: { read: readBoosts }, fallback: [] },
  rules: { kind: dependent, fallback: [] },
  attributeForDistinct: { kind: attributeName, fallback: null },
  distinct: { kind: distinct, fallback: false },
  synonyms: { kind: dependent, fallback: [] },
  builtInSynonyms: { kind: boolean, fallback: true },
  stopWords: { kind: stopWords, fallback: null },
  optionalWords: { kind: wordList, fallback: [] },
  typoTolerance: { kind: boolean, fallback: true },
  disableTypoToleranceOnWords: { kind: wordList, fallback: [] },
  disableTypoToleranceOnAttributes: { kind: wordList, fallback: [] },
  queryType: { kind: QUERY_TYPE, fallback: "prefixAuto" },
  suggestions: { kind: dependent, fallback: [] },
  language: { kind: language, fallback: null },
  understanding: group<CheckedSettings["understanding"]>({
    price: [attributeName, null],
    rating: [attributeName, null],
    newest: [attributeName, null],
  }),
};

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS);

/** How settings are read that may be so large that reading them needs pauses. */
const IN_STEPS: Readonly<Record<string, (value: unknown, name: string, reading: Reading) => Task<unknown>>> = {
  rules: readRules,
  suggestions: readSuggestions,
  synonyms: readSynonyms,
};

/** Reads the settings that are given, and fills in the others, but for those that depend on more than their own value. */
export function* readOwnSettings(given: PlainObject, reading: Reading): Task<SettingValues> {
  const values: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const value = given[name];
    const inSteps = value === undefined ? undefined : IN_STEPS[name];
    values[name] =
      inSteps === undefined
        ? readEntry(SETTINGS[name as keyof SettingValues], value, name, reading)
        : yield* inSteps(value, name, reading);
  }
  return values as SettingValues & Record<string, unknown>;
}
