// The shop's own suggestions: those of the setting that begin with what was typed, the greatest weight first. They are sorted by how
// they compare, when they are first asked for, so that those with one beginning stand side by side.

import { normalizeText } from "../analysis/normalize-text.js";
import { byCodeUnit, partitionPoint, sortWithPauses } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { topKInSteps } from "../util/top-k.js";
import type { Suggestion } from "./settings.js";

/** Texts read between two pauses. */
const PAUSE_EVERY = 256;

/** A text as it compares with others: without case and accents, without blanks in front, runs of blanks as one. */
export function comparedText(text: string): string {
  return normalizeText(text).trimStart().replace(/\s+/g, " ");
}

/** A suggestion, and how its text compares. */
interface ComparedSuggestion {
  readonly text: string;
  readonly compared: string;
  readonly weight: number;
}

/** Suggestions by how they compare; of texts that compare alike only the first. */
interface SortedSuggestions {
  readonly all: readonly ComparedSuggestion[];
  /** By place in `all`: the place in the order in which they are shown. */
  readonly ranks: Uint32Array;
}

/** The suggestions of an index. */
export class OwnSuggestions {
  private readonly list: readonly Suggestion[];
  private sorted: SortedSuggestions | undefined;

  constructor(list: readonly Suggestion[]) {
    this.list = list;
  }

  /** At most `most` texts that begin with what was typed, in the order in which they are shown. */
  *beginningWith(typed: string, most: number): Task<string[]> {
    if (this.list.length === 0) return [];
    this.sorted ??= yield* sorted(this.list);
    const { all, ranks } = this.sorted;
    const beginning = comparedText(typed);
    const from = partitionPoint(0, all.length, (i) => all[i]!.compared < beginning);
    const to = partitionPoint(from, all.length, (i) => all[i]!.compared.startsWith(beginning));
    const places = new Uint32Array(to - from);
    for (let i = 0; i < places.length; i++) places[i] = from + i;
    yield;
    const first = yield* topKInSteps(places, most, (a, b) => ranks[a]! < ranks[b]!);
    return first.map((place) => all[place]!.text);
  }
}

function* sorted(list: readonly Suggestion[]): Task<SortedSuggestions> {
  const all: ComparedSuggestion[] = [];
  for (const { text, weight = 1 } of list) {
    if (all.length % PAUSE_EVERY === 0) yield;
    all.push({ text, compared: comparedText(text), weight });
  }
  const shown = yield* sortWithPauses(all, (a, b) => b.weight - a.weight || byCodeUnit(a.text, b.text));
  const first = new Map<string, number>();
  for (const [rank, { compared }] of shown.entries()) {
    if (rank % PAUSE_EVERY === 0) yield;
    if (!first.has(compared)) first.set(compared, rank);
  }
  const distinct = yield* sortWithPauses([...first], ([a], [b]) => byCodeUnit(a, b));
  return {
    all: distinct.map(([, rank]) => shown[rank]!),
    ranks: Uint32Array.from(distinct, ([, rank]) => rank),
  };
}
