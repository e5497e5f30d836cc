// What the page asks of its worker, and what the worker says. Types only.

import type { ImportReport } from "../src/command/feed-import.js";
import type { JudgedSet, Measures } from "../src/evaluation.js";
import type {
  Absence,
  AttributeInfo,
  EffectiveSettings,
  IndexSettings,
  JsonRecord,
  SearchData,
  SearchParams,
  SettingsPreview,
  SuggestedText,
} from "../src/index.js";

/** A file that was dropped, chosen, or written beside the page. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Blob;
}

/** The catalogue that is open. */
export interface Catalogue {
  readonly name: string;
  readonly records: number;
  readonly settings: IndexSettings;
  readonly effective: EffectiveSettings;
  /** Those that most records have. */
  readonly attributes: readonly AttributeInfo[];
  /** How many others there are. */
  readonly attributesLeft: number;
  /** How the files were read; absent of a snapshot. */
  readonly report?: ImportReport;
  /** Whether records are found by meaning. */
  readonly byMeaning: boolean;
}

/** The calls of the page. */
export interface Calls {
  open(files: readonly GivenFile[]): Promise<Catalogue>;
  query(params: SearchParams): Promise<SearchData>;
  suggest(query: string): Promise<readonly SuggestedText[]>;
  whyNot(params: SearchParams, id: string): Promise<Absence>;
  similar(id: string): Promise<SearchData>;
  records(ids: readonly string[]): Promise<readonly (JsonRecord | null)[]>;
  preview(settings: IndexSettings, queries: readonly SearchParams[], judgements?: JudgedSet): Promise<SettingsPreview>;
  measure(judgements: JudgedSet): Promise<Measures>;
  apply(settings: IndexSettings): Promise<Catalogue>;
}

/** A call, as a message. */
export interface Asked {
  readonly call: keyof Calls;
  readonly id: number;
  readonly args: readonly unknown[];
}

/** The worker's messages: an answer, how far an import has come, or that it needs a file that lies beside the page. */
export type Told =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly message: string } }
  | { readonly done: number; readonly total: number; readonly rows: number; readonly title: string }
  | { readonly needs: AssetName };

/** What lies beside the page. */
export type AssetName = "static-en" | "static-de" | "sentences" | "snapshot" | "demo";
