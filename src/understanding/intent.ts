// What a query text was understood to ask for. Types only.

/** What a part of a query says. */
export type IntentKind = "price" | "number" | "exclusion" | "value" | "order" | "purpose";

/** A part of a query that was understood. */
export interface IntentPart {
  /** Where the part begins and ends (exclusive) in the original text. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly kind: IntentKind;
  /** The text that it became in `filters`, `preferred`, `excluded` or `order`; "" for a purpose, and for a part that is taken back. */
  readonly became: string;
}

/** In which order a query asks for hits. */
export interface IntentOrder {
  /** As the parameter `sort`. */
  readonly sort: readonly string[];
  /** The hits that are what is asked for, by their titles or categories, are sorted; the others follow by score. */
  readonly within: "named";
}

/** What a query text was understood to ask for. */
export interface Intent {
  readonly original: string;
  /** The text to search for: the original without the parts that became conditions, exclusions or an order. */
  readonly query: string;
  /** Conditions, as the text form of `filters`; absent: none. */
  readonly filters?: string;
  /** Values that are rather wanted, each as a filter: `"brand:Nike"`. */
  readonly preferred: readonly string[];
  /** Terms that hits shall not hold. */
  readonly excluded: readonly string[];
  /** Absent: by score. */
  readonly order?: IntentOrder;
  /** What was understood, in the order of the text. */
  readonly parts: readonly IntentPart[];
}

/** A part of a query that was understood; it has no place if a rule wrote it. */
export type UnderstoodPart = Omit<IntentPart, "from" | "to"> & Partial<Pick<IntentPart, "from" | "to">>;

/** What a query was understood to ask for. Rules may have changed the text that was read; places are those in the caller's text. */
export interface Understood extends Omit<Intent, "parts"> {
  readonly parts: readonly UnderstoodPart[];
}
