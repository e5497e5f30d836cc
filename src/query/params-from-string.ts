// Form B: one URL-encoded string becomes the object form, by the platform's own decoding. Numbers are plain decimals here, so
// that "2" is a page and "+2", "02" and "2e0" are none; what cannot be read stays text and is refused by the same checks.

import { SearchError } from "../base/errors.js";
import { utf8Length } from "../base/json.js";
import type { Limits } from "../base/limits.js";

const INTEGER = /^(?:0|[1-9][0-9]{0,15})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,20})?$/;

/** How a parameter's text becomes its value. */
const READERS: ReadonlyMap<string, (text: string) => unknown> = new Map([
  ["page", readInteger],
  ["hitsPerPage", readInteger],
  ["semanticDepth", readInteger],
  ["semanticWeight", readDecimal],
  ["semanticFloor", readDecimal],
  ["vector", readVector],
]);

/** The parameters of an encoded string; of repeated names the last wins. Throws 400 `params_too_long`. */
export function paramsFromString(params: string, limits: Limits): Map<string, unknown> {
  if (params.length > limits.paramsBytes || utf8Length(params) > limits.paramsBytes)
    throw tooLong(`params has more than ${limits.paramsBytes} bytes; shorten it or pass an object.`);
  const named = new Map<string, unknown>();
  let pairs = 0;
  for (const [name, text] of new URLSearchParams(params)) {
    if (++pairs > limits.paramsPairs)
      throw tooLong(`params has more than ${limits.paramsPairs} parameters; pass fewer.`);
    named.set(name, READERS.get(name)?.(text) ?? text);
  }
  return named;
}

function readInteger(text: string): unknown {
  return INTEGER.test(text) ? Number(text) : text;
}

function readDecimal(text: string): unknown {
  return DECIMAL.test(text) ? Number(text) : text;
}

/** A JSON array, or numbers between commas; the empty text is the empty list. */
function readVector(text: string): unknown {
  if (text.startsWith("[")) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  return text === "" ? [] : text.split(",").map(readDecimal);
}

function tooLong(msg: string): SearchError {
  return new SearchError(400, "params_too_long", msg, { param: "params" });
}
