// All ids in the order of code units, as the engine has it, from a cluster whose order is that of code points. Both orders agree but for
// characters beyond U+FFFF: by code units they come before U+E000 to U+FFFF, and by code points behind these.

import { byCodeUnit } from "../util/sorted.js";

/** What is between two ids in the order of code points, the upper one included. */
export interface IdSpan {
  readonly after: string;
  readonly upTo: string;
}

/** Reads the first of the ids behind one, in a span, in the order of code points. `isLast`: there are no more. */
export type IdReader<T> = (
  after: string,
  span: IdSpan | undefined,
) => Promise<{ readonly items: readonly T[]; readonly isLast: boolean }>;

/** Behind all ids with the same beginning: ids have at most 512 bytes. */
const LAST = "\u{10ffff}".repeat(129);
const FIRST_SURROGATE = 0xd800;

/** Pages in the order of code units. It reads a part of a page again where ids on both sides of its end are ordered differently. */
export function inCodeUnitOrder<T extends { readonly id: string }>(read: IdReader<T>): AsyncGenerator<readonly T[]> {
  return inSpan(read, undefined, 0);
}

/** The ids of a span, all of which agree in the code units before `from`. */
async function* inSpan<T extends { readonly id: string }>(
  read: IdReader<T>,
  span: IdSpan | undefined,
  from: number,
): AsyncGenerator<readonly T[]> {
  for (let after = span?.after ?? ""; ; ) {
    const { items, isLast } = await read(after, span);
    const last = items.at(-1)?.id ?? "";
    const at = isLast ? -1 : firstHigh(last, from);
    if (at < 0) {
      if (items.length > 0) yield sorted(items);
      if (isLast) return;
      after = last;
      continue;
    }
    // What follows may have to come before some of the page: of those that begin like its last id, with a character from U+E000 on.
    const start = last.slice(0, at);
    const isBefore = (id: string): boolean => !(id.startsWith(start) && id.charCodeAt(at) >= FIRST_SURROGATE);
    const before = items.filter(({ id }) => isBefore(id));
    if (before.length > 0) yield sorted(before);
    const [low, middle, high] = [`${start}\ud7ff${LAST}`, `${start}\uffff${LAST}`, start + LAST] as const;
    yield* inSpan(read, { after: middle, upTo: high }, at + 2);
    yield* inSpan(read, { after: low, upTo: middle }, at + 1);
    after = high;
  }
}

/** Where the first character from U+E000 on is; -1: nowhere. */
function firstHigh(id: string, from: number): number {
  for (let at = from; at < id.length; at++) if (id.charCodeAt(at) >= FIRST_SURROGATE) return at;
  return -1;
}

function sorted<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  return [...items].sort((a, b) => byCodeUnit(a.id, b.id));
}
