// A term of several alternatives, each perhaps of several parts, as one list of kinds.

import type { Task } from "../../base/tasks.js";
import type { TermAlternative } from "../query-term.js";
import { HolderList } from "./holder-list.js";
import { type JoinedKinds, joinedFrequencies, type NormsWithout, normsByWay, type Way } from "./joined-kinds.js";
import type { Examples, KindList } from "./read-kinds.js";
import { rankKinds } from "./weighed-list.js";

/** The kinds of one index term, and an example of each. */
export type TermKinds = KindList<Examples>;

/** What joining needs to know of a segment. */
export interface JoinedLists {
  /** The kinds of an index term; null: nobody holds it in a field that counts. */
  readonly kindsOf: (term: string, notIn: ReadonlySet<string> | undefined) => TermKinds | null;
  readonly normsOf: NormsWithout;
}

/** Records, ascending, with their kinds of one way to hold the term. */
interface Holders {
  readonly docs: Uint16Array;
  readonly kinds: Uint16Array;
}

const MOST = 65_536;
const EMPTY = -1;
/** So many steps through a list take about as long as to look a record up in it. */
const STEPS_A_LEAP = 8;
// Used by one call at a time, never kept.
const TABLE = new Int32Array(2 * MOST);
/** By kind of a way: the step, from 1, of records that have no other way before. */
const FIRST_STEPS = new Uint32Array(MOST);
/** By record: its last step, from 1, while ways are united; 0 everywhere else. */
const LAST = new Uint32Array(MOST);

/** The joined list of the alternatives; null: nobody holds any. */
export function* joinAlternatives(
  alternatives: readonly TermAlternative[],
  { kindsOf, normsOf }: JoinedLists,
): Task<TermKinds | KindList<JoinedKinds> | null> {
  const ways: Way[] = [];
  const found: Holders[] = [];
  let only: TermKinds | undefined;
  for (const { terms, notIn, weight } of alternatives) {
    yield;
    const lists: TermKinds[] = [];
    for (const term of terms) {
      const list = kindsOf(term, notIn);
      if (list === null) break;
      lists.push(list);
    }
    if (lists.length < terms.length) continue;
    const { holders, met } = meet(lists);
    if (holders.docs.length === 0) continue;
    ways.push({ weight, notIn, parts: lists.map((list) => list.source), met });
    found.push(holders);
    only = lists.length === 1 && weight === 1 && (notIn === undefined || notIn.size === 0) ? lists[0] : undefined;
  }
  if (found.length === 0) return null;
  if (found.length === 1 && only !== undefined) return only;
  yield;
  return inOrder(unite(ways, found), normsOf);
}

/** The records that stand in all lists: the shortest list leads. */
function meet(lists: readonly TermKinds[]): { readonly holders: Holders; readonly met: Uint16Array | null } {
  const [only] = lists;
  if (lists.length === 1) return { holders: { docs: only!.holders.docs, kinds: only!.kinds }, met: null };
  const parts = lists.length;
  const shortest = lists.reduce((least, list) => (list.holders.size < least.holders.size ? list : least));
  const docs = shortest.holders.docs.slice();
  const tuples = new Uint16Array(docs.length * parts);
  const cursors = lists.map((list) => new ListCursor(list, shortest.holders.size));
  let size = 0;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    let part = 0;
    for (; part < parts; part++) {
      const place = cursors[part]!.placeOf(doc);
      if (place < 0) break;
      tuples[size * parts + part] = lists[part]!.kinds[place]!;
    }
    if (part === parts) docs[size++] = doc;
  }
  const kinds = new Uint16Array(size);
  const distinct = numberTuples(tuples, parts, kinds);
  return { holders: { docs: docs.slice(0, size), kinds }, met: tuples.slice(0, distinct * parts) };
}

/** Finds ascending records in a list: step by step, or by leaps where the list is much longer than what is asked for. */
class ListCursor {
  private readonly holders: HolderList;
  private readonly docs: Uint16Array;
  private readonly leaps: boolean;
  private at = 0;

  constructor({ holders }: TermKinds, asked: number) {
    this.holders = holders;
    this.docs = holders.docs;
    this.leaps = holders.size > STEPS_A_LEAP * asked;
  }

  /** The place of a record, which comes behind those asked for before; or -1. */
  placeOf(doc: number): number {
    if (this.leaps) return this.holders.placeOf(doc);
    const { docs } = this;
    let at = this.at;
    while (at < docs.length && docs[at]! < doc) at++;
    this.at = at;
    return docs[at] === doc ? at : -1;
  }
}

