// Runs, through the guarded graph, the cases in which the bare native package corrupts its graph or ends the process, and
// prints a JSON line for each: its number and what came out. Meant as a child process, which must live to its end.

import { writeSync } from "node:fs";
import { HnswIndex, hnswAvailable } from "../../build/vector/hnsw-addon.js";

const OPTIONS = { dimensions: 4, m: 16, efConstruction: 100, efSearch: 50 };
const GOOD = [0.5, -0.25, 0.125, 1];
const BAD_ITEMS = ["x", "1", null, undefined, {}, { valueOf: () => 1 }, 1n, Symbol("x"), () => 1, [1], true];

/** What a call came to: its value, or the code and name of the library's error; any other error shows as foreign. */
function outcome(work) {
  try {
    return work() ?? null;
  } catch (error) {
    return error?.name === "SearchError" ? `${error.code} ${error.error}` : `foreign ${error}`;
  }
}

/** The distinct ones of the outcomes. */
const distinct = (outcomes) => [...new Set(outcomes.map((one) => JSON.stringify(one)))].map((text) => JSON.parse(text));

function filled(count = 3, options = {}) {
  const index = HnswIndex.create({ ...OPTIONS, ...options });
  for (let node = 0; node < count; node++) index.add(vectorOf(node));
  return index;
}

/** Vectors of scattered directions, the same for the same number. */
const vectorOf = (node) => [1, 2, 3, 4].map((step) => scatter(4 * node + step) / 2 ** 31);

