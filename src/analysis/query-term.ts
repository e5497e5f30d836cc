// A term of a query as the text index understands it: alternatives, of which a record must hold one. A word is one
// alternative of one index term; a code is its whole form, or all its parts; typos, prefixes and synonyms add alternatives.

import { joinKeys } from "../util/json.js";

/** Index terms that count together: the alternative is held by a record that holds all of them. */
export interface TermAlternative {
  readonly terms: readonly string[];
  /** Factor on the frequency, in (0, 1]: 1 for the term itself, less for looser forms. */
  readonly weight: number;
  /** Fields in which it does not count. */
  readonly notIn?: ReadonlySet<string>;
}

/** One term of a query. */
export interface QueryTerm {
  /** What was asked, normalised; equal keys are one term. */
  readonly key: string;
  /** Where it is a word: as it was typed. */
  readonly word?: string;
  /** Never empty; a record holds the term when it holds one alternative. */
  readonly alternatives: readonly TermAlternative[];
  /** True: a record that lacks it still holds "every term". */
  readonly optional?: boolean;
  /** True: no record holds the word itself, but the embedder knows it, so meaning speaks for it. */
  readonly known?: boolean;
}

/** Begins the keys of alternatives that are not one plain index term. */
const JOINED = "\0";

/** Equal for alternatives that the same records hold and that earn the same score. One plain index term is its own key. */
export function alternativesKey(alternatives: readonly TermAlternative[]): string {
  const [{ terms, weight, notIn }] = alternatives as readonly [TermAlternative];
  const isPlain = alternatives.length === 1 && terms.length === 1 && weight === 1 && (notIn?.size ?? 0) === 0;
  if (isPlain && !terms[0]!.startsWith(JOINED)) return terms[0]!;
  const keys = alternatives.map((one) =>
    joinKeys([String(one.weight), joinKeys(one.terms), joinKeys([...(one.notIn ?? [])])]),
  );
  return JOINED + joinKeys(keys);
}
