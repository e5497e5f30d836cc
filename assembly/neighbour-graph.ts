// The neighbour graph, in AssemblyScript: `npm run build` compiles it to src/vectors/hnsw/neighbour-graph.wasm. Malkov, Yashunin,
// "Efficient and robust approximate nearest neighbor search using hierarchical navigable small world graphs", 2018,
// algorithms 1, 2, 4 and 5. src/vectors/hnsw/graph-memory.ts lays out its memory. A node is identified by its address; it consists of
// a header, its vector in bytes, and its links, level by level from the lowest.

/** Fields of a node's header. */
const SEEN: usize = 0;
const NUMBER: usize = 4;
const FACTOR: usize = 8;
const DELETED: usize = 12;
const HEAD: usize = 16;
/** The size of a cache line of the processor. */
const LINE: usize = 64;

/** An entry of the candidate pool: a rating and a node, whose lowest bit is set once its links have been followed. */
const ENTRY: usize = 8;
const NODE: usize = 4;
const FOLLOWED: u32 = 1;

let stride: usize = 0;
let linksPerLevel: i32 = 0;
let efConstruction: i32 = 0;
/** The addresses of a list of nodes, their ratings, the pool, and the nodes chosen for linking. */
let listed: usize = 0;
let nearness: usize = 0;
let pool: usize = 0;
let chosen: usize = 0;

/** The entry point of searches, which is a node of the highest level, and that level; 0 and -1 in an empty graph. */
let entry: usize = 0;
let top: i32 = -1;
/** The number of the current search, which marks the visited nodes. */
let search: u32 = 0;
/** Meaningless; exported so that the compiler does not remove the prefetching reads. */
export let warmth: u32 = 0;

export function open(rowBytes: i32, m: i32, ef: i32, list: usize, rates: usize, pooled: usize, picked: usize): void {
  stride = rowBytes;
  linksPerLevel = m;
  efConstruction = ef;
  listed = list;
  nearness = rates;
  pool = pooled;
  chosen = picked;
}

/** Links a new node, whose vector is already in the memory and whose links are 0. */
export function add(node: usize, level: i32): void {
  if (top < 0) {
    entry = node;
    top = level;
    return;
  }
  let from = descend(node, level);
  for (let at = min(level, top); at >= 0; at--) {
    const size = searchLevel(node, at, efConstruction, from);
    from = <usize>(load<u32>(pool + NODE) & ~FOLLOWED);
    const count = choose(node, size, linksPerLevel);
    const links = linksOf(node, at);
    store<u32>(links, <u32>count);
    memory.copy(links + 4, chosen, (<usize>count) << 2);
    for (let i = 1; i <= count; i++) linkBack(<usize>load<u32>(links + ((<usize>i) << 2)), node, at);
  }
  if (level > top) {
    entry = node;
    top = level;
  }
}

/** Writes the numbers of the nearest `count` nodes to the vector at `query`, nearest first; returns their number. */
export function nearest(query: usize, count: i32, ef: i32): i32 {
  if (top < 0) return 0;
  const size = searchLevel(query, 0, ef, descend(query, 0));
  let found = 0;
  for (let i = 0; i < size && found < count; i++) {
    const node = <usize>(load<u32>(pool + <usize>i * ENTRY + NODE) & ~FOLLOWED);
    if (load<u32>(node + DELETED) !== 0) continue;
    store<u32>(pool + ((<usize>found) << 2), load<u32>(node + NUMBER));
    found++;
  }
  return found;
}

/** Descends greedily to the level above `level`; returns the nearest node there. */
function descend(query: usize, level: i32): usize {
  let node = entry;
  store<u32>(listed, <u32>node);
  rate(query, listed, 1);
  let best = load<f32>(nearness);
  for (let at = top; at > level; at--) {
    let moved = true;
    while (moved) {
      moved = false;
      const links = linksOf(node, at);
      const count = load<i32>(links);
      rate(query, links + 4, count);
      for (let i = 0; i < count; i++) {
        const rating = load<f32>(nearness + ((<usize>i) << 2));
        if (rating <= best) continue;
        best = rating;
        node = <usize>load<u32>(links + 4 + ((<usize>i) << 2));
        moved = true;
      }
    }
  }
  return node;
}

/** Fills the pool with the `ef` nearest nodes of a level that are found by following links from a node; returns their number. */
function searchLevel(query: usize, level: i32, ef: i32, from: usize): i32 {
  search++;
  // Wraps around after 2^32 searches; 0 marks unvisited nodes.
  if (search === 0) search = 1;
  store<u32>(from + SEEN, search);
  store<u32>(listed, <u32>from);
  rate(query, listed, 1);
  store<f32>(pool, load<f32>(nearness));
  store<u32>(pool + NODE, <u32>from);
  let size = 1;
  for (let at = 0; at < size; ) {
    const place = pool + <usize>at * ENTRY + NODE;
    const node = load<u32>(place);
    if ((node & FOLLOWED) !== 0) {
      at++;
      continue;
    }
    store<u32>(place, node | FOLLOWED);
    const count = listUnseen(linksOf(<usize>node, level));
    rate(query, listed, count);
    let worst = size < ef ? -f32.MAX_VALUE : load<f32>(pool + <usize>(size - 1) * ENTRY);
    for (let i: usize = 0; i < <usize>count; i++) {
      const rating = load<f32>(nearness + (i << 2));
      if (rating <= worst) continue;
      const put = insert(size, ef, rating, load<u32>(listed + (i << 2)));
      if (size < ef) size++;
      if (size === ef) worst = load<f32>(pool + <usize>(size - 1) * ENTRY);
      if (put < at) at = put;
    }
  }
  return size;
}