/** Numbers the tuples, equal ones alike, by record into `kinds`; they move to the front. Returns how many they are. */
function numberTuples(tuples: Uint16Array, parts: number, kinds: Uint16Array): number {
  const mask = clearTable(kinds.length);
  let distinct = 0;
  for (let i = 0; i < kinds.length; i++) {
    const from = i * parts;
    let hash = 0;
    for (let part = 0; part < parts; part++) hash = mix(hash, tuples[from + part]!);
    let place = hash & mask;
    while (TABLE[place] !== EMPTY && !isSame(tuples, TABLE[place]! * parts, from, parts)) place = (place + 1) & mask;
    if (TABLE[place] === EMPTY) {
      tuples.copyWithin(distinct * parts, from, from + parts);
      TABLE[place] = distinct++;
    }
    kinds[i] = TABLE[place]!;
  }
  return distinct;
}

function isSame(tuples: Uint16Array, a: number, b: number, parts: number): boolean {
  for (let part = 0; part < parts; part++) if (tuples[a + part] !== tuples[b + part]) return false;
  return true;
}

/** Kinds by record, in the order in which their last steps came. */
interface United extends JoinedKinds {
  readonly holders: Holders;
}

/** The records of any way: those with the same ways of the same kinds are of one kind. */
function unite(alternatives: readonly Way[], found: readonly Holders[]): United {
  const most = found.reduce((sum, { docs }) => sum + docs.length, 0);
  const [before, ways, kinds] = [new Uint32Array(most), new Uint32Array(most), new Uint16Array(most)];
  let steps = 0;
  let size = 0;
  for (const [way, holders] of found.entries()) {
    const { docs, kinds: kindOf } = holders;
    const mask = way === 0 ? 0 : clearTable(docs.length);
    FIRST_STEPS.fill(0, 0, kindsIn(alternatives[way]!));
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      const kind = kindOf[i]!;
      const known = LAST[doc]!;
      if (known === 0) {
        size++;
        // Most records have one way alone.
        if (FIRST_STEPS[kind] === 0) {
          ways[steps] = way;
          kinds[steps++] = kind;
          FIRST_STEPS[kind] = steps;
        }
        LAST[doc] = FIRST_STEPS[kind]!;
        continue;
      }
      let place = mix(mix(0, known), kind) & mask;
      for (; TABLE[place] !== EMPTY; place = (place + 1) & mask)
        if (before[TABLE[place]!] === known && kinds[TABLE[place]!] === kind) break;
      if (TABLE[place] === EMPTY) {
        before[steps] = known;
        ways[steps] = way;
        kinds[steps] = kind;
        TABLE[place] = steps++;
      }
      LAST[doc] = TABLE[place]! + 1;
    }
  }
  const cut = { before: before.slice(0, steps), ways: ways.slice(0, steps), kinds: kinds.slice(0, steps) };
  return { alternatives, ...cut, ...takeLast(size, steps) };
}

function kindsIn({ parts, met }: Way): number {
  return met === null ? parts[0]!.starts.length - 1 : met.length / parts.length;
}

/** The records that were united, and of each the number of its kind; leaves LAST as it was. */
function takeLast(size: number, steps: number): { readonly holders: Holders; readonly last: Uint32Array } {
  const docs = new Uint16Array(size);
  const kinds = new Uint16Array(size);
  /** By step: the number of the kind that ends with it, from 1. */
  const numbers = new Uint32Array(steps);
  const last: number[] = [];
  for (let doc = 0, at = 0; at < size; doc++) {
    if (LAST[doc] === 0) continue;
    const step = LAST[doc]! - 1;
    LAST[doc] = 0;
    if (numbers[step] === 0) numbers[step] = last.push(step);
    docs[at] = doc;
    kinds[at++] = numbers[step]! - 1;
  }
  return { holders: { docs, kinds }, last: Uint32Array.from(last) };
}

/** Kinds that earn more come first. */
function inOrder({ holders, ...joined }: United, normsOf: NormsWithout): KindList<JoinedKinds> {
  const frequencies = joinedFrequencies(joined, normsByWay(joined, normsOf));
  const ranks = rankKinds(frequencies, frequencies.length);
  const last = new Uint32Array(frequencies.length);
  for (let kind = 0; kind < last.length; kind++) last[ranks[kind]!] = joined.last[kind]!;
  const kinds = new Uint16Array(holders.kinds.length);
  for (let i = 0; i < kinds.length; i++) kinds[i] = ranks[holders.kinds[i]!]!;
  return { holders: new HolderList(holders.docs), kinds, source: { ...joined, last } };
}

/** Empties the table for so many entries, of which it is at most half full; returns the mask of places. */
function clearTable(entries: number): number {
  let size = 16;
  while (size < 2 * entries) size *= 2;
  TABLE.fill(EMPTY, 0, size);
  return size - 1;
}

function mix(hash: number, number: number): number {
  const mixed = Math.imul(hash ^ number, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
