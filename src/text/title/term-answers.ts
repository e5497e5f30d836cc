// Which index terms of one segment's titles are what a query asked for. Found once a query and segment, by name, so that
// titles are read by numbers alone; of names that were asked for before it is known.

import { WORD_MARK } from "../../base/index-terms.js";
import { stemOf } from "../lexicon.js";
import type { TermDictionary } from "../names/term-dictionary.js";

const NONE: readonly number[] = [];
const EMPTY = -1;
/** Places in the table a term, so that most terms that answer nothing fall on an empty one. */
const ROOM = 8;

/** The query's numbers by term of a segment. */
export class TermAnswers {
  /** By place: a term, and at the same place what it answers. */
  private readonly terms: Int32Array;
  private readonly answers: (readonly number[])[] = [];

  /** `numbers`: those that the query gave to its index terms. A word as it was written answers for its stem besides. */
  constructor(names: TermDictionary, numbers: ReadonlyMap<string, number>) {
    const found = findTerms(names, numbers);
    let size = 16;
    while (size < ROOM * found.size) size *= 2;
    this.terms = new Int32Array(size).fill(EMPTY);
    for (const [term, answers] of found) {
      let place = placeOf(term, size);
      while (this.terms[place] !== EMPTY) place = (place + 1) & (size - 1);
      this.terms[place] = term;
      this.answers[place] = answers;
    }
  }

  /** What a term is to the query: first what it is itself, then what its stem is. */
  of(term: number): readonly number[] {
    const { terms } = this;
    for (let place = placeOf(term, terms.length); ; place = (place + 1) & (terms.length - 1)) {
      const known = terms[place]!;
      if (known === term) return this.answers[place]!;
      if (known === EMPTY) return NONE;
    }
  }
}

function findTerms(names: TermDictionary, numbers: ReadonlyMap<string, number>): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const add = (term: number, number: number): void => {
    const known = found.get(term);
    if (known === undefined) found.set(term, [number]);
    else known.push(number);
  };
  for (const [name, number] of numbers) {
    const { own } = termsOf(names, name);
    if (own !== undefined) add(own, number);
  }
  for (const [name, number] of numbers) for (const term of termsOf(names, name).written) add(term, number);
  return found;
}

/** The term that a name is, and the words as they were written of which it is the stem. */
interface NamedTerms {
  readonly own: number | undefined;
  readonly written: readonly number[];
}

/** Queries share words, so a segment remembers what some were, 200 bytes each: so many, or the eighth part of its names. */
const LEAST_REMEMBERED = 1024;
const REMEMBERED_SHARE = 1 / 8;
const remembered = new WeakMap<TermDictionary, Map<string, NamedTerms>>();

function termsOf(names: TermDictionary, name: string): NamedTerms {
  const known = remembered.get(names) ?? new Map<string, NamedTerms>();
  if (known.size === 0) remembered.set(names, known);
  let terms = known.get(name);
  if (terms === undefined) {
    if (known.size >= Math.max(LEAST_REMEMBERED, REMEMBERED_SHARE * names.size)) known.clear();
    terms = { own: names.numberOf(name), written: writtenAs(names, name) };
    known.set(name, terms);
  }
  return terms;
}

function writtenAs(names: TermDictionary, stem: string): number[] {
  const terms: number[] = [];
  const prefix = WORD_MARK + stem + WORD_MARK;
  for (let term = names.firstFrom(prefix); term < names.size && names.beginsWith(term, prefix); term++)
    if (stemOf(names.nameOf(term)) === stem) terms.push(term);
  return terms;
}

function placeOf(term: number, size: number): number {
  const hash = Math.imul(term, 0x9e3779b1);
  return (hash ^ (hash >>> 15)) & (size - 1);
}
