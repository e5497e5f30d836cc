// Draws the pictures of docs/relevance.md from the measured figures in bench/relevance/results: plain SVG, no package.
// Run it after new figures were written there: node bench/relevance/draw.mjs

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const RESULTS = new URL("results/", import.meta.url);
const PICTURES = new URL("../../docs/pictures/", import.meta.url);
const SETS = { "other-words": "other words", icecat: "electronics shop", scifact: "scientific claims" };
const COLOURS = ["#1b6ca8", "#d95f02", "#2a9d62", "#7570b3"];
const FONT = 'font-family="system-ui, sans-serif" font-size="13" fill="#444"';

mkdirSync(PICTURES, { recursive: true });
writeFileSync(new URL("relevance-ways.svg", PICTURES), drawWays());
writeFileSync(new URL("relevance-weight.svg", PICTURES), drawWeights());
writeFileSync(new URL("relevance-defaults.svg", PICTURES), drawDefaults());
writeFileSync(new URL("relevance-peers.svg", PICTURES), drawPeers());

/** Three bars per set: words, meaning, both. */
function drawWays() {
  const ways = ["words", "meaning", "both"];
  const [left, top, height, bar] = [44, 34, 200, 34];
  const groups = Object.entries(SETS).map(([name, label]) => ({ label, runs: read(name).runs }));
  const span = ways.length * bar + 40;
  const parts = axis(left, top, height, left + groups.length * span);
  for (const [g, { label, runs }] of groups.entries()) {
    const x = left + g * span + 20;
    for (const [w, way] of ways.entries()) {
      const value = runs.find((run) => run.label === way).means.ndcg;
      const y = top + height * (1 - value);
      parts.push(
        `<rect x="${x + w * bar}" y="${round(y)}" width="${bar - 5}" height="${round(height * value)}" fill="${COLOURS[w]}"/>`,
      );
      parts.push(text(x + w * bar + (bar - 5) / 2, y - 5, value.toFixed(2).slice(1), "middle"));
    }
    parts.push(text(x + (ways.length * bar - 5) / 2, top + height + 20, label, "middle"));
  }
  parts.push(...legend(left, 16, ways));
  return svg(left + groups.length * span + 10, top + height + 32, "nDCG@10 by words, by meaning and by both", parts);
}

/** nDCG by semantic weight, a line for each set. */
function drawWeights() {
  const [left, top, width, height] = [44, 34, 420, 220];
  const parts = axis(left, top, height, left + width);
  const names = Object.keys(SETS).filter((name) => existsSync(new URL(`scan-${name}.json`, RESULTS)));
  const x = (weight) => left + width * weight;
  const y = (value) => top + height * (1 - value);
  parts.push(
    `<line x1="${x(0.1)}" y1="${top}" x2="${x(0.1)}" y2="${top + height}" stroke="#999" stroke-dasharray="4 4"/>`,
  );
  parts.push(text(x(0.1) + 5, top + height - 8, "default"));
  for (const [i, name] of names.entries()) {
    const scanned = read(`scan-${name}`).filter(({ values }) => Object.keys(values).join() === "semanticWeight");
    const meaning = read(name).runs.find((run) => run.label === "meaning").means.ndcg;
    const points = [...scanned.map(({ values, means }) => [values.semanticWeight, means.ndcg]), [1, meaning]];
    const path = points.map(([weight, value]) => `${round(x(weight))},${round(y(value))}`).join(" ");
    parts.push(`<polyline points="${path}" fill="none" stroke="${COLOURS[i]}" stroke-width="2"/>`);
    for (const [weight, value] of points)
      parts.push(`<circle cx="${round(x(weight))}" cy="${round(y(value))}" r="3" fill="${COLOURS[i]}"/>`);
  }
  for (const weight of [0, 0.25, 0.5, 0.75, 1]) parts.push(text(x(weight), top + height + 18, `${weight}`, "middle"));
  parts.push(text(left + width / 2, top + height + 36, "semanticWeight", "middle"));
  parts.push(
    ...legend(
      left,
      16,
      names.map((name) => SETS[name]),
    ),
  );
  return svg(left + width + 20, top + height + 46, "nDCG@10 by the weight of the meaning", parts);
}

