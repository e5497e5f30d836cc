// Reads boosts and optional filters: what raises or lowers the score of a hit besides the query.

import { anyOf, type Filter } from "../docvalues/filter.js";
import { placeIn } from "../docvalues/place.js";
import type { BoostSignal, ReadBoost } from "../settings/resolved-settings.js";
import { show, unknownName } from "../util/errors.js";
import { instantOf } from "../util/instant.js";
import type { Limits } from "../util/limits.js";
import { FilterReader, readFilters } from "./filter-object.js";
import { isName, type Reading } from "./kinds.js";
import { readRefinement } from "./refinements.js";

/** Of each source: the setting, the parameter, optional filters, a rule, a sentence. */
export const MOST_BOOSTS = 16;
/** Of all sources together. */
export const MOST_IN_FORCE = 256;

type Properties = Readonly<Record<string, unknown>>;

/** The properties of each kind of boost, by the one that tells it; the first that is there counts. */
const KINDS = {
  aroundLatLng: ["aroundLatLng", "pivotMetres", "weight"],
  halfLifeDays: ["attribute", "halfLifeDays", "origin", "weight"],
  attribute: ["attribute", "weight", "pivot", "order"],
  filters: ["filters", "weight"],
} as const;

const FORMS =
  "{ attribute, weight, pivot?, order? }, { attribute, weight, halfLifeDays, origin? }, { filters, weight } or { aroundLatLng, pivotMetres, weight }";

/** Reads a list of boosts. A wrong one is a complaint of `check` under the name of the list; of a filter, with the code `filterError`. */
export function readBoosts(
  given: unknown,
  param: string,
  { check, limits }: Pick<Reading, "check" | "limits">,
  filterError: string = check.error,
): readonly ReadBoost[] {
  const { error } = check;
  const label = check.label(param);
  const complain = (at: string, found: unknown, expected: string): undefined =>
    check.add({ error, param, msg: `${label}${at} is ${show(found)}; expected ${expected}.` });
  const signalOf = (kind: keyof typeof KINDS, own: Properties, at: string): BoostSignal | undefined => {
    const { attribute, pivot, order = "desc", halfLifeDays, origin, filters, aroundLatLng, pivotMetres } = own;
    if (kind === "filters") {
      const read = (): Filter => readFilters(filters, limits, `${label}${at}.filters`);
      const filter = check.collect(read, { error: filterError, param });
      return filter && { kind: "filter", filter, shown: filters };
    }
    if (kind === "aroundLatLng") {
      const center = typeof aroundLatLng === "string" ? placeIn(aroundLatLng) : undefined;
      if (center === undefined) return complain(`${at}.aroundLatLng`, aroundLatLng, 'a place such as "48.14,11.58"');
      if (!isPositive(pivotMetres)) return complain(`${at}.pivotMetres`, pivotMetres, "a number above 0");
      return { kind: "place", center, pivotMetres, shown: aroundLatLng as string };
    }
    if (!isName(attribute, limits.attributeName))
      return complain(`${at}.attribute`, attribute, `a name of 1 to ${limits.attributeName} characters`);
    if (kind === "halfLifeDays") {
      if (!isPositive(halfLifeDays)) return complain(`${at}.halfLifeDays`, halfLifeDays, "a number above 0");
      if (origin === undefined || origin === "now") return { kind: "date", attribute, halfLifeDays, origin };
      const instant = typeof origin === "string" ? instantOf(origin) : undefined;
      if (instant === undefined) return complain(`${at}.origin`, origin, 'a date such as "2024-01-31", or "now"');
      return { kind: "date", attribute, halfLifeDays, origin: instant };
    }
    if (pivot !== undefined && !isPositive(pivot)) return complain(`${at}.pivot`, pivot, "a number above 0");
    if (order !== "asc" && order !== "desc") return complain(`${at}.order`, order, 'one of "desc", "asc"');
    return { kind: "number", attribute, order, pivot };
  };
  const boostOf = (item: unknown, at: string): ReadBoost | undefined => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) return complain(at, item, FORMS);
    const own = item as Properties;
    const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
    const kind = kinds.find((each) => own[each] !== undefined);
    if (kind === undefined) return complain(at, item, FORMS);
    const other = Object.keys(own).find((name) => own[name] !== undefined && !KINDS[kind].some((one) => one === name));
    if (other !== undefined) {
      const msg = `${label}${at}: ${unknownName("property", other, KINDS[kind])} A boost is ${FORMS}.`;
      return check.add({ error, param, msg });
    }
    const { weight } = own;
    if (typeof weight !== "number" || !(Math.abs(weight) <= 1) || weight === 0)
      return complain(`${at}.weight`, weight, "a number from -1 to 1, not 0");
    const signal = signalOf(kind, own, at);
    return signal && { weight, signal };
  };
  if (!Array.isArray(given)) complain("", given, `a list of at most ${MOST_BOOSTS} boosts, each ${FORMS}`);
  else if (given.length > MOST_BOOSTS) complain("", `a list of ${given.length}`, `at most ${MOST_BOOSTS} boosts`);
  else return given.flatMap((item: unknown, i) => boostOf(item, `[${i}]`) ?? []);
  return [];
}

