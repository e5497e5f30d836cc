// The leg of meaning: the records nearest to a vector by cosine. Members are the `depth` nearest of those at or above the
// floor, ties at the edge by id; every cosine is exact, whichever way the candidates were found.

import type { DocSet } from "../base/doc-set.js";
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
/** The graph gives no more neighbours at once. */
const MOST_CANDIDATES = 10_000;

/** Up to so many allowed records are scanned exactly instead of asking the graph, which knows no filters. */
const SCANNED_SURVIVORS = 10_000;
/** And up to this share of all. */
const SCANNED_SHARE = 0.02;

/** The nearest of the allowed records (null: of all), by the graph where one is given and pays, else by scanning. */
export function searchVectors(
  corpus: VectorCorpus,
  query: UnitVector,
  rule: NeighbourRule,
  graph: VectorGraph | undefined,
  allowed: DocSet | null = null,
): VectorRanking {
  if (graph !== undefined) {
    const survivors = allowed?.count() ?? corpus.vectorCount;
    const few = Math.max(SCANNED_SURVIVORS, SCANNED_SHARE * corpus.vectorCount);
    const found = allowed !== null && survivors <= few ? undefined : searchGraph(corpus, query, rule, graph, allowed);
    if (found !== undefined) return found;
  }
  return searchExactly(corpus, query, rule, allowed);
}

function searchExactly(
  corpus: VectorCorpus,
  query: UnitVector,
  rule: NeighbourRule,
  allowed: DocSet | null,
): VectorRanking {
  const cosines = scanAll(corpus.segments, query, corpus.docSpan, allowed);
  const candidates: number[] = [];
  for (let doc = 0; doc < cosines.length; doc++)
    if (cosines[doc]! !== NO_COSINE && isNear(cosines[doc]!, rule.floor)) candidates.push(doc);
  const members = nearest(candidates, (doc) => cosines[doc]!, corpus, rule.depth);
  return { members, similarityOf: (doc) => Math.max(0, cosines[doc]!) };
}

/** Undefined where the filter left too few of the graph's candidates: then only an exact scan is right. */
function searchGraph(
  corpus: VectorCorpus,
  query: UnitVector,
  rule: NeighbourRule,
  graph: VectorGraph,
  allowed: DocSet | null,
): VectorRanking | undefined {
  const cosineOfDoc = (doc: number): number => {
    const { rows, base } = corpus.segmentOf(doc);
    return cosineOf(rows, doc - base, query);
  };
  // So many more candidates as the filter will drop, and as many again.
  const share = allowed === null ? 1 : corpus.vectorCount / Math.max(1, allowed.count());
  const asked = allowed === null ? rule.depth : Math.min(MOST_CANDIDATES, Math.ceil(2 * share * rule.depth));
  const nodes = graph.nearest(query, asked);
  const cosines = new Map<number, number>();
  let reachedFloor = nodes.length < asked;
  for (const doc of graphCandidates(corpus, graph, nodes)) {
    const cosine = cosineOfDoc(doc);
    if (cosine === NO_COSINE) continue;
    if (!isNear(cosine, rule.floor)) reachedFloor = true;
    else if (allowed === null || allowed.has(doc)) cosines.set(doc, cosine);
  }
  if (allowed !== null && cosines.size < rule.depth && !reachedFloor) return undefined;
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
