// How many records hold any word of each query, counted by reading every record: the measure of every engine's count.

import { FIELDS, plainWords } from "./corpus.mjs";

/** One number for each query. `batches` are the products. */
export function countAnyWord(batches, queries) {
  const askers = new Map();
  for (const [i, query] of queries.entries())
    for (const word of new Set(plainWords(query))) askers.set(word, [...(askers.get(word) ?? []), i]);
  const counts = new Array(queries.length).fill(0);
  const lastSeen = new Int32Array(queries.length).fill(-1);
  let words = 0;
  let record = 0;
  for (const batch of batches)
    for (const product of batch) {
      for (const name of FIELDS)
        for (const word of plainWords(product[name])) {
          words++;
          for (const i of askers.get(word) ?? []) {
            if (lastSeen[i] === record) continue;
            lastSeen[i] = record;
            counts[i]++;
          }
        }
      record++;
    }
  return { counts, wordsPerRecord: words / record };
}
