// What a record's title says for it, beyond being a field that counts double: whether it holds or nearly holds every term of
// the query, how much of it is about what was asked, and whether neighbours stand together (docs/scoring.md). A bounded
// part of the score, and a function of query, record and statistics over the living alone.

import { isWord } from "../../base/index-terms.js";
import { planAt, type SegmentPlan, type TextPlan } from "../impacts/text-plan.js";
import { stemOf } from "../lexicon.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "../postings.js";
import { AskedPart } from "./asked-part.js";
import { KNOWN_PARTS } from "./known-parts.js";
import { type Nearness, TitleQuestion } from "./title-question.js";
import type { TitleRarity } from "./title-rarity.js";
import { TitleReading } from "./title-reading.js";
import { PART_BIT, TERM_MASK } from "./title-table.js";

/** The most that each kind of evidence adds to a score, before all is divided by what it could be at most. */
const COVERAGE = 0.1;
const FOCUS = 0.025;
const ADJACENCY = 0.025;
/** Coverage counts less in longer queries: they have more words, and words have more say. */
const FULL_COVERAGE_TERMS = 4;
/** Without knowledge of words the share of the query that is held counts instead of coverage and focus. */
const HELD_SHARE = 0.075;
/** What a term is worth to coverage that the record holds elsewhere. */
const HELD_ELSEWHERE = 0.8;
/** Words less near than this are not near at all. */
const LEAST_NEARNESS = 0.3;
const NEARNESS_STEPS = 256;
/** What follows these says what a thing goes with, not what it is. */
const TURNS = new Set(["for", "compatible", "suitable", "fit", "fits"]);

/** The kinds of evidence, each 0 … 1, and what they add to a score together. */
export interface TitleScore {
  readonly coverage: number;
  readonly focus: number;
  readonly adjacency: number;
  readonly sum: number;
}

/** Asks titles about one query. */
export class TitleEvidence {
  /** The most that a title can add. */
  readonly most: number;
  private readonly plan: TextPlan;
  private readonly rarity: TitleRarity | null;
  private readonly question: TitleQuestion;
  private readonly reading: TitleReading;
  private readonly coverageWeight: number;
  private readonly isRestricted: boolean;
  private parts: AskedPart[] = [];

  /** `nearnessTo` and `rarity` null: nothing is known of words. */
  constructor(plan: TextPlan, rarity: TitleRarity | null, nearnessTo: ((word: string) => Nearness) | null) {
    this.plan = plan;
    this.rarity = rarity;
    this.question = new TitleQuestion(plan, nearnessTo);
    this.reading = new TitleReading(this.question);
    this.coverageWeight =
      rarity === null ? HELD_SHARE : COVERAGE * Math.min(1, FULL_COVERAGE_TERMS / Math.max(1, this.question.size));
    this.isRestricted = plan.corpus.segments.some(({ fields }) => fields.weights.includes(0));
    const focus = rarity === null ? 0 : FOCUS;
    this.most = this.coverageWeight + focus + (this.question.pairSum > 0 ? ADJACENCY : 0);
  }

  /** What score and evidence together are divided by, so that 1 stays the most. */
  get divisor(): number {
    return 1 + ADJACENCY + (this.rarity === null ? HELD_SHARE : COVERAGE + FOCUS);
  }

  /** What the title of a record adds to its score, before the division. */
  sumOf(doc: number): number {
    return this.scoreOf(doc).sum;
  }

  /** The evidence of a record. */
  scoreOf(doc: number): TitleScore {
    const { reading, question } = this;
    const part = planAt(this.plan, doc);
    const inSegment = doc - part.segment.base;
    this.read(part, inSegment);
    const coverage = this.rarity === null ? this.heldShare(part, inSegment) : this.coverage(part, inSegment);
    const focus = this.rarity === null || reading.weight === 0 ? 0 : reading.about / reading.weight;
    const adjacency = question.pairSum === 0 ? 0 : reading.together() / question.pairSum;
    const sum = this.coverageWeight * coverage + FOCUS * focus + ADJACENCY * adjacency;
    return { coverage, focus, adjacency, sum };
  }

