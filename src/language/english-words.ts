// English stems and stop words, from wink-nlp: the only file that knows it. wink sees single alphabetic words only: its
// tokeniser depends on what it has read before, its stemmer damages digits, and its vocabulary grows for ever, so answers
// are remembered here and the instance is dropped with the memo when that is full. Loading takes about 100 ms, at first use.

import { createRequire } from "node:module";
import type { ItsFunction, Model, WinkMethods } from "wink-nlp";
import { SearchError } from "../base/errors.js";
import { ownText } from "../base/index-terms.js";
import type { WordForms } from "./word-forms.js";

interface Word {
  readonly stem: string;
  readonly stop: boolean;
}

/** Bounds both the memo and wink's own vocabulary; about 20 MB when full. */
const MEMO_ENTRIES = 100_000;

const require = createRequire(import.meta.url);
let wink: WinkMethods | undefined;
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
  if (memo.size >= MEMO_ENTRIES) {
    memo = new Map();
    wink = reloadWink();
  }
  const found = isAlphabetic(word) ? readWord(word) : { stem: ownText(word), stop: false };
  memo.set(ownText(word), found);
  return found;
}

function readWord(word: string): Word {
  wink ??= loadWink();
  const tokens = wink.readDoc(word).tokens();
  const stems = tokens.out(wink.its.stem as ItsFunction<string>);
  const stops = tokens.out(wink.its.stopWordFlag as ItsFunction<boolean>);
  // A contraction without its apostrophe ("dont") comes as two tokens; it stays one word here.
  return { stem: stems.length === 1 ? stems[0]! : word, stop: stops.length > 0 && stops.every(Boolean) };
}

function loadWink(): WinkMethods {
  try {
    const winkNLP = require("wink-nlp") as (model: Model, pipe: string[]) => WinkMethods;
    return winkNLP(require("wink-eng-lite-web-model") as Model, []);
  } catch (cause) {
    // It trips over texts that someone put on Object.prototype.
    const msg = "The English analyzer could not be loaded (see cause); nothing was changed.";
    throw new SearchError(502, "analyzer_failed", msg, { param: "analyzer", cause });
  }
}

/** A fresh instance, whose vocabulary is small again; the old one where there is no other. */
function reloadWink(): WinkMethods | undefined {
  try {
    return loadWink();
  } catch {
    return wink;
  }
}

function isAlphabetic(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    if (unit < 0x61 || unit > 0x7a) return false;
  }
  return word.length > 0;
}
