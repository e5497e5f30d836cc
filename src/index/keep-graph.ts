// Keeps the graph of an index up to date with its snapshots. The graph grows in the background, in slices; vectors that are not in
// it yet are scanned exactly. The first graph is used once it contains everything. For a graph with many deleted nodes a new one is
// built, which replaces it together with a write. While a graph grows, which records match by meaning may change within its recall;
// their cosines are exact in any case.

import type { CheckedSettings } from "../settings/settings.js";
import { SearchError } from "../util/errors.js";
import type { SearchWarning } from "../util/extension-points.js";
import { runTask, type Task } from "../util/tasks.js";
import type { GraphKind, HnswOptions } from "../vectors/hnsw/node-graph.js";
import { type GraphSegment, NO_NODE } from "../vectors/node-docs.js";
import { graphKindFor, graphProblem, hnswlibFits, VectorGraph } from "../vectors/vector-graph.js";
import { vectorOf } from "../vectors/vector-rows.js";
import type { IndexSnapshot, LiveSegment, SnapshotChange } from "./index-snapshot.js";
import type { MergedSegment } from "./merge-segments.js";

/** With `vectorIndex.kind` "auto", up to this many live vectors are scanned exactly, which is fast enough. */
export const EXACT_SCAN_LIMIT = 50_000;

/** Records visited between two pauses. */
const PAUSE_EVERY = 512;

/** What the keeper of a graph needs from its index. */
export interface GraphContext {
  readonly warn: (warning: SearchWarning) => void;
  readonly stop: AbortSignal;
  /** Whether this many more bytes fit into `limits.maxMemory`. */
  readonly fits: (bytes: number) => boolean;
}

/** The graph of one index. */
export class GraphKeeper {
  private readonly settings: CheckedSettings;
  private readonly warn: (warning: SearchWarning) => void;
  private readonly stop: AbortSignal;
  private readonly fits: (bytes: number) => boolean;
  /** The graph that queries use. */
  private placed: VectorGraph | undefined;
  /** The graph that will replace it. */
  private next: VectorGraph | undefined;
  private nextIsReady = false;
  private growing: Promise<void> | undefined;
  private failed = false;
  /** Whether our own graph ran out of memory, so that one of hnswlib-node replaces it. */
  private outgrown = false;
  private snapshot: IndexSnapshot;

  constructor(settings: CheckedSettings, snapshot: IndexSnapshot, { warn, stop, fits }: GraphContext) {
    this.settings = settings;
    this.snapshot = snapshot;
    this.warn = warn;
    this.stop = stop;
    this.fits = fits;
  }

  /** The graph to search in this snapshot; undefined if vectors are to be scanned exactly. */
  graphFor(snapshot: IndexSnapshot): VectorGraph | undefined {
    return this.isWanted(snapshot) && (this.placed?.recordCount ?? 0) > 0 ? this.placed : undefined;
  }

  /** Applies a write, synchronously with its publication. */
  follow(snapshot: IndexSnapshot, change: SnapshotChange): void {
    this.snapshot = snapshot;
    if (this.nextIsReady) this.place();
    for (const graph of this.graphs()) {
      for (const [segmentId, docs] of change.deletions ?? []) graph.remove(segmentId, docs);
      graph.forget(segmentIdsOf(snapshot));
    }
    this.grow();
  }

  /** Applies a merge of segments, which changes no answer. */
  followMerge(snapshot: IndexSnapshot, merged: MergedSegment): void {
    this.snapshot = snapshot;
    const sourceIds = merged.sources.map((live) => live.segment.segmentId);
    const segment = asGraphSegment(merged.segment);
    if (segment !== undefined)
      for (const graph of this.graphs()) graph.move(segment, sourceIds, merged.origin, merged.docs);
  }

  /** Resolves when no graph is growing. */
  async idle(): Promise<void> {
    while (this.growing !== undefined) await this.growing;
  }

  /** The approximate bytes of memory that the graphs take. */
  get bytes(): number {
    return this.graphs().reduce((total, graph) => total + graph.bytes, 0);
  }

  /** Stops growing, and frees all memory as soon as no graph is growing. */
  end(): void {
    this.failed = true;
    void this.idle().then(() => this.dispose());
    if (this.growing === undefined) this.dispose();
  }

  /** Frees all memory. */
  dispose(): void {
    for (const graph of this.graphs()) graph.dispose();
    this.placed = undefined;
    this.next = undefined;
    this.nextIsReady = false;
  }

  private isWanted(snapshot: IndexSnapshot): boolean {
    const { kind } = this.settings.vectorIndex;
    if (kind === "exact" || this.failed || snapshot.vectorCount === 0) return false;
    return kind !== "auto" || snapshot.vectorCount > EXACT_SCAN_LIMIT;
  }

  private graphs(): VectorGraph[] {
    return [this.placed, this.next].filter((graph) => graph !== undefined);
  }

  private growingGraphs(): VectorGraph[] {
    return this.graphs().filter((graph) => !this.isOutgrown(graph));
  }