/** The effect of other values than the defaults: a line for each value, and a mark with its interval for each set. */
function drawDefaults() {
  const scans = Object.keys(SETS).map((name) => read(`scan-${name}`));
  const lines = scans[0].flatMap(({ values }, i) => {
    const [[name, value], ...more] = Object.entries(values);
    const label = typeof value === "object" ? Object.entries(value).flat(2).join(" ") : `${name} ${value}`;
    const marks = scans.map((scan) => scan[i].differences.ndcg);
    // Weight and floor have other pictures, and values without any effect need none.
    const isTold = more.length > 0 || name === "semanticWeight" || name === "semanticDepth";
    return isTold || marks.every(({ low, high }) => low === high) ? [] : [{ label, marks }];
  });
  return drawIntervals(lines, [-0.1, 0.06], "nDCG@10 with another value, minus the default's");
}

/** Ours minus each peer's nDCG, on each set. */
function drawPeers() {
  const sets = Object.keys(SETS).map((name) => read(name).runs.filter(({ bothMinusIt }) => bothMinusIt));
  const lines = sets[0].map(({ label }) => ({
    label,
    marks: sets.map((runs) => runs.find((run) => run.label === label)?.bothMinusIt.ndcg),
  }));
  return drawIntervals(lines, [-0.1, 0.6], "nDCG@10 of tandem-search (both), minus each engine's");
}

/** One row per line; differences are points, their 95 % intervals strokes. */
function drawIntervals(lines, [least, most], title) {
  const [left, top, width, row] = [190, 52, 460, 24];
  const height = lines.length * row;
  const x = (value) => left + (width * (Math.min(most, Math.max(least, value)) - least)) / (most - least);
  const parts = [text(left, 18, title), ...legend(left, 38, Object.values(SETS))];
  const step = most - least > 0.3 ? 0.1 : 0.02;
  for (let tick = Math.round(least / step); tick <= Math.floor(most / step + 1e-9); tick++) {
    const at = round(x(tick * step));
    const colour = tick === 0 ? "#888" : "#ddd";
    parts.push(`<line x1="${at}" y1="${top}" x2="${at}" y2="${top + height}" stroke="${colour}"/>`);
    parts.push(text(at, top + height + 18, signed(tick * step), "middle"));
  }
  for (const [i, { label, marks }] of lines.entries()) {
    parts.push(text(left - 10, top + i * row + row / 2 + 4, label, "end"));
    for (const [m, mark] of marks.entries()) {
      if (mark === undefined) continue;
      const y = round(top + i * row + 5 + m * 7);
      const stroke = `stroke="${COLOURS[m]}" stroke-width="2"`;
      parts.push(`<line x1="${round(x(mark.low))}" y1="${y}" x2="${round(x(mark.high))}" y2="${y}" ${stroke}/>`);
      const fill = mark.significant ? COLOURS[m] : "#fff";
      parts.push(`<circle cx="${round(x(mark.difference))}" cy="${y}" r="3" fill="${fill}" ${stroke}/>`);
    }
  }
  return svg(left + width + 30, top + height + 30, title, parts);
}

function signed(value) {
  return Math.abs(value) < 1e-9 ? "0" : `${value > 0 ? "+" : "-"}${Math.abs(value).toFixed(2).slice(1)}`;
}

function axis(left, top, height, right) {
  return [0, 0.25, 0.5, 0.75, 1].flatMap((value) => {
    const y = round(top + height * (1 - value));
    return [
      `<line x1="${left}" y1="${y}" x2="${right}" y2="${y}" stroke="#ddd"/>`,
      text(left - 8, y + 4, value.toFixed(2), "end"),
    ];
  });
}

function legend(left, y, labels) {
  return labels.flatMap((label, i) => {
    const x = left + i * 150;
    return [`<rect x="${x}" y="${y - 10}" width="12" height="12" fill="${COLOURS[i]}"/>`, text(x + 18, y, label)];
  });
}

function text(x, y, content, anchor = "start") {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" ${FONT}>${content}</text>`;
}

function svg(width, height, title, parts) {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img">`;
  const ground = `<rect width="${width}" height="${height}" fill="#fff"/>`;
  return `${[head, `<title>${title}</title>`, ground, ...parts, "</svg>"].join("\n")}\n`;
}

function read(name) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, RESULTS), "utf8"));
}

function round(value) {
  return Math.round(value * 10) / 10;
}
