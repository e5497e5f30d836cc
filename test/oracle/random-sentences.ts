// Sentences as shoppers write them, about the values and words of a random shop, and texts of records that negate such words.

import type { SearchAnswer, SearchParams } from "../../src/index.js";
import type { NaiveIntent } from "../support/naive-intent.js";
import type { Random } from "../support/random.js";
import { VALUES } from "./random-attributes.js";

const THINGS = "drill cordless battery charger running general saw black".split(" ");
const EXCLUDED = [...THINGS, ...THINGS, "kettle", "vacuum", "cordless drill", "battery charger"];
const ORDERS = ["cheapest", "most expensive", "newest", "the latest", "best rated"];

/** Parameters with a sentence that is understood, some parts of it taken back; of those given, what narrows is rarely kept. */
export function sentenceParams(random: Random, given: SearchParams): SearchParams {
  const { filters, facetFilters, aroundLatLng, aroundRadius, insideBoundingBox, minScore, ...others } = given;
  const narrow = { filters, facetFilters, aroundLatLng, aroundRadius, insideBoundingBox, minScore };
  const kept = Object.entries(narrow).filter(([, value]) => value !== undefined);
  return {
    ...others,
    ...(random.chance(0.2) ? Object.fromEntries(kept) : {}),
    ...(random.chance(0.6) ? { matching: "any" } : {}),
    query: randomSentence(random),
    understand: random.chance(0.2) ? { except: random.some([0, 1, 2], 0.4) } : true,
  };
}

function randomSentence(random: Random): string {
  const value = (): string => String(random.pick([...VALUES.brand!, ...VALUES.colors!, "Forge", "Volt", "Hem"]));
  const parts = [
    ...random.some([random.pick(ORDERS)], 0.4),
    ...random.some([value()], 0.2),
    ...random.list(random.chance(0.9) ? 1 : 0, 2, () => random.pick(THINGS)),
    ...random.some([random.pick(["under 10", "under $20", "between 5 and 30", "over 9", "at least 18 dollars"])], 0.4),
    ...random.some([`${random.pick(["not", "not from", "no"])} ${value()}`], 0.2),
    ...random.some([`${random.pick(["without", "with no"])} ${random.pick(EXCLUDED)}`], 0.6),
  ];
  return (random.chance(0.9) ? parts : random.shuffle(parts)).join(" ");
}

export function negatingText(random: Random): string {
  const thing = (): string => random.pick(EXCLUDED);
  const part = (): string =>
    random.pick([
      () => `no ${random.pick(["", "", "real,", "added. "])}${thing()}`,
      () => `without any ${thing()}`,
      () => `without ${thing()} or ${thing()}`,
      () => `${thing()} free`,
      () => `${thing()}-free`,
      () => `free of ${thing()}`,
      () => `free from added ${thing()}`,
      () => `non-${thing()}`,
      () => `0 % ${thing()}`,
      () => `zero or ${thing()}`,
      () => `with ${thing()}`,
      thing,
    ])();
  const glue = (): string => random.pick([" ", ", ", ". ", "; ", ",", " (", "\n", " or ", " the "]);
  return random.list(1, 4, () => part() + glue()).join("");
}

/** What an index understands of a query, as its twin takes it. */
export async function intentOf(
  ask: (params: SearchParams) => Promise<SearchAnswer>,
  params: SearchParams,
): Promise<NaiveIntent> {
  const { query, advancedSyntax = false } = params;
  const typed = await ask({ query, advancedSyntax, understand: true, enableRules: false, semanticWeight: 0 });
  const { data } = await ask({ ...params, hitsPerPage: 0 });
  return { isSentence: typed.data.understood!.parts.length > 0, understood: data.understood! };
}
