// The words of an index as its settings have them: analyzer, stop words, synonyms, optional and exact words.

import { has } from "../base/checks.js";
import type { Analyzer } from "../base/seams.js";
import { runAtOnce, type Steps } from "../base/slices.js";
import { cleanWord } from "../language/compound-forms.js";
import { ENGLISH_WORDS } from "../language/english-words.js";
import { normalizeText } from "../language/normalize-text.js";
import { PLAIN_WORDS, type WordForms } from "../language/word-forms.js";
import { keysOf } from "../rewriting/parse-query.js";
import { type SynonymRule, SynonymTable } from "../rewriting/synonyms.js";
import type { CheckedSettings, ResolvedSettings, Synonym } from "../settings/settings.js";

/** What only queries need of a language. */
export interface QueryLanguage {
  readonly synonyms: SynonymTable;
  /** Words that are never mended, by key. */
  readonly exactKeys: ReadonlySet<string>;
  /** Words that a hit need not hold, by key. */
  readonly optionalKeys: ReadonlySet<string>;
}

/** What queries and records share of an index's language. */
export class SearchLanguage {
  readonly words: WordForms | Analyzer;
  /** Fields in which mended words do not count. */
  readonly exactFields: ReadonlySet<string>;
  private readonly settings: CheckedSettings;
  private known: QueryLanguage | undefined;

  constructor({ effective, analyzer }: ResolvedSettings) {
    this.words = wordsOf(analyzer, effective.stopWords);
    this.exactFields = new Set(effective.disableTypoToleranceOnAttributes);
    this.settings = effective;
    // What is wrong with the caller's own analyzer shows while settings are given.
    if (has(this.words, "analyze")) this.known = runAtOnce(this.read());
  }

  /** What queries need, read at the first of them: thousands of synonyms take a while. */
  *forQueries(): Steps<QueryLanguage> {
    this.known ??= yield* this.read();
    return this.known;
  }

  private *read(): Steps<QueryLanguage> {
    const { words } = this;
    const synonyms = new SynonymTable([], words);
    for (const synonym of this.settings.synonyms) {
      synonyms.add(toRule(synonym));
      yield;
    }
    const exactKeys = yield* keysInSteps(this.settings.disableTypoToleranceOnWords, words);
    return { synonyms, exactKeys, optionalKeys: yield* keysInSteps(this.settings.optionalWords, words) };
  }
}

function* keysInSteps(texts: readonly string[], words: WordForms | Analyzer): Steps<ReadonlySet<string>> {
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
  const words = analyzer === "english" ? ENGLISH_WORDS : analyzer === "plain" ? PLAIN_WORDS : analyzer;
  if (has(words, "analyze") || stopWords === null) return words;
  const own = new Set(stopWords === false ? [] : stopWords.map((word) => cleanWord(normalizeText(word.trim()))));
  return { id: words.id, stem: (word) => words.stem(word), isStopWord: (word) => own.has(word) };
}

function toRule(synonym: Synonym): SynonymRule {
  return synonym.type === "synonym"
    ? { inputs: synonym.synonyms, outputs: synonym.synonyms }
    : { inputs: [synonym.input], outputs: synonym.synonyms };
}