  /** The terms of the query that the title holds, or nearly holds, weighed by the root of their idf. */
  private coverage({ lists }: SegmentPlan, doc: number): number {
    const { roots, rootSum, size } = this.question;
    const { held, nearest } = this.reading;
    let sum = 0;
    for (let term = 0; term < size; term++) {
      let share = 1;
      if (held[term] === 0) {
        share = nearest[term]! >= LEAST_NEARNESS ? nearest[term]! : 0;
        if (share < HELD_ELSEWHERE && isHeld(lists, term, doc)) share = HELD_ELSEWHERE;
      }
      sum += roots[term]! * share;
    }
    return sum / rootSum;
  }

  /** Of the terms that any record holds, those that this one holds anywhere, weighed by their idf. */
  private heldShare({ lists }: SegmentPlan, doc: number): number {
    const { idfs, idfSum, size } = this.question;
    if (idfSum === 0) return 0;
    let sum = 0;
    for (let term = 0; term < size; term++) if (isHeld(lists, term, doc)) sum += idfs[term]!;
    return sum / idfSum;
  }

  /** Reads a title part by part; one in a field that is not searched says nothing. */
  private read(part: SegmentPlan, doc: number): void {
    const { reading, question } = this;
    const { segment } = part;
    const { postings, fields } = segment;
    const { starts, terms } = postings.titles;
    reading.begin();
    if (KNOWN_PARTS.take(this)) this.parts = [];
    const [from, to] = [starts[doc]!, starts[doc + 1]!];
    if (from === to) return;
    let field: string | undefined;
    if (question.hasExceptions || this.isRestricted) {
      const number = titleField(postings, doc);
      if (fields.titleWeights[number] === 0) return;
      field = postings.fields[number];
    }
    const at = this.plan.segments.indexOf(part);
    for (let i = from; i < to; i++) {
      const entry = terms[i]!;
      reading.add(this.partOf(at, postings, entry & TERM_MASK), (entry & PART_BIT) !== 0, field);
    }
    reading.end();
  }

  private partOf(segment: number, postings: Postings, term: number): AskedPart {
    const known = KNOWN_PARTS.find(segment, term);
    if (known >= 0) return this.parts[known]!;
    const part = this.ask(postings.names[term]!);
    KNOWN_PARTS.note(segment, term, this.parts.push(part) - 1);
    return part;
  }

  /** What an index term of a title is to the query. */
  private ask(name: string): AskedPart {
    const { numbers, near } = this.question;
    const stem = stemOf(name);
    const answers = [...new Set([stem, name])].flatMap((text) => numbers.get(text) ?? []);
    const word = name === stem ? name : name.slice(stem.length + 2);
    if (this.rarity === null || !isWord(word)) return new AskedPart(answers, 0, null, false);
    const nearness = near.map((nearTo) => (nearTo === null ? 0 : rounded(nearTo(word))));
    return new AskedPart(answers, this.rarity.of(name), nearness, TURNS.has(word));
  }
}

/** The same on every machine, whatever the last bits of a cosine are. */
function rounded(nearness: number): number {
  return Math.min(1, Math.max(0, Math.round(nearness * NEARNESS_STEPS) / NEARNESS_STEPS));
}

function isHeld(lists: SegmentPlan["lists"], term: number, doc: number): boolean {
  return (lists[term]?.holders.placeOf(doc) ?? -1) >= 0;
}

/** The number of the field that is a record's title. */
function titleField({ docSlots, slotField }: Postings, doc: number): number {
  let slot = docSlots[doc]!;
  while ((slotField[slot]! & TITLE_BIT) === 0) slot++;
  return slotField[slot]! & FIELD_MASK;
}
