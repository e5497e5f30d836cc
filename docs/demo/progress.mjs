// How far the reading and indexing has come: a bar on stderr while somebody looks, nothing otherwise.

import cliProgress from "cli-progress";

/**
 * @typedef {object} Progress
 * @property {(bytes: number) => void} read so much of the files has been read
 * @property {(share: number, records: number) => void} indexed how much of what was read is done, 0 to 1, and records in all
 * @property {() => void} stop takes the bar away
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
    // Else a run that is interrupted would leave the terminal without line wrapping.
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
