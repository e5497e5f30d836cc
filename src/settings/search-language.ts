// The language of an index, from its settings: analyzer, stop words, synonyms, optional words, words that are never corrected.

import { builtInSynonyms } from "../analysis/built-in-synonyms.js";
import { canonicalLanguage, loadedLanguage } from "../analysis/languages.js";
import { normalizeText } from "../analysis/normalize-text.js";
import { keysOf } from "../analysis/parse-query.js";
import { BUILT_IN_WEIGHT, SynonymTable } from "../analysis/synonyms.js";
import { cleanWord } from "../analysis/token-forms.js";
import { ENGLISH_WORDS, PLAIN_WORDS, typedFormsOf, type WordForms } from "../analysis/word-forms.js";
import { lastName, plainName } from "../util/attribute-path.js";
import type { Analyzer } from "../util/extension-points.js";
import { has } from "../util/json.js";
import { listIn } from "../util/offset-table.js";
import type { Task } from "../util/tasks.js";
import { type ShownSettings, searchedName, type WeightedAttribute } from "./settings.js";

/** How a query is read for the fields of one language. */
export interface LanguageReading {
  /** Where the query is not in the language, it finds words as they are typed. */
  readonly language: SearchLanguage;
  readonly isRead: boolean;
  /** The searched fields with texts of the language, and those with texts of others. */
  readonly fields: readonly string[];
  readonly elsewhere: ReadonlySet<string>;
}

type SearchedSettings = Pick<ShownSettings, "searchableAttributes" | "identifierAttributes" | "language">;

/** The tags of the languages of the fields that are searched, or of all; empty: the index has an analyzer of the user's. */
export function searchedLanguages(settings: SearchedSettings, restricted: readonly string[] | undefined): string[] {
  const usual = settings.language ?? undefined;
  const tags = textFields(settings, restricted).map((entry) => (typeof entry === "object" && entry.language) || usual);
  const known = (tags.length > 0 ? tags : [usual]).flatMap((tag) => (tag === undefined ? [] : canonicalLanguage(tag)!));
  return [...new Set(known)].sort();
}

/** The searched attributes with texts: those of identifiers have no language. */
function textFields(
  { searchableAttributes, identifierAttributes }: SearchedSettings,
  restricted: readonly string[] | undefined,
): (string | WeightedAttribute)[] {
  const identifiers = new Set(identifierAttributes.map(plainName));
  return (searchableAttributes ?? []).filter((entry) => {
    const name = searchedName(entry);
    return restricted?.includes(name) !== false && !identifiers.has(plainName(lastName(name)));
  });
}

/** The parts of a language that only queries need. */
export interface QueryLanguage {
  readonly synonyms: SynonymTable;
  /** The keys of words that are never corrected. */
  readonly exactKeys: ReadonlySet<string>;
  /** The keys of words that a match need not contain. */
  readonly optionalKeys: ReadonlySet<string>;
}

/** The language of an index, for records and queries. */
export class SearchLanguage {
  readonly words: WordForms | Analyzer;
  /** The tag of the known language; undefined: none is told. */
  readonly tag: string | undefined;
  /** The languages of attributes that have one of their own, other than this, by their names. */
  readonly own: ReadonlyMap<string, SearchLanguage>;
  /** Fields in which corrected words do not count. */
  readonly exactFields: ReadonlySet<string>;
  private readonly settings: ShownSettings;
  private readonly named: ReadonlySet<string>;
  private known: QueryLanguage | undefined;
  private asTyped: SearchLanguage | undefined;

  constructor(
    settings: ShownSettings,
    analyzer: string | Analyzer,
    words: WordForms | Analyzer = wordsOf(analyzer, settings.stopWords),
  ) {
    this.words = words;
    this.tag = settings.language === null ? undefined : canonicalLanguage(settings.language);
    this.own = ownLanguages(settings, analyzer);
    this.exactFields = new Set(settings.disableTypoToleranceOnAttributes);
    this.settings = settings;
    this.named = new Set(settings.searchableAttributes?.map(searchedName));
  }

  /** A user's analyzer runs now, so that its errors show when the settings are passed. */
  static *of(settings: ShownSettings, analyzer: string | Analyzer): Task<SearchLanguage> {
    const language = new SearchLanguage(settings, analyzer);
    if (has(language.words, "analyze")) yield* language.forQueries();
    return language;
  }

  /** How the texts of a field are read. `path`: of the field, or of an attribute within it. */
  wordsOf(path: string): WordForms | Analyzer {
    if (this.own.size === 0) return this.words;
    return this.own.get(this.fieldAt(path) ?? "")?.words ?? this.words;
  }

