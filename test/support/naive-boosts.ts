// Boosts on plain records: each signal by its definition, from all records.

import type { Boost, JsonRecord, SearchParams } from "../../src/index.js";
import { instantIn } from "./naive-dates.js";
import { readFilter, valuesAt } from "./naive-filters.js";
import { metresTo, placeOf } from "./naive-places.js";

export interface NaiveBoosts {
  readonly divisor: number;
  /** Whether one of them can give something. */
  readonly give: boolean;
  readonly sumOf: (record: JsonRecord) => number;
}

/** The boosts of a query over all records; undefined: there are none. `preferred`: filters that were understood. */
export function readBoosts(
  { boosts, optionalFilters = [] }: Pick<SearchParams, "boosts" | "optionalFilters">,
  preferred: readonly string[],
  setting: readonly Boost[] | undefined,
  records: readonly JsonRecord[],
): NaiveBoosts | undefined {
  const read = [
    ...(boosts ?? setting ?? []).map((boost) => signalOf(boost, records)),
    ...optionalFilters.map((entry) => optional(entry, records)),
    ...preferred.slice(0, 16).map((filter) => ofTest(0.1, readFilter(filter), records)),
  ];
  if (read.length === 0) return undefined;
  const inForce = read.filter((one) => one.gives);
  return {
    give: inForce.length > 0,
    divisor: inForce.reduce((sum, { weight }) => sum + Math.max(0, weight), 1),
    sumOf: (record) => inForce.reduce((sum, { weight, signal }) => sum + weight * signal(record), 0),
  };
}

type Signal = { readonly weight: number; readonly gives: boolean; readonly signal: (record: JsonRecord) => number };

function signalOf(boost: Boost, records: readonly JsonRecord[]): Signal {
  const { weight } = boost;
  if ("filters" in boost) return ofTest(weight, readFilter(boost.filters), records);
  // Of what a record has none of, nothing is given.
  const ofValue = (valueIn: (record: JsonRecord) => number | undefined, signal: (value: number) => number): Signal => ({
    ...{ weight, gives: records.some((record) => valueIn(record) !== undefined) },
    signal: (record) => [valueIn(record) ?? []].flat().reduce((_, value) => signal(value), 0),
  });
  if ("aroundLatLng" in boost) {
    const { pivotMetres, aroundLatLng } = boost;
    return ofValue(
      (record) => metresTo(record, placeOf(aroundLatLng)),
      (far) => pivotMetres / (far + pivotMetres),
    );
  }
  const isDate = "halfLifeDays" in boost;
  const greatest = (record: JsonRecord): number | undefined => {
    const values = valuesAt(record, boost.attribute).map((value) => (isDate ? instantIn(value) : value));
    const numbers = values.filter((value) => typeof value === "number");
    return numbers.length === 0 ? undefined : Math.max(...numbers);
  };
  const all = records.flatMap((record) => greatest(record) ?? []).sort((a, b) => a - b);
  if (isDate) {
    const inTime = all[Math.ceil((99 * all.length) / 100) - 1]!;
    const origin = boost.origin === undefined ? inTime : instantIn(boost.origin)!;
    return ofValue(greatest, (date) => 2 ** (-Math.max(0, origin - date) / (boost.halfLifeDays * 86_400_000)));
  }
  const positive = all.filter((x) => x > 0);
  const pivot = boost.pivot ?? positive[Math.ceil(positive.length / 2) - 1] ?? 1;
  return ofValue(greatest, (x) => {
    if (boost.order === "asc") return x >= 0 ? pivot / (x + pivot) : 0;
    return x > 0 ? x / (x + pivot) : 0;
  });
}

function ofTest(weight: number, passes: (record: JsonRecord) => boolean, records: readonly JsonRecord[]): Signal {
  return { weight, gives: records.some(passes), signal: (record) => (passes(record) ? 1 : 0) };
}

/** `brand:Forge`, `brand:-Forge`, `brand:Forge<score=3>`, or several of which one must hold. */
function optional(entry: string | readonly string[], records: readonly JsonRecord[]): Signal {
  const texts = typeof entry === "string" ? [entry] : entry;
  const parts = texts.map((text) => {
    const [, written = "", score] = /^(.*?)(?:<score=([0-9]+)>)?$/s.exec(text)!;
    const [, attribute = "", minus, escaped = ""] = /^([^:]+):(-?)(.*)$/s.exec(written)!;
    const value = /^\\+-/.test(escaped) ? escaped.slice(1) : escaped;
    const weight = score === undefined ? 0.1 : Math.min(1, Number(score) / 20);
    const holds = (record: JsonRecord): boolean => valuesAt(record, attribute).some((one) => String(one) === value);
    return { weight, sign: minus === "-" ? -1 : 1, holds };
  });
  const weight = Math.max(0, ...parts.map((part) => part.weight)) * (parts[0]?.sign ?? 1);
  return ofTest(weight, (record) => parts.some(({ holds }) => holds(record)), records);
}
