// Which index terms of one segment's titles are what a query asked for. Found once a query and segment, by name, so that
// titles are read by numbers alone.

import { WORD_MARK } from "../../base/index-terms.js";
import { stemOf } from "../lexicon.js";
import type { NameTable } from "../names/name-table.js";

const NONE: readonly number[] = [];

/** The query's numbers by term of a segment. */
export class TermAnswers {
  private readonly byTerm = new Map<number, readonly number[]>();

  /** `numbers`: those that the query gave to its index terms. A word as it was written answers for its stem besides. */
  constructor(names: NameTable, numbers: ReadonlyMap<string, number>) {
    for (const [name, number] of numbers) {
      const term = names.numberOf(name);
      if (term !== undefined) this.add(term, number);
    }
    for (const [name, number] of numbers) {
      const prefix = WORD_MARK + name + WORD_MARK;
      for (let term = names.firstFrom(prefix); term < names.size; term++) {
        const written = names.nameOf(term);
        if (!written.startsWith(prefix)) break;
        if (stemOf(written) === name) this.add(term, number);
      }
    }
  }

  /** What a term is to the query: first what it is itself, then what its stem is. */
  of(term: number): readonly number[] {
    return this.byTerm.get(term) ?? NONE;
  }

  private add(term: number, number: number): void {
    this.byTerm.set(term, [...this.of(term), number]);
  }
}
