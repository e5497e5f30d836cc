// What a text that is being typed may go on to be, from what the records hold: words of titles first, then words of other fields,
// each with what it was counted in. Only records that may be seen are counted, so nothing that only others hold is proposed.

import { plainText } from "../../analysis/markup.js";
import { isBlank, normalizeText, normalizeWithOffsets } from "../../analysis/normalize-text.js";
import { hasDigits } from "../../analysis/own-words.js";
import { keysOf, normalizationOf, readTokens } from "../../analysis/parse-query.js";
import type { TermAlternative } from "../../analysis/query-term.js";
import { markedWord, scanTokens, stemOf, type TokenKind, writtenForm } from "../../analysis/scan-tokens.js";
import { NOUN } from "../../analysis/title-roles.js";
import { cleanWord, codeForms, compoundForms, signedForms } from "../../analysis/token-forms.js";
import { PLAIN_WORDS, type WordForms } from "../../analysis/word-forms.js";
import { holdersOf } from "../../inverted/find-holders.js";
import type { Postings } from "../../inverted/postings.js";
import { longestWord, wordsFrom } from "../../inverted/spelling-dictionary.js";
import { findMatches, isAnyEnough } from "../../inverted/text-matches.js";
import type { SearchableSegment, TextSearcher } from "../../inverted/text-searcher.js";
import { loadTitles, termsInTitles } from "../../inverted/title/title-table.js";
import { type CompletionForm, type TitleCompletion, TitleWords } from "../../inverted/title/title-words.js";
import { vocabularyOf } from "../../inverted/vocabulary.js";
import type { FieldRules } from "../../settings/field-rules.js";
import type { BoundedVersion } from "../../state/bounded-snapshot.js";
import { readFields, titleName } from "../../state/read-fields.js";
import { type Doc, type DocArray, type DocSet, type LocalDoc, toDoc } from "../../util/doc-set.js";
import type { Analyzer } from "../../util/extension-points.js";
import { has, type JsonRecord } from "../../util/json.js";
import { KeptKey } from "../../util/kept.js";
import { byCodeUnit } from "../../util/sorted.js";
import type { Task } from "../../util/tasks.js";
import { correctionsOf, SHORTEST_CORRECTED } from "../prepare/expand-word.js";
import type { PreparedQuery } from "../prepare/prepare-query.js";
import { explainWords } from "../shape/explain-words.js";

/** What was typed: words that are complete, and the beginning of the last one. */
export interface TypedText {
  /** What stands before the last word, as it was typed. */
  readonly before: string;
  /** The beginning of the last word as an index term begins; "": all words are complete; undefined: it cannot be completed. */
  readonly beginning: string | undefined;
  readonly kind: TokenKind;
}

/** Takes a text that is being typed apart. */
export function* readTyped(text: string, words: WordForms | Analyzer): Task<TypedText> {
  const complete: TypedText = { before: text, beginning: "", kind: "word" };
  if (text.trimEnd() !== text) return complete;
  const { normal, starts } = yield* normalizeWithOffsets(text, undefined, normalizationOf(words));
  let tokens = 0;
  let last: { readonly kind: TokenKind; readonly start: number; readonly token: string } | undefined;
  scanTokens(normal, (kind, start, end) => {
    tokens++;
    last = { kind, start, token: normal.slice(start, end) };
  });
  if (last === undefined) return { ...complete, beginning: undefined };
  const { kind, start, token } = last;
  const form = kind === "unspaced" ? "" : indexedForm(kind, token);
  const before = tokens === 1 ? "" : text.slice(0, starts[start]);
  return { before, beginning: form === "" ? undefined : form, kind };
}

/** The form of a token that titles have. */
function indexedForm(kind: TokenKind, token: string): string {
  if (kind === "word") return cleanWord(token);
  if (kind === "compound") return compoundForms(token).joined;
  if (kind === "code") return codeForms(token).whole;
  return kind === "signed" ? signedForms(token).whole : token;
}

