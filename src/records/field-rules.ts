/** Which parts of a record are searched, and as what. */
export interface FieldRules {
  readonly idAttribute: string;
  /** Dotted paths to search; null: every text attribute, by its top-level name. */
  readonly searchable: readonly string[] | null;
  /** Attribute names that hold identifiers, in lower case, at any depth. */
  readonly identifiers: ReadonlySet<string>;
  /** The attribute that holds the record's vector. */
  readonly vectorAttribute: string | undefined;
  /** Dotted paths whose text is embedded; null: the searchable text without identifiers, the title twice. */
  readonly embedded: readonly string[] | null;
  /** Whether titles are kept word by word too, for what they add to the score. */
  readonly titles: boolean;
}
