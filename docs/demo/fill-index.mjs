// Fills an index from files in batches, so that only one batch is in memory.

import { SearchError } from "tandem-search";
import { DemoError } from "./demo-error.mjs";
import { fileSize } from "./file-lines.mjs";
import { startProgress } from "./progress.mjs";
import { readRecords } from "./read-records.mjs";

const BATCH = 5000;

/**
 * @typedef {object} FillReport
 * @property {number} records read
 * @property {number} replaced records with the id of an earlier one
 * @property {number} seconds from the first byte until all were searchable
 */

/**
 * @param {import("tandem-search").SearchIndex} index
 * @param {readonly string[]} paths
 * @param {{ idAttribute?: string }} [options]
 * @returns {Promise<FillReport>}
 */
export async function fillIndex(index, paths, { idAttribute } = {}) {
  const start = performance.now();
  const sizes = await Promise.all(paths.map(fileSize));
  const progress = startProgress(sum(sizes));
  const report = { records: 0, replaced: 0, seconds: 0 };
  try {
    for (const [i, path] of paths.entries()) {
      const before = sum(sizes.slice(0, i));
      const records = readRecords(path, { idAttribute, onBytes: (bytes) => progress.read(before + bytes) });
      for await (const batch of inBatches(records)) await addBatch(index, batch, { path, report, progress });
    }
  } finally {
    progress.stop();
  }
  report.seconds = (performance.now() - start) / 1000;
  return report;
}

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, number) => total + number, 0);

/** @param {AsyncIterable<import("./read-records.mjs").FoundRecord>} records */
async function* inBatches(records) {
  /** @type {import("./read-records.mjs").FoundRecord[]} */
  let batch = [];
  for await (const found of records) {
    if (batch.push(found) < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * @param {import("tandem-search").SearchIndex} index
 * @param {readonly import("./read-records.mjs").FoundRecord[]} batch
 * @param {{ path: string, report: FillReport, progress: import("./progress.mjs").Progress }} context
 */
async function addBatch(index, batch, { path, report, progress }) {
  const records = batch.map(({ record }) => record);
  const before = report.records;
  try {
    const { added } = await index.addRecords(records, {
      onProgress: ({ done, total, phase }) => {
        const share = (phase === "embedding" ? total + done : done) / (2 * total);
        progress.indexed(Math.min(share, 0.99), before + Math.round(share * total));
      },
    });
    report.replaced += batch.length - added;
  } catch (error) {
    throw error instanceof SearchError ? placeOf(error, batch, path) : error;
  }
  report.records += batch.length;
  progress.indexed(1, report.records);
}

/**
 * Replaces the position in the batch, which the library reports, by the line of the file.
 * @param {SearchError} error
 * @param {readonly import("./read-records.mjs").FoundRecord[]} batch
 * @param {string} path
 */
function placeOf(error, batch, path) {
  const position = /^records\[(\d+)\]/.exec(error.param ?? "")?.[1];
  if (position === undefined) return error;
  const { place } = batch[Number(position)];
  return new DemoError(`${path}, ${place}: ${error.error} (${error.code}): ${error.msg}`);
}
