// Purposes: in "headphones for running" the thing is headphones. What stands behind "for", "with" or "to" tells more of it.

import { wordsOf } from "../analysis/language-rules.js";
import { COUNTED_MARK } from "../analysis/units.js";
import type { Task } from "../util/tasks.js";
import { amountAt } from "./amounts.js";
import { isMaker } from "./attribute-names.js";
import type { Reading } from "./reading.js";
import type { ValueSpan } from "./values.js";

const CONTENT = new Set(["NOUN", "PROPN", "VERB", "ADJ", "X"]);
/** What follows a "for" or "with" that tells no purpose. */
const NO_PURPOSE = new Set(
  wordsOf(
    "sale free less only just cheap or and no not any everyone now real at more up over under below above between max maximum",
  ),
);

/** Reads the purposes; the values outside of them, or that are all of one, remain. */
export function* readPurposes(reading: Reading, values: readonly ValueSpan[]): Task<readonly ValueSpan[]> {
  if (yield* reading.facts.standsInTitle(reading.words(0, reading.tokens.length))) return values;
  let left = values;
  for (let i = 1; i < reading.tokens.length; i++) {
    if (!beginsPurpose(reading, i) || !reading.hasThing(i, i, i)) continue;
    const to = endOfPurpose(reading, i);
    const inside = left.filter((value) => value.from > i && value.to <= to);
    if (!tellsPurpose(reading, i, to) || areWanted(reading, inside, i, to)) continue;
    left = left.filter((value) => !inside.includes(value));
    reading.add("purpose", i, to, "", "none");
    i = to - 1;
    yield;
  }
  return left;
}

function beginsPurpose(reading: Reading, i: number): boolean {
  if (!reading.isFree(i) || !reading.isFree(i + 1)) return false;
  const [token, next, last] = [reading.tokens[i]!, reading.tokens[i + 1]!, reading.tokens[i - 1]!];
  if (token.key === "to") {
    const isThing = last.pos === "NOUN" || last.pos === "PROPN";
    return token.pos === "PART" && next.pos === "VERB" && isThing && next.key !== "go";
  }
  if (
    (token.key !== "for" && token.key !== "with") ||
    last.key === "not" ||
    (last.kind === "number" && reading.isFree(i - 1))
  )
    return false;
  return !NO_PURPOSE.has(next.key) && next.kind !== "sign" && next.kind !== "currency";
}

/** Up to the next part, sign, "for" or "with". */
function endOfPurpose(reading: Reading, from: number): number {
  let to = from + 1;
  while (reading.isFree(to) && reading.tokens[to]!.kind !== "currency" && !isEnd(reading, to)) to++;
  return to;
}

function isEnd(reading: Reading, i: number): boolean {
  const { key, kind } = reading.tokens[i]!;
  return key === "for" || key === "with" || key === "without" || (kind === "sign" && key !== "-" && key !== "&");
}

/** Whether it names something, and is no price: "for 20" is one, "for 3 year olds" and "for two players" are none. */
function tellsPurpose(reading: Reading, from: number, to: number): boolean {
  const amount = amountAt(reading.tokens, from + 1);
  const counts = amount?.unit?.dimension.startsWith(COUNTED_MARK) === true;
  if (amount !== undefined && (amount.money !== "no" || (amount.to >= to && !counts))) return false;
  return reading.tokens.slice(from + 1, to).some(({ pos, kind }) => kind === "word" && CONTENT.has(pos));
}

/** Whether a purpose is nothing but values that things have: "for women", but not "for Samsung". */
function areWanted(reading: Reading, inside: readonly ValueSpan[], from: number, to: number): boolean {
  if (reading.key(from) !== "for" || inside.some(({ found }) => isMaker(found.attribute))) return false;
  const covered = inside.reduce((sum, value) => sum + value.to - value.from, 0);
  return covered > 0 && covered === to - from - 1;
}
