// What an encoded string of parameters says, read again by the documented rules alone: URL decoding, the last of repeated
// names counts, plain decimals, true and false, lists as JSON or between commas, objects as JSON. What cannot be read so
// stays text. Written without a look at how src does it.

const MOST_BYTES = 16_384;
const MOST_PAIRS = 64;

const INTEGERS = new Set(["page", "hitsPerPage", "maxValuesPerFacet", "semanticDepth"]);
const DECIMALS = new Set(["semanticWeight", "semanticFloor"]);
const BOOLEANS = new Set(["distinct", "typoTolerance", "advancedSyntax", "explain"]);
const LISTS = new Set(
  "facets sort attributesToRetrieve attributesToHighlight attributesToSnippet restrictSearchableAttributes optionalWords facetFilters".split(
    " ",
  ),
);

/** The object that means the same; "too long" where the limits of the string are passed. */
export function readEncoded(params: string): Record<string, unknown> | "too long" {
  const pairs = [...new URLSearchParams(params).entries()];
  if (Buffer.byteLength(params) > MOST_BYTES || pairs.length > MOST_PAIRS) return "too long";
  // Within the string, "params" is one more unknown name; in an object it would be the string itself.
  const entries = pairs
    .filter(([name]) => name !== "params")
    .map(([name, text]) => [name, valueFrom(name, text)] as const);
  return Object.fromEntries(entries);
}

function valueFrom(name: string, text: string): unknown {
  if (INTEGERS.has(name)) return /^[0-9]+$/.test(text) ? numberOf(text) : text;
  if (DECIMALS.has(name)) return numberOf(text);
  if (BOOLEANS.has(name)) return text === "true" || text === "false" ? text === "true" : text;
  if (LISTS.has(name)) return listOf(text);
  if (name === "filters") return text.startsWith("{") ? jsonOf(text) : text;
  if (name !== "vector") return text;
  return /^[[{]/.test(text) || text === "" ? listOf(text) : text.split(",").map(numberOf);
}

/** "2", "-0.5": no sign +, no leading zeros, no exponent, digits on both sides of a point. */
function numberOf(text: string): unknown {
  const [, whole] = /^-?([0-9]+)(\.[0-9]+)?$/.exec(text) ?? [];
  return whole === undefined || (whole.length > 1 && whole.startsWith("0")) ? text : Number(text);
}

function listOf(text: string): unknown {
  if (text === "") return [];
  return text.startsWith("[") || text.startsWith("{") ? jsonOf(text) : text.split(",");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
