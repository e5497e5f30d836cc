// Two charts: p50 and p99 of queries asked once by engine, and how time and memory grow with the records.

/** Each colour on a light page and on a dark one, by the name of its class. The ground is the page's. */
const COLORS = {
  ink: ["#2b3036", "#e1e4e9"],
  grid: ["#d8dce2", "#3b414b"],
  ours: ["#c2410c", "#fb923c"],
  peer: ["#475569", "#b4bcc8"],
  c0: ["#c2410c", "#fb923c"],
  c1: ["#1d4ed8", "#7aa2f7"],
  c2: ["#047857", "#34d399"],
  c3: ["#7c3aed", "#b794f6"],
  c4: ["#8b93a0", "#9ca3af"],
  c5: ["#0e7490", "#38bdcf"],
  c6: ["#be185d", "#f472b6"],
  c7: ["#4d7c0f", "#a3d246"],
  c8: ["#475569", "#cbd5e1"],
  c9: ["#000", "#fff"],
};
const SERIES = Object.keys(COLORS).filter((name) => /^c\d$/.test(name));
const WIDTH = 900;

const once = ({ main, rows }) => rows[main].once;
const colorOf = ({ isOurs }) => (isOurs ? "ours" : "peer");
const ms = (value) => Number(value.toPrecision(2));

/** One row per engine, from p50 to p99, on a logarithmic scale. */
export function queryChart(size, engines) {
  const [left, right, top, step] = [210, WIDTH - 130, 60, 34];
  const list = Object.values(engines).sort((a, b) => once(a).p50 - once(b).p50);
  const height = top + list.length * step + 40;
  const times = list.map(once);
  const { place, ticks } = logScale(
    times.flatMap(({ p50, p99 }) => [p50, p99]),
    left,
    right,
  );
  const bottom = height - 40;
  const title = `Milliseconds a query asked once, p50 to p99, ${Number(size).toLocaleString("en-US")} records`;
  const parts = [text(20, 28, title, { size: 16, bold: true })];
  for (const tick of ticks)
    parts.push(
      line(place(tick), top - 12, place(tick), bottom, "grid"),
      text(place(tick), bottom + 18, shortNumber(tick), { anchor: "middle", size: 12 }),
    );
  for (const [i, engine] of list.entries()) {
    const { p50, p99 } = once(engine);
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
  { title: "p50 of a query asked once, ms", of: (engine) => once(engine).p50 },
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
    parts.push(dot(x, y - 4, SERIES[i % SERIES.length]), text(x + 12, y, labels.get(name).label));
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
      line(x.place(tick), top, x.place(tick), bottom, "grid"),
      text(x.place(tick), bottom + 18, shortNumber(tick), { anchor: "middle", size: 12 }),
    );
  for (const tick of y.ticks)
    parts.push(
      line(left, y.place(tick), right, y.place(tick), "grid"),
      text(left - 6, y.place(tick) + 4, shortNumber(tick), { anchor: "end", size: 12 }),
    );
  for (const { name, points: own } of series) {
    const color = SERIES[names.indexOf(name) % SERIES.length];
    const placed = own.map(([size, value]) => [x.place(size), y.place(value)]);
    if (placed.length > 1) parts.push(path(placed, color));
    parts.push(...placed.map(([px, py]) => dot(px, py, color, 4)));
  }
  return parts;
}

const plain = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const round = (value) => Math.round(value * 10) / 10;

/** Places values of `from` … `to` between two coordinates, by their logarithm. */
function logScale(values, start, end) {
  const logs = values.map((value) => Math.log10(value));
  const low = Math.floor(Math.min(...logs));
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs)));
  const place = (value) => round(start + ((Math.log10(value) - low) / (high - low)) * (end - start));
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return { place, ticks };
}

const line = (x1, y1, x2, y2, color, width = 1) =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="s-${color}" stroke-width="${width}"/>`;

const dot = (x, y, color, radius = 5) => `<circle cx="${x}" cy="${y}" r="${radius}" class="f-${color}"/>`;

const text = (x, y, words, { anchor = "start", size = 13, color = "ink", bold = false } = {}) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${size}" class="f-${color}"${bold ? ' font-weight="bold"' : ""}>${plain(words)}</text>`;

const path = (points, color) =>
  `<polyline points="${points.map((point) => point.join(",")).join(" ")}" fill="none" class="s-${color}" stroke-width="2"/>`;

/** 1,000 as 1k, 0.001 as it is. */
function shortNumber(value) {
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1e3) return `${value / 1e3}k`;
  return String(Number(value.toPrecision(3)));
}

const rules = (theme) =>
  Object.entries(COLORS)
    .map(([name, themes]) => `.f-${name}{fill:${themes[theme]}}.s-${name}{stroke:${themes[theme]}}`)
    .join("");

/** An SVG file; `says` is its text alternative. */
const picture = (width, height, says, parts) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="img">`,
    `<title>${plain(says)}</title>`,
    `<style>${rules(0)}@media (prefers-color-scheme:dark){${rules(1)}}</style>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