/** What is completed, on what. */
export interface CompletionContext {
  readonly typed: TypedText;
  /** The query of what stands before the last word, with the filters. */
  readonly prepared: PreparedQuery;
  readonly version: Pick<BoundedVersion, "snapshot" | "settings">;
}

/** The maximum number of completions of one kind. */
const MOST_COMPLETIONS = 100;
/** Completions of two words come from so many typed letters on: before, single words say more. */
const SHORTEST_FOR_PAIRS = 3;
/** Codes are completed from so many letters on, numbers from the first digit on. */
const SHORTEST_CODE = 2;
const NO_WORD = /^[^=#+^~].*\p{N}|^[\p{N}]|[+#]$/u;
/** The records that show how a completion is written: as most of them do. */
const MOST_EXAMPLES = 3;
/** What stands behind so many characters of a text is not looked at. */
const LONGEST_READ = 8192;
const PAUSE_EVERY = 1 << 10;

/** A completion, and the records that show how it is written. */
export interface Completion extends Pick<CompletionForm, "examples"> {
  /** As titles have them; of other texts the stem. */
  readonly words: readonly string[];
  /** Completions of the same stems find the same records. */
  readonly stems: string;
  /** What its first word begins with; a term of a user's analyzer may not show that. */
  readonly beginning: string;
  /** It was found in titles and categories. */
  readonly isOfTitles: boolean;
}

const NO_DOCS = new Uint32Array(0) as DocArray<Doc>;
/** The words alone that were typed before. */
const NO_WORDS: Completion = { words: [], stems: "", examples: [], beginning: "", isOfTitles: true };

/** A cache: completions of first words among all records. A token has at most 64 letters. */
const COMPLETIONS = new KeptKey<Map<string, readonly Completion[]>>();
const MOST_KEPT = 128;

/** The completions of a text. */
export class Completions {
  private readonly context: CompletionContext;
  private readonly searcher: TextSearcher;
  private readonly beginning: string;
  private readonly words: WordForms;
  /** The records that may be seen and hold what stands before the last word; null: all. */
  private docs: DocSet<Doc> | null = null;
  /** What stands before the last word as it is shown: its typing errors mended. */
  private shownBefore = "";
  /** What was found in titles. */
  private proposed: readonly Completion[] = [];

  constructor(context: CompletionContext) {
    const { prepared, typed, version } = context;
    const { words } = version.settings.language;
    this.context = context;
    this.searcher = prepared.searcher;
    this.beginning = typed.beginning ?? "";
    this.words = has(words, "analyze") ? PLAIN_WORDS : words;
  }

  /** Finds the records that completions are counted in. False: there are none. */
  *begin(): Task<boolean> {
    const { prepared, typed } = this.context;
    const { query, allowed } = prepared;
    this.docs = allowed;
    if (typed.beginning === undefined) return false;
    if (isBlank(typed.before)) return typed.beginning !== "";
    if (query.terms.length === 0) return false;
    const ranks = isAnyEnough(query, "all") ? [{ count: 1, slack: 0 }] : [];
    const matches = yield* findMatches(query, { matching: "all", ratio: 1 }, allowed, ranks);
    this.docs = matches.toSet();
    if (matches.count === 0) return false;
    const { language } = this.context.version.settings;
    const shown = new Set<string>();
    const isHeld = this.isHeld.bind(this);
    const mayShow = function* (mending: string): Task<boolean> {
      if (yield* isHeld(mending)) shown.add(mending);
      return shown.has(mending);
    };
    const parsed = yield* explainWords(typed.before, { prepared, language, shown: NO_DOCS, mayShow });
    if (parsed.corrected.some(({ to }) => !to.some((mending) => shown.has(mending)))) return false;
    this.shownBefore = parsed.text.toLowerCase().trim().replace(/\s+/g, " ");
    return true;
  }

  /** Whether one of the records holds each of some words as it is written, unless it was typed: no word of others is shown. */
  private *isHeld(written: string): Task<boolean> {
    const typed = normalizeText(
      this.context.typed.before,
      normalizationOf(this.context.version.settings.language.words),
    );
    for (const word of written.split(" ")) {
      const stem = this.words.stem(word);
      const isTyped = typed.includes(word);
      if (!isTyped && !(yield* this.isTermHeld(stem === word ? word : markedWord(stem, word)))) return false;
    }
    return true;
  }

  private *isTermHeld(term: string): Task<boolean> {
    for (const segment of this.searcher.segments)
      for (const local of yield* holdersOf(segment, term))
        if (this.docs?.has(toDoc(segment.base, local)) !== false) return true;
    return false;
  }

  /** Words and pairs of words in titles that go on as was typed, the most useful first. */
  *fromTitles(): Task<readonly Completion[]> {
    const { beginning, searcher } = this;
    const forms = this.beginnings();
    // Many people begin with the same letters, and for the first of them most titles have to be read.
    const isKept = this.docs === null && beginning !== "";
    const kept = searcher.kept.get(COMPLETIONS, () => new Map<string, readonly Completion[]>());
    const known = isKept ? kept.get(beginning) : undefined;
    this.proposed = known ?? (yield* this.inTitles((postings) => termsFrom(postings, forms), beginning));
    if (!isKept || known !== undefined) return this.proposed;
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(beginning, this.proposed);
    return this.proposed;
  }

  /** Words in other fields, those of most records first. */
  *fromTexts(): Task<readonly Completion[]> {
    if (this.beginning === "") return [NO_WORDS];
    const terms: string[] = [];
    for (const form of this.beginnings())
      terms.push(...(yield* vocabularyOf(this.searcher).wordsFrom(form, MOST_COMPLETIONS)));
    return yield* this.inTexts(terms, this.beginning);
  }

  /** What index terms begin with. A user's analyzer makes another term of the whole word. */
  private beginnings(): ReadonlySet<string> {
    const { words } = this.context.version.settings.language;
    const read = this.beginning !== "" && has(words, "analyze") ? readTokens(this.beginning, words) : [];
    return new Set([this.beginning, ...(read.length === 1 ? [read[0]!.text] : [])]);
  }

  /** Words in titles that begin as was typed, but for typing errors. */
  *fromTitlesMended(): Task<readonly Completion[]> {
    if (!(yield* this.mayMend())) return [];
    const near = yield* this.nearWords();
    return yield* this.inTitles((postings) => termsNearlyFrom(postings, this.beginning, near), "");
  }

  /** Words in other fields that are what was typed, but for typing errors. */
  *fromTextsMended(): Task<readonly Completion[]> {
    return (yield* this.mayMend()) ? yield* this.inTexts(yield* this.nearWords(), "") : [];
  }

  private *mayMend(): Task<boolean> {
    const { typed, version } = this.context;
    const { effective, language } = version.settings;
    if (!effective.typoTolerance || typed.kind !== "word" || this.beginning.length < SHORTEST_CORRECTED) return false;
    const { exactKeys } = yield* language.forQueries();
    return [...keysOf([this.beginning], language.words)].every((key) => !exactKeys.has(key));
  }

  private nearWords(): Task<readonly string[]> {
    const { exactFields } = this.context.version.settings.language;
    return correctionsOf(this.beginning, { vocabulary: vocabularyOf(this.searcher), words: this.words, exactFields });
  }

  private *inTitles(completing: (postings: Postings) => Task<number[]>, shown: string): Task<readonly Completion[]> {
    const { beginning, words, searcher } = this;
    yield* loadTitles(searcher.segments.map(({ postings }) => postings.titles));
    const titles = new TitleWords((word) => words.isStopWord(word), {
      takesPairs: beginning.length >= SHORTEST_FOR_PAIRS,
      takesQuantities: /^[0-9]/.test(beginning),
    });
    const typed = this.context.prepared.query.terms.flatMap(({ alternatives }) => alternatives);
    const before = this.lastBefore();
    for (const segment of searcher.segments) {
      const terms = beginning === "" ? null : yield* completing(segment.postings);
      const looked = { completing: terms, before: titleTermsOf(before, segment), typed: titleTermsOf(typed, segment) };
      yield* titles.count(segment, yield* this.docsIn(segment, terms), looked);
    }
    const ranked = Array.from(titles.found, ([stems, found]) => {
      // The records that have it, those in which it says what the product is, and those in which it stands right behind what was typed; half
      // as much for a pair of words.
      const use = (found.count + found.heads + found.adjacent) / found.size;
      return { stems, use, ...bestForm(found), found };
    });
    // What only describes is proposed where nothing else is.
    const isSmall = searcher.docCount < SMALL;
    const telling = ranked.filter(
      ({ found, form }) =>
        (found.size === 1 && before.length === 0) ||
        endsInThing(found, form.words.at(-1)!, { beginning, isSmall, words: this.words }),
    );
    const proposed = telling.length > 0 ? telling : ranked;
    proposed.sort((a, b) => b.use - a.use || byCodeUnit(a.text, b.text));
    return proposed.slice(0, MOST_COMPLETIONS).map(({ stems, form }) => ({
      stems,
      words: form.words,
      examples: form.examples,
      beginning: shown,
      isOfTitles: true,
    }));
  }

  /** The records of a segment whose titles may have what is looked for, ascending; null: all. */
  private *docsIn(segment: SearchableSegment, completing: readonly number[] | null): Task<Uint32Array | null> {
    const { docs } = this;
    const { postings, base } = segment;
    if (completing !== null && areRare(completing, postings)) {
      const holders = new Set<LocalDoc>();
      for (const term of completing)
        for (const local of yield* holdersOf(segment, postings.dictionary.textAt(term)))
          if (docs?.has(toDoc(base, local)) !== false) holders.add(local);
      return Uint32Array.from(holders).sort();
    }
    if (docs === null) return null;
    const room = new Uint32Array(postings.maxDoc);
    return room.subarray(0, docs.listWithin(base, base + postings.maxDoc, room));
  }

  /** What stands for the last word before the one that is completed, a small word too. */
  private lastBefore(): readonly TermAlternative[] {
    const { typed, prepared, version } = this.context;
    const last = readTokens(typed.before, version.settings.language.words).at(-1);
    if (last === undefined) return [];
    const searched = prepared.query.terms.find(({ key }) => key === last.term.key);
    return (searched ?? last.term).alternatives;
  }

  /** The forms in which titles may have that word. */
  private writtenBefore(): ReadonlySet<string> {
    const terms = this.lastBefore().flatMap((alternative) => alternative.terms);
    const written = this.searcher.segments.flatMap(({ postings }) =>
      terms.flatMap((term) => termsInTitles(postings.dictionary, term)),
    );
    return new Set(written.map((one) => one.written));
  }

  private *inTexts(terms: readonly string[], beginning: string): Task<readonly Completion[]> {
    const found = new Map<string, CompletionForm>();
    const proposed = new Set(this.proposed.map(({ stems }) => stems));
    for (const term of terms) {
      const stem = stemOf(term);
      const written = writtenForm(term);
      if (found.has(stem) || proposed.has(stem) || written.length < 2 || this.words.isStopWord(written)) continue;
      const form: CompletionForm = { words: [stem], count: 0, examples: [] };
      found.set(stem, form);
      for (const segment of this.searcher.segments) {
        let examples = 0;
        for (const local of yield* holdersOf(segment, stem)) {
          const doc = toDoc(segment.base, local);
          if (this.docs?.has(doc) === false) continue;
          form.count++;
          if (examples++ < MOST_EXAMPLES) form.examples.push(doc);
        }
        yield;
      }
    }
    const held = Array.from(found, ([stems, form]) => ({ stems, ...form, beginning, isOfTitles: false }));
    return held
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || byCodeUnit(a.words[0]!, b.words[0]!));
  }

  /** The texts of completions, as most of the first records that hold them write them; undefined: none has the words side by side. */
  *textsOf(completions: readonly Completion[]): Task<(string | undefined)[]> {
    const { typed, version } = this.context;
    const { snapshot, settings } = version;
    const { fields, language } = settings;
    const before = (a: Doc, b: Doc): number => (snapshot.idBefore(a, b) ? -1 : 1);
    const examples = completions.map((one) => [...one.examples].sort(before).slice(0, MOST_EXAMPLES));
    const records = yield* snapshot.storedRecords(examples.flat());
    const gap = this.shownBefore === "" || typed.before.trimEnd() === typed.before ? "" : " ";
    const texts: (string | undefined)[] = [];
    let next = 0;
    const behind = this.beginning === "" ? this.writtenBefore() : NOTHING;
    for (const [i, { words, beginning, isOfTitles }] of completions.entries()) {
      const seen: string[] = [];
      for (const doc of examples[i]!) {
        const stored = records[next++]!;
        // Two that agree are most of three.
        if (new Set(seen).size < seen.length) continue;
        const record = stored.parse();
        const read = isOfTitles ? titlesOf(record, fields) : textsOf(record, snapshot.idOf(doc), fields);
        const own = yield* writtenIn(read, words, {
          words: language.words,
          isStem: !isOfTitles,
          behind,
          beginning,
        });
        if (own !== undefined) seen.push(own);
        yield;
      }
      const own = mostFrequent(seen);
      if (words.length === 0) texts.push(this.shownBefore);
      else texts.push(own === undefined ? undefined : this.shownBefore + gap + own);
    }
    return texts;
  }
}

