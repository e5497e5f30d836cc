// What records earn by a list that was made under older norms: calculated for those who are asked for, as if it were new.

import { type DocRun, type Earnings, type ImpactList, impactBy } from "../impact-list.js";
import { type KindSource, sourceFrequency } from "../joined-kinds.js";
import type { MadeList } from "./made-list.js";

/** A list under norms that are not its own. */
export class AgedList implements Earnings {
  private readonly made: MadeList;
  private readonly list: ImpactList;
  private readonly source: KindSource;
  /** By way to hold the term: what an occurrence in a field of each shape counts now. */
  private readonly norms: readonly Float64Array[];
  private readonly k1: number;

  constructor(made: MadeList, norms: readonly Float64Array[], k1: number) {
    this.made = made;
    this.list = made.list;
    this.source = made.kinds.source;
    this.norms = norms;
    this.k1 = k1;
  }

  impactOf(doc: number): number {
    this.made.lookedUp++;
    const place = this.list.holders.placeOf(doc);
    return place < 0 ? 0 : this.impactOfKind(this.list.kinds[place]!);
  }

  addImpacts({ docs, from, to, base }: DocRun, idf: number, scores: Float64Array): void {
    this.made.lookedUp += to - from;
    const { holders, kinds } = this.list;
    for (let i = from; i < to; i++) {
      const place = holders.placeOf(docs[i]! - base);
      if (place >= 0) scores[i]! += idf * this.impactOfKind(kinds[place]!);
    }
  }

  private impactOfKind(kind: number): number {
    return impactBy(sourceFrequency(this.source, this.norms, kind), this.k1);
  }
}
