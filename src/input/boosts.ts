// Reads boosts and optional filters: what raises or lowers the score of a hit besides the query.

import type { Filter } from "../docvalues/filter.js";
import { placeIn } from "../docvalues/place.js";
import type { BoostSignal, ReadBoost } from "../settings/resolved-settings.js";
import { type Complaint, SearchError } from "../util/errors.js";
import { instantOf } from "../util/instant.js";
import type { Limits } from "../util/limits.js";
import { show, unknownName } from "../util/show.js";
import { isName } from "./checker.js";
import { anyOf, FilterReader, readFilters } from "./filter-object.js";
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

/** Reads a list of boosts. A wrong one is a complaint under the name of the list, a wrong filter one with the code `filterError`. */
export class BoostReader {
  private readonly name: string;
  private readonly limits: Limits;
  private readonly error: string;
  private readonly filterError: string;
  private readonly complaints: Complaint[];

  constructor(
    name: string,
    limits: Limits,
    codes: { readonly error: string; readonly filterError: string },
    into: Complaint[],
  ) {
    this.name = name;
    this.limits = limits;
    this.error = codes.error;
    this.filterError = codes.filterError;
    this.complaints = into;
  }

  list(given: unknown): readonly ReadBoost[] {
    if (!Array.isArray(given)) this.complain("", given, `a list of at most ${MOST_BOOSTS} boosts, each ${FORMS}`);
    else if (given.length > MOST_BOOSTS)
      this.complain("", `a list of ${given.length}`, `at most ${MOST_BOOSTS} boosts`);
    else return given.flatMap((item: unknown, i) => this.boost(item, `[${i}]`) ?? []);
    return [];
  }

  private boost(given: unknown, at: string): ReadBoost | undefined {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return this.complain(at, given, FORMS);
    const own = given as Properties;
    const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
    const kind = kinds.find((each) => own[each] !== undefined);
    if (kind === undefined) return this.complain(at, given, FORMS);
    const other = Object.keys(own).find((name) => own[name] !== undefined && !KINDS[kind].some((one) => one === name));
    if (other !== undefined) {
      const msg = `${this.name}${at}: ${unknownName("property", other, KINDS[kind])} A boost is ${FORMS}.`;
      this.complaints.push({ error: this.error, param: this.name, msg });
      return undefined;
    }
    const { weight } = own;
    if (typeof weight !== "number" || !(Math.abs(weight) <= 1) || weight === 0)
      return this.complain(`${at}.weight`, weight, "a number from -1 to 1, not 0");
    const signal = this.signal(kind, own, at);
    return signal === undefined ? undefined : { weight, signal };
  }

  private signal(kind: keyof typeof KINDS, own: Properties, at: string): BoostSignal | undefined {
    switch (kind) {
      case "attribute":
        return this.ofNumber(own, at);
      case "halfLifeDays":
        return this.ofDate(own, at);
      case "filters":
        return this.ofFilter(own, at);
      case "aroundLatLng":
        return this.ofPlace(own, at);
    }
  }

  private attribute(attribute: unknown, at: string): string | undefined {
    const longest = this.limits.attributeName;
    if (isName(attribute, longest)) return attribute;
    return this.complain(`${at}.attribute`, attribute, `a name of 1 to ${longest} characters`);
  }

  private ofDate({ attribute, halfLifeDays, origin }: Properties, at: string): BoostSignal | undefined {
    const name = this.attribute(attribute, at);
    if (name === undefined) return undefined;
    if (!isPositive(halfLifeDays)) return this.complain(`${at}.halfLifeDays`, halfLifeDays, "a number above 0");
    if (origin === undefined || origin === "now") return { kind: "date", attribute: name, halfLifeDays, origin };
    const instant = typeof origin === "string" ? instantOf(origin) : undefined;
    if (instant === undefined) return this.complain(`${at}.origin`, origin, 'a date such as "2024-01-31", or "now"');
    return { kind: "date", attribute: name, halfLifeDays, origin: instant };
  }

  private ofPlace({ aroundLatLng, pivotMetres }: Properties, at: string): BoostSignal | undefined {
    const center = typeof aroundLatLng === "string" ? placeIn(aroundLatLng) : undefined;
    if (center === undefined) return this.complain(`${at}.aroundLatLng`, aroundLatLng, 'a place such as "48.14,11.58"');
    if (!isPositive(pivotMetres)) return this.complain(`${at}.pivotMetres`, pivotMetres, "a number above 0");
    return { kind: "place", center, pivotMetres, shown: aroundLatLng as string };
  }

  private ofNumber({ attribute, pivot, order = "desc" }: Properties, at: string): BoostSignal | undefined {
    const name = this.attribute(attribute, at);
    if (name === undefined) return undefined;
    if (pivot !== undefined && !isPositive(pivot)) return this.complain(`${at}.pivot`, pivot, "a number above 0");
    if (order !== "asc" && order !== "desc") return this.complain(`${at}.order`, order, 'one of "desc", "asc"');
    return { kind: "number", attribute: name, order, pivot };
  }

  private ofFilter({ filters }: Properties, at: string): BoostSignal | undefined {
    try {
      return { kind: "filter", filter: readFilters(filters, this.limits, `${this.name}${at}.filters`), shown: filters };
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      this.complaints.push({ error: this.filterError, param: this.name, msg: error.msg, details: error.details });
      return undefined;
    }
  }

  private complain(at: string, found: unknown, expected: string): undefined {
    const msg = `${this.name}${at} is ${show(found)}; expected ${expected}.`;
    this.complaints.push({ error: this.error, param: this.name, msg });
    return undefined;
  }
}

function isPositive(value: unknown): value is number {
  return typeof value === "number" && value > 0 && Number.isFinite(value);
}

/** The weight of an optional filter without a score, and of one score. */
export const USUAL_WEIGHT = 0.1;
const SCORES_OF_FULL_WEIGHT = 20;

/**
 * Reads `optionalFilters`; throws 400 with the code `error`. Each entry is a text `attribute:value`, or an inner list, of which one must
 * hold. `:-` lowers the records that have the value. A text may end in `<score=3>`.
 */
export function readOptionalFilters(given: unknown, limits: Limits, error: string): readonly ReadBoost[] {
  const name = "optionalFilters";
  const reader = new FilterReader(limits, name, error);
  const refuse = (found: string, expected: string): never => {
    throw reader.refusal(`${name} ${found}; expected ${expected}.`);
  };
  if (!Array.isArray(given)) return refuse(`is ${show(given)}`, 'a list such as ["brand:Forge", "brand:-Volt"]');
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
  const score = typeof text === "string" ? /<score=([^<>]*)>$/.exec(text) : null;
  const written = score === null ? text : (text as string).slice(0, score.index);
  const { filter } = readRefinement(written, reader);
  if (score !== null && !/^[1-9][0-9]{0,14}$/.test(score[1]!))
    return refuse(`holds ${show(text)}`, "an integer from 1 as the score");
  const weight = score === null ? USUAL_WEIGHT : Math.min(1, Number(score[1]) / SCORES_OF_FULL_WEIGHT);
  return filter.kind === "not" ? { sign: -1, weight, filter: filter.filter } : { sign: 1, weight, filter };
}
