// Research: the effect of a learned floor on the vectors of other models. static-en's vectors are distorted so that their cosines are
// crowded like OpenAI's, or shifted like CLIP's. Compared are a floor of 0, the learned floor, and the learned floor with a weight that
// compensates for the narrower spread of cosines. A floor removes weak matches, which judged queries hardly show, so hits are counted
// too, also for queries of another catalogue. The third argument is the percentage of records without a vector.

import { basename, resolve } from "node:path";
import { compareRuns, evaluate } from "../../dist/evaluation.js";
import { createStaticEnEmbedder, SearchEngine } from "../../dist/index.js";
import { readJudgedFolder } from "./judged-folder.mjs";
import { probeQueries } from "./probes.mjs";
import { recordTexts } from "./record-texts.mjs";
import { printDifferences, printRuns, short } from "./report.mjs";
import { unit } from "./vectors.mjs";

const CUTOFFS = { k: 10, recallAt: 100 };
const DEPTH = 100;
const SAMPLE = 256;
/** Two additional components of this length, relative to the unit vector; like CLIP, in another direction for queries. */
const BENDS = {
  "static-en": { length: 0, angle: 0 },
  "crowded, as OpenAI's": { length: 1.6, angle: 0 },
  "two kinds, as CLIP's": { length: 1.5, angle: Math.acos(0.198) },
};
/** static-en's weight, and the deviation of its noise, with which that of distorted vectors is compared. */
const WEIGHT = 0.1;

const [folder, strangers, percent = "0"] = process.argv.slice(2);
await study(folder, strangers);

/** @param {string} folder @param {string} strangers a folder of queries that no record here answers */
async function study(folder, strangers) {
  const { judgements: foreign } = await readJudgedFolder(strangers);
  const { records, judgements } = await readJudgedFolder(folder);
  const { rows } = recordTexts(records);
  console.log(`\n## ${basename(resolve(folder))}`);
  let plain;
  for (const [name, bend] of Object.entries(BENDS)) {
    const embedder = bent(bend);
    const engine = new SearchEngine({ embedder });
    await (await engine.createIndex("judged")).addRecords(records);
    const floor = (await engine.getSettings("judged")).effective.semanticFloor;
    const noise = await noiseOf(rows.slice(0, SAMPLE), embedder);
    plain ??= noise;
    const share = plain.deviation / noise.deviation;
    const measure = async (params) => {
      const queries = judgements.queries.map((query) => ({ ...query, params: { ...params, semanticDepth: DEPTH } }));
      const ways = { engine, ways: ["both"], ...CUTOFFS };
      return (await evaluate("judged", { ...judgements, queries }, ways)).runs.both;
    };
    const grown = (share * WEIGHT) / (1 - WEIGHT + share * WEIGHT);
    const lines = [
      { label: "floor 0", run: await measure({ semanticFloor: 0 }) },
      { label: `floor ${short(floor)}`, run: await measure({ semanticFloor: floor }) },
      {
        label: `floor ${short(floor)}, weight ${short(grown)}`,
        run: await measure({ semanticFloor: floor, semanticWeight: grown }),
      },
    ];
    for (const line of lines.slice(1)) line.differences = await compareRuns(line.run, lines[0].run);
    console.log(`\n### ${name}: noise ${short(noise.mean)}, deviation ${short(noise.deviation)}`);
    printRuns(lines, CUTOFFS);
    for (const least of [0, floor]) {
      const count = (queries) => meanHits(engine, queries, least);
      const [own, others] = [await count(judgements.queries), await count(foreign.queries)];
      console.log(`\nhits by meaning at floor ${short(least)}: ${own} a query of its own, ${others} a stranger's`);
    }
    printDifferences(lines, "Minus floor 0:", CUTOFFS);
  }
}

/** Mean and deviation of the cosines of probes and records. */
async function noiseOf(rows, embedder) {
  const queries = await embedder.embed(await probeQueries(), { purpose: "query" });
  const records = await embedder.embed(
    rows.map(({ embedded }) => embedded),
    { purpose: "record" },
  );
  let [count, sum, squares] = [0, 0, 0];
  for (const query of queries.map(unit))
    for (const record of records.map(unit)) {
      if (query === null || record === null) continue;
      const cosine = query.reduce((total, component, i) => total + component * record[i], 0);
      count++;
      sum += cosine;
      squares += cosine * cosine;
    }
  const mean = sum / count;
  return { mean, deviation: Math.sqrt(squares / count - mean * mean) };
}

/** Hits by meaning alone, of the first 200 queries. */
async function meanHits(engine, queries, semanticFloor) {
  let sum = 0;
  const asked = queries.slice(0, 200);
  for (const { query } of asked) {
    const params = { query, semanticWeight: 1, semanticFloor, semanticDepth: DEPTH, hitsPerPage: 0 };
    const { data } = await engine.query("judged", params);
    if (data.recallSource.includes("semanticSearch")) sum += data.nbHits;
  }
  return (sum / asked.length).toFixed(1);
}

function bent({ length, angle }) {
  const inner = createStaticEnEmbedder();
  const extra = { record: [length, 0], query: [length * Math.cos(angle), length * Math.sin(angle)] };
  return {
    id: `bent-${length}-${angle}`,
    dimensions: inner.dimensions + 2,
    wordsOnly: true,
    knows: (word) => inner.knows(word),
    embed: async (texts, options) => {
      const vectors = await inner.embed(texts, options);
      return vectors.map((vector) => {
        if (vector === null || (options.purpose === "record" && isLeftOut(vector))) return null;
        const size = Math.hypot(...vector) || 1;
        return [...Array.from(vector, (value) => value / size), ...extra[options.purpose]];
      });
    },
  };
}

/** A fixed percentage of the vectors. */
function isLeftOut(vector) {
  return Math.floor(Math.abs(vector[0]) * 1e7) % 100 < Number(percent);
}