/** The number's bits mixed (the finalizer of MurmurHash3), so that neighbours have nothing in common. */
function scatter(bits) {
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** Adds and searches each vector; gives the distinct outcomes, the size after them, and how many of 3 nodes are found. */
function tried(vectors, calls = ["add", "search"]) {
  const index = filled();
  const outcomes = vectors.flatMap((vector) => calls.map((call) => outcome(() => index[call](vector, 2))));
  const found = [0, 1, 2].filter((node) => index.search(vectorOf(node), 1)[0] === node).length;
  const result = [...distinct(outcomes), index.size, found];
  index.dispose();
  return result;
}

function at(place, item) {
  const vector = [...GOOD];
  vector[place] = item;
  return vector;
}

function holed(place) {
  const vector = [...GOOD];
  delete vector[place];
  return vector;
}

const badAt = (places) => places.flatMap((place) => [...BAD_ITEMS.map((item) => at(place, item)), holed(place)]);

const withGetter = (get) => Object.defineProperty([...GOOD], 1, { get, configurable: true });

const created = (changes) =>
  outcome(() => {
    const index = HnswIndex.create({ ...OPTIONS, ...changes });
    const result = [index.add(GOOD), index.add(vectorOf(1)), index.search(GOOD, 9).length];
    index.dispose();
    return result;
  });

const refusedOptions = (name, values) => distinct(values.map((value) => created({ [name]: value })));

/** All that 5 nodes answer to such a third argument, which is not looked at. */
function withThird(third) {
  const index = filled(5);
  const result = [outcome(() => index.search(GOOD, 5, third).length), outcome(() => index.add(GOOD, 0, third))];
  index.dispose();
  return result;
}

function healedOfNaN() {
  const index = filled(500);
  const outcomes = [];
  for (let node = 500; node < 1000; node++) {
    if (node % 10 === 0) outcomes.push(outcome(() => index.add(at(node % 4, Number.NaN))));
    index.add(vectorOf(node));
  }
  let lost = 0;
  for (let node = 0; node < 1000; node++) if (index.search(vectorOf(node), 1)[0] !== node) lost++;
  return [...distinct(outcomes), index.size, lost <= 5];
}

function reentrant() {
  const index = filled();
  const adding = withGetter(() => index.add(GOOD));
  const closing = withGetter(() => index.dispose() ?? 1);
  return [
    outcome(() => index.add(adding)),
    index.size,
    outcome(() => index.add(closing)),
    outcome(() => index.search(GOOD, 1)),
  ];
}

function grown() {
  const index = filled(2100);
  const lost = Array.from({ length: 2100 }, (_, node) => node).filter(
    (node) => index.search(vectorOf(node), 1)[0] !== node,
  );
  return [index.size, lost.length <= 10];
}

/** Graphs of 270 MB of address space each, until there is no more (or 20 stand). */
function outOfMemory() {
  const kept = [];
  const outcomes = [];
  for (let round = 0; round < 20; round++)
    outcomes.push(outcome(() => kept.push(HnswIndex.create({ ...OPTIONS, dimensions: 65_536, m: 256 })) && "created"));
  const vector = new Float32Array(65_536).fill(1);
  outcomes.push(
    outcome(() => `node ${kept[0].add(vector)}`),
    outcome(() => `found ${kept[0].search(vector, 1)}`),
  );
  return distinct(outcomes);
}

function labelled(labels) {
  const index = filled();
  const nodes = labels.map((label) => outcome(() => index.add(GOOD, label)));
  const marked = distinct(labels.map((label) => outcome(() => index.markDead(label))));
  return [
    nodes,
    marked,
    index.size,
    index.deadCount,
    [0, 1, 2].filter((node) => index.search(vectorOf(node), 1)[0] === node).length,
  ];
}

function dying() {
  const index = filled();
  const missing = distinct(
    [-1, 3, 0.5, Number.NaN].flatMap((node) => [
      outcome(() => index.markDead(node)),
      outcome(() => index.revive(node)),
    ]),
  );
  for (const call of ["revive", "markDead", "markDead"]) outcome(() => index[call](0));
  const dead = index.deadCount;
  for (const call of ["revive", "revive"]) outcome(() => index[call](0));
  return [...missing, dead, index.deadCount, index.search(GOOD, 9).length];
}

function replacing() {
  const index = filled(3, { allowReplaceDeleted: true });
  index.markDead(0);
  const nodes = [index.add(vectorOf(0), true), index.add(vectorOf(0), 0, true), index.add(vectorOf(1), 1, true)];
  index.markDead(1);
  const found = index.search(vectorOf(1), 9);
  return [nodes, found.length, new Set(found).size, found.includes(0) || found.includes(1)];
}

function allDead() {
  const index = filled(0);
  const empty = index.search(GOOD, 3);
  for (let node = 0; node < 3; node++) index.markDead(index.add(vectorOf(node)));
  return [empty, index.search(GOOD, 3), index.add(GOOD), index.search(GOOD, 3)];
}

const counts = (values) => {
  const index = filled(20);
  index.markDead(0);
  return distinct(values.map((k) => outcome(() => index.search(GOOD, k).length)));
};

const many = () => {
  const index = filled(12_000, { efConstruction: 20, m: 8 });
  return [index.search(GOOD, 10_000).length, index.search(GOOD, 1e9).length].map(
    (count) => count >= 9900 && count <= 10_000,
  );
};

const ROWS = {
  1: () => tried([[], GOOD.slice(1), [...GOOD, 1], new Array(1e6).fill(1)]),
  2: () => [
    tried([null, undefined, 4, "abcd", { length: 4 }, new ArrayBuffer(4)]),
    tried([new Float32Array(GOOD)], ["search"]),
  ],
  3: () => tried(badAt([0, 1, 2]), ["add"]),
  4: () => tried(badAt([0, 1, 2, 3]), ["search"]),
  5: () => tried(badAt([3]), ["add"]),
  6: () =>
    tried([
      withGetter(() => {
        throw new Error("from the getter");
      }),
      new Proxy(GOOD, {
        get: () => {
          throw new Error("from the proxy");
        },
      }),
    ]),
  7: () => {
    const vector = withGetter(() => (vector.length = 2));
    return tried([vector]);
  },
  8: reentrant,
  9: healedOfNaN,
  10: () => tried([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e39, -1e300].map((item) => at(2, item))),
  11: () => tried([[1e20, 1e20, 1e20, 1e20], at(0, 1e38)]),
  12: () => tried([1e-30, 1e-40, 5e-324].map((item) => [item, item, item, item])),
  13: () => tried([[0, 0, 0, 0], new Float32Array(4), [-0, -0, -0, -0]]),
  14: () =>
    tried(
      [Number.NaN, Number.POSITIVE_INFINITY].flatMap((item) => [at(0, item), at(3, item)]),
      ["search"],
    ),
  15: grown,
  16: () => distinct([-1, 2 ** 32 - 1].map((capacity) => created({ capacity, maxElements: capacity }))),
  17: outOfMemory,
  18: () => created({ capacity: Number.NaN, maxElements: Number.NaN }),
  19: () => refusedOptions("m", [0, -1]),
  20: () => refusedOptions("m", [1]),
  21: () => refusedOptions("m", [2 ** 32 - 1, 10_001, 257]),
  22: () => [
    ...refusedOptions("efConstruction", [0, -1, 1e20, 2 ** 32 + 100]),
    ...refusedOptions("efSearch", [0, -1, 1e20, "x"]),
  ],
  23: () => refusedOptions("dimensions", [0, -1, 3.9, Number.NaN, 2 ** 32 + 3]),
  24: () => labelled([0, 0, 0]),
  25: () => labelled([-1, 1.5, 1.9, 2 ** 32, 2 ** 32 + 7, Number.NaN, Number.POSITIVE_INFINITY, 1e300]),
  26: () => labelled(["0", 0n, undefined, null, {}]),
  27: () => counts([19, 20, 21]),
  28: () => counts([5000, 2 ** 31, 2 ** 32 - 1]),
  29: () => counts([0, -1, Number.NaN, Number.POSITIVE_INFINITY]),
  30: () => [
    filled(200, { efSearch: 1 }).search(GOOD, 150).length,
    filled(200, { efSearch: 1 }).search(vectorOf(7), 1),
  ],
  31: many,
  32: allDead,
  33: dying,
  34: replacing,
  35: () => {
    const index = filled(3, { allowReplaceDeleted: true });
    index.markDead(0);
    return [outcome(() => index.add(vectorOf(0), 0)), index.search(vectorOf(0), 1), index.isDead(0)];
  },
  36: replacing,
  37: () =>
    withThird(() => {
      throw new Error("from the filter");
    }),
  38: () =>
    distinct([() => undefined, async () => false, () => "no", () => Symbol("x"), () => false, 7, "x"].map(withThird)),
};

const wanted = process.argv.slice(2);
for (const [row, run] of Object.entries(ROWS)) {
  if (wanted.length > 0 && !wanted.includes(row)) continue;
  const result = hnswAvailable() ? outcome(run) : [hnswAvailable(), HnswIndex.create(OPTIONS) ?? null];
  writeSync(1, `${JSON.stringify({ row: Number(row), outcome: result })}\n`);
}
