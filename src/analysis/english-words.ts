// English stems from wink's stemmer (Porter2): the only file that knows the package. The stemmer damages digits, so it sees
// alphabetic words alone. Stop words and contractions are wink's, too, but written down (stop-words). Loaded at first use.

import { createRequire } from "node:module";
import { SearchError } from "../util/errors.js";
import { ownText } from "../util/index-terms.js";
import { CONTRACTIONS, STOP_WORDS } from "./stop-words.js";
import type { WordForms } from "./word-forms.js";

interface Word {
  readonly stem: string;
  readonly stop: boolean;
}

/** About 14 MB when full. */
const MEMO_ENTRIES = 100_000;

const require = createRequire(import.meta.url);
let stemmer: ((word: string) => string) | undefined;
let memo = new Map<string, Word>();

/** The analyzer `"english"`: Porter2 stems (Porter, Snowball, 2001) and wink's English stop words, for a-z words alone. */
export const ENGLISH_WORDS: WordForms = {
  id: "english-1",
  stem: (word) => lookUp(word).stem,
  isStopWord: (word) => lookUp(word).stop,
};

function lookUp(word: string): Word {
  const known = memo.get(word);
  if (known !== undefined) return known;
  if (memo.size >= MEMO_ENTRIES) memo = new Map();
  const found = isAlphabetic(word) ? readWord(word) : { stem: ownText(word), stop: false };
  memo.set(ownText(word), found);
  return found;
}

function readWord(word: string): Word {
  stemmer ??= loadStemmer();
  return { stem: CONTRACTIONS.has(word) ? word : stemmer(word), stop: STOP_WORDS.has(word) };
}

/** The stemmer alone: the rest of the model is three megabytes. */
function loadStemmer(): (word: string) => string {
  try {
    return require("wink-eng-lite-web-model/dist/porter-stemmer.js") as (word: string) => string;
  } catch (cause) {
    const msg = "The English analyzer could not be loaded (see cause); nothing was changed.";
    throw new SearchError(502, "analyzer_failed", msg, { param: "analyzer", cause });
  }
}

function isAlphabetic(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    if (unit < 0x61 || unit > 0x7a) return false;
  }
  return word.length > 0;
}
