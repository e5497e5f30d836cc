// Names of attributes as sentences use them: their words, the unit that a name tells, and the usual names of prices, ratings and dates.

import { wordsOf } from "../analysis/language-rules.js";
import { COUNTED_MARK, UNITS, type Unit } from "../analysis/units.js";
import { lastName, plainName } from "../util/attribute-path.js";
import type { NamedAttributes } from "./index-facts.js";

/** An attribute by the words of its name. */
export interface NamedAttribute {
  readonly attribute: string;
  /** Without the unit: ["weight"] for "weightKg"; that of "pages" are its own. */
  readonly words: string;
  /** The unit of its numbers, where the name tells it. */
  readonly unit: Unit | undefined;
}

/** The {@link plainName}s that are usual, the preferred ones first. */
const USUAL: Readonly<Record<keyof NamedAttributes, readonly string[]>> = {
  price: wordsOf(
    "price variantprice saleprice specialprice currentprice finalprice regularprice unitprice listprice cost",
  ),
  rating: wordsOf("rating averagerating avgrating ratingaverage stars reviewrating reviewscore ratingvalue"),
  newest: wordsOf(
    "released releasedate releasedat launched launchdate publishedat publicationdate published createdat created dateadded addedat date year",
  ),
};

/** The names of attributes of makers: in "for Samsung", what has one is not meant. */
const MAKERS = wordsOf("brand brands brandname manufacturer manufacturername vendor vendorname maker author artist");

/** The usual names of facets: where none are declared, values are looked for in these. */
const FACETS: ReadonlySet<string> = new Set([
  ...MAKERS,
  ...wordsOf(
    "color colors colour colours material materials size sizes gender category categories productcategory type producttype department collection genre format style flavor flavour origin country shade pattern season finish scent",
  ),
]);

/** The attributes that measure a dimension, by the words of their names. */
const MEASURES: Readonly<Record<string, readonly string[]>> = {
  mass: ["weight"],
  volume: ["capacity", "volume"],
  storage: ["ram", "memory", "storage", "capacity", "storage capacity", "disk", "ssd"],
  length: "size, screen, screen size, display, display size, diagonal, length, width, height, depth".split(", "),
  time: ["battery", "battery life", "runtime", "duration", "playing time"],
  power: ["power", "wattage"],
  voltage: ["voltage"],
  frequency: ["frequency", "refresh rate"],
  light: ["brightness"],
  megapixels: ["resolution", "megapixels"],
};

const plain = (name: string): string => plainName(lastName(name));

/** The attributes of the usual names: the preferred name, then the shallowest path, then the first by name. */
export function usualAttributes(attributes: readonly string[]): NamedAttributes {
  const find = (names: readonly string[]): string | null => {
    let best: string | null = null;
    let bestRank = names.length;
    for (const attribute of attributes) {
      const rank = names.indexOf(plain(attribute));
      if (rank < 0 || rank > bestRank) continue;
      if (best === null || rank < bestRank || isShallower(attribute, best)) best = attribute;
      bestRank = rank;
    }
    return best;
  };
  return { price: find(USUAL.price), rating: find(USUAL.rating), newest: find(USUAL.newest) };
}

function isShallower(a: string, b: string): boolean {
  const [depthOfA, depthOfB] = [a.split(".").length, b.split(".").length];
  return depthOfA === depthOfB ? a < b : depthOfA < depthOfB;
}

/** Whether an attribute has the usual name of a facet. */
export function isUsualFacet(attribute: string): boolean {
  return FACETS.has(plain(attribute));
}

/** Whether the values of an attribute are makers. */
export function isMaker(attribute: string): boolean {
  return MAKERS.includes(plain(attribute));
}

/** An attribute by the words of its name. */
export function namedAttribute(attribute: string): NamedAttribute {
  const words = lastName(attribute)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[ _-]+/)
    .filter((word) => word !== "");
  const unit = UNITS.get(words.at(-1) ?? "");
  return { attribute, words: (unit !== undefined && words.length > 1 ? words.slice(0, -1) : words).join(" "), unit };
}

/** Whether an attribute may hold quantities of a unit: by its own unit, or by a usual name. */
export function mayMeasure({ words, unit: own }: NamedAttribute, { dimension }: Unit): boolean {
  if (own !== undefined) return own.dimension === dimension;
  if (dimension.startsWith(COUNTED_MARK)) return false;
  return words === dimension || MEASURES[dimension]?.includes(words) === true;
}

/** "page" and "pages" are the same name. */
export function sameName(a: string, b: string): boolean {
  return a === b || `${a}s` === b || a === `${b}s`;
}
