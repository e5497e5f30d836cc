// Finds the node of a vector in a graph, so that equal vectors share one: many equal nodes would make others unreachable.

/** The components of a vector as its graph stores them. */
export type Components = Int8Array | Int16Array;

const SHARDS = 64;
const FIRST_SLOTS = 8;
/** Integers of a slot: the hash, and the node plus 1 (0: the slot is free). */
const SLOT = 2;
/** The maximum number of probed slots, so that colliding vectors cannot slow down all others. A node without a slot is not found again. */
const MOST_PROBES = 64;

/** A hash table with linear probing, in shards, so that only a part of it is copied when it grows. */
export class NodeTable {
  private readonly shards = Array.from({ length: SHARDS }, () => new Int32Array(FIRST_SLOTS * SLOT));
  private readonly sizes = new Uint32Array(SHARDS);

  /** The node with this vector, which `hasVector` confirms; -1 if none is known. */
  find(components: Components, hasVector: (node: number) => boolean): number {
    const hash = hashOf(components);
    const slots = this.shards[shardOf(hash)]!;
    const last = slots.length - SLOT;
    let slot = (hash << 1) & last;
    for (let probes = 0; probes < MOST_PROBES; probes++, slot = (slot + SLOT) & last) {
      const node = slots[slot + 1]! - 1;
      if (node < 0) return -1;
      if (slots[slot] === hash && hasVector(node)) return node;
    }
    return -1;
  }

  /** Adds the node of a vector that was not found. */
  add(components: Components, node: number): void {
    const hash = hashOf(components);
    const shard = shardOf(hash);
    if (2 * SLOT * this.sizes[shard]! >= this.shards[shard]!.length) this.grow(shard);
    if (put(this.shards[shard]!, hash, node + 1)) this.sizes[shard]!++;
  }

  /** The memory of the table in bytes. */
  get bytes(): number {
    return this.shards.reduce((total, { byteLength }) => total + byteLength, 0);
  }

  private grow(shard: number): void {
    const slots = this.shards[shard]!;
    const larger = new Int32Array(2 * slots.length);
    for (let slot = 0; slot < slots.length; slot += SLOT)
      if (slots[slot + 1] !== 0) put(larger, slots[slot]!, slots[slot + 1]!);
    this.shards[shard] = larger;
  }
}

/** Returns false if all probed slots are taken. */
function put(slots: Int32Array, hash: number, nodePlusOne: number): boolean {
  const last = slots.length - SLOT;
  let slot = (hash << 1) & last;
  for (let probes = 0; probes < MOST_PROBES; probes++, slot = (slot + SLOT) & last) {
    if (slots[slot + 1] !== 0) continue;
    slots[slot] = hash;
    slots[slot + 1] = nodePlusOne;
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
