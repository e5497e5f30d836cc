// Which records of a corpus each node of a graph stands for, and which records the graph does not hold yet.

import { DocSet } from "../base/doc-set.js";
import type { VectorCorpus } from "./vector-corpus.js";
import { NO_NODE, type VectorGraph } from "./vector-graph.js";

/** The records of node n are docs[starts[n]] … docs[starts[n + 1] - 1], ascending. */
export interface Holdings {
  readonly revision: number;
  readonly starts: Uint32Array;
  readonly docs: Uint32Array;
  /** null: none. */
  readonly unheld: DocSet | null;
}

/** A pure function of corpus and graph, kept until one of them changes. */
const known = new WeakMap<VectorCorpus, { graph: VectorGraph; holdings: Holdings }>();

/** The living records of a corpus by the graph's nodes. */
export function holdingsOf(corpus: VectorCorpus, graph: VectorGraph): Holdings {
  const last = known.get(corpus);
  if (last?.graph === graph && last.holdings.revision === graph.revision) return last.holdings;
  const found = findHoldings(corpus, graph);
  known.set(corpus, { graph, holdings: found });
  return found;
}

/** Counts, then places: two passes, and nothing but flat arrays, since there may be millions of records. */
function findHoldings(corpus: VectorCorpus, graph: VectorGraph): Holdings {
  const starts = new Uint32Array(graph.nodeCount + 2);
  const unheld = new DocSet(corpus.docSpan);
  let anyUnheld = false;
  let held = 0;
  eachRecord(corpus, graph, (doc, node) => {
    if (node === NO_NODE) {
      unheld.add(doc);
      anyUnheld = true;
    } else {
      starts[node + 2]!++;
      held++;
    }
  });
  for (let node = 1; node < starts.length; node++) starts[node]! += starts[node - 1]!;
  const docs = new Uint32Array(held);
  // starts[node + 1] moves from the node's first place to its end, which is the next node's first.
  eachRecord(corpus, graph, (doc, node) => {
    if (node !== NO_NODE) docs[starts[node + 1]!++] = doc;
  });
  return { revision: graph.revision, starts, docs, unheld: anyUnheld ? unheld : null };
}

function eachRecord({ segments }: VectorCorpus, graph: VectorGraph, visit: (doc: number, node: number) => void): void {
  for (const { uid, rows, dead, base } of segments) {
    const nodesOf = graph.nodesOf(uid);
    for (let row = 0; row < rows.count; row++) {
      const doc = rows.rowDoc[row]!;
      if (!dead?.has(doc)) visit(base + doc, nodesOf?.[doc] ?? NO_NODE);
    }
  }
}
