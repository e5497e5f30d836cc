// The settings of an index as it works with them: what they say in texts and lists is read where they are checked, and never again.

import type { KeyOfText } from "../analysis/sort-keys.js";
import type { Filter } from "../docvalues/filter.js";
import type { Place } from "../docvalues/place.js";
import type { SearchError } from "../util/errors.js";
import type { Analyzer, Embedder, SearchWarning } from "../util/extension-points.js";
import type { FieldRules } from "./field-rules.js";
import type { OwnSuggestions } from "./own-suggestions.js";
import type { RuleIndex } from "./rule-index.js";
import type { SearchLanguage } from "./search-language.js";
import type { RankingAttribute, ShownSettings } from "./settings.js";

/** Where the signal of a boost comes from: a number from 0 to 1 for each record. */
export type BoostSignal =
  | {
      readonly kind: "number";
      readonly attribute: string;
      readonly order: "asc" | "desc";
      /** undefined: learned from the records. */
      readonly pivot: number | undefined;
    }
  | {
      readonly kind: "date";
      readonly attribute: string;
      readonly halfLifeDays: number;
      /** Milliseconds since 1970, or the time of the query; undefined: learned from the records. */
      readonly origin: number | "now" | undefined;
    }
  | {
      readonly kind: "place";
      readonly center: Place;
      readonly pivotMetres: number;
      /** How the center was written. */
      readonly shown: string;
    }
  /** `shown`: how it was written. */
  | { readonly kind: "filter"; readonly filter: Filter; readonly shown: unknown };

/** A checked boost. */
export interface ReadBoost {
  readonly weight: number;
  readonly signal: BoostSignal;
}

/** The effective settings, of which some are read. */
export interface CheckedSettings
  extends Omit<ShownSettings, "attributesForFaceting" | "customRanking" | "boosts" | "rules" | "suggestions"> {
  /** Whether the values of an attribute are counted; null: every attribute of numbers, booleans or short strings. */
  readonly attributesForFaceting: ReadonlyMap<string, boolean> | null;
  readonly customRanking: readonly RankingAttribute[];
  readonly keyOfText: KeyOfText;
  readonly boosts: readonly ReadBoost[];
  readonly rules: RuleIndex;
  readonly suggestions: OwnSuggestions;
}

/** The settings of an index and what is made of them, once for all queries and writes. */
export interface ResolvedSettings {
  /** As `getSettings` shows them. */
  readonly shown: ShownSettings;
  /** As queries and writes read them. */
  readonly effective: CheckedSettings;
  readonly language: SearchLanguage;
  readonly fields: FieldRules;
  /** The semantic floor when there are too few vectors to learn one. */
  readonly usualFloor: number;
  /** Knows single words: the embedder itself, or static-en in the place of one that knows none. */
  readonly wordModel: Embedder | undefined;
  /** The semantic weight of short queries whose terms no record holds together; undefined: that of all queries. */
  readonly outOfVocabularyWeight: number | undefined;
  /** The least semantic floor of queries whose terms no record holds together; undefined: it is that of all queries. */
  readonly leastOutOfVocabularyFloor: number | undefined;
  /** "plain", the user's, or a known language, whose rules are loaded. */
  readonly analyzer: string | Analyzer;
  /**
   * The id and version of a language's analyzer, by which the records are read; "" for English, `"plain"` and the user's. Behind it, after a
   * blank each, those of attributes with a language of their own.
   */
  readonly analyzerIds: string;
  /** Embeds records, unless they bring their own vectors; embeds queries. */
  readonly embedder: Embedder | undefined;
  /** Why the index can be neither searched nor written: it needs a function that the engine was not given. */
  readonly missing: SearchError | undefined;
  /** The built-in embedder that the settings choose, also where its word table is not there; undefined: another one, or none. */
  readonly table: string | undefined;
  /** Why the index has no embedder although its settings ask for a built-in one: that was decided when it was made. */
  readonly tableProblem?: string | undefined;
  /** The built-in embedder whose words are parts of compounds; undefined: the language has no compounds, or there is no table. */
  readonly dictionary?: Embedder | undefined;
  /** What the maker of an index with these settings should know. */
  readonly advice?: SearchWarning | undefined;
  /** Why the index cannot be written, but answers in words: it has vectors of a word table that is not there. */
  readonly readOnly?: SearchError | undefined;
}
