// The records for the peers: one flat text for each top-level attribute with text, the same texts that tandem-search searches by
// default.

const TITLES = ["title", "product_title", "product_name", "name"];
const IDENTIFIERS = ["sku", "ean", "gtin", "upc", "isbn", "mpn", "asin"];
/** URLs, UUIDs and dates are not searched. */
const NOT_TEXT =
  /^(?:[a-z][a-z0-9+.-]+:\/\/\S*|\d{4}-\d{2}-\d{2}(?:[T ]\S*)?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** @returns {{ title: string, fields: string[], rows: { id: string, texts: Record<string, string>, embedded: string }[] }} */
export function recordTexts(records) {
  const names = new Set();
  const rows = records.map((record) => {
    const texts = {};
    for (const [name, value] of Object.entries(record)) {
      if (name === "id") continue;
      const found = textsOf(value, name).join(" ");
      if (found !== "") texts[name] = found;
    }
    for (const name of Object.keys(texts)) names.add(name);
    return { id: String(record.id), texts };
  });
  const title = TITLES.find((name) => names.has(name)) ?? [...names][0];
  const fields = [title, ...[...names].filter((name) => name !== title).sort()];
  return { title, fields, rows: rows.map((row) => ({ ...row, embedded: embeddedText(row.texts, title) })) };
}

/** The title twice and the rest, without identifiers: what tandem-search embeds by default. */
function embeddedText(texts, title) {
  const rest = Object.keys(texts).filter((name) => name !== title && !IDENTIFIERS.includes(name.toLowerCase()));
  return [texts[title] ?? "", texts[title] ?? "", ...rest.sort().map((name) => texts[name])].join(" ").trim();
}

function textsOf(value, name) {
  if (typeof value === "string") return NOT_TEXT.test(value.trim()) ? [] : [value];
  if (typeof value === "number") return IDENTIFIERS.includes(name.toLowerCase()) ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, name));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([inner, item]) => textsOf(item, inner));
  return [];
}
