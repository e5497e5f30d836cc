// The lists of one term over all segments of a corpus: near impacts for all holders, exact ones for those who are asked for.

import type { QueryTerm } from "../../query-term.js";
import type { Earnings, ImpactList } from "../impact-list.js";
import type { ImpactView } from "../impact-view.js";
import type { MadeList } from "./made-list.js";

/** The holders of one term. */
export class TermLists {
  /** By segment; null: nobody holds it there. */
  readonly lists: (ImpactList | null)[] = [];
  /** How far, as a share of them, impacts in lists may be from what holders earn. */
  drift = 0;
  private readonly term: QueryTerm;
  private readonly made: (MadeList | null)[] = [];
  private readonly views: ImpactView[] = [];
  /** By segment, where it was asked for. */
  private readonly exact: (Earnings | undefined)[] = [];

  constructor(term: QueryTerm) {
    this.term = term;
  }

  /** Adds the list of the next segment. */
  add(view: ImpactView, made: MadeList | null): void {
    this.lists.push(made?.list ?? null);
    this.made.push(made);
    this.views.push(view);
    this.exact.push(undefined);
    if (made !== null) this.drift = Math.max(this.drift, view.driftOf(made));
  }

  /** What the holders in a segment earn; null: nobody holds it there. */
  earningsAt(segment: number): Earnings | null {
    const made = this.made[segment]!;
    if (made === null) return null;
    this.exact[segment] ??= this.views[segment]!.earningsOf(made, this.term);
    return this.exact[segment]!;
  }

  /** True when some list has been looked into so often that it is better made anew. */
  get isWorn(): boolean {
    return this.drift > 0 && this.made.some((made, segment) => made?.isWorn && this.views[segment]!.driftOf(made) > 0);
  }
}
