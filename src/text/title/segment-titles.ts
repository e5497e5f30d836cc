// The titles of each segment with what their terms are to one query, found where a title of the segment is first asked.

import { numberAt } from "../ascending.js";
import type { SegmentPlan, TextPlan } from "../impacts/text-plan.js";
import { FIELD_MASK, fieldAt, type Postings, TITLE_BIT } from "../postings.js";
import { TermAnswers } from "./term-answers.js";
import type { TitleQuestion } from "./title-question.js";
import type { TitleTable } from "./title-table.js";

/** The titles of one segment, and what their terms are to a query. */
export interface SegmentTitles {
  readonly table: TitleTable;
  readonly answers: TermAnswers;
  /** The number of the segment. */
  readonly segment: number;
}

/** The titles of a plan's segments. */
export class TitlesBySegment {
  private readonly plan: TextPlan;
  private readonly question: TitleQuestion;
  private readonly found: (SegmentTitles | undefined)[] = [];

  constructor(plan: TextPlan, question: TitleQuestion) {
    this.plan = plan;
    this.question = question;
  }

  /** The titles of a segment. */
  of(part: SegmentPlan): SegmentTitles {
    const segment = this.plan.segments.indexOf(part);
    const known = this.found[segment];
    if (known !== undefined) return known;
    const { names, titles } = part.segment.postings;
    const made = { table: titles, answers: new TermAnswers(names, this.question.numbers), segment };
    this.found[segment] = made;
    return made;
  }
}

/** The number of the field that is a record's title. */
export function titleField(postings: Postings, doc: number): number {
  let slot = numberAt(postings.docSlots, doc);
  while ((fieldAt(postings, slot) & TITLE_BIT) === 0) slot++;
  return fieldAt(postings, slot) & FIELD_MASK;
}
