// The members of one segment after the other, by the clicks that they pass. Facets that are counted over the same members share
// one set of them, and what all of them ask for is asked once.

import { DocSet } from "../util/doc-set.js";

/** Records of one segment, by their numbers within it. */
export interface SegmentMembers {
  readonly docs: DocSet;
  /** How many they are. */
  readonly size: number;
}

/** Some of the clicks, by their numbers. */
export type Clicks = readonly number[];

/** A choice of clicks, and who of the segment at hand passes them. */
interface Choice {
  readonly refinements: Clicks;
  readonly words: Uint32Array;
  passing: SegmentMembers | null;
}

/** Members by choices of clicks; each answer is used up before the next segment. */
export class ClickedMembers {
  private readonly members: DocSet;
  private readonly clicked: readonly DocSet[];
  /** By facet. */
  private readonly choices: readonly Choice[];
  /** What all choices ask for. */
  private readonly shared: Clicks;
  private readonly words: Uint32Array;
  /** Of the segment at hand. */
  private found: DocSet = new DocSet(0);
  private base = 0;

  /** `asked`: by facet, which of the clicks its members pass. No segment has more than `most` records. */
  constructor(members: DocSet, clicked: readonly DocSet[], asked: readonly Clicks[], most: number) {
    this.members = members;
    this.clicked = clicked;
    const wordsOf = (): Uint32Array => new Uint32Array((most + 31) >>> 5);
    this.words = wordsOf();
    this.shared = [...clicked.keys()].filter((click) => asked.every((refinements) => refinements.includes(click)));
    const choices = new Map<string, Choice>();
    this.choices = asked.map((all) => {
      const refinements = all.filter((click) => !this.shared.includes(click));
      const key = refinements.join();
      const choice = choices.get(key) ?? { refinements, words: wordsOf(), passing: null };
      choices.set(key, choice);
      return choice;
    });
  }

  /** Goes on to the segment whose records are `base` … `end` - 1. */
  begin(base: number, end: number): void {
    this.base = base;
    this.found = this.members.within(base, end, this.words);
    for (const click of this.shared) this.keepClicked(this.found, click);
    for (const choice of this.choices) choice.passing = null;
  }

  /** Over whom a facet is counted. */
  of(facet: number): SegmentMembers {
    const choice = this.choices[facet]!;
    choice.passing ??= this.pass(choice);
    return choice.passing;
  }

  private pass({ refinements, words }: Choice): SegmentMembers {
    const { found } = this;
    let docs = found;
    if (refinements.length > 0) {
      docs = new DocSet(found.size, words.subarray(0, found.words.length));
      docs.words.set(found.words);
      for (const click of refinements) this.keepClicked(docs, click);
    }
    return { docs, size: docs.count() };
  }

  private keepClicked(docs: DocSet, click: number): void {
    docs.andFrom(this.clicked[click]!, this.base);
  }
}
