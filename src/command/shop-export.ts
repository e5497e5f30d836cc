// The exports of shops that need more than their columns: which are known, and what they hold in one cell.

type Values = Readonly<Record<string, unknown>>;

/** How rows of a kind of export are read. */
export interface ShopExport {
  readonly name: string;
  /** The column of the ids. */
  readonly id: string;
  /** Columns that tell it from others. */
  readonly columns: readonly string[];
  /** The cells of a row, lists and attributes taken apart. */
  shape(values: Values): Record<string, unknown>;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const items = (text: string, between: RegExp) => text.split(between).map((item) => item.replaceAll("\\,", ",").trim());

/** The row with lists in these columns. */
function withLists(values: Values, columns: readonly string[], between: RegExp): Record<string, unknown> {
  const row: Record<string, unknown> = Object.assign(Object.create(null), values);
  for (const column of columns) {
    const list = items(textOf(row[column]), between).filter((item) => item !== "");
    if (list.length > 0) row[column] = list;
  }
  return row;
}

/** Sets an attribute; a column of that name which has a value is kept. */
function setAttribute(row: Record<string, unknown>, name: string, values: readonly string[]): void {
  const filled = values.filter((value) => value !== "");
  if (name !== "" && filled.length > 0 && !row[name]) row[name] = filled.length === 1 ? filled[0] : filled;
}

const EXPORTS: readonly ShopExport[] = [
  {
    name: "Shopify",
    id: "Handle",
    columns: ["Handle", "Title", "Variant Price"],
    shape: (values) => withLists(values, ["Tags"], /,/),
  },
  {
    name: "WooCommerce",
    id: "ID",
    columns: ["ID", "Name", "Regular price", "Categories"],
    shape: (values) => {
      // "simple" and "variable" are no categories.
      const { Type: kind, ...rest } = values;
      const named = kind === undefined ? rest : { ...rest, "Product kind": kind };
      const row = withLists(named, ["Categories", "Tags", "Images"], /(?<!\\),/);
      for (const column of Object.keys(values)) {
        const [, number] = /^Attribute (\d+) name$/.exec(column) ?? [];
        if (number === undefined) continue;
        setAttribute(row, textOf(row[column]), items(textOf(row[`Attribute ${number} value(s)`]), /(?<!\\),/));
        for (const part of ["name", "value(s)", "visible", "global", "default"])
          delete row[`Attribute ${number} ${part}`];
      }
      return row;
    },
  },
  {
    name: "Magento",
    id: "sku",
    columns: ["sku", "name", "attribute_set_code", "additional_attributes"],
    shape: (values) => {
      const row = withLists(values, ["categories", "additional_images"], /,/);
      delete row.additional_attributes;
      for (const pair of textOf(values.additional_attributes).split(/,(?=\w+=)/)) {
        const at = pair.indexOf("=");
        setAttribute(row, pair.slice(0, Math.max(at, 0)).trim(), items(pair.slice(at + 1), /\|/));
      }
      return row;
    },
  },
];

/** The kind of export that has these columns; undefined: it is none of those that are known. */
export function shopExportOf(columns: readonly string[]): ShopExport | undefined {
  return EXPORTS.find((one) => one.columns.every((column) => columns.includes(column)));
}
