// How rare a word is among the titles of the living records. Titles are counted once a segment and set of dead ones; what a
// query asked for is remembered with the corpus, which is another after every write.

import type { DocSet } from "../../base/doc-set.js";
import type { Steps } from "../../base/slices.js";
import { idf } from "../bm25.js";
import type { TextCorpus } from "../impacts/text-plan.js";
import type { Postings } from "../postings.js";
import type { SearchableSegment } from "../searchable-segment.js";
import { PART_BIT, TERM_MASK } from "./title-table.js";

/** Titles counted between two pauses. */
const PAUSE_EVERY = 1 << 12;
/** So many words are remembered with a corpus. */
const MOST_REMEMBERED = 1 << 16;

/** By term: how many titles hold it as the first term of a part. */
interface Counts {
  /** Over all records. */
  readonly all: Uint32Array;
  /** The same without the dead ones. */
  living?: { readonly dead: DocSet; readonly counts: Uint32Array };
}

const countsOf = new WeakMap<Postings, Counts>();
const rarities = new WeakMap<TextCorpus["segments"], TitleRarity>();

/** The rarities of a corpus, counting the titles that were not counted before. */
export function* titleRarityOf(corpus: TextCorpus): Steps<TitleRarity> {
  const known = rarities.get(corpus.segments);
  if (known !== undefined) return known;
  const counts: Uint32Array[] = [];
  for (const segment of corpus.segments) counts.push(yield* livingCounts(segment));
  const rarity = new TitleRarity(corpus, counts);
  rarities.set(corpus.segments, rarity);
  return rarity;
}

/** idf over titles: ln(1 + (N - tdf + 0.5) / (tdf + 0.5)), N living records, tdf of them with the word in the title. */
export class TitleRarity {
  private readonly corpus: TextCorpus;
  private readonly counts: readonly Uint32Array[];
  private readonly known = new Map<string, number>();

  constructor(corpus: TextCorpus, counts: readonly Uint32Array[]) {
    this.corpus = corpus;
    this.counts = counts;
  }

  /** The rarity of an index term. */
  of(name: string): number {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    let titles = 0;
    for (const [i, { postings }] of this.corpus.segments.entries()) {
      const term = postings.terms.get(name);
      if (term !== undefined) titles += this.counts[i]![term]!;
    }
    const rarity = idf(this.corpus.docCount, titles);
    if (this.known.size >= MOST_REMEMBERED) this.known.clear();
    this.known.set(name, rarity);
    return rarity;
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
    counts = { all: new Uint32Array(postings.names.length) };
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
  const last = new Uint32Array(names.length);
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
