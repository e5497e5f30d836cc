// Keeps the graph of an index up to date with its snapshots. The graph grows in the background, in slices; vectors that are not
// in it yet are scanned exactly. The first graph is used once it contains everything. A graph with many deleted nodes is
// replaced, together with a write, by a new one. While a graph grows, which records match by meaning may change within its
// recall; their cosines are exact in any case.
//
// The nodes of a graph can be stored. A graph that is opened grows like any other, until it contains everything: it knows the
// nodes of the segments that are still there, finds nodes for equal vectors, and adds only the other vectors. So it does not
// matter what became of records and segments meanwhile.

import type { CheckedSettings } from "../settings/resolved-settings.js";
import type { LocalDoc } from "../util/doc-set.js";
import { SearchError } from "../util/errors.js";
import type { SearchWarning } from "../util/extension-points.js";
import { runInBackground, type Task } from "../util/tasks.js";
import type { HnswGraph } from "../vectors/hnsw/hnsw-graph.js";
import type { GraphImage, GraphKind, HnswOptions } from "../vectors/hnsw/node-graph.js";
import {
  type GraphSegment,
  graphKindFor,
  graphProblem,
  hnswlibFits,
  NO_NODE,
  VectorGraph,
} from "../vectors/vector-graph.js";
import { vectorOf } from "../vectors/vector-rows.js";
import type { IndexSnapshot, MergedSegment, SnapshotChange } from "./index-snapshot.js";
import type { LiveSegment, Segment } from "./segment.js";

/** With `vectorIndex.kind` "auto", up to this many live vectors are scanned exactly, which is fast enough. */
export const EXACT_SCAN_LIMIT = 50_000;

const NOT_OPENED = "The stored graph could not be read (see cause); it is built anew, which changes no score.";
/** Records visited between two pauses. */
const PAUSE_EVERY = 512;

/** A graph of which this share is not stored is stored in the background, or when the index is closed. */
const UNSTORED_SHARE = { background: 0.25, closing: 0.01 } as const;

/** A graph as it is stored: by segment, the node of each record, or NO_NODE. */
export interface GraphContent {
  readonly image: GraphImage;
  readonly nodes: ReadonlyMap<Segment, Int32Array>;
}

/** A graph that was stored. */
export interface StoredGraph {
  /** About the bytes of memory that it takes. */
  readonly bytes: number;
  /**
   * The graph, in which all nodes are deleted until they get records. `nodesOf`: the node that each record of a segment had, or NO_NODE;
   * undefined: the graph does not know the segment. Comes to undefined if it has another layout, or there is no memory. Rejects if it
   * cannot be read, or with 499.
   */
  open(
    options: HnswOptions,
    signal: AbortSignal,
  ): Promise<{ readonly index: HnswGraph; readonly nodesOf: (segment: Segment) => Int32Array | undefined } | undefined>;
}

/** Where the graph of an index is stored. */
export interface GraphStorage {
  /** A graph with at most this many nodes besides the stored ones is not stored again: adding these after opening is quick enough. */
  readonly leastNodes: number;
  /** Replaces the stored graph; false: it could not. `isOver`: asked now and then, ends it. */
  store(content: GraphContent, isOver: () => boolean): Promise<boolean>;
}

/** What the keeper of a graph needs from its index. */
export interface GraphContext {
  readonly warn: (warning: SearchWarning) => void;
  /** Asked for when a graph grows. */
  readonly stop: AbortSignal;
  /** Whether this many more bytes fit into `limits.maxMemory`. */
  readonly fits: (bytes: number) => boolean;
  /** Called when the graph got more or less memory. */
  readonly changed: () => void;
  /** undefined: the graph is in memory only. */
  readonly graphStorage?: GraphStorage | undefined;
}

/** The graph of one index. */
export class GraphKeeper {
  private readonly settings: CheckedSettings;
  private readonly context: GraphContext;
  /** The graph that queries use. */
  private placed: VectorGraph | undefined;
  /** The graph that will replace it. */
  private next: VectorGraph | undefined;
  private nextIsReady = false;
  private growing: Promise<void> | undefined;
  private failed = false;
  /** Whether our own graph ran out of memory, so that one of hnswlib-node replaces it. */
  private outgrown = false;
  /** No graph grows any more. */
  private halted = false;
  private hasBegun = true;
  /** The stored graph that is to be opened in place of the first one. */
  private toOpen: StoredGraph | undefined;
  /** The graph that was opened last. */
  private opened:
    | { readonly graph: VectorGraph; readonly nodesOf: (segment: Segment) => Int32Array | undefined }
    | undefined;
  /** The nodes of the graph that could not be stored last. */
  private notStored = 0;
  private snapshot: IndexSnapshot;