  /** The searched field that holds an attribute; undefined: the settings name none. */
  fieldAt(path: string): string | undefined {
    for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1))
      if (this.named.has(path.slice(0, end))) return path.slice(0, end);
    return undefined;
  }

  /** The readings of a query that searches some fields, or all, and is in some languages, or in those of the fields. */
  readings(
    restricted?: readonly string[],
    asked?: readonly string[],
  ): readonly [LanguageReading, ...LanguageReading[]] {
    const byLanguage = new Map<SearchLanguage, string[]>();
    const names = this.own.size === 0 ? [] : textFields(this.settings, restricted).map(searchedName);
    for (const name of names) listIn(byLanguage, this.own.get(name) ?? this).push(name);
    const [first = this, ...others] = [this, ...new Set(this.own.values())].filter((one) => byLanguage.has(one));
    const tags = asked?.map(canonicalLanguage);
    const readingOf = (language: SearchLanguage): LanguageReading => {
      const isRead = tags?.includes(language.tag) !== false;
      const fields = byLanguage.get(language) ?? [];
      const elsewhere = new Set(names.filter((name) => !fields.includes(name)));
      return { language: isRead ? language : language.typedForms, isRead, fields, elsewhere };
    };
    return [readingOf(first), ...others.map(readingOf)];
  }

  /** What finds words in texts of this language as they are typed alone. */
  private get typedForms(): SearchLanguage {
    const { words, settings } = this;
    if (has(words, "analyze")) return this;
    const own = { ...settings, synonyms: [], searchableAttributes: null };
    this.asTyped ??= new SearchLanguage(own, "plain", typedFormsOf(words));
    return this.asTyped;
  }

  /** The parts that queries need, built by the first query: synonyms may take a while. */
  *forQueries(): Task<QueryLanguage> {
    this.known ??= yield* this.read();
    return this.known;
  }

  private *read(): Task<QueryLanguage> {
    const { words } = this;
    const isEnglish = !has(words, "analyze") && words.id === ENGLISH_WORDS.id;
    const builtIn = isEnglish && this.settings.builtInSynonyms ? builtInTable() : null;
    const synonyms = new SynonymTable([], words, builtIn);
    for (const synonym of this.settings.synonyms) {
      const { type, synonyms: outputs } = synonym;
      synonyms.add({ inputs: type === "synonym" ? outputs : [synonym.input], outputs });
      yield;
    }
    const exactKeys = yield* keysWithPauses(this.settings.disableTypoToleranceOnWords, words);
    return { synonyms, exactKeys, optionalKeys: yield* keysWithPauses(this.settings.optionalWords, words) };
  }
}

function ownLanguages(settings: ShownSettings, analyzer: string | Analyzer): ReadonlyMap<string, SearchLanguage> {
  const byTag = new Map<string, SearchLanguage>();
  const own = new Map<string, SearchLanguage>();
  for (const entry of settings.searchableAttributes ?? []) {
    if (typeof entry === "string" || entry.language === undefined) continue;
    const tag = canonicalLanguage(entry.language)!;
    if (tag === analyzer) continue;
    const language =
      byTag.get(tag) ?? new SearchLanguage({ ...settings, language: tag, searchableAttributes: null }, tag);
    byTag.set(tag, language);
    own.set(entry.attribute, language);
  }
  return own;
}

let builtIn: SynonymTable | undefined;

/** The built-in synonyms, the same for all indexes. */
function builtInTable(): SynonymTable {
  if (builtIn === undefined) {
    builtIn = new SynonymTable([], ENGLISH_WORDS, null, BUILT_IN_WEIGHT);
    for (const rule of builtInSynonyms()) builtIn.addLater(rule);
  }
  return builtIn;
}

/** The keys of all words in these texts. */
function* keysWithPauses(texts: readonly string[], words: WordForms | Analyzer): Task<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const text of texts) {
    for (const key of keysOf([text], words)) keys.add(key);
    yield;
  }
  return keys;
}

function wordsOf(analyzer: string | Analyzer, stopWords: ShownSettings["stopWords"]): WordForms | Analyzer {
  const words = typeof analyzer !== "string" ? analyzer : analyzer === "plain" ? PLAIN_WORDS : loadedLanguage(analyzer);
  if (has(words, "analyze") || stopWords === null) return words;
  const own = new Set(
    stopWords === false ? [] : stopWords.map((word) => cleanWord(normalizeText(word.trim(), words.normalization))),
  );
  return { ...words, isStopWord: (word) => own.has(word) };
}
