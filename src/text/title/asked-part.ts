import type { WordMeaning } from "../../base/seams.js";
import type { TitleQuestion } from "./title-question.js";
import type { TitleWord } from "./title-words.js";

const NEARNESS_STEPS = 256;
const NONE: readonly number[] = [];
const UNKNOWN = -1;

/** What an index term of titles is to one query. */
export class AskedPart {
  /** The query's numbers of the index terms that it is. */
  readonly answers: readonly number[];
  /** How rare it is among titles; 0: no word. */
  readonly rarity: number;
  /** What follows it says what a thing goes with. */
  readonly isTurn: boolean;
  private readonly meaning: WordMeaning | null;
  private readonly asked: readonly (WordMeaning | null)[];
  /** By term of the query; compared when first asked for. */
  private readonly nearness: number[] = [];
  private greatest = UNKNOWN;

  constructor({ numbers, meanings }: TitleQuestion, { name, stem, rarity, meaning, isTurn }: TitleWord) {
    const own = numbers.get(name);
    const byStem = stem === name ? undefined : numbers.get(stem);
    this.answers = own === undefined && byStem === undefined ? NONE : [own, byStem].filter((one) => one !== undefined);
    this.rarity = rarity;
    this.isTurn = isTurn;
    this.meaning = meaning;
    this.asked = meanings;
    if (meaning !== null) for (let term = 0; term < meanings.length; term++) this.nearness.push(UNKNOWN);
  }

  /** How near it is to a term of the query, 0 … 1. */
  nearnessTo(term: number): number {
    const asked = this.asked[term];
    if (this.meaning === null || asked == null) return 0;
    if (this.nearness[term] === UNKNOWN) this.nearness[term] = rounded(asked.nearnessTo(this.meaning));
    return this.nearness[term]!;
  }

  /** How near it is to the term of the query that it is nearest to. */
  get nearest(): number {
    if (this.greatest === UNKNOWN) {
      this.greatest = 0;
      for (let term = 0; term < this.asked.length; term++)
        this.greatest = Math.max(this.greatest, this.nearnessTo(term));
    }
    return this.greatest;
  }
}

/** The same on every machine, whatever the last bits of a cosine are. */
function rounded(nearness: number): number {
  return Math.min(1, Math.max(0, Math.round(nearness * NEARNESS_STEPS) / NEARNESS_STEPS));
}
