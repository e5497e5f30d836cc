// Prints what an index of made-up records takes in memory, as it says itself and as the process shows.

import { SearchEngine } from "../../dist/index.js";

const SYLLABLES = ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu"];
let state = 1;

/** The next of a sequence of scattered numbers below `most` (a linear congruential generator, Knuth's MMIX modulus cut). */
function next(most) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
}

const makeWord = () => Array.from({ length: 2 + next(3) }, () => SYLLABLES[next(SYLLABLES.length)]).join("");
const VOCABULARY = Array.from({ length: 5000 }, makeWord);
const words = (count) => Array.from({ length: count }, () => VOCABULARY[next(VOCABULARY.length)]).join(" ");

async function held() {
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// The code that a warm-up compiles is not the index's either.
const engine = new SearchEngine({ warmUp: false });
const index = await engine.createIndex("shop");
// What the library loads once and remembers of words is not the index's.
await index.addRecords([{ id: "first", title: "a drill", text: VOCABULARY.join(" ") }]);
await index.query({ query: "drill" });
await index.clearIndex();
const before = await held();
for (let batch = 0; batch < 5; batch++)
  await index.addRecords(
    Array.from({ length: 2000 }, (_, i) => ({ id: `${batch}-${i}`, title: `drill ${words(5)}`, text: words(20) })),
  );
await index.whenIdle();
const measured = (await held()) - before;
const { total } = await index.estimate();
process.stdout.write(JSON.stringify({ estimated: total, measured }));
