// The shop's own suggestions: those of the setting that begin with what was typed, the greatest weight first. They are sorted by how
// they compare, once for each list, so that those with one beginning stand side by side.

import { normalizeText } from "../analysis/normalize-text.js";
import type { Suggestion } from "../settings/settings.js";
import { byCodeUnit, partitionPoint, sortWithPauses } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { topKInSteps } from "../util/top-k.js";

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

/** The suggestions of one setting. */
export class OwnSuggestions {
  /** By how they compare; of texts that compare alike only the first. */
  private readonly sorted: readonly ComparedSuggestion[];
  /** By place in `sorted`: the place in the order in which they are shown. */
  private readonly ranks: Uint32Array;

  private constructor(sorted: readonly ComparedSuggestion[], ranks: Uint32Array) {
    this.sorted = sorted;
    this.ranks = ranks;
  }

  /** Sorts a list; what was made of a list before is made once. */
  static *of(list: readonly Suggestion[]): Task<OwnSuggestions> {
    let own = known.get(list);
    if (own === undefined) {
      own = yield* OwnSuggestions.read(list);
      known.set(list, own);
    }
    return own;
  }

  private static *read(list: readonly Suggestion[]): Task<OwnSuggestions> {
    const all: ComparedSuggestion[] = [];
    for (const suggestion of list) {
      if (all.length % PAUSE_EVERY === 0) yield;
      const { text } = suggestion;
      const weight = Object.hasOwn(suggestion, "weight") ? (suggestion.weight ?? 1) : 1;
      all.push({ text, compared: comparedText(text), weight });
    }
    const shown = yield* sortWithPauses(all, (a, b) => b.weight - a.weight || byCodeUnit(a.text, b.text));
    const first = new Map<string, number>();
    for (const [rank, { compared }] of shown.entries()) {
      if (rank % PAUSE_EVERY === 0) yield;
      if (!first.has(compared)) first.set(compared, rank);
    }
    const distinct = yield* sortWithPauses([...first], ([a], [b]) => byCodeUnit(a, b));
    return new OwnSuggestions(
      distinct.map(([, rank]) => shown[rank]!),
      Uint32Array.from(distinct, ([, rank]) => rank),
    );
  }

  /** At most `most` texts that begin with what was typed, in the order in which they are shown. */
  *beginningWith(typed: string, most: number): Task<string[]> {
    const beginning = comparedText(typed);
    const { length } = this.sorted;
    const from = partitionPoint(0, length, (i) => this.sorted[i]!.compared < beginning);
    const to = partitionPoint(from, length, (i) => this.sorted[i]!.compared.startsWith(beginning));
    const places = new Uint32Array(to - from);
    for (let i = 0; i < places.length; i++) places[i] = from + i;
    yield;
    const first = yield* topKInSteps(places, most, (a, b) => this.ranks[a]! < this.ranks[b]!);
    return first.map((place) => this.sorted[place]!.text);
  }
}

const known = new WeakMap<readonly Suggestion[], OwnSuggestions>();
