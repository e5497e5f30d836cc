// Two charts: a query's p50 and p99 by engine, and how time and memory grow with the records.

import { dot, line, logScale, path, picture, shortNumber, text } from "./axis.mjs";

const OURS = "#c2410c";
const GRID = "#ddd";
const COLORS = [
  "#c2410c",
  "#1d4ed8",
  "#047857",
  "#7c3aed",
  "#9ca3af",
  "#0e7490",
  "#be185d",
  "#4d7c0f",
  "#475569",
  "#000",
];
const WIDTH = 900;

const colorOf = ({ isOurs }) => (isOurs ? OURS : "#475569");
const ms = (value) => Number(value.toPrecision(2));

/** A row an engine: from p50 to p99, on a logarithmic scale. */
export function queryChart(size, engines) {
  const [left, right, top, step] = [210, WIDTH - 130, 60, 34];
  const list = Object.values(engines).sort((a, b) => a.rows[a.main].p50 - b.rows[b.main].p50);
  const height = top + list.length * step + 40;
  const times = list.map(({ main, rows }) => rows[main]);
  const { place, ticks } = logScale(
    times.flatMap(({ p50, p99 }) => [p50, p99]),
    left,
    right,
  );
  const bottom = height - 40;
  const title = `Milliseconds a query, p50 to p99, ${Number(size).toLocaleString("en-US")} records`;
  const parts = [text(20, 28, title, { size: 16, bold: true })];
  for (const tick of ticks)
    parts.push(
      line(place(tick), top - 12, place(tick), bottom, GRID),
      text(place(tick), bottom + 18, shortNumber(tick), { anchor: "middle", size: 12 }),
    );
  for (const [i, engine] of list.entries()) {
    const { p50, p99 } = engine.rows[engine.main];
    const y = top + i * step + 8;
    const color = colorOf(engine);
    parts.push(
      text(left - 14, y + 4, engine.label, { anchor: "end", color, bold: engine.isOurs }),
      line(place(p50), y, place(p99), y, color, 3),
      dot(place(p50), y, color),
      dot(place(p99), y, color, 3.5),
      text(place(p99) + 10, y + 4, `${ms(p50)} / ${ms(p99)}`, { size: 12, color }),
    );
  }
  return picture(WIDTH, height, title, parts);
}

const PANELS = [
  { title: "p50 of a query, ms", of: ({ rows, main }) => rows[main].p50 },
  { title: "RSS, MB", of: ({ memory }) => memory.rss / 1e6 },
  { title: "time to build, s", of: ({ build }) => build.ms / 1000 },
];

/** Three panels, both axes logarithmic; an engine that was measured at one size is a dot. */
export function growthChart(sizes) {
  const names = [...new Set(Object.values(sizes).flatMap(({ engines }) => Object.keys(engines)))];
  const engineAt = (size, name) => sizes[size].engines[name];
  const labels = new Map(
    names.map((name) => [
      name,
      Object.keys(sizes)
        .map((size) => engineAt(size, name))
        .find(Boolean),
    ]),
  );
  const [top, height, panel] = [76, 330, WIDTH / PANELS.length];
  const title = "Growth with the number of records";
  const parts = [text(20, 28, title, { size: 16, bold: true })];
  for (const [at, { title: what, of }] of PANELS.entries()) {
    const box = { left: at * panel + 52, right: (at + 1) * panel - 24, top, bottom: height };
    const series = names.map((name) => ({
      name,
      points: Object.keys(sizes)
        .filter((size) => engineAt(size, name) !== undefined)
        .map((size) => [Number(size), Math.max(of(engineAt(size, name)), 1e-3)]),
    }));
    parts.push(text(box.left, top - 18, what, { bold: true }), ...drawPanel(box, series, names));
  }
  for (const [i, name] of names.entries()) {
    const [x, y] = [52 + (i % 3) * panel, height + 50 + Math.floor(i / 3) * 22];
    parts.push(dot(x, y - 4, COLORS[i % COLORS.length]), text(x + 12, y, labels.get(name).label));
  }
  return picture(WIDTH, height + 70 + Math.floor((names.length - 1) / 3) * 22, title, parts);
}

function drawPanel({ left, right, top, bottom }, series, names) {
  const points = series.flatMap((one) => one.points);
  const x = logScale(
    points.map(([size]) => size),
    left,
    right,
  );
  const y = logScale(
    points.map(([, value]) => value),
    bottom,
    top,
  );
  const parts = [];
  for (const tick of x.ticks)
    parts.push(
      line(x.place(tick), top, x.place(tick), bottom, GRID),
      text(x.place(tick), bottom + 18, shortNumber(tick), { anchor: "middle", size: 12 }),
    );
  for (const tick of y.ticks)
    parts.push(
      line(left, y.place(tick), right, y.place(tick), GRID),
      text(left - 6, y.place(tick) + 4, shortNumber(tick), { anchor: "end", size: 12 }),
    );
  for (const { name, points: own } of series) {
    const color = COLORS[names.indexOf(name) % COLORS.length];
    const placed = own.map(([size, value]) => [x.place(size), y.place(value)]);
    if (placed.length > 1) parts.push(path(placed, color));
    parts.push(...placed.map(([px, py]) => dot(px, py, color, 4)));
  }
  return parts;
}
