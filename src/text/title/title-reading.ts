// One title, read for one query: which terms it holds and where, how near its words are, how much of it is about them. Kept
// between titles, so that reading one allocates nothing.

import type { AskedPart } from "./asked-part.js";
import type { TermUse, TitleQuestion } from "./title-question.js";

const NOWHERE = -2;

/** What one title was found to say. */
export class TitleReading {
  /** By term of the query: 1 where the title holds it. */
  readonly held: Uint8Array;
  private readonly question: TitleQuestion;
  /** The words of the title, and whether they are words of the query. */
  private readonly words: AskedPart[] = [];
  private readonly isAsked: boolean[] = [];
  /** How many of the words stand before the first turn. */
  private unturned = 0;
  private isTurned = false;
  /** Where index terms of the query stand: their numbers, and the parts. */
  private readonly found: number[] = [];
  private readonly places: number[] = [];
  private field: string | undefined;
  private part = -1;
  /** By alternative: how many of its index terms the title holds, where it has several. */
  private readonly counts: Uint8Array;
  /** By term: the last part and the one before where it stands. */
  private readonly lastPlace: Int32Array;
  private readonly placeBefore: Int32Array;
  private readonly joined: Uint8Array;

  constructor(question: TitleQuestion) {
    this.question = question;
    this.held = new Uint8Array(question.size);
    this.counts = new Uint8Array(question.alternatives);
    this.lastPlace = new Int32Array(question.size);
    this.placeBefore = new Int32Array(question.size);
    this.joined = new Uint8Array(question.size);
  }

  /** Begins a title; `field`: its name, where it matters. */
  begin(field?: string): void {
    this.held.fill(0);
    this.found.length = 0;
    this.places.length = 0;
    this.words.length = 0;
    this.isAsked.length = 0;
    this.unturned = 0;
    this.isTurned = false;
    this.field = field;
    this.part = -1;
  }

  /** The next index term, of a new part or of the last one. */
  add(part: AskedPart, isFirst: boolean): void {
    if (isFirst) this.part++;
    let isAsked = false;
    for (let i = 0; i < part.answers.length; i++) if (this.find(part.answers[i]!)) isAsked = true;
    if (!isFirst || part.rarity === 0) return;
    if (part.isTurn && this.part > 0) this.isTurned = true;
    if (!this.isTurned) this.unturned++;
    this.words.push(part);
    this.isAsked.push(isAsked);
  }

  /** How near the nearest of its words is to a term of the query. */
  nearestTo(term: number): number {
    let nearest = 0;
    for (const word of this.words) nearest = Math.max(nearest, word.nearnessTo(term));
    return nearest;
  }

  /** How much of the words before the first turn is about the query, each by its rarity. */
  focus(): number {
    let weight = 0;
    let about = 0;
    for (let i = 0; i < this.unturned; i++) {
      const word = this.words[i]!;
      weight += word.rarity;
      about += word.rarity * (this.isAsked[i] ? 1 : word.nearest);
    }
    return weight === 0 ? 0 : about / weight;
  }

  /** Ends the title: what needs several index terms is held where all of them were found. */
  end(): void {
    const { counts, found, held, question } = this;
    if (!question.hasSeveral || found.length === 0) return;
    counts.fill(0);
    for (const number of new Set(found))
      for (const use of question.uses[number]!)
        if (use.size > 1 && this.allows(use) && ++counts[use.alternative]! === use.size) held[use.term] = 1;
  }

  /** The pairs of neighbours among the query's terms that stand one behind the other, by what they weigh. */
  together(): number {
    const { found, places, joined, question } = this;
    if (found.length < 2) return 0;
    this.lastPlace.fill(NOWHERE);
    this.placeBefore.fill(NOWHERE);
    joined.fill(0);
    for (let i = 0; i < found.length; i++)
      for (const use of question.uses[found[i]!]!)
        if (this.allows(use) && (use.size === 1 || this.counts[use.alternative] === use.size))
          this.place(use.term, places[i]!);
    let sum = 0;
    for (let term = 0; term < question.size; term++) if (joined[term] === 1) sum += question.pairs[term]!;
    return sum;
  }

  /** A term stands at a part; parts come in order. */
  private place(term: number, part: number): void {
    const { lastPlace, placeBefore } = this;
    if (lastPlace[term] !== part) {
      placeBefore[term] = lastPlace[term]!;
      lastPlace[term] = part;
    }
    if (term > 0 && (lastPlace[term - 1] === part - 1 || placeBefore[term - 1] === part - 1)) this.joined[term - 1] = 1;
  }

  /** Notes an index term of the query; false: it counts for nothing in this field. */
  private find(number: number): boolean {
    let counts = false;
    for (const use of this.question.uses[number]!) {
      if (!this.allows(use)) continue;
      counts = true;
      if (use.size === 1) this.held[use.term] = 1;
    }
    if (!counts) return false;
    this.found.push(number);
    this.places.push(this.part);
    return true;
  }

  private allows({ notIn }: TermUse): boolean {
    return notIn === undefined || this.field === undefined || !notIn.has(this.field);
  }
}