/**
 * Lists the unvisited neighbours and returns their number. It reads the first cache lines of each long vector, so that all are fetched
 * from memory at the same time before they are rated.
 */
function listUnseen(links: usize): i32 {
  const end = links + 4 + ((<usize>load<u32>(links)) << 2);
  const mark = search;
  const isLong = stride > 3 * LINE - HEAD;
  let to = listed;
  for (let at = links + 4; at < end; at += 4) {
    const node = <usize>load<u32>(at);
    const seen = load<u32>(node + SEEN);
    store<u32>(node + SEEN, mark);
    if (isLong) warmth ^= load<u32>(node, LINE) ^ load<u32>(node, 2 * LINE) ^ load<u32>(node, 3 * LINE);
    store<u32>(to, <u32>node);
    to += seen === mark ? 0 : 4;
  }
  return <i32>((to - listed) >> 2);
}

/** Inserts a node in a sorted pool of `size`, after those with the same rating; if there are `most`, the last one is dropped. */
function insert(size: i32, most: i32, rating: f32, node: u32): i32 {
  let place = pool;
  for (let left = size; left > 0; ) {
    const half = left >> 1;
    const middle = place + <usize>half * ENTRY;
    const isBefore = load<f32>(middle) >= rating;
    place = select<usize>(middle + ENTRY, place, isBefore);
    left = select<i32>(left - half - 1, half, isBefore);
  }
  const kept = size < most ? size : most - 1;
  memory.copy(place + ENTRY, place, pool + <usize>kept * ENTRY - place);
  store<f32>(place, rating);
  store<u32>(place + NODE, node);
  return <i32>((place - pool) >> 3);
}

/** Chooses from the pool, nearest first, at most `most` nodes that are nearer to `node` than to any chosen one. */
function choose(node: usize, size: i32, most: i32): i32 {
  let count = 0;
  for (let i: usize = 0; i < <usize>size && count < most; i++) {
    const candidate = <usize>(load<u32>(pool + i * ENTRY + NODE) & ~FOLLOWED);
    if (candidate === node || !isApart(candidate, load<f32>(pool + i * ENTRY), count)) continue;
    store<u32>(chosen + ((<usize>count) << 2), <u32>candidate);
    count++;
  }
  return count;
}

function isApart(candidate: usize, rating: f32, count: i32): bool {
  for (let at = 0; at < count; at += 4) {
    const some = min(4, count - at);
    rate(candidate, chosen + ((<usize>at) << 2), some);
    for (let i: usize = 0; i < <usize>some; i++) if (load<f32>(nearness + (i << 2)) > rating) return false;
  }
  return true;
}

/** Adds a link from a node to a new one. If the node has the maximum number of links, chooses among them and the new one. */
function linkBack(node: usize, added: usize, level: i32): void {
  const links = linksOf(node, level);
  const count = load<i32>(links);
  const most = level === 0 ? 2 * linksPerLevel : linksPerLevel;
  if (count < most) {
    store<u32>(links + 4 + ((<usize>count) << 2), <u32>added);
    store<i32>(links, count + 1);
    return;
  }
  memory.copy(listed, links + 4, (<usize>count) << 2);
  store<u32>(listed + ((<usize>count) << 2), <u32>added);
  rate(node, listed, count + 1);
  for (let i = 0; i <= count; i++) {
    const at = (<usize>i) << 2;
    insert(i, count + 2, load<f32>(nearness + at), load<u32>(listed + at));
  }
  const kept = choose(node, count + 1, most);
  store<i32>(links, kept);
  memory.copy(links + 4, chosen, (<usize>kept) << 2);
}

/** Rates the nodes of a list by their cosines with another node, four at a time; past the end, the last one is repeated. */
function rate(one: usize, list: usize, count: i32): void {
  const row = one + HEAD;
  const end = row + stride;
  const factor = f32x4.splat(load<f32>(one + FACTOR));
  const last = list + ((<usize>(count - 1)) << 2);
  let to = nearness;
  for (let at = list; at <= last; at += 16, to += 16) {
    const n0: usize = load<u32>(at);
    const n1: usize = load<u32>(min(at + 4, last));
    const n2: usize = load<u32>(min(at + 8, last));
    const n3: usize = load<u32>(min(at + 12, last));
    let p0 = n0 + HEAD;
    let p1 = n1 + HEAD;
    let p2 = n2 + HEAD;
    let p3 = n3 + HEAD;
    let s0 = i32x4.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let q = row; q < end; q += 8) {
      const asked = v128.load_ext<i8>(q);
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load_ext<i8>(p0), asked));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load_ext<i8>(p1), asked));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.load_ext<i8>(p2), asked));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.load_ext<i8>(p3), asked));
      p0 += 8;
      p1 += 8;
      p2 += 8;
      p3 += 8;
    }
    const sums = i32x4.add(addPairs(s0, s1, s2, s3, true), addPairs(s0, s1, s2, s3, false));
    const factors = f32x4(
      load<f32>(n0 + FACTOR),
      load<f32>(n1 + FACTOR),
      load<f32>(n2 + FACTOR),
      load<f32>(n3 + FACTOR),
    );
    v128.store(to, f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(sums), factors), factor));
  }
}

/** Sums of half of the lanes of four vectors, in pairs; the sum of both halves gives the four totals. */
function addPairs(a: v128, b: v128, c: v128, d: v128, first: bool): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return first ? v128.shuffle<i64>(ab, cd, 0, 2) : v128.shuffle<i64>(ab, cd, 1, 3);
}

function linksOf(node: usize, level: i32): usize {
  const lowest = node + HEAD + stride;
  if (level === 0) return lowest;
  const m = <usize>linksPerLevel;
  return lowest + 4 + 8 * m + <usize>(level - 1) * (4 + 4 * m);
}
