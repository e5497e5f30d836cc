// The impact lists of one segment that queries asked for, as many as there is room for. A list depends on the segment and on
// the weights and mean lengths of its fields; mean lengths hardly ever change in a large index, so lists outlive writes.

import { alternativesKey, type QueryTerm, type TermAlternative } from "../analysis/query-term.js";
import type { Task } from "../util/tasks.js";
import type { FieldScoring } from "./bm25.js";
import {
  type ImpactList,
  intersectLists,
  readImpacts,
  type ShapeNorms,
  shapeNormsOf,
  uniteLists,
} from "./impact-list.js";
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
  readonly norms: FieldScoring;
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
  private shapeNorms: { readonly fields: FieldScoring; readonly k1: number; readonly norms: ShapeNorms } | undefined;

  constructor(postings: Postings) {
    this.postings = postings;
    this.room = Math.max(LEAST_ROOM, ENTRIES_PER_POSTING * postings.size);
  }

  /** The impacts of a term of a query; null: no record holds it in a field that is searched. `key`: that of its alternatives. */
  *impactsOf({ alternatives }: QueryTerm, key: string, norms: FieldScoring, k1: number): Task<ImpactList | null> {
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
  private *join(alternatives: readonly TermAlternative[], norms: FieldScoring, k1: number): Task<ImpactList | null> {
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
      const list = parts.length === 1 ? parts[0]! : intersectLists(parts);
      if (list !== null) found.push(list);
      yield;
    }
    return found.length === 0 ? null : uniteLists(found, this.postings.maxDoc);
  }

  /** Reads the list of one index term. */
  private read(
    text: string,
    { weight, notIn }: TermAlternative,
    key: string,
    norms: FieldScoring,
    k1: number,
  ): ImpactList | null {
    const number = this.postings.dictionary.ordinalOf(text);
    if (number === undefined) return null;
    const list = readImpacts(this.postings, number, this.normsOf(norms, k1, notIn), weight);
    this.keep(key, { list, norms, k1, cost: LIST_COST + (list?.size ?? 0), isUsed: false });
    return list;
  }

  private find(key: string, norms: FieldScoring, k1: number): ImpactList | null | undefined {
    const known = this.lists.get(key);
    if (known === undefined || known.norms !== norms || known.k1 !== k1) return undefined;
    known.isUsed = true;
    return known.list;
  }

  private normsOf(fields: FieldScoring, k1: number, notIn: ReadonlySet<string> | undefined): ShapeNorms {
    if (notIn !== undefined && notIn.size > 0) return shapeNormsOf(this.postings, fields, k1, notIn);
    if (this.shapeNorms?.fields !== fields || this.shapeNorms.k1 !== k1)
      this.shapeNorms = { fields, k1, norms: shapeNormsOf(this.postings, fields, k1) };
    return this.shapeNorms.norms;
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
