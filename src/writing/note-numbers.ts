// The numbers by which a segment's writer knows the terms of a token that stands in a memo. The memo keeps them for the next time.

import type { TokenMemo } from "../language/tokens/token-memo.js";
import type { PostingsWriter } from "../text/postings-writer.js";

/** Notes the writer's numbers of all of a token's terms, in place of those of another. */
export function noteNumbers({ cells, terms }: TokenMemo, token: number, writer: PostingsWriter): void {
  const first = cells.firstTerm(token);
  const at = cells.numbersAt(token);
  const { numbers } = cells;
  for (let term = 0, count = cells.termCount(token); term < count; term++)
    numbers[at + term] = writer.numberOf(terms[first + term]!);
  cells.setOwner(token, writer.id);
}
