// The file of a graph: its nodes as they lie in memory, and a checksum for each megabyte of them. They are neither written nor read
// as a whole, because a graph may take gigabytes.

import { crc32 } from "node:zlib";
import { pauseIfLong, type Task } from "../util/tasks.js";
import { HnswGraph } from "../vectors/hnsw/hnsw-graph.js";
import type { GraphImage, HnswOptions } from "../vectors/hnsw/node-graph.js";
import {
  type Expected,
  type FileMetadata,
  fileOf,
  type LazyArray,
  type ReadableFile,
  readOpenFile,
  Streamed,
  type WholeFile,
} from "./sections.js";
import { damagedFile } from "./storage-error.js";

type PackedGraph = {
  readonly segments: readonly NodesOfSegment[];
  readonly layout: string;
  readonly nodes: number;
  /** Of each piece of the bytes. */
  readonly sums: Uint32Array;
  readonly byteLength: number;
  readonly bytes: LazyArray | Streamed;
};

/** The node of each record of a segment, or NO_NODE. */
type NodesOfSegment = { readonly number: number; readonly nodes: Int32Array };

/** Bytes that are read, summed or written at once. */
const PIECE_BYTES = 2 ** 20;

/** The file of a graph, to be written. It must not change until then. `check`, called for each piece, may throw. */
export function* graphFileOf(
  storeId: Uint8Array,
  { image, segments }: { readonly image: GraphImage; readonly segments: readonly NodesOfSegment[] },
  check: () => void,
): Task<WholeFile> {
  const { layout, nodes, byteLength } = image;
  function* pieces(): Generator<Uint8Array> {
    for (let from = 0; from < byteLength; from += PIECE_BYTES) {
      check();
      yield image.copy(from, Math.min(from + PIECE_BYTES, byteLength));
    }
  }
  const sums: number[] = [];
  for (const piece of pieces()) {
    sums.push(crc32(piece));
    yield;
  }
  const bytes = new Streamed(byteLength, pieces);
  const packed: PackedGraph = { segments, layout, nodes, byteLength, sums: Uint32Array.from(sums), bytes };
  return yield* fileOf("graph", storeId, packed);
}

type ClosableFile = ReadableFile & { close(): Promise<void> };

/** The file of a graph, which is read when the graph is needed. */
export class GraphFile {
  readonly bytes: number;
  readonly file: ClosableFile;
  private readonly expected: Expected & { readonly metadata: FileMetadata };

  constructor(file: ClosableFile, expected: Omit<Expected, "kind"> & { readonly metadata: FileMetadata }) {
    this.bytes = expected.metadata.bytes;
    this.file = file;
    this.expected = { ...expected, kind: "graph" };
  }

  /** The graph, in which all nodes are deleted, with the nodes of each segment; see `StoredGraph`. Later calls reject. */
  async open(
    options: HnswOptions,
    signal: AbortSignal,
  ): Promise<{ readonly index: HnswGraph; readonly nodes: ReadonlyMap<number, Int32Array> } | undefined> {
    try {
      const packed = await this.readHead();
      const source = { ...packed, read: (into: Uint8Array) => this.readPieces(packed, into) };
      const index = await HnswGraph.fromImage(options, source, { signal });
      return index && { index, nodes: new Map(packed.segments.map(({ number, nodes }) => [number, nodes])) };
    } finally {
      await this.file.close();
    }
  }

  /** Reads all bytes. Throws 500 `storage_corrupt` if they are not as they were written. */
  async check(): Promise<void> {
    await this.readPieces(await this.readHead());
  }

  private async readHead(): Promise<PackedGraph> {
    return (await readOpenFile(this.file, this.expected)).structure as PackedGraph;
  }

  /** Reads the bytes into memory, or only checks them. */
  private async readPieces({ bytes, byteLength, sums }: PackedGraph, into?: Uint8Array): Promise<void> {
    const scratch = new Uint8Array(into === undefined ? PIECE_BYTES : 0);
    const { offset } = bytes as LazyArray;
    for (const [i, sum] of sums.entries()) {
      const from = i * PIECE_BYTES;
      const to = Math.min(from + PIECE_BYTES, byteLength);
      const piece = into?.subarray(from, to) ?? scratch.subarray(0, to - from);
      const length = await this.file.read(piece, offset + from);
      if (length < piece.length || crc32(piece) !== sum) throw damagedFile(this.expected.name, offset + from);
      await pauseIfLong();
    }
  }
}
