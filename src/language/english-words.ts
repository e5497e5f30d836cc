// English stems and stop words, from wink-nlp: the only file that knows it. wink's tokeniser depends on what it has read
// before, its stemmer damages digits, and it keeps every new word for ever. So it sees single alphabetic words of its own
// lexicon only; of all others its stemmer alone is asked. Loading takes about 100 ms, at first use.

import { createRequire } from "node:module";
import type { ItsFunction, Model, WinkMethods } from "wink-nlp";
import { SearchError } from "../base/errors.js";
import { ownText } from "../base/index-terms.js";
import type { WordForms } from "./word-forms.js";

interface Word {
  readonly stem: string;
  readonly stop: boolean;
}

/** What the model's types keep to themselves. */
interface EnglishModel extends Model {
  readonly core: () => { readonly features: { readonly lexeme: { readonly hash: Readonly<Record<string, number>> } } };
  readonly addons: { readonly stem: (word: string) => string };
}

/** wink with its lexicon and its stemmer. */
interface Wink extends Pick<WinkMethods, "readDoc" | "its"> {
  /** Without a prototype. */
  readonly lexicon: Readonly<Record<string, number>>;
  readonly stem: (word: string) => string;
}

/** About 14 MB when full. */
const MEMO_ENTRIES = 100_000;

const require = createRequire(import.meta.url);
let wink: Wink | undefined;
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
  wink ??= loadWink();
  // Stop words and contractions are all in the lexicon, which does not grow by words that it has.
  if (wink.lexicon[word] === undefined) return { stem: wink.stem(word), stop: false };
  const tokens = wink.readDoc(word).tokens();
  const stems = tokens.out(wink.its.stem as ItsFunction<string>);
  const stops = tokens.out(wink.its.stopWordFlag as ItsFunction<boolean>);
  // A contraction without its apostrophe ("dont") comes as two tokens; it stays one word here.
  return { stem: stems.length === 1 ? stems[0]! : word, stop: stops.length > 0 && stops.every(Boolean) };
}

function loadWink(): Wink {
  try {
    const winkNLP = require("wink-nlp") as (model: Model, pipe: string[]) => WinkMethods;
    const model = require("wink-eng-lite-web-model") as EnglishModel;
    const core = model.core();
    const { readDoc, its } = winkNLP({ ...model, core: () => core }, []);
    return { readDoc, its, lexicon: core.features.lexeme.hash, stem: model.addons.stem };
  } catch (cause) {
    // It trips over texts that someone put on Object.prototype.
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
