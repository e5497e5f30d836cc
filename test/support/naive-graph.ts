// The neighbour graph as the paper tells it, slow and obvious: Malkov, Yashunin 2018, algorithms 1 to 5. Arithmetic as the graph
// has it, in 32-bit floats; ties keep the order in which they came.

export type NaiveOptions = { readonly m: number; readonly efConstruction: number };

type Node = { readonly bytes: readonly number[]; readonly factor: number; readonly links: number[][] };

type Rated = { readonly node: number; readonly nearness: number };

const f32 = Math.fround;

/** A vector in whole numbers, the greatest being 127. */
export function inBytes(components: Iterable<number>): number[] {
  const all = [...components];
  const greatest = Math.max(...all.map(Math.abs));
  return all.map((component) => Math.round(component * (127 / greatest)) + 0);
}

export class NaiveGraph {
  private readonly nodes: Node[] = [];
  private readonly options: NaiveOptions;
  private entry = -1;

  constructor(options: NaiveOptions) {
    this.options = options;
  }

  add(components: Iterable<number>): void {
    const { m, efConstruction } = this.options;
    const number = this.nodes.length;
    const bits = murmurFinalizer(number + 1);
    const level = Math.floor(-Math.log((bits + 0.5) / 2 ** 32) / Math.log(m));
    const one = nodeOf(inBytes(components), level);
    this.nodes.push(one);
    const top = this.entry < 0 ? -1 : this.nodes[this.entry]!.links.length - 1;
    let from = top > level ? this.descend(one, level) : this.entry;
    for (let at = Math.min(level, top); at >= 0; at--) {
      const near = this.searchLevel(one, at, efConstruction, from);
      from = near[0]!.node;
      one.links[at] = this.choose(near, m);
      for (const neighbour of one.links[at]!) this.linkBack(neighbour, number, at);
    }
    if (level > top) this.entry = number;
  }

  nearest(components: Iterable<number>, count: number, ef: number, isDeleted: (node: number) => boolean): number[] {
    if (this.entry < 0) return [];
    const query = nodeOf(inBytes(components), 0);
    const near = this.searchLevel(query, 0, ef, this.descend(query, 0));
    return near
      .map(({ node }) => node)
      .filter((node) => !isDeleted(node))
      .slice(0, count);
  }

  private descend(query: Node, level: number): number {
    let node = this.entry;
    for (let at = this.nodes[node]!.links.length - 1; at > level; at--)
      for (let before = -1; before !== node; ) {
        before = node;
        for (const next of this.nodes[before]!.links[at]!)
          if (this.rate(query, next) > this.rate(query, node)) node = next;
      }
    return node;
  }

  private searchLevel(query: Node, level: number, ef: number, from: number): Rated[] {
    const seen = new Set([from]);
    const followed = new Set<number>();
    const near: Rated[] = [{ node: from, nearness: this.rate(query, from) }];
    for (;;) {
      const next = near.find(({ node }) => !followed.has(node));
      if (next === undefined) return near;
      followed.add(next.node);
      for (const node of this.nodes[next.node]!.links[level]!) {
        if (seen.has(node)) continue;
        seen.add(node);
        putIn(near, { node, nearness: this.rate(query, node) });
        near.length = Math.min(near.length, ef);
      }
    }
  }

  private choose(candidates: readonly Rated[], most: number): number[] {
    const chosen: number[] = [];
    for (const { node, nearness } of candidates) {
      if (chosen.length === most) break;
      if (chosen.every((other) => this.rate(this.nodes[node]!, other) <= nearness)) chosen.push(node);
    }
    return chosen;
  }

  private linkBack(node: number, added: number, level: number): void {
    const one = this.nodes[node]!;
    const most = level === 0 ? 2 * this.options.m : this.options.m;
    const links = [...one.links[level]!, added];
    const near: Rated[] = [];
    for (const other of links) putIn(near, { node: other, nearness: this.rate(one, other) });
    one.links[level] = links.length <= most ? links : this.choose(near, most);
  }

  private rate(one: Node, other: number): number {
    const { bytes, factor } = this.nodes[other]!;
    const dot = bytes.reduce((sum, byte, i) => sum + byte * one.bytes[i]!, 0);
    return f32(f32(f32(dot) * factor) * one.factor);
  }
}

function nodeOf(bytes: readonly number[], level: number): Node {
  const square = bytes.reduce((sum, byte) => sum + byte * byte, 0);
  return { bytes, factor: f32(1 / Math.sqrt(square)), links: Array.from({ length: level + 1 }, () => []) };
}

/** Behind all that are as near or nearer. */
function putIn(near: Rated[], one: Rated): void {
  const place = near.findIndex(({ nearness }) => nearness < one.nearness);
  near.splice(place < 0 ? near.length : place, 0, one);
}

/** The finalizer of MurmurHash3 by big integers, as its author writes it. */
function murmurFinalizer(key: number): number {
  const times = (a: number, b: bigint): number => Number(BigInt.asUintN(32, BigInt(a) * b));
  let hash = times((key ^ (key >>> 16)) >>> 0, 0x85ebca6bn);
  hash = times((hash ^ (hash >>> 13)) >>> 0, 0xc2b2ae35n);
  return (hash ^ (hash >>> 16)) >>> 0;
}
