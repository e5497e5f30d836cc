// The words of an index as its settings have them: analyzer, stop words, synonyms, optional and exact words.

import { has } from "../base/checks.js";
import type { Analyzer } from "../base/seams.js";
import { cleanWord } from "../language/compound-forms.js";
import { ENGLISH_WORDS } from "../language/english-words.js";
import { normalizeText } from "../language/normalize-text.js";
import { PLAIN_WORDS, type WordForms } from "../language/word-forms.js";
import { keysOf } from "../rewriting/rewrite-query.js";
import { type SynonymRule, SynonymTable } from "../rewriting/synonyms.js";
import type { ResolvedSettings, Synonym } from "../settings/settings.js";

/** What queries and records share of an index's language. */
export class SearchLanguage {
  readonly words: WordForms | Analyzer;
  readonly synonyms: SynonymTable;
  /** Words that are never mended, by key. */
  readonly exactKeys: ReadonlySet<string>;
  /** Fields in which mended words do not count. */
  readonly exactFields: ReadonlySet<string>;
  private readonly optional: ReadonlySet<string>;

  constructor({ effective, analyzer }: ResolvedSettings) {
    this.words = wordsOf(analyzer, effective.stopWords);
    this.synonyms = new SynonymTable(effective.synonyms.map(toRule), this.words);
    this.exactKeys = keysOf(effective.disableTypoToleranceOnWords, this.words);
    this.exactFields = new Set(effective.disableTypoToleranceOnAttributes);
    this.optional = keysOf(effective.optionalWords, this.words);
  }

  /** The keys of the words that a hit need not hold: the index's and the query's. */
  optionalKeys(more: readonly string[]): ReadonlySet<string> {
    return more.length === 0 ? this.optional : new Set([...this.optional, ...keysOf(more, this.words)]);
  }
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
