// Draws the pictures of docs/relevance.md from the measured figures in bench/relevance/results: plain SVG, no package.
// Run it after new figures were written there: node bench/relevance/draw.mjs

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const RESULTS = new URL("results/", import.meta.url);
const PICTURES = new URL("../../docs/pictures/", import.meta.url);
const SETS = { "other-words": "other words", icecat: "electronics shop", scifact: "scientific claims" };
/** The ground is the page's, so the colours are those of its theme. Series n is filled by `f n` and stroked by `s n`. */
const STYLE = `<style>
text{font-family:system-ui,sans-serif;font-size:15px;fill:#3d434b}
.grid{stroke:#d8dce2}.zero{stroke:#8a919c}
.f0{fill:#1b6ca8}.f1{fill:#c2570c}.f2{fill:#1f8a54}
.s0{stroke:#1b6ca8}.s1{stroke:#c2570c}.s2{stroke:#1f8a54}
polyline,.s0,.s1,.s2{fill:none;stroke-width:2}
@media (prefers-color-scheme:dark){
text{fill:#d3d7de}
.grid{stroke:#3b414b}.zero{stroke:#858c98}
.f0{fill:#6cb2f0}.f1{fill:#f2994a}.f2{fill:#5fce95}
.s0{stroke:#6cb2f0}.s1{stroke:#f2994a}.s2{stroke:#5fce95}
}
</style>`;
/** The radius of a mark. */
const MARK = 3.5;

mkdirSync(PICTURES, { recursive: true });
writeFileSync(new URL("relevance-ways.svg", PICTURES), drawWays());
writeFileSync(new URL("relevance-weight.svg", PICTURES), drawWeights());
writeFileSync(new URL("relevance-defaults.svg", PICTURES), drawDefaults());
writeFileSync(new URL("relevance-peers.svg", PICTURES), drawPeers());

