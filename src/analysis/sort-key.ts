// What a text sorts by: its number if it reads as one, else its normal form, so that texts sort as in a dictionary. The normal form
// needs no locale data, so the order is the same on every machine.

import { normalizeText } from "./normalize-text.js";

/** Longer texts are no numbers. Shorter ones are finite. */
const LONGEST_NUMBER = 64;
/** 1200, 19.5, .5 and 9,99. */
const PLAIN = /^[+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)$/;
/** 1,200 and 1,200.50: three digits after each comma, and no zero in front. */
const GROUPED_BY_COMMA = /^[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?$/;
/** 1.299,00, and 1.299.000. A single point is a decimal point. */
const GROUPED_BY_POINT = /^[+-]?[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+,[0-9]+|(?:\.[0-9]{3}){2,})$/;

/** What a text sorts by: a number, a normal form, or undefined for a blank text, which is as good as none. */
export function sortKeyOfText(text: string): number | string | undefined {
  const normal = normalizeText(text).trim();
  if (normal === "") return undefined;
  return numberOf(normal) ?? normal;
}

/** The number that a normalised text is written as. */
function numberOf(normal: string): number | undefined {
  if (normal.length > LONGEST_NUMBER) return undefined;
  if (GROUPED_BY_COMMA.test(normal)) return Number(normal.replaceAll(",", ""));
  if (GROUPED_BY_POINT.test(normal)) return Number(normal.replaceAll(".", "").replace(",", "."));
  return PLAIN.test(normal) ? Number(normal.replace(",", ".")) : undefined;
}
