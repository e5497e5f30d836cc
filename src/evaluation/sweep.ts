// Tries settings on copies of an index, measures each by the same judgements and compares it with the index as it is.

import { Checker } from "../input/kinds.js";
import { copyItems, copyProperties } from "../input/plain-data.js";
import { changedSettings } from "../input/read-settings.js";
import type { SearchParams } from "../input/search-params.js";
import { type Comparison, compare, type EvaluatedRun } from "../relevance/evaluated-run.js";
import { type JudgedSet, readJudgedSet } from "../relevance/judged-set.js";
import { FieldRules } from "../settings/field-rules.js";
import {
  type EffectiveSettings,
  type IndexSettings,
  searchedName,
  type WeightedAttribute,
} from "../settings/settings.js";
import { readFields } from "../state/read-fields.js";
import { refusal, showNames, throwValidationErrors } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { pauseIfLong } from "../util/tasks.js";
import { type EvaluatedEngine, measure, withCopy } from "./evaluated-engine.js";
import { type EvaluationOptions, withOptions } from "./evaluation-options.js";

/** Options of `sweep`. */
export interface SweepOptions extends EvaluationOptions {
  /** The values to try. */
  readonly vary: Variations;
}

/** The measures of one combination of values. */
export interface SweepPoint {
  readonly values: Variation;
  /** Pass these to `updateSettings` to apply the combination to the index. */
  readonly settings: IndexSettings;
  readonly run: EvaluatedRun;
  /** The run minus the baseline. */
  readonly differences: Comparison;
}

/** The result of `sweep`. */
export interface Sweep {
  /** The index with its current settings. */
  readonly baseline: EvaluatedRun;
  /** All combinations, in the order of the values. */
  readonly points: readonly SweepPoint[];
}

/** A combination, split into settings of a copy and parameters of each query. */
interface Trial {
  readonly values: Variation;
  readonly indexSettings: IndexSettings;
  readonly params: Partial<SearchParams>;
  readonly settings: IndexSettings;
}

/**
 * Measures each combination of the values on a copy of the index and compares it with the current settings. The index itself
 * is never changed. If the settings name no `searchableAttributes`, a combination with `attributeWeights` names all of them
 * on the copy; named attributes are also searched for numbers and URLs.
 *
 * One in twenty combinations looks significant by chance. Choose on one half of the queries, confirm on the other.
 *
 * @throws SearchError 400 (judgements, options, values), 404, 499
 * @example
 * const { points } = await sweep("products", { queries, qrels }, { vary: { semanticWeight: [0, 0.1, 0.3] } });
 * for (const { values, run, differences } of points) console.log(values, run.means.ndcg, differences.ndcg);
 */
export async function sweep(indexName: string, judgements: JudgedSet, options: SweepOptions): Promise<Sweep> {
  return withOptions(options, ["vary"], async (checked) => {
    const { engine, cutoffs, bootstrap, signal, counting, entries } = checked;
    const variations = readVariations(entries.vary);
    const set = readJudgedSet(judgements, cutoffs.relevantFrom);
    const { effective } = await engine.getSettings(indexName);
    return withCopy(engine, indexName, async (base) => {
      const names = variations.some(({ attributeWeights }) => attributeWeights !== undefined)
        ? await searchedAttributes(engine, base, effective)
        : [];
      const trials = variations.map((values) => trialOf(values, effective, names));
      const onQuery = counting((trials.length + 1) * set.queries.length);
      const measureIn = (name: string, params: Partial<SearchParams>): Promise<EvaluatedRun> =>
        measure(set, checked, { engine, indexName: name, params, onQuery });
      const baseline = await measureIn(base, {});
      const points: SweepPoint[] = [];
      for (const alike of grouped(trials))
        await withCopy(engine, base, async (copy) => {
          const { indexSettings } = alike[0]!;
          if (Object.keys(indexSettings).length > 0)
            await engine.updateSettings(copy, indexSettings, signal === undefined ? {} : { signal });
          for (const { values, settings, params } of alike) {
            const run = await measureIn(copy, params);
            points.push({ values, settings, run, differences: await compare(run, baseline, bootstrap, signal) });
          }
        });
      return { baseline, points };
    });
  });
}

const SET: readonly (keyof Variation)[] = ["settings", "attributeWeights", "k1", "b", "matchingRatio"];

/** Groups consecutive trials that differ in query parameters alone: they share a copy. */
function grouped(trials: readonly Trial[]): Trial[][] {
  const groups: Trial[][] = [];
  for (const trial of trials) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    if (first !== undefined && SET.every((name) => first.values[name] === trial.values[name])) last!.push(trial);
    else groups.push([trial]);
  }
  return groups;
}

