// A progress bar of reading and indexing on stderr, if that is a terminal.

import cliProgress from "cli-progress";

/**
 * @typedef {object} Progress
 * @property {(bytes: number) => void} read takes the number of bytes read so far
 * @property {(share: number, records: number) => void} indexed takes the indexed share of what was read, 0 to 1, and the total number of records
 * @property {() => void} stop removes the bar
 */

/**
 * @param {number} totalBytes
 * @param {NodeJS.WriteStream} [stream]
 * @returns {Progress}
 */
export function startProgress(totalBytes, stream = process.stderr) {
  if (stream.isTTY !== true) return { read() {}, indexed() {}, stop() {} };
  const bar = new cliProgress.SingleBar({
    stream,
    format: "indexing [{bar}] {percentage}%  {records} records",
    barsize: 32,
    clearOnComplete: true,
    // Otherwise an interrupted run would leave the terminal without line wrapping.
    linewrap: true,
  });
  let read = 0;
  let done = 0;
  bar.start(totalBytes, 0, { records: 0 });
  return {
    read: (bytes) => {
      read = Math.min(bytes, totalBytes);
    },
    indexed: (share, records) => {
      bar.update(Math.round(done + (read - done) * share), { records: records.toLocaleString("en") });
      if (share === 1) done = read;
    },
    stop: () => bar.stop(),
  };
}