/** The texts of which titles consist. */
function titlesOf(record: JsonRecord, rules: FieldRules): readonly string[] {
  const name = titleName(record, rules);
  const categories: string[] = [];
  readFields(record, "", rules, categories);
  return name === undefined ? categories : [plainText(record[name] as string), ...categories];
}

function textsOf(record: JsonRecord, id: string, rules: FieldRules): readonly string[] {
  return readFields(record, id, rules).flatMap(({ texts }) => texts);
}

/** In a small index, fewer records do not tell whether a word says what a thing is. */
const FEW = 4;
const SMALL = 1000;
/** One of so many records must have the last word of a completion as what the product is. */
const ONE_IN = 6;
const HAS_DIGIT = /\p{N}/u;

/**
 * Whether a word behind others is one that a person would write there: it says what a product is, or mostly stands right behind what was
 * typed; it is no colour, measure or code.
 */
function endsInThing(
  { size, count, heads, adjacent }: TitleCompletion,
  word: string,
  { beginning, isSmall, words }: { readonly beginning: string; readonly isSmall: boolean; readonly words: WordForms },
): boolean {
  if (words.titles.syntaxOf("word", word) !== NOUN || (HAS_DIGIT.test(word) && !HAS_DIGIT.test(beginning)))
    return false;
  return (isSmall && count < FEW) || ONE_IN * heads >= count || (size === 1 && 2 * adjacent >= count);
}

