// One title, read for one query: which terms it holds and where, how near its words are, how much of it is about them. Kept
// between titles, so that reading one allocates nothing.

import type { AskedPart } from "./asked-part.js";
import type { TermUse, TitleQuestion } from "./title-question.js";

const NOWHERE = -2;

/** What one title was found to say. */
export class TitleReading {
  /** By term of the query: 1 where the title holds it. */
  readonly held: Uint8Array;
  /** By term: how near the nearest of the title's words is. */
  readonly nearest: Float64Array;
  /** Rarity of the words before the first turn, and how much of it is about the query. */
  weight = 0;
  about = 0;
  private readonly question: TitleQuestion;
  /** Where index terms of the query stand: their numbers, and the parts. */
  private readonly found: number[] = [];
  private readonly places: number[] = [];
  private field: string | undefined;
  private part = -1;
  private isTurned = false;
  private isNear = false;
  /** By alternative: how many of its index terms the title holds, where it has several. */
  private readonly counts: Uint8Array;
  /** By term: the last part and the one before where it stands. */
  private readonly lastPlace: Int32Array;
  private readonly placeBefore: Int32Array;
  private readonly joined: Uint8Array;

  constructor(question: TitleQuestion) {
    this.question = question;
    this.held = new Uint8Array(question.size);
    this.nearest = new Float64Array(question.size);
    this.counts = new Uint8Array(question.alternatives);
    this.lastPlace = new Int32Array(question.size);
    this.placeBefore = new Int32Array(question.size);
    this.joined = new Uint8Array(question.size);
  }

  /** Begins a title. */
  begin(): void {
    if (this.found.length > 0) {
      this.held.fill(0);
      this.found.length = 0;
      this.places.length = 0;
    }
    if (this.isNear) this.nearest.fill(0);
    this.isNear = false;
    this.weight = 0;
    this.about = 0;
    this.part = -1;
    this.isTurned = false;
  }

  /** The next index term, of a new part or of the last one; `field`: the name of the title, where it matters. */
  add(part: AskedPart, isFirst: boolean, field: string | undefined): void {
    if (isFirst) this.part++;
    this.field = field;
    let isAsked = false;
    const { answers, nearness, rarity } = part;
    for (let i = 0; i < answers.length; i++) if (this.find(answers[i]!)) isAsked = true;
    if (!isFirst || rarity === 0) return;
    if (nearness !== null) {
      this.isNear = true;
      for (let term = 0; term < nearness.length; term++)
        if (nearness[term]! > this.nearest[term]!) this.nearest[term] = nearness[term]!;
    }
    if (part.isTurn && this.part > 0) this.isTurned = true;
    if (this.isTurned) return;
    this.weight += rarity;
    this.about += rarity * (isAsked ? 1 : part.nearest);
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