function trialOf(
  values: Variation,
  effective: EffectiveSettings,
  attributes: readonly (string | WeightedAttribute)[],
): Trial {
  const { semanticWeight, semanticFloor, semanticDepth, matchingRatio, k1, b, attributeWeights } = values;
  const bm25 = given({ k1, b });
  const ownSettings: IndexSettings = {
    ...values.settings,
    ...(attributeWeights !== undefined && { searchableAttributes: reweighted(attributes, attributeWeights) }),
    ...(Object.keys(bm25).length > 0 && { bm25: { ...effective.bm25, ...values.settings?.bm25, ...bm25 } }),
    ...given({ matchingRatio }),
  };
  // The only method with a semantic weight.
  const weighed = semanticWeight === undefined ? {} : { fusion: { method: "convex", semanticWeight } as const };
  const indexSettings = effective.fusion.method === "convex" ? ownSettings : changedSettings(ownSettings, weighed);
  const near = given({ semanticFloor, semanticDepth });
  return {
    values,
    indexSettings,
    params: { ...near, ...given({ semanticWeight }) },
    settings: changedSettings({ ...indexSettings, ...near }, weighed),
  };
}

/** The fields in which the records of an index have text or identifiers, sorted by name. */
async function searchedAttributes(
  engine: EvaluatedEngine,
  indexName: string,
  settings: EffectiveSettings,
): Promise<readonly (string | WeightedAttribute)[]> {
  if (settings.searchableAttributes !== null) return settings.searchableAttributes;
  const rules = new FieldRules(settings);
  const names = new Set<string>();
  for await (const record of engine.browseRecords<JsonRecord>(indexName)) {
    for (const { name } of readFields(record, String(record[settings.idAttribute]), rules)) names.add(name);
    await pauseIfLong();
  }
  return [...names].sort();
}

/** Replaces the weights of some attributes; throws 400 `invalid_variation` for an attribute that is not searched. */
function reweighted(
  attributes: readonly (string | WeightedAttribute)[],
  weights: Readonly<Record<string, number>>,
): (string | WeightedAttribute)[] {
  const names = attributes.map(searchedName);
  const unknown = Object.keys(weights).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const msg = `attributeWeights names ${showNames([unknown])}, which is not searched; searched are ${showNames(names)}.`;
    throw refusal("invalid_variation", "attributeWeights", msg);
  }
  return attributes.map((entry, i) =>
    Object.hasOwn(weights, names[i]!)
      ? { ...(typeof entry === "string" ? { attribute: entry } : entry), weight: weights[names[i]!]! }
      : entry,
  );
}

/** The values that are not undefined. */
function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** The values to try for each setting; `sweep` tries all combinations. */
export interface Variations {
  readonly semanticWeight?: readonly number[] | undefined;
  readonly semanticFloor?: readonly number[] | undefined;
  readonly semanticDepth?: readonly number[] | undefined;
  readonly matchingRatio?: readonly number[] | undefined;
  readonly k1?: readonly number[] | undefined;
  readonly b?: readonly number[] | undefined;
  /** Weights by attribute: `[{ title: 1 }, { title: 3, brand: 2 }]`; other attributes keep theirs. */
  readonly attributeWeights?: readonly Readonly<Record<string, number>>[] | undefined;
  /** Any other settings for `updateSettings`: `[{}, { embeddedAttributes: ["title"] }]`. */
  readonly settings?: readonly IndexSettings[] | undefined;
}

/** One combination: one value for each varied setting. */
export type Variation = { readonly [name in keyof Variations]?: NonNullable<Variations[name]>[number] };

const NUMBERS = "numbers";
/** What each name takes. In this order, settings that require indexing again change least often. */
const EXPECTED: { readonly [name in keyof Variations]-?: string } = {
  settings: "objects of settings",
  attributeWeights: "objects of weights by attribute",
  k1: NUMBERS,
  b: NUMBERS,
  matchingRatio: NUMBERS,
  semanticDepth: NUMBERS,
  semanticFloor: NUMBERS,
  semanticWeight: NUMBERS,
};
const NAMES = Object.keys(EXPECTED) as (keyof Variations)[];
const MOST = 1000;

/** All combinations, the last name changing fastest. Throws 400; the values themselves are checked as settings. */
function readVariations(given: unknown): Variation[] {
  const entries = copyProperties(given, { what: "options.vary", error: "invalid_variation" });
  const check = new Checker("invalid_variation", "options.vary");
  check.refuseOthers(Object.keys(entries), NAMES, "variation");
  let all: Variation[] = [{}];
  for (const name of NAMES) {
    const value = entries[name];
    const list = value === undefined ? undefined : copyItems(value, MOST);
    if (value !== undefined && (list === undefined || list.length === 0 || !list.every(isFit(name))))
      check.complain(name, value, `a list of 1 to ${MOST} ${EXPECTED[name]}`);
    if (list === undefined || all.length * list.length > MOST * 10) continue;
    all = all.flatMap((variation) => list.map((item) => ({ ...variation, [name]: item })));
  }
  if (all.length > MOST || Object.keys(entries).length === 0)
    check.complain("vary", all.length, `1 to ${MOST} combinations of the values`);
  throwValidationErrors(check.complaints);
  return all;
}

function isFit(name: keyof Variations): (item: unknown) => boolean {
  if (EXPECTED[name] === NUMBERS) return (item) => typeof item === "number" && Number.isFinite(item);
  return (item) => typeof item === "object" && item !== null && !Array.isArray(item);
}
