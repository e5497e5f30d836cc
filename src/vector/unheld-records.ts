// Which records of a corpus a graph does not hold: those of the last writes, while it grows, and for a query that began
// before a write those that the write retired or merged.

import { DocSet } from "../base/doc-set.js";
import { NO_NODE } from "./node-records.js";
import type { SearchableVectors, VectorCorpus } from "./vector-corpus.js";
import type { VectorGraph } from "./vector-graph.js";

/** A pure function of corpus and graph, kept until one of them changes. */
const known = new WeakMap<VectorCorpus, { graph: VectorGraph; revision: number; unheld: DocSet | null }>();

/** The records of a corpus that have a vector which the graph does not hold, all the living and perhaps dead ones; null: none. */
export function unheldOf(corpus: VectorCorpus, graph: VectorGraph): DocSet | null {
  const last = known.get(corpus);
  const { revision } = graph;
  if (last?.graph === graph && last.revision === revision) return last.unheld;
  let unheld: DocSet | null = null;
  for (const segment of corpus.segments) {
    // The graph holds none that is dead here, since it never knows less of deletions: so numbers tell whether it holds all.
    if (graph.countOf(segment.segmentId) === segment.vectorCount) continue;
    unheld ??= new DocSet(corpus.docSpan);
    addUnheld(segment, graph, unheld);
  }
  known.set(corpus, { graph, revision, unheld });
  return unheld;
}

/** Dead ones among them do no harm: they are passed over when the others are scanned. */
function addUnheld({ segmentId, rows, base }: SearchableVectors, graph: VectorGraph, unheld: DocSet): void {
  const nodes = graph.nodesOf(segmentId);
  for (let row = 0; row < rows.count; row++) {
    const doc = rows.rowDoc[row]!;
    if ((nodes?.[doc] ?? NO_NODE) === NO_NODE) unheld.add(base + doc);
  }
}
