// Writes the results as Markdown tables: all engines side by side, and each row of ours.

/** The version of the results' format; files of another version are ignored. */
export const FORMAT = 3;
const NONE = "-";
const number = (value, digits = 0) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
/** Milliseconds, to three significant digits. */
const ms = (value) => (value >= 99.95 ? number(value) : value.toPrecision(value >= 0.1 ? 3 : 2));
const megabytes = (bytes) => number(Math.max(0, bytes) / 1e6);

/** p50 / p99 / p99.9; an asterisk if the time was up before all queries had run. */
const timesOf = (row, which) => {
  const times = row?.[which];
  if (times === undefined) return NONE;
  const cut = row.asked < row.of ? " *" : "";
  return `${[times.p50, times.p99, times.p999].map(ms).join(" / ")}${cut}`;
};

/** The percentage of the queries, asked once and again, that met a collection of garbage by V8. */
const collectedOf = (row) =>
  [row.once, row.again]
    .map((times) => (times?.collected === undefined ? NONE : number(times.collected * 100, 2)))
    .join(" / ");

const layOut = (heads, lines) => {
  // Columns without any figure are left out.
  const kept = heads.map((_, i) => i === 0 || lines.some((cells) => cells[i] !== NONE));
  const shown = [heads, heads.map((_, i) => (i === 0 ? "---" : "---:")), ...lines];
  return shown.map((cells) => `| ${cells.filter((_, i) => kept[i]).join(" | ")} |`).join("\n");
};

/** What the records of a size are called: real ones come from the file as they are. */
const kindOf = ({ real }) => (real ? "real records" : "records");
const besides = ({ engines }) => Object.values(engines).filter(({ group }) => group !== "growing");

/** Queries, then building and memory, one row per engine. */
export function sizeTables(size, entry) {
  const engines = besides(entry);
  const title = `${number(engines[0]?.build.count ?? Number(size))} ${kindOf(entry)}`;
  const asked = engines.map(({ label, main, rows, first, count, enumerated }) => [
    label,
    first === undefined ? NONE : `${ms(first.p50)} / ${ms(first.worst)}`,
    timesOf(rows[main], "once"),
    timesOf(rows[main], "again"),
    collectedOf(rows[main]),
    number(rows[main].meanFound),
    enumerated === undefined ? count : `${count}: ${enumerated.right} of ${enumerated.asked} by pages`,
  ]);
  const built = engines.map(({ label, build, memory, firstAnswerMs, load }) => [
    label,
    number(build.recordsPerSecond),
    number(build.recordsPerCpuSecond),
    megabytes(memory.rss),
    megabytes(memory.held),
    number(firstAnswerMs),
    load.toFixed(1),
  ]);
  const heads = [
    "first 100: p50 / worst ms",
    "asked once: p50 / p99 / p99.9 ms",
    "asked again: p50 / p99 / p99.9 ms",
    "met a collection, %",
    "found, mean",
    "count",
  ];
  const weights = ["records/s", "records/CPU s", "RSS MB", "heap + external MB", "import to first answer ms", "load"];
  return `${layOut([title, ...heads], asked)}\n\n${layOut([title, ...weights], built)}`;
}

/** Each peer's figures relative to ours: asked once, asked again, building, memory. */
export function ratioTable(peers, ours) {
  const ratio = (value, base) => {
    const times = value / base;
    return Number.isFinite(times) ? (times >= 99.5 ? number(times) : times.toPrecision(2)) : NONE;
  };
  const parts = ["once p50", "once p99", "once p999", "again p50", "again p99"];
  const lines = peers.map((peer) => [
    peer.label,
    ...parts.map((part) => {
      const [which, name] = part.split(" ");
      return ratio(peer.rows[peer.main][which]?.[name], ours.rows[ours.main][which]?.[name]);
    }),
    ratio(ours.build.recordsPerSecond, peer.build.recordsPerSecond),
    ratio(ours.build.recordsPerCpuSecond, peer.build.recordsPerCpuSecond),
    ratio(peer.memory.rss, ours.memory.rss),
  ]);
  return layOut(
    [
      `x ${ours.label}`,
      ...parts.map((part) => `asked ${part.replace("p999", "p99.9")}`),
      "time to build",
      "CPU to build",
      "RSS",
    ],
    lines,
  );
}

/** Every row of ours, at every size: asked once, then again. */
export function rowTable(sizes) {
  const names = new Map();
  for (const [, { engines }] of sizes)
    for (const [name, { isOurs, group, label, rows }] of Object.entries(engines))
      if (isOurs && group !== "growing")
        for (const [key, row] of Object.entries(rows))
          names.set(`${name} ${key}`, { name, key, text: `${label}: ${row.label}` });
  const lines = [...names.values()].map(({ name, key, text }) => [
    text,
    ...sizes.flatMap(([, { engines }]) => {
      const row = engines[name]?.rows[key];
      return [timesOf(row, "once"), timesOf(row, "again"), row === undefined ? NONE : number(row.meanFound)];
    }),
  ]);
  const heads = sizes.flatMap(([size]) => [`${number(Number(size))}: asked once`, "asked again", "found, mean"]);
  return layOut(["p50 / p99 / p99.9 ms", ...heads], lines);
}

/** Queries while the graph grows; undefined if none was measured. */
export function growthTable(sizes) {
  const measured = sizes.flatMap(([size, { engines }]) =>
    Object.values(engines)
      .filter(({ group }) => group === "growing")
      .map((engine) => ({ size, engine, idle: engines.hybrid })),
  );
  if (measured.length === 0) return undefined;
  const lines = measured.map(({ size, engine: { main, rows, build }, idle }) => [
    number(Number(size)),
    timesOf(rows[main], "once"),
    number(rows[main].asked),
    number(build.finishMs / 1000, 1),
    idle === undefined ? NONE : number(idle.build.finishMs / 1000, 1),
    timesOf(idle?.rows[idle.main], "once"),
  ]);
  const heads = ["p50 / p99 / p99.9 ms", "queries", "seconds until done", "without queries", "asked once after that"];
  return layOut(["records", ...heads], lines);
}

/** Queries of the engines named, one column each: asked once, then asked again, then records a second. */
export function shortTable(size, names, engines) {
  const columns = names.map((name) => engines[name]).filter((engine) => engine !== undefined);
  const title = `${number(Number(size))} records`;
  const row = (label, cell) => [label, ...columns.map(cell)];
  const lines = [
    row("asked once: p50 / p99 / p99.9 ms", ({ main, rows }) => timesOf(rows[main], "once")),
    row("asked again: p50 / p99 / p99.9 ms", ({ main, rows }) => timesOf(rows[main], "again")),
    row("records/s", ({ build }) => number(build.recordsPerSecond)),
  ];
  return layOut([title, ...columns.map(({ label }) => label)], lines);
}
