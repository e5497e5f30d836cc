// Logarithmic axes and the few SVG elements that both charts are made of.

const plain = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const round = (value) => Math.round(value * 10) / 10;

/** Places values of `from` … `to` between two coordinates, by their logarithm. */
export function logScale(values, start, end) {
  const logs = values.map((value) => Math.log10(value));
  const low = Math.floor(Math.min(...logs));
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs)));
  const place = (value) => round(start + ((Math.log10(value) - low) / (high - low)) * (end - start));
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return { place, ticks };
}

export const line = (x1, y1, x2, y2, color, width = 1) =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${color}" stroke-width="${width}"/>`;

export const dot = (x, y, color, radius = 5) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="${color}"/>`;

export const text = (x, y, words, { anchor = "start", size = 13, color = "#222", bold = false } = {}) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${size}" fill="${color}"${bold ? ' font-weight="bold"' : ""}>${plain(words)}</text>`;

export const path = (points, color) =>
  `<polyline points="${points.map((point) => point.join(",")).join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>`;

/** 1,000 as 1k, 0.001 as it is. */
export function shortNumber(value) {
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1e3) return `${value / 1e3}k`;
  return String(Number(value.toPrecision(3)));
}

/** A whole picture; `says` is what it shows, for those who cannot see it. */
export const picture = (width, height, says, parts) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" role="img">`,
    `<title>${plain(says)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
