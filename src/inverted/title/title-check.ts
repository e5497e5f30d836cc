// The titles of a segment that came from a stranger. They are checked when they are first needed, like titles in a file: checking
// them takes longer than reading them.

import { offsetAt } from "../../util/offset-table.js";
import { runTask, type Task } from "../../util/tasks.js";
import { FIRST_LONG, ROLE_BITS, type TitleFile, type TitleTable } from "./title-table.js";

/** Titles looked at between two pauses. */
const TITLES_AT_ONCE = 1 << 12;

type Titles = Pick<TitleTable, "starts" | "terms"> & { readonly halves: Uint16Array };

/** Titles in memory; their offsets were checked. */
export class UncheckedTitles implements TitleFile {
  private readonly titles: Titles;
  private readonly damaged: () => Error;

  /** `damaged`: the error for titles that are not as we write them. */
  constructor(titles: Titles, damaged: () => Error) {
    this.titles = titles;
    this.damaged = damaged;
  }

  get bytes(): number {
    return this.titles.halves.byteLength;
  }

  readAll(): Promise<Uint16Array> {
    return runTask(this.checkAll());
  }

  private *checkAll(): Task<Uint16Array> {
    const { starts, halves } = this.titles;
    for (let doc = 0; doc + 1 < starts.distances.length; doc++) {
      if (!areEntries(this.titles, offsetAt(starts, doc), offsetAt(starts, doc + 1))) throw this.damaged();
      if (doc % TITLES_AT_ONCE === 0) yield;
    }
    return halves;
  }
}

/** Whether the halves from `from` up to `to` are whole entries, of terms that exist. */
function areEntries({ halves, terms }: Titles, from: number, to: number): boolean {
  const end = terms.length << ROLE_BITS;
  for (let at = from; at < to; ) {
    const half = halves[at++]!;
    if (half >= FIRST_LONG && at === to) return false;
    if ((half < FIRST_LONG ? half : ((half - FIRST_LONG) << 16) | halves[at++]!) >= end) return false;
  }
  return true;
}
