// The number by which a segment's writer knows a term that stands in a memo of tokens. The memo keeps it for the next time.

import type { TokenMemo } from "../language/tokens/token-memo.js";
import type { PostingsWriter } from "../text/postings-writer.js";

/** The writer's number of the term at a place of the memo. */
export function termNumber(memo: TokenMemo, place: number, writer: PostingsWriter): number {
  const { numbers } = memo;
  numbers.hand(writer.id);
  const known = numbers.at(place);
  if (known >= 0) return known;
  const number = writer.numberOf(memo.terms[place]!);
  numbers.note(place, number);
  return number;
}