/** Three bars per set: words, meaning, both. */
function drawWays() {
  const ways = ["words", "meaning", "both"];
  const [left, top, height, bar] = [48, 40, 200, 38];
  const groups = Object.entries(SETS).map(([name, label]) => ({ label, runs: read(name).runs }));
  const span = ways.length * bar + 40;
  const parts = axis(left, top, height, left + groups.length * span);
  for (const [g, { label, runs }] of groups.entries()) {
    const x = left + g * span + 20;
    for (const [w, way] of ways.entries()) {
      const value = runs.find((run) => run.label === way).means.ndcg;
      const y = top + height * (1 - value);
      parts.push(
        `<rect x="${x + w * bar}" y="${round(y)}" width="${bar - 5}" height="${round(height * value)}" class="f${w}"/>`,
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
  const [left, top, width, height] = [48, 40, 440, 220];
  const parts = axis(left, top, height, left + width);
  const names = Object.keys(SETS).filter((name) => existsSync(new URL(`scan-${name}.json`, RESULTS)));
  const x = (weight) => left + width * weight;
  const y = (value) => top + height * (1 - value);
  parts.push(
    `<line x1="${x(0.1)}" y1="${top}" x2="${x(0.1)}" y2="${top + height}" class="zero" stroke-dasharray="4 4"/>`,
  );
  parts.push(text(x(0.1) + 5, top + height - 8, "default"));
  for (const [i, name] of names.entries()) {
    const scanned = read(`scan-${name}`).filter(({ values }) => Object.keys(values).join() === "semanticWeight");
    const meaning = read(name).runs.find((run) => run.label === "meaning").means.ndcg;
    const points = [...scanned.map(({ values, means }) => [values.semanticWeight, means.ndcg]), [1, meaning]];
    const path = points.map(([weight, value]) => `${round(x(weight))},${round(y(value))}`).join(" ");
    parts.push(`<polyline points="${path}" class="s${i}"/>`);
    for (const [weight, value] of points)
      parts.push(`<circle cx="${round(x(weight))}" cy="${round(y(value))}" r="${MARK}" class="f${i}"/>`);
  }
  for (const weight of [0, 0.25, 0.5, 0.75, 1]) parts.push(text(x(weight), top + height + 18, `${weight}`, "middle"));
  parts.push(text(left + width / 2, top + height + 40, "semanticWeight", "middle"));
  parts.push(
    ...legend(
      left,
      16,
      names.map((name) => SETS[name]),
    ),
  );
  return svg(left + width + 20, top + height + 50, "nDCG@10 by the weight of the meaning", parts);
}

/** The effect of other values than the defaults: a line for each value, and a mark with its interval for each set. */
function drawDefaults() {
  const scans = Object.keys(SETS).map((name) => read(`scan-${name}`));
  const lines = scans[0].flatMap(({ values }, i) => {
    const [[name, value], ...more] = Object.entries(values);
    const label = typeof value === "object" ? Object.entries(value).flat(2).join(" ") : `${name} ${value}`;
    const marks = scans.map((scan) => scan[i].differences.ndcg);
    // The weight has a picture of its own, and values without any effect need none.
    const isTold = more.length > 0 || name === "semanticWeight" || name === "semanticDepth";
    // The default weight of titles would have a row, because naming attributes makes their numbers and URLs searched, too.
    const isDefault = name === "attributeWeights" && value.title === 2;
    return isTold || isDefault || marks.every(({ low, high }) => low === high) ? [] : [{ label, marks }];
  });
  return drawIntervals(lines, [-0.14, 0.06], "nDCG@10 with another value, minus the default's");
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
  const [left, top, width, row] = [212, 60, 468, 28];
  const height = lines.length * row;
  const x = (value) => left + (width * (Math.min(most, Math.max(least, value)) - least)) / (most - least);
  const parts = [text(left, 18, title), ...legend(left, 43, Object.values(SETS))];
  const step = most - least > 0.3 ? 0.1 : 0.02;
  for (let tick = Math.round(least / step); tick <= Math.floor(most / step + 1e-9); tick++) {
    const at = round(x(tick * step));
    parts.push(
      `<line x1="${at}" y1="${top}" x2="${at}" y2="${top + height}" class="${tick === 0 ? "zero" : "grid"}"/>`,
    );
    parts.push(text(at, top + height + 18, signed(tick * step), "middle"));
  }
  for (const [i, { label, marks }] of lines.entries()) {
    parts.push(text(left - 10, top + i * row + row / 2 + 5, label, "end"));
    for (const [m, mark] of marks.entries()) {
      if (mark === undefined) continue;
      const y = round(top + i * row + 6 + m * 7.5);
      const at = x(mark.difference);
      // An open mark has nothing behind it, whatever the ground.
      for (const [from, to] of [
        [x(mark.low), at - MARK],
        [at + MARK, x(mark.high)],
      ])
        if (from < to) parts.push(`<line x1="${round(from)}" y1="${y}" x2="${round(to)}" y2="${y}" class="s${m}"/>`);
      parts.push(`<circle cx="${round(at)}" cy="${y}" r="${MARK}" class="${mark.significant ? "f" : "s"}${m}"/>`);
    }
  }
  return svg(left + width + 40, top + height + 30, title, parts);
}

function signed(value) {
  return Math.abs(value) < 1e-9 ? "0" : `${value > 0 ? "+" : "-"}${Math.abs(value).toFixed(2).slice(1)}`;
}

function axis(left, top, height, right) {
  return [0, 0.25, 0.5, 0.75, 1].flatMap((value) => {
    const y = round(top + height * (1 - value));
    return [
      `<line x1="${left}" y1="${y}" x2="${right}" y2="${y}" class="grid"/>`,
      text(left - 8, y + 5, value.toFixed(2), "end"),
    ];
  });
}

function legend(left, y, labels) {
  return labels.flatMap((label, i) => {
    const x = left + i * 150;
    return [`<rect x="${x}" y="${y - 10}" width="12" height="12" class="f${i}"/>`, text(x + 18, y, label)];
  });
}

function text(x, y, content, anchor = "start") {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${content}</text>`;
}

function svg(width, height, title, parts) {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img">`;
  return `${[head, `<title>${title}</title>`, STYLE, ...parts, "</svg>"].join("\n")}\n`;
}

function read(name) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, RESULTS), "utf8"));
}

function round(value) {
  return Math.round(value * 10) / 10;
}