  private place(): void {
    this.placed?.dispose();
    this.placed = this.next;
    this.next = undefined;
    this.nextIsReady = false;
  }

  private grow(): void {
    if (this.growing !== undefined || !this.isWanted(this.snapshot) || this.stop.aborted) return;
    this.growing = this.growInBackground()
      .catch((cause: unknown) => this.giveUp(cause))
      .finally(() => {
        this.growing = undefined;
        // Records may have been written while the last of several graphs was filled.
        if (this.growingGraphs().some((graph) => graph.recordCount < this.snapshot.vectorCount)) this.grow();
      });
  }

  private async growInBackground(): Promise<void> {
    const { placed } = this;
    const isIncomplete = placed === undefined || this.isOutgrown(placed);
    if (isIncomplete || placed.needsRebuild) this.next ??= this.create();
    try {
      for (const graph of this.growingGraphs()) await runTask(this.fill(graph), this.stop);
    } catch (cause) {
      if (!this.canOutgrow(cause)) throw cause;
      this.outgrown = true;
      this.next?.dispose();
      this.next = undefined;
      this.nextIsReady = false;
      return this.growInBackground();
    }
    if (this.next === undefined || this.failed) return;
    if (isIncomplete) this.place();
    else this.nextIsReady = true;
  }

  private isOutgrown({ kind }: VectorGraph): boolean {
    return this.outgrown && kind === "hnsw";
  }

  /** Whether a graph of hnswlib-node can go on after this failure. */
  private canOutgrow(cause: unknown): boolean {
    return (
      this.settings.vectorIndex.kind === "auto" &&
      this.graphs().every(({ kind }) => kind === "hnsw") &&
      cause instanceof SearchError &&
      cause.error === "index_full" &&
      hnswlibFits(this.options(), this.snapshot.vectorCount)
    );
  }

  /** Adds the missing records until the graph contains the whole current snapshot, which may change at each pause. */
  private *fill(graph: VectorGraph): Task<void> {
    for (let seen: IndexSnapshot | undefined; seen !== this.snapshot && !this.failed; ) {
      seen = this.snapshot;
      for (const live of seen.segments) {
        if (!this.isCurrent(live)) continue;
        yield* this.fillFrom(graph, live);
      }
    }
  }

  private *fillFrom(graph: VectorGraph, live: LiveSegment): Task<void> {
    const segment = asGraphSegment(live.segment);
    if (segment === undefined || graph.countOf(segment.segmentId) === live.vectorCount) return;
    for (let row = 0; row < segment.vectors.count; row++) {
      if (row % PAUSE_EVERY === 0) yield;
      const doc = segment.vectors.rowDoc[row]!;
      const now = this.currentOf(segment.segmentId);
      if (now === undefined || this.failed) return;
      if (now.deletedDocs?.has(doc) || (graph.nodesOf(segment.segmentId)?.[doc] ?? NO_NODE) !== NO_NODE) continue;
      if (graph.growth > 0 && !this.fits(graph.growth)) throw noRoom();
      graph.add(segment, doc, vectorOf(segment.vectors, doc)!);
      yield;
    }
  }

  private isCurrent(live: LiveSegment): boolean {
    return this.currentOf(live.segment.segmentId) !== undefined;
  }

  private currentOf(segmentId: number): LiveSegment | undefined {
    return this.snapshot.segments.find((live) => live.segment.segmentId === segmentId);
  }

  private create(): VectorGraph {
    const kind = this.kindOfNext();
    const graph = VectorGraph.create(kind, this.options());
    if (graph === undefined) throw new Error(graphProblem(kind) ?? "There is no memory for a graph.");
    if (this.fits(graph.bytes)) return graph;
    graph.dispose();
    throw noRoom();
  }

  private kindOfNext(): GraphKind {
    const { kind } = this.settings.vectorIndex;
    if (kind === "hnsw" || kind === "hnswlib") return kind;
    return this.outgrown ? "hnswlib" : graphKindFor(this.options(), this.snapshot.vectorCount);
  }

  private options(): HnswOptions {
    const { m, efConstruction, efSearch } = this.settings.vectorIndex;
    return { dimensions: this.settings.dimensions, m, efConstruction, efSearch };
  }

  /** Without a graph everything still works, by exact scan; warns once. */
  private giveUp(cause: unknown): void {
    if (this.stop.aborted) return;
    this.failed = true;
    this.dispose();
    const message =
      "The neighbour graph cannot be used, so vectors are scanned exactly: correct, but slower for many vectors.";
    this.warn({ code: "graph_unavailable", message, param: "vectorIndex", cause });
  }
}

function noRoom(): Error {
  return new Error("limits.maxMemory leaves no room for the graph.");
}

function asGraphSegment({ segmentId, size, vectors }: LiveSegment["segment"]): GraphSegment | undefined {
  return vectors === null ? undefined : { segmentId, size, vectors };
}

function segmentIdsOf(snapshot: IndexSnapshot): ReadonlySet<number> {
  return new Set(snapshot.segments.map((live) => live.segment.segmentId));
}
