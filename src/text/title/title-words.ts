// What the words of titles are: how rare among the titles of the living records, and what they mean. Titles are counted once a
// segment and set of dead ones; what queries asked for is remembered with the corpus, which is another after every write.

import type { DocSet } from "../../base/doc-set.js";
import { isWord } from "../../base/index-terms.js";
import type { Embedder, WordMeaning } from "../../base/seams.js";
import type { Steps } from "../../base/slices.js";
import { idf } from "../bm25.js";
import type { TextCorpus } from "../impacts/text-plan.js";
import { stemOf } from "../lexicon.js";
import type { Postings } from "../postings.js";
import type { SearchableSegment } from "../searchable-segment.js";
import { PartNumbers } from "./part-numbers.js";
import { PART_BIT, TERM_MASK } from "./title-table.js";

/** Who knows what words mean. */
export type Speaker = Pick<Embedder, "meaningOf">;

/** Titles counted between two pauses. */
const PAUSE_EVERY = 1 << 12;
/** So many words are remembered with a corpus: about 4 MB. */
const MOST_REMEMBERED = 1 << 15;
/** What follows these says what a thing goes with, not what it is. */
const TURNS = new Set(["for", "compatible", "suitable", "fit", "fits"]);

/** An index term that stands in titles. */
export interface TitleWord {
  /** The term that it counts under in queries besides itself. */
  readonly stem: string;
  readonly name: string;
  /** idf over titles: ln(1 + (N - tdf + 0.5) / (tdf + 0.5)), N living records, tdf with the word in the title; 0: no word. */
  readonly rarity: number;
  readonly meaning: WordMeaning | null;
  /** What follows it says what a thing goes with. */
  readonly isTurn: boolean;
}

/** By term: how many titles hold it as the first term of a part. */
interface Counts {
  /** Over all records. */
  readonly all: Uint32Array;
  /** The same without the dead ones. */
  living?: { readonly dead: DocSet; readonly counts: Uint32Array };
}

const countsOf = new WeakMap<Postings, Counts>();
/** With and without meanings. */
const known = new WeakMap<TextCorpus["segments"], Map<Speaker | null, TitleWords>>();

/** The words of a corpus's titles, counting the titles that were not counted before; `speaker` null: words mean nothing. */
export function* titleWordsOf(corpus: TextCorpus, speaker: Speaker | null): Steps<TitleWords> {
  const before = known.get(corpus.segments) ?? new Map<Speaker | null, TitleWords>();
  const same = before.get(speaker);
  if (same !== undefined) return same;
  const counts: Uint32Array[] = [];
  if (speaker !== null) for (const segment of corpus.segments) counts.push(yield* livingCounts(segment));
  const words = new TitleWords(corpus, counts, speaker);
  known.set(corpus.segments, before.set(speaker, words));
  return words;
}

/** The words of the titles of one corpus. */
export class TitleWords {
  readonly speaker: Speaker | null;
  private readonly corpus: TextCorpus;
  private readonly counts: readonly Uint32Array[];
  private readonly numbers = new PartNumbers();
  private words: TitleWord[] = [];

  constructor(corpus: TextCorpus, counts: readonly Uint32Array[], speaker: Speaker | null) {
    this.corpus = corpus;
    this.counts = counts;
    this.speaker = speaker;
  }

  /** What a word means. */
  meaningOf(word: string): WordMeaning | null {
    return this.speaker?.meaningOf?.(word) ?? null;
  }

  /** What an index term of a segment, given by their numbers, is. */
  of(segment: number, term: number): TitleWord {
    const number = this.numbers.find(segment, term);
    if (number >= 0) return this.words[number]!;
    if (this.words.length >= MOST_REMEMBERED) {
      this.words = [];
      this.numbers.clear();
    }
    const word = this.read(this.corpus.segments[segment]!.postings.names.nameOf(term));
    this.numbers.note(segment, term, this.words.push(word) - 1);
    return word;
  }

  private read(name: string): TitleWord {
    const stem = stemOf(name);
    const word = name === stem ? name : name.slice(stem.length + 2);
    if (this.speaker === null || !isWord(word)) return { name, stem, rarity: 0, meaning: null, isTurn: false };
    const rarity = idf(this.corpus.docCount, this.titlesWith(name));
    return { name, stem, rarity, meaning: this.meaningOf(word), isTurn: TURNS.has(word) };
  }

  private titlesWith(name: string): number {
    let titles = 0;
    for (const [i, { postings }] of this.corpus.segments.entries()) {
      const term = postings.names.numberOf(name);
      if (term !== undefined) titles += this.counts[i]![term]!;
    }
    return titles;
  }
}

/** The memory that the counts of a segment take; 0 before they are made. */
export function titleCountBytes(postings: Postings): number {
  const counts = countsOf.get(postings);
  return counts === undefined ? 0 : counts.all.byteLength + (counts.living?.counts.byteLength ?? 0);
}

function* livingCounts({ postings, dead }: SearchableSegment): Steps<Uint32Array> {
  let counts = countsOf.get(postings);
  if (counts === undefined) {
    counts = { all: new Uint32Array(postings.names.size) };
    yield* countTitles(postings, counts.all, 1, () => true);
    countsOf.set(postings, counts);
  }
  if (dead === null) return counts.all;
  if (counts.living?.dead === dead) return counts.living.counts;
  const living = counts.all.slice();
  yield* countTitles(postings, living, -1, (doc) => dead.has(doc));
  counts.living = { dead, counts: living };
  return living;
}

/** Adds `sign` for each word of each of the titles, once a title. */
function* countTitles(
  { titles, docCount, names }: Postings,
  counts: Uint32Array,
  sign: 1 | -1,
  isCounted: (doc: number) => boolean,
): Steps<void> {
  const { starts, terms } = titles;
  /** Of each term the last title it was counted in, from 1. */
  const last = new Uint32Array(names.size);
  for (let doc = 0; doc < docCount; doc++) {
    if (doc % PAUSE_EVERY === 0) yield;
    if (!isCounted(doc)) continue;
    for (let at = starts[doc]!; at < starts[doc + 1]!; at++) {
      const term = terms[at]! & TERM_MASK;
      if ((terms[at]! & PART_BIT) === 0 || last[term] === doc + 1) continue;
      last[term] = doc + 1;
      counts[term]! += sign;
    }
  }
}
