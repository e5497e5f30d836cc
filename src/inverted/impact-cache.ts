// The impact lists of one segment that queries asked for, as many as there is room for. A list depends on the segment and on
// the weights and mean lengths of its fields; mean lengths hardly ever change in a large index, so lists outlive writes.

import { alternativesKey, type QueryTerm, type TermAlternative } from "../analysis/query-term.js";
import type { Task } from "../util/tasks.js";
import type { FieldNorms } from "./bm25.js";
import { type ClassNorms, classNormsOf, type ImpactList, intersect, readImpacts, unite } from "./impact-list.js";
import type { Postings } from "./postings.js";

// Costs are counted in entries: a record and its impact, four bytes.
/** What a list costs besides its entries. */
const LIST_COST = 64;
/** Room of the smallest segment. */
const LEAST_ROOM = 1 << 14;
/** Room for each posting of the segment. */
const ENTRIES_PER_POSTING = 2;

/** A list, or null where no record holds the term. */
interface CachedList {
  readonly list: ImpactList | null;
  readonly norms: FieldNorms;
  readonly k1: number;
  readonly cost: number;
  isUsed: boolean;
}

/** Lists by term. The oldest goes that was not asked for since it was last spared (the clock algorithm: Corbató, 1968). */
export class ImpactCache {
  private used = 0;
  private readonly postings: Postings;
  private readonly room: number;
  private readonly lists = new Map<string, CachedList>();
  private classNorms: { readonly fields: FieldNorms; readonly k1: number; readonly norms: ClassNorms } | undefined;

  constructor(postings: Postings) {
    this.postings = postings;
    this.room = Math.max(LEAST_ROOM, ENTRIES_PER_POSTING * postings.size);
  }

  /** The impacts of a term of a query; null: no record holds it in a field that is searched. `key`: that of its alternatives. */
  *impactsOf({ alternatives }: QueryTerm, key: string, norms: FieldNorms, k1: number): Task<ImpactList | null> {
    const known = this.find(key, norms, k1);
    if (known !== undefined) return known;
    const [first] = alternatives;
    if (alternatives.length === 1 && first!.terms.length === 1)
      return this.read(first!.terms[0]!, first!, key, norms, k1);
    const list = yield* this.join(alternatives, norms, k1);
    this.keep(key, { list, norms, k1, cost: LIST_COST + (list?.size ?? 0), isUsed: false });
    return list;
  }

  /** Of several alternatives a record's best one counts; of several words that count together the least. */
  private *join(alternatives: readonly TermAlternative[], norms: FieldNorms, k1: number): Task<ImpactList | null> {
    const found: ImpactList[] = [];
    for (const alternative of alternatives) {
      const parts: ImpactList[] = [];
      for (const text of alternative.terms) {
        const key = alternativesKey([{ ...alternative, terms: [text] }]);
        const known = this.find(key, norms, k1);
        const part = known === undefined ? this.read(text, alternative, key, norms, k1) : known;
        if (part === null) break;
        parts.push(part);
        yield;
      }
      if (parts.length < alternative.terms.length) continue;
      const list = parts.length === 1 ? parts[0]! : intersect(parts);
      if (list !== null) found.push(list);
      yield;
    }
    return found.length === 0 ? null : unite(found, this.postings.docCount);
  }

  /** Reads the list of one index term. */
  private read(
    text: string,
    { weight, notIn }: TermAlternative,
    key: string,
    norms: FieldNorms,
    k1: number,
  ): ImpactList | null {
    const number = this.postings.names.numberOf(text);
    if (number === undefined) return null;
    const list = readImpacts(this.postings, number, this.normsOf(norms, k1, notIn), weight);
    this.keep(key, { list, norms, k1, cost: LIST_COST + (list?.size ?? 0), isUsed: false });
    return list;
  }

  private find(key: string, norms: FieldNorms, k1: number): ImpactList | null | undefined {
    const known = this.lists.get(key);
    if (known === undefined || known.norms !== norms || known.k1 !== k1) return undefined;
    known.isUsed = true;
    return known.list;
  }

  private normsOf(fields: FieldNorms, k1: number, notIn: ReadonlySet<string> | undefined): ClassNorms {
    if (notIn !== undefined && notIn.size > 0) return classNormsOf(this.postings, fields, k1, notIn);
    if (this.classNorms?.fields !== fields || this.classNorms.k1 !== k1)
      this.classNorms = { fields, k1, norms: classNormsOf(this.postings, fields, k1) };
    return this.classNorms.norms;
  }

  private keep(key: string, entry: CachedList): void {
    const { lists } = this;
    this.used -= lists.get(key)?.cost ?? 0;
    lists.delete(key);
    for (const [oldest, kept] of lists) {
      if (this.used + entry.cost <= this.room) break;
      lists.delete(oldest);
      if (kept.isUsed) {
        kept.isUsed = false;
        lists.set(oldest, kept); // it gets a second chance, behind all others
      } else this.used -= kept.cost;
    }
    this.used += entry.cost;
    lists.set(key, entry);
  }
}
