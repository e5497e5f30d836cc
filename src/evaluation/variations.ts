// The settings that a sweep tries: each list of values, all combinations of them.

import { Checker, copyList, ownEntries, unknownName } from "../base/checks.js";
import { type Complaint, refuse } from "../base/errors.js";
import type { IndexSettings } from "../settings/settings.js";

/** The values to try of each setting; all combinations are tried. */
export interface Variations {
  readonly semanticWeight?: readonly number[];
  readonly semanticFloor?: readonly number[];
  readonly semanticDepth?: readonly number[];
  readonly matchingRatio?: readonly number[];
  readonly k1?: readonly number[];
  readonly b?: readonly number[];
  /** Weights by the name of the attribute: `[{ title: 1 }, { title: 3, brand: 2 }]`; others keep theirs. */
  readonly attributeWeights?: readonly Readonly<Record<string, number>>[];
  /** Any other settings, as `updateSettings` takes them: `[{}, { embeddedAttributes: ["title"] }]`. */
  readonly settings?: readonly IndexSettings[];
}

/** One combination: of each name in the variations, one value. */
export type Variation = { readonly [name in keyof Variations]?: NonNullable<Variations[name]>[number] };

/** What has to be indexed again changes last. */
const NAMES: readonly (keyof Variations)[] = [
  "settings",
  "attributeWeights",
  "k1",
  "b",
  "matchingRatio",
  "semanticDepth",
  "semanticFloor",
  "semanticWeight",
];
const MOST = 1000;

/** All combinations, the last name changing fastest; throws 400. The values are checked where they become settings. */
export function readVariations(given: unknown): Variation[] {
  const entries = ownEntries(given, "options.vary", "invalid_variation");
  const check = new Checker("invalid_variation", "options.vary");
  for (const name of entries.keys()) if (!NAMES.some((known) => known === name)) check.complaints.push(unknown(name));
  let all: Variation[] = [{}];
  for (const name of NAMES) {
    const value = entries.get(name);
    const list = value === undefined ? undefined : copyList(value, MOST);
    if (value !== undefined && (list === undefined || list.length === 0 || !list.every(isFit(name))))
      check.refuse(name, value, `a list of 1 to ${MOST} ${EXPECTED[name] ?? "numbers"}`);
    if (list === undefined || all.length * list.length > MOST * 10) continue;
    all = all.flatMap((variation) => list.map((item) => ({ ...variation, [name]: item })));
  }
  if (all.length > MOST || entries.size === 0)
    check.refuse("vary", all.length, `1 to ${MOST} combinations of the values`);
  refuse(check.complaints, 400, check.cause);
  return all;
}

const EXPECTED: { readonly [name in keyof Variations]?: string } = {
  attributeWeights: "objects of weights by attribute",
  settings: "objects of settings",
};

function isFit(name: keyof Variations): (item: unknown) => boolean {
  if (EXPECTED[name] === undefined) return (item) => typeof item === "number" && Number.isFinite(item);
  return (item) => typeof item === "object" && item !== null && !Array.isArray(item);
}

function unknown(name: string): Complaint {
  return { error: "invalid_variation", param: name, msg: unknownName("variation", name, NAMES) };
}