  constructor(settings: CheckedSettings, snapshot: IndexSnapshot, context: GraphContext) {
    this.settings = settings;
    this.snapshot = snapshot;
    this.context = context;
  }

  /** Tells of the records and the graph that a data folder has, before the first write. Nothing grows until {@link begin}. */
  found(snapshot: IndexSnapshot, stored: StoredGraph | undefined): void {
    this.snapshot = snapshot;
    this.toOpen = stored;
    this.hasBegun = false;
  }

  /** Begins to grow behind the first answer, which would otherwise take turns with it. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.grow();
  }

  /** The graph to search in this snapshot; undefined if vectors are to be scanned exactly. */
  graphFor(snapshot: IndexSnapshot): VectorGraph | undefined {
    return this.isWanted(snapshot) && (this.placed?.records.count ?? 0) > 0 ? this.placed : undefined;
  }

  /** Applies a write, synchronously with its publication. */
  follow(snapshot: IndexSnapshot, change: SnapshotChange): void {
    this.snapshot = snapshot;
    if (this.nextIsReady) this.place();
    const live = new Set(snapshot.segments.map(({ segment }) => segment.segmentId));
    for (const graph of this.graphs()) {
      for (const [segmentId, docs] of change.deletions ?? []) graph.remove(segmentId, docs);
      graph.forget(live);
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
    this.begin();
    while (this.growing !== undefined) await this.growing;
  }

  /** Stops growing, and stores the graph if it pays. Queries go on with the graph. */
  async close(): Promise<void> {
    this.halted = true;
    await this.idle();
    await this.store("closing");
  }

  /** The approximate bytes of memory that the graphs take. */
  get bytes(): number {
    return (this.placed?.bytes ?? 0) + (this.next?.bytes ?? 0);
  }

  /** Stops growing, and frees all memory as soon as no graph is growing. */
  end(): void {
    this.failed = true;
    void this.idle().then(() => this.dispose());
    if (this.growing === undefined) this.dispose();
  }

  /** Frees all memory. */
  dispose(): void {
    this.dropNext();
    this.place();
  }

  private dropNext(): void {
    this.next?.dispose();
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

  /** Puts the next graph, or none, in place of the one before. */
  private place(): void {
    this.placed?.dispose();
    this.placed = this.next;
    this.next = undefined;
    this.nextIsReady = false;
    this.context.changed();
  }

  private grow(): void {
    if (this.growing !== undefined || !this.isWanted(this.snapshot) || this.halted || this.context.stop.aborted) return;
    this.growing = this.growInBackground()
      .catch((cause: unknown) => this.giveUp(cause))
      .finally(() => {
        this.growing = undefined;
        // Records may have been written while the last of several graphs was filled.
        if (this.growingGraphs().some((graph) => graph.records.count < this.snapshot.vectorCount)) this.grow();
      });
  }

  private async growInBackground(): Promise<void> {
    const { placed } = this;
    const isIncomplete = placed === undefined || this.isOutgrown(placed);
    if (isIncomplete || placed.needsRebuild) this.next ??= (await this.open()) ?? this.create();
    this.context.changed();
    try {
      for (const graph of this.growingGraphs()) await runInBackground(this.fill(graph), this.context.stop);
    } catch (cause) {
      if (!this.canOutgrow(cause)) throw cause;
      this.outgrown = true;
      this.dropNext();
      return this.growInBackground();
    }
    if (this.isOver) return;
    if (this.next !== undefined && isIncomplete) {
      if (this.next === this.opened?.graph && this.next.needsRebuild) {
        // Too much was deleted since it was stored.
        this.dropNext();
        this.opened = undefined;
        return this.growInBackground();
      }
      this.opened = undefined;
      this.place();
    } else this.nextIsReady = this.next !== undefined;
    await this.store("background");
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

  /** Opens the stored graph, if there is one that can be used. */
  private async open(): Promise<VectorGraph | undefined> {
    const stored = this.toOpen;
    this.toOpen = undefined;
    if (stored === undefined || this.kindOfNext() !== "hnsw") return undefined;
    if (!this.context.fits(stored.bytes)) throw noRoom();
    try {
      const options = this.options();
      const opened = await stored.open(options, this.context.stop);
      if (opened === undefined) return undefined;
      const graph = VectorGraph.opened(opened.index, options);
      this.opened = { graph, nodesOf: opened.nodesOf };
      return graph;
    } catch (cause) {
      if (this.context.stop.aborted) throw cause;
      this.context.warn({ code: "storage_failed", message: NOT_OPENED, cause });
      return undefined;
    }
  }

  /** Stores the graph if enough of it is not stored yet. */
  private async store(when: keyof typeof UNSTORED_SHARE): Promise<void> {
    const graph = this.nextIsReady ? this.next : (this.placed ?? this.next);
    const image = this.failed ? undefined : graph?.index.image;
    const { graphStorage } = this.context;
    if (image === undefined || graph === undefined || graphStorage === undefined) return;
    // Where there is no room, it is not tried again with each write.
    const unstored = image.nodes - Math.max(graph.storedNodes, when === "background" ? this.notStored : 0);
    if (unstored <= Math.max(graphStorage.leastNodes, UNSTORED_SHARE[when] * image.nodes)) return;
    // Nothing is added to it meanwhile.
    const isOver = (): boolean => this.failed || this.context.stop.aborted;
    const nodes = new Map<Segment, Int32Array>();
    for (const { segment } of this.snapshot.segments) {
      const own = graph.records.nodesOf(segment.segmentId);
      if (own !== undefined) nodes.set(segment, own.slice());
    }
    if (await graphStorage.store({ image, nodes }, isOver)) graph.storedNodes = image.nodes;
    else this.notStored = image.nodes;
  }

  private get isOver(): boolean {
    return this.failed || this.halted;
  }

  /** A write may put the next graph in place while the one before still grows, which is freed then. */
  private isUsed(graph: VectorGraph): boolean {
    return !this.isOver && (graph === this.placed || graph === this.next);
  }

  /** Adds the missing records until the graph contains the whole current snapshot, which may change at each pause. */
  private *fill(graph: VectorGraph): Task<void> {
    for (let seen: IndexSnapshot | undefined; seen !== this.snapshot && this.isUsed(graph); ) {
      seen = this.snapshot;
      for (const live of seen.segments) yield* this.fillFrom(graph, live);
    }
  }

  private *fillFrom(graph: VectorGraph, live: LiveSegment): Task<void> {
    const segment = asGraphSegment(live.segment);
    if (segment === undefined || graph.records.countOf(segment.segmentId) === live.vectorCount) return;
    const known = graph === this.opened?.graph ? this.opened.nodesOf(live.segment) : undefined;
    for (let row = 0; row < segment.vectors.count; row++) {
      if (row % PAUSE_EVERY === 0) yield;
      const doc = segment.vectors.rowDoc[row]! as LocalDoc;
      const now = this.snapshot.segments.find((each) => each.segment.segmentId === segment.segmentId);
      if (now === undefined || !this.isUsed(graph)) return;
      if (now.deletedDocs?.has(doc) || (graph.records.nodesOf(segment.segmentId)?.[doc] ?? NO_NODE) !== NO_NODE)
        continue;
      const node = known?.[doc] ?? NO_NODE;
      if (node !== NO_NODE) {
        graph.addTo(node, segment, doc);
        this.context.changed();
        continue;
      }
      if (graph.index.growth > 0 && !this.context.fits(graph.index.growth)) throw noRoom();
      graph.add(segment, doc, vectorOf(segment.vectors, doc)!);
      this.context.changed();
      yield;
    }
  }

  private create(): VectorGraph {
    const kind = this.kindOfNext();
    const graph = VectorGraph.create(kind, this.options());
    if (graph === undefined) throw new Error(graphProblem(kind) ?? "There is no memory for a graph.");
    if (this.context.fits(graph.bytes)) return graph;
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
    if (this.context.stop.aborted) return;
    this.failed = true;
    this.dispose();
    const message =
      "The neighbour graph cannot be used, so vectors are scanned exactly: correct, but slower for many vectors.";
    this.context.warn({ code: "graph_unavailable", message, param: "vectorIndex", cause });
  }
}

function noRoom(): Error {
  return new Error("limits.maxMemory leaves no room for the graph.");
}

function asGraphSegment({ segmentId, size, vectors }: LiveSegment["segment"]): GraphSegment | undefined {
  return vectors === null ? undefined : { segmentId, size, vectors };
}
