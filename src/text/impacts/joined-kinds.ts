// What records that hold a term in several ways earn by it: of parts that count together the least frequency counts, of
// alternatives the greatest. Which kinds meet is kept and outlives the norms, as kinds do.

import { type Examples, frequenciesOf, frequencyOf, type KindList } from "./read-kinds.js";

/** One way to hold a term: parts that count together. */
export interface Way {
  readonly weight: number;
  /** Fields in which it does not count. */
  readonly notIn: ReadonlySet<string> | undefined;
  /** By part: examples of its kinds. */
  readonly parts: readonly Examples[];
  /** Of each kind of the way its kinds by part, one behind the other; null: there is one part, whose kinds they are. */
  readonly met: Uint16Array | null;
}

/**
 * Kinds of records that hold any of the ways. Each is a chain of steps, one for each way that such a record has: step s says
 * that it has way `ways[s]` by that way's kind `kinds[s]`, besides all that step `before[s] - 1` says (0: nothing).
 */
export interface JoinedKinds {
  readonly alternatives: readonly Way[];
  readonly before: Uint32Array;
  readonly ways: Uint32Array;
  readonly kinds: Uint16Array;
  /** By kind: its last step. */
  readonly last: Uint32Array;
}

/** What the kinds of a list are: each an example, or ways that meet. */
export type KindSource = Examples | JoinedKinds;

/** A list of either. */
export type AnyKinds = KindList<Examples> | KindList<JoinedKinds>;

/** What an occurrence counts in a field of each shape, some fields left out. */
export type NormsWithout = (notIn: ReadonlySet<string> | undefined) => Float64Array;

/** What an occurrence in a field of each shape counts, by way to hold the term; of a term that is held in one way: `norms`. */
export function normsByWay(source: KindSource, normsOf: NormsWithout): readonly Float64Array[] {
  return "alternatives" in source ? source.alternatives.map(({ notIn }) => normsOf(notIn)) : [normsOf(undefined)];
}

/** The weighted frequency of each kind; `norms`: by way. */
export function sourceFrequencies(source: KindSource, norms: readonly Float64Array[]): Float64Array {
  return "alternatives" in source ? joinedFrequencies(source, norms) : frequenciesOf(norms[0]!, source);
}

/** The same of one kind. */
export function sourceFrequency(source: KindSource, norms: readonly Float64Array[], kind: number): number {
  return "alternatives" in source ? joinedFrequency(source, norms, kind) : frequencyOf(norms[0]!, source, kind);
}

/** The weighted frequency of each kind. */
export function joinedFrequencies(
  { alternatives, before, ways, kinds, last }: JoinedKinds,
  norms: readonly Float64Array[],
): Float64Array {
  const greatest = new Float64Array(ways.length);
  for (let step = 0; step < ways.length; step++) {
    const way = ways[step]!;
    const known = before[step] === 0 ? 0 : greatest[before[step]! - 1]!;
    const own = wayFrequency(alternatives[way]!, kinds[step]!, norms[way]!);
    greatest[step] = own > known ? own : known;
  }
  const frequencies = new Float64Array(last.length);
  for (let kind = 0; kind < last.length; kind++) frequencies[kind] = greatest[last[kind]!]!;
  return frequencies;
}

function joinedFrequency(
  { alternatives, before, ways, kinds, last }: JoinedKinds,
  norms: readonly Float64Array[],
  kind: number,
): number {
  let greatest = 0;
  for (let step = last[kind]! + 1; step !== 0; step = before[step - 1]!) {
    const way = ways[step - 1]!;
    const own = wayFrequency(alternatives[way]!, kinds[step - 1]!, norms[way]!);
    if (own > greatest) greatest = own;
  }
  return greatest;
}

function wayFrequency({ weight, parts, met }: Way, kind: number, norms: Float64Array): number {
  let least = frequencyOf(norms, parts[0]!, met === null ? kind : met[kind * parts.length]!);
  for (let part = 1; part < parts.length; part++) {
    const frequency = frequencyOf(norms, parts[part]!, met![kind * parts.length + part]!);
    if (frequency < least) least = frequency;
  }
  return weight === 1 ? least : least * weight;
}