function isPositive(value: unknown): value is number {
  return typeof value === "number" && value > 0 && Number.isFinite(value);
}

/** The weight of an optional filter without a score, and of one score. */
export const USUAL_WEIGHT = 0.1;
const SCORES_OF_FULL_WEIGHT = 20;
const OPTIONAL_FORMS = 'a list such as ["brand:Forge", "brand:-Volt"]';

/**
 * Reads `optionalFilters`; throws 400 `invalid_parameter`. Each entry is a text `attribute:value`, or an inner list, of which one must
 * hold. `:-` lowers the records that have the value. A text may end in `<score=3>`.
 */
export function readOptionalFilters(given: unknown, limits: Limits): readonly ReadBoost[] {
  const name = "optionalFilters";
  const reader = new FilterReader(limits, name, "invalid_parameter");
  const refuse = (found: string, expected: string): never => {
    throw reader.refusal(`${name} ${found}; expected ${expected}.`);
  };
  if (!Array.isArray(given)) return refuse(`is ${show(given)}`, OPTIONAL_FORMS);
  if (given.length > MOST_BOOSTS) return refuse(`has ${given.length} entries`, `at most ${MOST_BOOSTS}`);
  return given.flatMap((entry: unknown) => {
    const texts: readonly unknown[] = Array.isArray(entry) ? entry : [entry];
    reader.budget.affords(texts.length);
    const parts = texts.map((text) => readOptionalFilter(text, reader, refuse));
    if (parts.length === 0) return [];
    if (new Set(parts.map(({ sign }) => sign)).size > 1)
      return refuse(`mixes signs in ${show(entry)}`, "one sign in an inner list");
    const weight = Math.max(...parts.map((part) => part.weight)) * parts[0]!.sign;
    return [
      { weight, signal: { kind: "filter" as const, filter: anyOf(parts.map(({ filter }) => filter)), shown: entry } },
    ];
  });
}

function readOptionalFilter(
  text: unknown,
  reader: FilterReader,
  refuse: (found: string, expected: string) => never,
): { readonly sign: 1 | -1; readonly weight: number; readonly filter: Filter } {
  if (typeof text !== "string") return refuse(`holds ${show(text)}`, OPTIONAL_FORMS);
  const score = /<score=([^<>]*)>$/.exec(text);
  const written = score === null ? text : text.slice(0, score.index);
  const { filter } = readRefinement(written, reader);
  if (score !== null && !/^[1-9][0-9]{0,14}$/.test(score[1]!))
    return refuse(`holds ${show(text)}`, "an integer from 1 as the score");
  const weight = score === null ? USUAL_WEIGHT : Math.min(1, Number(score[1]) / SCORES_OF_FULL_WEIGHT);
  return filter.kind === "not" ? { sign: -1, weight, filter: filter.filter } : { sign: 1, weight, filter };
}
