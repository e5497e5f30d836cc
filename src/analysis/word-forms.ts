// What an analyzer knows of its language: stems, stop words, titles, measures. English stems come from wink's stemmer (Porter2). It damages
// digits, so it gets words of letters only, and irregular plurals as their singular. Stop words and contractions are written down here, because
// loading wink's lexicon would take longer than all other work of a first query. A test compares them with it. The rules of other
// languages are in languages/.

import { copyText } from "../util/json.js";
import { porterStem } from "./english-model.js";
import { type CompoundRules, type LanguageCustoms, type LanguageRules, wordsOf } from "./language-rules.js";
import type { Normalization } from "./normalize-text.js";
import { differInNumberOnly, irregularSingular, otherNumbers } from "./plurals.js";
import { markedWord } from "./scan-tokens.js";
import { ENGLISH_TITLES, TitleGrammar } from "./title-roles.js";
import { COUNTED_MARK, ENGLISH_UNITS, UnitTable } from "./units.js";

/** The part of text analysis that differs between the built-in analyzers. */
export interface WordForms {
  readonly id: string;
  /** The language as BCP 47 has it; undefined: none. */
  readonly language: string | undefined;
  /** How texts are normalised. */
  readonly normalization: Normalization;
  /** The form under which a word is indexed; a pure function of a normalised word. */
  stem(word: string): string;
  /** True for words that count only if a query has no others. */
  isStopWord(word: string): boolean;
  /** Forms of a word in the other number, to which typing errors are measured too. */
  otherNumbers(word: string): readonly string[];
  /** Whether two written forms of one stem are one word in two numbers, or in two genders or cases. */
  isSameWord(a: string, b: string): boolean;
  /** Whether titles have heads by the rules of the language. */
  readonly hasHeads: boolean;
  readonly titles: TitleGrammar;
  /** Words of the language that say little, whatever the settings name as stop words. */
  readonly smallWords: ReadonlySet<string>;
  /** Whether negations are read, which only English has. */
  readonly hasNegations: boolean;
  readonly units: UnitTable;
  /** How words are joined; null: they are not. */
  readonly compounds: CompoundRules | null;
  /** Names of attributes, the order of letters, probes. */
  readonly customs: LanguageCustoms;
}

const NO_WORDS: readonly string[] = [];

/** A full cache takes about 14 MB. */
const MEMO_ENTRIES = 100_000;
/** Longer words are rare, and would take more. */
const LONGEST_IN_MEMO = 64;

/** A stemmer that remembers the stems of words that came lately. */
function remembering(stem: (word: string) => string): (word: string) => string {
  let known = new Map<string, string>();
  return (word) => {
    let found = known.get(word);
    if (found !== undefined) return found;
    if (known.size >= MEMO_ENTRIES) known = new Map();
    found = copyText(stem(word));
    if (word.length <= LONGEST_IN_MEMO) known.set(copyText(word), found);
    return found;
  };
}

// The stemmer knows regular plurals only.
const englishStem = remembering((word) =>
  IS_ALPHABETIC.test(word) && !CONTRACTIONS.has(word) ? porterStem(irregularSingular(word) ?? word) : word,
);

const IS_ALPHABETIC = /^[a-z]+$/;

/**
 * Words that count only if a query has no others: those of wink's list, but for 49 that say which product is meant, such as "top",
 * "two", "front", "full".
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  wordsOf(`
  a about abt across after afterwards again against aint all almost alone along already also although always am amnt
  among amongst amount an and another any anyhow anyone anything anyway anywhere are arent around as at bcoz be became
  because become becomes becoming been before beforehand being beside besides beyond both but by caint cannot cant
  could couldnt couldve cuz da dasnt did didnt dis do does doesnt doin doing done dont due during each either else
  elsewhere enough etc even ever every everyone everywhere except few for former formerly from further get give go gont
  had hadnt has have havent he hence her here hereafter hereby herein hereupon hers herself heve him himself his how
  however howll howre i iam ie if in inc indeed into is isnt it itll its itself ive just keep latter latterly least less
  made make many may maynt mayve me meanwhile might mightnt mightve mine more moreover most mostly much must mustnt
  mustve my myself nah namely neither never nevertheless no nobody none nope nor not nothing notve now nowhere of often
  on once only onto or other otherwise our ours ourselves own per perhaps please pls plz put quite rather re really
  regarding same say see seem seemed seeming seems serious several shd she should shouldnt shouldve since so some
  somehow someone something sometime sometimes somewhere still such take than that thatll thatre the their them
  themselves then thence there thereafter thereare thereby therefore therein therell these thesere they theyll theyre
  theyve this those thosere though through throughout thru thus to together too toward towards unless until upon us used
  using various very via was wasnt we well were werent weve what whatever whatll whatre whatve when whence whenever where
  whereas whereby wherein wherere whereve wherever whether which while whoever whom whose whove why whyre will with
  within wont would wouldnt wouldve woz wtv yet you youll your youre yours yourself yourselves youve`),
);

/** Contractions without their apostrophe; they are not stemmed. */
export const CONTRACTIONS: ReadonlySet<string> = new Set(
  wordsOf(`
  aint amnt arent caint cannot cant couldnt couldve darent daresnt dasnt didnt doesnt dont gont hadnt havent heve howll
  howre iam isnt itll ive maynt mayve mightnt mightve mustnt mustve notve oughtnt shallnt shant shouldnt shouldve thatll
  thatre thereare therell thesere theyll theyre theyve thosere wasnt werent weve whatll whatre whatve wherere whereve
  whove whyre wont wouldnt wouldve youll youre youve`),
);

