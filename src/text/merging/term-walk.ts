// The terms of several segments, in their order: each once, with where it stands.

import { RunHeads } from "../../base/merge-runs.js";
import type { NameTable } from "../names/name-table.js";
import type { NameWriter } from "../names/name-writer.js";
import { NameCursor } from "./name-cursor.js";

/** Goes through the terms of all tables. */
export class TermWalk {
  /** The tables that have the present term, and its number in each; `size` of them, what is behind is of no meaning. */
  readonly segments: number[] = [];
  readonly terms: number[] = [];
  size = 0;
  private readonly cursors: readonly NameCursor[];
  private readonly heads: RunHeads;
  private readonly present: NameCursor;

  constructor(tables: readonly NameTable[]) {
    this.cursors = tables.map((table) => new NameCursor(table));
    const filled = [...this.cursors.keys()].filter((table) => this.cursors[table]!.next());
    this.heads = new RunHeads(filled, (a, b) => this.cursors[a]!.compare(this.cursors[b]!) < 0);
    this.present = new NameCursor(tables[0]!);
  }

  /** Goes to the next term; false: there is none. */
  next(): boolean {
    const { cursors, present } = this;
    this.size = 0;
    for (let table = this.heads.least; table !== undefined; table = this.heads.least) {
      const cursor = cursors[table]!;
      if (this.size === 0) present.follow(cursor);
      else if (present.compare(cursor) !== 0) break;
      this.segments[this.size] = table;
      this.terms[this.size++] = cursor.number;
      this.heads.taken(cursor.next());
    }
    return this.size > 0;
  }

  /** Adds the present term to names. */
  write(names: NameWriter): void {
    this.present.write(names);
  }
}
