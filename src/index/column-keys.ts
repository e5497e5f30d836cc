// The keys of the columns of a segment: the name of an attribute of records; for the items of lists, which column or table it is.

/** Names have no control characters. A record that has one all the same has it in vain: nobody can ask for it. */
const TABLE = "\u0000items\u0000";
const COLUMN = "\u0000values\u0000";
const KEY = /^\u0000(items|values)\u0000([0-9]+)\u0000/;

/** What a key stands for that is no attribute of records. */
export type ItemsKey =
  /** The table of the items of a list, as they are seen from the items of another one; "": from records. */
  | { readonly kind: "table"; readonly list: string; readonly outer: string }
  /** The column of an attribute of the items of a list. */
  | { readonly kind: "column"; readonly list: string; readonly attribute: string };

/** The key of the table of the items of a list, as they are seen from the items of another one; "": from records. */
export function tableKey(list: string, outer: string): string {
  return `${TABLE}${outer.length}\u0000${outer}${list}`;
}

/** The key of the column of an attribute as it is seen from the items of a list; "": from records. */
export function columnKey(list: string, attribute: string): string {
  return list === "" ? attribute : `${COLUMN}${list.length}\u0000${list}${attribute}`;
}

/** What a key stands for; undefined: an attribute of records. */
export function itemsKeyOf(key: string): ItemsKey | undefined {
  const [head, kind, length] = KEY.exec(key) ?? [];
  if (head === undefined) return undefined;
  const [first, second] = [
    key.slice(head.length, head.length + Number(length)),
    key.slice(head.length + Number(length)),
  ];
  return kind === "items"
    ? { kind: "table", outer: first, list: second }
    : { kind: "column", list: first, attribute: second };
}
