// Several segments' words become one segment's: the living records in their new order, with nothing analysed again.
// The posting lists are turned back into records once (a transposition by counting), then written as if they came fresh.

import type { Steps } from "../base/slices.js";
import { numberAt } from "./ascending.js";
import { type DecodedList, decodeList } from "./lists/decode-list.js";
import { FIELD_MASK, fieldAt, lengthAt, type Postings, TITLE_BIT } from "./postings.js";
import { PostingsWriter } from "./postings-writer.js";
import { isFirstOfPart, readTitle, titleNumber } from "./title/title-table.js";

const PAUSE_EVERY = 1 << 15;

/** One record of the merged segment: where it comes from. */
export interface MergeSource {
  /** Index into the list of segments. */
  readonly segments: Uint16Array;
  /** The record's number within that segment. */
  readonly docs: Uint32Array;
}

interface ByRecord {
  readonly postings: Postings;
  /** The entries of slot s are starts[s] … starts[s + 1] - 1. */
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  readonly freqs: Uint16Array;
  /** Of each term its number in the merged segment, counted from 1; 0: not met yet. */
  readonly numbers: Uint32Array;
  /** The title of the record that is copied. */
  readonly title: number[];
}

/** The postings of the records of `source`, in its order. */
export function* mergePostings(segments: readonly Postings[], source: MergeSource): Steps<Postings> {
  const transposed: ByRecord[] = [];
  for (const postings of segments) transposed.push(yield* byRecord(postings));
  const writer = new PostingsWriter(segments.reduce((total, postings) => total + postings.size, 0));
  for (let i = 0; i < source.docs.length; i++) {
    copyRecord(transposed[source.segments[i]!]!, source.docs[i]!, writer);
    if (i % 32 === 0) yield;
  }
  return yield* writer.finish();
}

function copyRecord(from: ByRecord, doc: number, writer: PostingsWriter): void {
  const { postings, starts, terms, freqs, numbers, title } = from;
  writer.beginRecord();
  for (let slot = numberAt(postings.docSlots, doc); slot < numberAt(postings.docSlots, doc + 1); slot++) {
    const field = fieldAt(postings, slot);
    writer.beginField(postings.fields[field & FIELD_MASK]!, (field & TITLE_BIT) !== 0);
    for (let at = starts[slot]!; at < starts[slot + 1]!; at++) {
      const term = terms[at]!;
      numbers[term] ||= writer.numberOf(postings.names.nameOf(term)) + 1;
      writer.addNumber(numbers[term]! - 1, freqs[at]!);
    }
    writer.endField(lengthAt(postings, slot));
  }
  const { titles } = postings;
  readTitle(titles, doc, title);
  for (const entry of title) {
    const term = titles.terms[titleNumber(entry)]!;
    numbers[term] ||= writer.numberOf(postings.names.nameOf(term)) + 1;
    writer.titles.add(numbers[term]! - 1, isFirstOfPart(entry));
  }
}

function* byRecord(postings: Postings): Steps<ByRecord> {
  const slotCount = postings.slotShape.length;
  const { docSlots } = postings;
  const starts = new Uint32Array(slotCount + 1);
  yield* eachList(postings, (_, { docs, ranks, patterns, size }) => {
    for (let at = 0; at < size; at++) {
      const first = numberAt(docSlots, docs[at]!) + 1;
      const end = patterns.starts[ranks[at]! + 1]!;
      for (let place = patterns.starts[ranks[at]!]!; place < end; place++) starts[first + patterns.offsets[place]!]!++;
    }
  });
  for (let slot = 0; slot < slotCount; slot++) starts[slot + 1]! += starts[slot]!;
  const next = starts.slice();
  const terms = new Uint32Array(postings.size);
  yield;
  const freqs = new Uint16Array(postings.size);
  yield* eachList(postings, (term, { docs, ranks, patterns, size }) => {
    for (let at = 0; at < size; at++) {
      const first = numberAt(docSlots, docs[at]!);
      const end = patterns.starts[ranks[at]! + 1]!;
      for (let place = patterns.starts[ranks[at]!]!; place < end; place++) {
        const to = next[first + patterns.offsets[place]!]!++;
        terms[to] = term;
        freqs[to] = patterns.freqs[place]!;
      }
    }
  });
  return { postings, starts, terms, freqs, numbers: new Uint32Array(postings.names.size), title: [] };
}

function* eachList(postings: Postings, take: (term: number, list: DecodedList) => void): Steps<void> {
  for (let term = 0, read = 0; term < postings.names.size; term++) {
    const list = decodeList(postings, term);
    take(term, list);
    read += 1 + list.size;
    if (read > PAUSE_EVERY) {
      read = 0;
      yield;
    }
  }
}
