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
  const wanted = new Set(nodes);
  for (const segment of corpus.segments) {
    const nodesOf = graph.nodesOf(segment.uid);
    const { rowDoc, count } = segment.rows;
    for (let row = 0; row < count; row++) {
      const doc = rowDoc[row]!;
      const node = nodesOf?.[doc] ?? NO_NODE;
      if ((node === NO_NODE || wanted.has(node)) && !segment.dead?.has(doc)) yield segment.base + doc;
    }
  }
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
