// The normal form of a text, with the place each of its code units came from, so that what was found in the normal form can
// be shown in the text itself. Each cluster (a character with all that joins it) is normalised by itself: a range never cuts
// one, and is right even where the whole text would come out otherwise.

import type { Task } from "../util/tasks.js";
import { normalizeText } from "./normalize-text.js";

/** A normalised text; unit `i` of it came from `starts[i]` … `ends[i]` (code units, end exclusive) of the text given. */
export interface NormalText {
  readonly normal: string;
  /** Never descending, as `ends`. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const NOT_ASCII = /[^\t\n\v\f\r\x20-\x7e]/;
/** What joins the character before it: marks, format characters, vowels and finals of Hangul, half-width voicing marks. */
const JOINS = /[\p{M}\p{Cf}\u1160-\u11ff\u3131-\u3163\uff9e\uff9f\uffa1-\uffdc]/u;

/** Clusters between two pauses. */
const PAUSE_EVERY = 1024;

/** The first `most` code units of `normalizeText` (whole clusters, so perhaps a few more), each with its origin. O(length). */
export function* normalizeWithOffsets(text: string, most: number = Number.POSITIVE_INFINITY): Task<NormalText> {
  if (!NOT_ASCII.test(text)) return unmoved(text.slice(0, most).toLowerCase());
  const forms: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let start = 0, read = 1; start < text.length && starts.length < most; read++) {
    if (read % PAUSE_EVERY === 0) yield;
    const end = clusterEnd(text, start);
    const form = normalizeText(text.slice(start, end));
    forms.push(form);
    for (let i = 0; i < form.length; i++) {
      starts.push(start);
      ends.push(end);
    }
    start = end;
  }
  return { normal: forms.join(""), starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}

function unmoved(normal: string): NormalText {
  const starts = new Uint32Array(normal.length);
  const ends = new Uint32Array(normal.length);
  for (let i = 0; i < normal.length; i++) {
    starts[i] = i;
    ends[i] = i + 1;
  }
  return { normal, starts, ends };
}

function clusterEnd(text: string, start: number): number {
  let end = start + characterLength(text, start);
  while (end < text.length && text.charCodeAt(end) > 0x7e) {
    const length = characterLength(text, end);
    if (!JOINS.test(text.slice(end, end + length))) break;
    end += length;
  }
  return end;
}

function characterLength(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}
