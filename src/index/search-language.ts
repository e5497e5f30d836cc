// The language of an index, from its settings: analyzer, stop words, synonyms, optional words, words that are never corrected.

import { builtInSynonyms } from "../analysis/built-in-synonyms.js";
import { loadedLanguage } from "../analysis/languages.js";
import { normalizeText } from "../analysis/normalize-text.js";
import { keysOf } from "../analysis/parse-query.js";
import { BUILT_IN_WEIGHT, type SynonymRule, SynonymTable } from "../analysis/synonyms.js";
import { cleanWord } from "../analysis/token-forms.js";
import { ENGLISH_WORDS, PLAIN_WORDS, type WordForms } from "../analysis/word-forms.js";
import type { CheckedSettings, ResolvedSettings, Synonym } from "../settings/settings.js";
import type { Analyzer } from "../util/extension-points.js";
import { has } from "../util/json.js";
import { runTaskAtOnce, type Task } from "../util/tasks.js";

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
  /** Fields in which corrected words do not count. */
  readonly exactFields: ReadonlySet<string>;
  private readonly settings: CheckedSettings;
  private known: QueryLanguage | undefined;

  /** `readsNow`: a user's analyzer runs now, so that its errors show when the settings are passed. */
  constructor({ effective, analyzer }: ResolvedSettings, readsNow = true) {
    this.words = wordsOf(analyzer, effective.stopWords);
    this.exactFields = new Set(effective.disableTypoToleranceOnAttributes);
    this.settings = effective;
    if (readsNow && has(this.words, "analyze")) this.known = runTaskAtOnce(this.read());
  }

  /** As the constructor, with pauses. */
  static *of(settings: ResolvedSettings): Task<SearchLanguage> {
    const language = new SearchLanguage(settings, false);
    if (has(language.words, "analyze")) yield* language.forQueries();
    return language;
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
      synonyms.add(toRule(synonym));
      yield;
    }
    const exactKeys = yield* keysWithPauses(this.settings.disableTypoToleranceOnWords, words);
    return { synonyms, exactKeys, optionalKeys: yield* keysWithPauses(this.settings.optionalWords, words) };
  }
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

function wordsOf(
  analyzer: ResolvedSettings["analyzer"],
  stopWords: readonly string[] | false | null,
): WordForms | Analyzer {
  const words = typeof analyzer !== "string" ? analyzer : analyzer === "plain" ? PLAIN_WORDS : loadedLanguage(analyzer);
  if (has(words, "analyze") || stopWords === null) return words;
  const own = new Set(
    stopWords === false ? [] : stopWords.map((word) => cleanWord(normalizeText(word.trim(), words.normalization))),
  );
  return { ...words, isStopWord: (word) => own.has(word) };
}

function toRule(synonym: Synonym): SynonymRule {
  return synonym.type === "synonym"
    ? { inputs: synonym.synonyms, outputs: synonym.synonyms }
    : { inputs: [synonym.input], outputs: synonym.synonyms };
}
