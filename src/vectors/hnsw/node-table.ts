// Finds the node of a vector in a graph, so that equal vectors share one: many equal nodes would make others unreachable.

/** The components of a vector as its graph stores them. */
export type Components = Int8Array | Int16Array;

const SHARDS = 64;
const FIRST_BUCKETS = 8;
/** Integers of a bucket: the hash, and the node plus 1 (0: the bucket is free). */
const BUCKET = 2;
/** The maximum number of probed buckets, so that colliding vectors cannot slow down all others. A node without a bucket is not found again. */
const MOST_PROBES = 64;

/** A hash table with linear probing, in shards, so that only a part of it is copied when it grows. */
export class NodeTable {
  private readonly shards = Array.from({ length: SHARDS }, () => new Int32Array(FIRST_BUCKETS * BUCKET));
  private readonly sizes = new Uint32Array(SHARDS);

  /** The node with this vector, which `hasVector` confirms; -1 if none is known. */
  find(components: Components, hasVector: (node: number) => boolean): number {
    const hash = hashOf(components);
    const buckets = this.shards[shardOf(hash)]!;
    const last = buckets.length - BUCKET;
    let bucket = (hash << 1) & last;
    for (let probes = 0; probes < MOST_PROBES; probes++, bucket = (bucket + BUCKET) & last) {
      const node = buckets[bucket + 1]! - 1;
      if (node < 0) return -1;
      if (buckets[bucket] === hash && hasVector(node)) return node;
    }
    return -1;
  }

  /** Adds the node of a vector that was not found. */
  add(components: Components, node: number): void {
    const hash = hashOf(components);
    const shard = shardOf(hash);
    if (2 * BUCKET * this.sizes[shard]! >= this.shards[shard]!.length) this.grow(shard);
    if (put(this.shards[shard]!, hash, node + 1)) this.sizes[shard]!++;
  }

  /** The memory of the table in bytes. */
  get bytes(): number {
    return this.shards.reduce((total, { byteLength }) => total + byteLength, 0);
  }

  private grow(shard: number): void {
    const buckets = this.shards[shard]!;
    const larger = new Int32Array(2 * buckets.length);
    for (let bucket = 0; bucket < buckets.length; bucket += BUCKET)
      if (buckets[bucket + 1] !== 0) put(larger, buckets[bucket]!, buckets[bucket + 1]!);
    this.shards[shard] = larger;
  }
}

/** Returns false if all probed buckets are taken. */
function put(buckets: Int32Array, hash: number, nodePlusOne: number): boolean {
  const last = buckets.length - BUCKET;
  let bucket = (hash << 1) & last;
  for (let probes = 0; probes < MOST_PROBES; probes++, bucket = (bucket + BUCKET) & last) {
    if (buckets[bucket + 1] !== 0) continue;
    buckets[bucket] = hash;
    buckets[bucket + 1] = nodePlusOne;
    return true;
  }
  return false;
}

/** FNV-1a over the components, with the high bits folded into the low ones. */
function hashOf(components: Components): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < components.length; i++) hash = Math.imul(hash ^ (components[i]! & 0xffff), 0x01000193);
  return hash ^ (hash >>> 15);
}

function shardOf(hash: number): number {
  return hash >>> 26;
}
