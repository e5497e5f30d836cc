// The leg of meaning: the records nearest to a vector by cosine. Members are the `depth` nearest of those at or above the
// floor, ties at the edge by id; every cosine is exact, whichever way the candidates were found.

import { topK } from "../base/top-k.js";
import { cosineOf, NO_COSINE, scanAll, type VectorSegment } from "./exact-scan.js";
import type { UnitVector } from "./unit-vector.js";
import { NO_NODE, type VectorGraph } from "./vector-graph.js";

/** A segment's vectors, under the key by which a graph knows it. */
export interface SearchableVectors extends VectorSegment {
  readonly uid: number;
  readonly size: number;
}

/** What the leg needs to know of the whole index. */
export interface VectorCorpus {
  readonly segments: readonly SearchableVectors[];
  /** Numbers given to records: the length of arrays by record. */
  readonly docSpan: number;
  /** Living records with a vector. */
  readonly vectorCount: number;
  /** The segment that holds a record number. */
  readonly segmentOf: (doc: number) => SearchableVectors;
  readonly idBefore: (a: number, b: number) => boolean;
}

/** Who is a member by meaning. */
export interface NeighbourRule {
  readonly floor: number;
  readonly depth: number;
}

/** The leg's result. */
export interface VectorRanking {
  /** Members, ascending. */
  readonly members: Uint32Array;
  /** The exact cosine of any record, kept at 0 or above; 0 without a vector. */
  readonly similarityOf: (doc: number) => number;
}

const UNITS = 1e6;

/** The nearest records, by the graph where one is given, else by scanning all. */
export function searchVectors(
  corpus: VectorCorpus,
  query: UnitVector,
  rule: NeighbourRule,
  graph: VectorGraph | undefined,
): VectorRanking {
  return graph === undefined ? searchExactly(corpus, query, rule) : searchGraph(corpus, query, rule, graph);
}

function searchExactly(corpus: VectorCorpus, query: UnitVector, rule: NeighbourRule): VectorRanking {
  const cosines = scanAll(corpus.segments, query, corpus.docSpan);
  const candidates: number[] = [];
  for (let doc = 0; doc < cosines.length; doc++)
    if (cosines[doc]! !== NO_COSINE && isNear(cosines[doc]!, rule.floor)) candidates.push(doc);
  const members = nearest(candidates, (doc) => cosines[doc]!, corpus, rule.depth);
  return { members, similarityOf: (doc) => Math.max(0, cosines[doc]!) };
}

function searchGraph(corpus: VectorCorpus, query: UnitVector, rule: NeighbourRule, graph: VectorGraph): VectorRanking {
  const cosineOfDoc = (doc: number): number => {
    const { rows, base } = corpus.segmentOf(doc);
    return cosineOf(rows, doc - base, query);
  };
  const cosines = new Map<number, number>();
  for (const doc of graphCandidates(corpus, graph, graph.nearest(query, rule.depth))) {
    const cosine = cosineOfDoc(doc);
    if (cosine !== NO_COSINE && isNear(cosine, rule.floor)) cosines.set(doc, cosine);
  }
  const members = nearest([...cosines.keys()], (doc) => cosines.get(doc)!, corpus, rule.depth);
  return { members, similarityOf: (doc) => Math.max(0, cosines.get(doc) ?? cosineOfDoc(doc)) };
}

/** The living records of some nodes, and all that the graph does not hold yet. */
function* graphCandidates(corpus: VectorCorpus, graph: VectorGraph, nodes: readonly number[]): Generator<number> {
  const { starts, docs, unheld } = holdings(corpus, graph);
  for (const node of nodes) for (let at = starts[node]!; at < starts[node + 1]!; at++) yield docs[at]!;
  yield* unheld;
}

/** Which records of a corpus each node stands for, and which none does. */
interface Holdings {
  readonly revision: number;
  readonly starts: Uint32Array;
  readonly docs: Uint32Array;
  readonly unheld: readonly number[];
}

/** A pure function of corpus and graph, kept until one of them changes. */
const known = new WeakMap<VectorCorpus, { graph: VectorGraph; holdings: Holdings }>();

function holdings(corpus: VectorCorpus, graph: VectorGraph): Holdings {
  const last = known.get(corpus);
  if (last?.graph === graph && last.holdings.revision === graph.revision) return last.holdings;
  const found = findHoldings(corpus, graph);
  known.set(corpus, { graph, holdings: found });
  return found;
}

function findHoldings(corpus: VectorCorpus, graph: VectorGraph): Holdings {
  const starts = new Uint32Array(graph.nodeCount + 2);
  const unheld: number[] = [];
  const pairs: { readonly node: number; readonly doc: number }[] = [];
  for (const { uid, rows, dead, base } of corpus.segments) {
    const nodesOf = graph.nodesOf(uid);
    for (let row = 0; row < rows.count; row++) {
      const doc = rows.rowDoc[row]!;
      if (dead?.has(doc)) continue;
      const node = nodesOf?.[doc] ?? NO_NODE;
      if (node === NO_NODE) unheld.push(base + doc);
      else {
        pairs.push({ node, doc: base + doc });
        starts[node + 2]!++;
      }
    }
  }
  for (let node = 1; node < starts.length; node++) starts[node]! += starts[node - 1]!;
  const docs = new Uint32Array(pairs.length);
  // starts[node + 1] moves from the node's first place to its end, which is the next node's first.
  for (const { node, doc } of pairs) docs[starts[node + 1]!++] = doc;
  return { revision: graph.revision, starts, docs, unheld };
}

/** At or above the floor, both to six decimals, so that no last bit decides who is a member. */
function isNear(cosine: number, floor: number): boolean {
  return Math.round(cosine * UNITS) >= Math.round(floor * UNITS);
}

function nearest(
  docs: readonly number[],
  cosine: (doc: number) => number,
  corpus: VectorCorpus,
  depth: number,
): Uint32Array {
  const best = topK(docs, depth, (a, b) => {
    const ahead = cosine(a) - cosine(b);
    return ahead !== 0 ? ahead > 0 : corpus.idBefore(a, b);
  });
  return Uint32Array.from(best).sort();
}
