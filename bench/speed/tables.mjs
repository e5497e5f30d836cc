// The results as Markdown tables: engines side by side, and ours row by row.

const number = (value, digits = 0) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
/** Milliseconds, to three digits that mean something. */
const ms = (value) => (value >= 99.95 ? number(value) : value.toPrecision(value >= 0.1 ? 3 : 2));
const megabytes = (bytes) => number(Math.max(0, bytes) / 1e6);

const HEADS = [
  "engine",
  "p50 ms",
  "p99 ms",
  "count",
  "as a plain reader counts",
  "records/s",
  "records/CPU s",
  "RSS MB",
  "heap + external MB",
  "load",
];

const layOut = (heads, lines) =>
  [heads, heads.map((_, i) => (i === 0 ? "---" : "---:")), ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

/** One row an engine. */
export function sizeTable(size, { engines }) {
  const lines = Object.values(engines).map(
    ({ label, main, rows, count, enumerated, agreeing, build, memory, load }) => [
      label,
      ms(rows[main].p50),
      `${ms(rows[main].p99)}${rows[main].asked < rows[main].of ? " *" : ""}`,
      enumerated === undefined ? count : `${count}: ${enumerated.right} of ${enumerated.asked} by pages`,
      agreeing === undefined ? "-" : `${number(agreeing * 100, 1)} %`,
      number(build.recordsPerSecond),
      number(build.recordsPerCpuSecond),
      megabytes(memory.rss),
      megabytes(memory.held),
      load.toFixed(1),
    ],
  );
  return layOut([`${number(Number(size))} records`, ...HEADS.slice(1)], lines);
}

/** How many times slower than ours each peer answers, builds and weighs. */
export function ratioTable(peers, ours) {
  const times = (value) => (value >= 99.5 ? number(value) : value.toPrecision(2));
  const lines = Object.values(peers).map(({ label, main, rows, build, memory }) => [
    label,
    times(rows[main].p50 / ours.rows[ours.main].p50),
    times(rows[main].p99 / ours.rows[ours.main].p99),
    times(ours.build.recordsPerSecond / build.recordsPerSecond),
    times(ours.build.recordsPerCpuSecond / build.recordsPerCpuSecond),
    times(memory.rss / ours.memory.rss),
  ]);
  return layOut([`x ${ours.label}`, "p50", "p99", "time to build", "CPU to build", "RSS"], lines);
}

/** Every row of ours, at every size. */
export function rowTable(sizes) {
  const columns = Object.entries(sizes);
  const lines = [];
  const seen = new Set();
  for (const [, { engines }] of columns)
    for (const [name, { isOurs, label, rows }] of Object.entries(engines))
      for (const [key, row] of isOurs ? Object.entries(rows) : []) {
        if (seen.has(`${name} ${key}`)) continue;
        seen.add(`${name} ${key}`);
        const cells = columns.flatMap(([, { engines: at }]) => {
          const times = at[name]?.rows[key];
          return times === undefined ? ["-", "-"] : [`${ms(times.p50)} / ${ms(times.p99)}`, number(times.meanFound)];
        });
        lines.push([`${label}: ${row.label}`, ...cells]);
      }
  const heads = columns.flatMap(([size]) => [`${number(Number(size))}: p50 / p99 ms`, "found, mean"]);
  return layOut(["row", ...heads], lines);
}
