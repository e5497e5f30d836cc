// The order of many distinct names by code unit. Names are laid out by their first two characters, then sorted by the six
// behind these as one number; only names that agree so far are compared as strings, which would be slow for all.

import { byCodeUnit, sortInSteps } from "../../base/merge-runs.js";
import type { Steps } from "../../base/slices.js";

/** Names read or sorted between two pauses. */
const PAUSE_EVERY = 1 << 10;
/** Names put in their places between two pauses. */
const PAUSE_EVERY_PLACED = 1 << 15;
const FIRST = 2;
const NEXT = 6;
/** Characters from this one on are not told apart by numbers, nor is what stands behind them. */
const GREAT = 0xff;

/** Fewer names are compared as strings: the table of first characters would cost more than it spares. */
const FEW = 4096;

/** The places of the names in their order: the name at place `order[0]` is the least. */
export function* sortNames(names: readonly string[]): Steps<Uint32Array> {
  if (names.length < FEW) {
    const places = [...names.keys()];
    return Uint32Array.from(yield* sortInSteps(places, (a, b) => byCodeUnit(names[a]!, names[b]!)));
  }
  const starts = new Uint32Array((1 << (8 * FIRST)) + 1);
  const heads = new Uint16Array(names.length);
  const keys = new Float64Array(names.length);
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const head = keyOf(name, 0, FIRST);
    heads[i] = head;
    keys[i] = head % 256 === GREAT || head >> 8 === GREAT ? 0 : keyOf(name, FIRST, NEXT);
    starts[head + 1]!++;
    if (i % PAUSE_EVERY === 0) yield;
  }
  for (let head = 0; head + 1 < starts.length; head++) starts[head + 1]! += starts[head]!;
  const order = new Uint32Array(names.length);
  const next = starts.slice();
  for (let i = 0; i < names.length; i++) {
    order[next[heads[i]!]!++] = i;
    if (i % PAUSE_EVERY_PLACED === 0) yield;
  }
  const compare = (a: number, b: number): number => keys[a]! - keys[b]! || byCodeUnit(names[a]!, names[b]!);
  for (let head = 0, sorted = 0; head + 1 < starts.length; head++) {
    const [from, to] = [starts[head]!, starts[head + 1]!];
    if (to - from > PAUSE_EVERY) order.set(yield* sortInSteps([...order.subarray(from, to)], compare), from);
    else if (to - from > 1) order.subarray(from, to).sort(compare);
    sorted += to - from;
    if (sorted > PAUSE_EVERY) {
      sorted = 0;
      yield;
    }
  }
  return order;
}

/** Characters of a name as the digits of one number; a great character ends it. */
function keyOf(name: string, from: number, digits: number): number {
  let key = 0;
  let isOver = false;
  for (let at = from; at < from + digits; at++) {
    const unit: number = isOver || at >= name.length ? 0 : Math.min(GREAT, name.charCodeAt(at));
    isOver ||= unit === GREAT;
    key = key * 256 + unit;
  }
  return key;
}