/** The form of most records, the first by code unit among equals. */
function bestForm({ forms }: TitleCompletion): { readonly text: string; readonly form: CompletionForm } {
  let best: { readonly text: string; readonly form: CompletionForm } | undefined;
  for (const [text, form] of forms)
    if (best === undefined || form.count > best.form.count || (form.count === best.form.count && text < best.text))
      best = { text, form };
  return best!;
}

function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || byCodeUnit(a, b))[0]?.[0];
}

/** The terms of a segment's titles that some alternatives stand for. */
function titleTermsOf(alternatives: readonly TermAlternative[], { postings }: SearchableSegment): number[] {
  return alternatives.flatMap(({ terms }) =>
    terms.flatMap((text) => termsInTitles(postings.dictionary, text).map(({ term }) => term)),
  );
}

/** The terms that begin with some texts: words, and from two characters on numbers and codes. */
function* termsFrom(postings: Postings, beginnings: Iterable<string>): Task<number[]> {
  const found = new Set<number>();
  const { dictionary } = postings;
  const longest = longestWord(postings);
  for (const beginning of beginnings) {
    for (let length = beginning.length; length <= longest; length++)
      for (const term of yield* wordsFrom(postings, beginning, length)) found.add(term);
    yield;
    if (beginning.length < SHORTEST_CODE && !/^[0-9]/.test(beginning)) continue;
    const end = dictionary.afterPrefix(beginning);
    for (let term = dictionary.firstFrom(beginning); term < end; term++) {
      if ((term + 1) % PAUSE_EVERY === 0) yield;
      if (NO_WORD.test(dictionary.textAt(term))) found.add(term);
    }
  }
  return [...found];
}

