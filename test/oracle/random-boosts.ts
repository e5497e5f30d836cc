// Random boosts and optional filters.

import type { Boost } from "../../src/index.js";
import type { Random } from "../support/random.js";
import { VALUES } from "./random-attributes.js";
import { randomFilter } from "./random-filters.js";

export function randomBoosts(random: Random, held: readonly string[]): Boost[] {
  if (held.length === 0) return [];
  return random.list(0, 3, () => {
    const attribute = random.pick(held);
    const weight = random.pick([-1, -0.3, 0.02, 0.1, 0.5, 1]);
    if (random.chance(0.4)) return { filters: randomFilter(random, held, 1).text, weight };
    if (random.chance(0.15)) return { aroundLatLng: random.pick(["48,11", "-17.5,179"]), pivotMetres: 1e5, weight };
    if (attribute === "released" && random.chance(0.7)) {
      const halfLifeDays = random.pick([1, 400]);
      return { attribute, weight, halfLifeDays, ...(random.chance(0.4) ? { origin: "2024-02-01T12:00Z" } : {}) };
    }
    return {
      ...{ attribute, weight },
      ...(random.chance(0.4) ? { pivot: random.pick([0.1, 5, 1e6]) } : {}),
      ...(random.chance(0.4) ? { order: random.pick(["asc", "desc"] as const) } : {}),
    };
  });
}

export function randomOptionalFilters(random: Random, held: readonly string[]): (string | string[])[] {
  if (held.length === 0) return [];
  const entry = (minus: string): string => {
    const attribute = random.pick(held);
    const value = String(random.pick(VALUES[attribute]!));
    const escaped = /^\\*-/.test(value) ? `\\${value}` : value;
    return `${attribute}:${minus}${escaped}${random.pick(["", "", "<score=1>", "<score=30>"])}`;
  };
  return random.list(0, 3, () => {
    const minus = random.pick(["", "", "-"]);
    return random.chance(0.5) ? entry(minus) : random.list(1, 3, () => entry(minus));
  });
}
