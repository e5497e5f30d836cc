// What a sentence is read against: the attributes of an index, their values, and the titles. An interface, because an index answers it
// from its columns and posting lists, and this folder knows of neither.

import type { Task } from "../util/tasks.js";

/** A value of an attribute, in each spelling that records have: ["NIKE", "Nike"]. */
export interface FacetValue {
  readonly attribute: string;
  readonly values: readonly string[];
}

/** The least and the greatest number of an attribute. */
export interface NumberRange {
  readonly least: number;
  readonly greatest: number;
}

/** The attributes that prices, ratings and dates are read from; null: none. */
export interface NamedAttributes {
  readonly price: string | null;
  readonly rating: string | null;
  readonly newest: string | null;
}

/** What an index holds. Words are separated by single blanks, in lower case, without signs. */
export interface IndexFacts {
  /** Called where a sentence asks for prices and `named` has none. */
  lacksPrices(): void;
  readonly named: NamedAttributes;
  /** The attributes that a filter may name. */
  readonly attributes: readonly string[];
  /** Gets ready to tell the numbers of these attributes: all at once takes less than one by one. */
  prepare(attributes: readonly string[]): Task<void>;
  /** The numbers of an attribute; undefined: it has none. */
  rangeOf(attribute: string): Task<NumberRange | undefined>;
  /** The values of facets that are spelled by these words, one for each attribute. */
  valuesOf(words: string): Task<readonly FacetValue[]>;
  /** Whether the words stand side by side in a title; with `other`, in titles of records without that value alone. */
  standsInTitle(words: string, other?: FacetValue): Task<boolean>;
  /** Whether some record with a value holds a word, or has another value. */
  meets(value: FacetValue, other: string | FacetValue): Task<boolean>;
  /** Whether some record holds the words side by side. */
  holds(words: string): Task<boolean>;
}