/** The words that nearly begin with a text, and some others. */
function* termsNearlyFrom(postings: Postings, beginning: string, others: readonly string[]): Task<number[]> {
  const found: number[] = [];
  const longest = longestWord(postings);
  for (let length = beginning.length - 1; length <= longest; length++)
    found.push(...(yield* wordsFrom(postings, beginning, length, true)));
  for (const word of others) for (const term of yield* wordsFrom(postings, word, word.length)) found.push(term);
  return found;
}

/** To read the lists of so few terms takes less time than all titles; they may be in a file. */
const MOST_LISTS = 32;
/** A posting takes some bits, and some times as long to read as a title. */
const BITS_OF_POSTING = 8;
const TITLES_OF_POSTING = 4;

/** Whether to read the lists of some terms takes less time than all titles of a segment. */
function areRare(terms: readonly number[], { starts, maxDoc }: Postings): boolean {
  if (terms.length > MOST_LISTS) return false;
  const bits = terms.reduce((sum, term) => sum + starts[term + 1]! - starts[term]!, 0);
  return (TITLES_OF_POSTING * bits) / BITS_OF_POSTING < maxDoc;
}

/** What stands between two words that belong together. */
const BETWEEN = /^(?:\s+|\s*[&+]\s*|[-'’.])$/;

const NOTHING: ReadonlySet<string> = new Set();

/** How words must stand in a text. */
interface Place {
  readonly words: WordForms | Analyzer;
  /** A word in any form that has the stem is meant. */
  readonly isStem: boolean;
  /** One of these is right before them; empty: anything may be. */
  readonly behind: ReadonlySet<string>;
  /** What the first word begins with. */
  readonly beginning: string;
}

/** A token of a text. */
interface WrittenToken {
  readonly start: number;
  readonly end: number;
  readonly form: string;
  readonly is: (word: string) => boolean;
}

/** How texts write some words side by side, in lower case. */
function* writtenIn(texts: readonly string[], wanted: readonly string[], place: Place): Task<string | undefined> {
  for (const given of texts) {
    const text = given.slice(0, LONGEST_READ);
    const tokens = yield* tokensOf(text, place);
    const areTogether = (at: number): boolean => BETWEEN.test(text.slice(tokens[at - 1]!.end, tokens[at]!.start));
    const behind = [...place.behind];
    for (let at = 0; at + wanted.length <= tokens.length; at++) {
      if (!tokens[at]!.form.startsWith(place.beginning)) continue;
      if (!wanted.every((word, i) => tokens[at + i]!.is(word) && (i === 0 || areTogether(at + i)))) continue;
      if (behind.length > 0 && !(at > 0 && areTogether(at) && behind.some((word) => tokens[at - 1]!.is(word))))
        continue;
      const own = text.slice(tokens[at]!.start, tokens[at + wanted.length - 1]!.end);
      // A slash parts words.
      if (!own.includes("/")) return own.toLowerCase().replace(/\s+/g, " ");
    }
  }
  return undefined;
}

function* tokensOf(text: string, { words, isStem }: Pick<Place, "words" | "isStem">): Task<WrittenToken[]> {
  const { normal, starts, ends } = yield* normalizeWithOffsets(text, undefined, normalizationOf(words));
  const tokens: WrittenToken[] = [];
  scanTokens(normal, (kind, from, to) => {
    const token = normal.slice(from, to);
    const form = indexedForm(kind, token);
    const [start, end] = [starts[from]!, ends[to - 1]!];
    const is = (word: string): boolean =>
      has(words, "analyze") && !hasDigits(kind, token)
        ? words.analyze(text.slice(start, end)).includes(word)
        : (isStem && !has(words, "analyze") ? words.stem(form) : form) === word;
    tokens.push({ start, end, form, is });
  });
  return tokens;
}
