// The table: one row a measure, one column an engine, and how many times better tandem-search is than each peer.

/** Prints numbers with so many digits behind the point. */
export const number = (digits) => (value) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Rows of the table; `better` says which direction is good, undefined: told for the picture, no ratio. */
const ROWS = [
  { label: "indexing, records/s, best run", of: (r) => r.recordsPerSecond.max, show: number(0), better: "more" },
  { label: "indexing, records/s, mean", of: (r) => r.recordsPerSecond.mean, show: number(0), better: "more" },
  { label: "indexing, records/CPU s, best run", of: (r) => r.recordsPerCpuSecond, show: number(0), better: "more" },
  { label: "graph and merges afterwards, ms", of: (r) => r.settleMs, show: number(0) },
  { label: "longest event loop block, ms", of: (r) => r.loopBlockMs, show: number(1), better: "less" },
  { label: "the same at the first record ever, ms", of: (r) => r.firstBlockMs, show: number(1), better: "less" },
  { label: "longest timer delay, ms", of: (r) => r.timerDriftMs, show: number(1), better: "less" },
  { label: "garbage collection, % of indexing", of: (r) => r.gcShare * 100, show: number(1) },
  { label: "longest garbage collection, ms", of: (r) => r.gcLongestMs, show: number(1) },
  { label: "memory held, bytes/record", of: (r) => r.heldPerRecord, show: number(0), better: "less" },
  { label: "memory held by what is loaded once, MB", of: (r) => r.loadedBytes / 1e6, show: number(1) },
  { label: "RSS, bytes/record", of: (r) => r.rssPerRecord, show: number(0), better: "less" },
  { label: "query p50, ms", of: (r) => r.query.p50, show: number(3), better: "less" },
  { label: "query p99, ms", of: (r) => r.query.p99, show: number(3), better: "less" },
  { label: "query mean, ms", of: (r) => r.query.mean, show: number(3), better: "less" },
  { label: "records found, mean", of: (r) => r.query.meanFound, show: number(0) },
];

const START_ROWS = [
  { label: "import to first answer, ms, best", of: (r) => r.import.min, show: number(0), better: "less" },
  { label: "import to first answer, ms, mean", of: (r) => r.import.mean, show: number(0), better: "less" },
  { label: "process start to first answer, ms", of: (r) => r.process.min, show: number(0), better: "less" },
];

/** A table of results by engine, "-" where there is none; `engines` are those measured, in the order of the columns. */
export function printTable(title, results, engines, rows = ROWS) {
  const ours = engines.filter(({ isOurs }) => isOurs);
  const peers = ours.length === 0 ? [] : engines.filter(({ isOurs }) => !isOurs);
  const head = [title, ...engines.map(({ label }) => label), ...peers.map(({ label }) => `x better than ${label}`)];
  const lines = rows.map((row) => {
    const measured = ({ name }) => row.of(results[name]);
    const cells = engines.map((engine) => (measured(engine) === undefined ? "-" : row.show(measured(engine))));
    const ratios = peers.map((peer) =>
      row.better === undefined ? "" : ours.map((own) => ratio(row, measured(own), measured(peer))).join(" / "),
    );
    return [row.label, ...cells, ...ratios];
  });
  console.log(layOut([head, ...lines]));
}

/** The table of start-up times. */
export const printStartTable = (results, engines) => printTable("start-up", results, engines, START_ROWS);

function ratio({ better }, own, peers) {
  const times = better === "more" ? own / peers : peers / own;
  return Number.isFinite(times) && times > 0 ? (times < 100 ? times.toPrecision(2) : times.toFixed(0)) : "-";
}

function layOut(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const lay = (line) =>
    line
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join("  ")
      .trimEnd();
  const [head, ...rows] = lines.map(lay);
  return ["", head, "-".repeat(head.length), ...rows].join("\n");
}