/** The analyzer `"plain"`: words as they are, no stop words. */
export const PLAIN_WORDS: WordForms = {
  ...{ id: "plain-1", language: undefined },
  normalization: {},
  stem: (word) => word,
  isStopWord: () => false,
  otherNumbers: () => NO_WORDS,
  isSameWord: differInNumberOnly,
  ...{ hasHeads: false, titles: ENGLISH_TITLES, smallWords: STOP_WORDS, hasNegations: false },
  ...{ units: ENGLISH_UNITS, compounds: null, customs: {} },
};

/** The analyzer `"english"`: Porter2 stems (Porter, Snowball, 2001) of singulars, and English stop words, for words of a-z only. */
export const ENGLISH_WORDS: WordForms = {
  ...PLAIN_WORDS,
  ...{ id: "english-2", language: "en" },
  stem: englishStem,
  isStopWord: (word) => STOP_WORDS.has(word),
  otherNumbers,
  ...{ hasHeads: true, hasNegations: true },
};

/** The analyzer of another language, by its rules. */
export function wordFormsOf(rules: LanguageRules): WordForms {
  const smallWords = new Set(wordsOf(`${rules.stopWords} ${rules.elisions ?? ""}`));
  const units = rules.measures === undefined ? ENGLISH_UNITS : new UnitTable(rules.measures);
  const counted = [...units.named].filter(([, { dimension }]) => COUNTS.test(dimension)).map(([name]) => name);
  return {
    ...{ id: rules.id, language: rules.tag },
    normalization: normalizationOf(rules),
    stem: remembering((word) => (IS_WORD.test(word) ? rules.stem(word) : word)),
    isStopWord: (word) => smallWords.has(word),
    otherNumbers: () => NO_WORDS,
    isSameWord: (a, b) => rules.lightForm(a) === rules.lightForm(b),
    hasHeads: rules.titles !== undefined,
    titles:
      rules.titles === undefined ? TitleGrammar.none : TitleGrammar.of(rules.titles, units.numbers.flat(), counted),
    ...{ smallWords, hasNegations: false, units },
    ...{ compounds: rules.compounds ?? null, customs: rules },
  };
}

/** Words as they are typed, among texts that other words read: each finds its own form, and a stem all forms. */
export function typedFormsOf(words: WordForms): WordForms {
  return {
    ...PLAIN_WORDS,
    ...{ id: `${words.id} typed`, language: words.language, normalization: words.normalization, units: words.units },
    stem: (word) => {
      const stem = words.stem(word);
      return stem === word ? word : markedWord(stem, word);
    },
  };
}

/** With a blank for the apostrophe of an elision, so that "l'huile" is two words. */
function normalizationOf({ normalization = {}, elisions }: LanguageRules): Normalization {
  if (elisions === undefined) return normalization;
  const elision = new RegExp(`(?<![\\p{L}\\p{N}'])(${elisions.trim().replace(/\s+/g, "|")})'(?=[\\p{L}\\p{N}])`, "gu");
  return {
    ...normalization,
    retouch: (normal) => (normal.includes("'") ? normal.replace(elision, "$1 ") : normal),
  };
}

const COUNTS = new RegExp(`^(?:${COUNTED_MARK}.*|pieces|packs)$`);
/** Words of letters; what has digits or signs is its own stem. */
const IS_WORD = /^[\p{L}\p{M}]+$/u;
