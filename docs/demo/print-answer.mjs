// Prints an answer: the query, the number of hits and how they were found, and the first hits as a table.

import { plain } from "./paint.mjs";

/** What the library takes for titles, the preferred ones first, in any case, with or without blanks, signs and a "g:" before them. */
const TITLE_NAMES = [
  ...["title", "producttitle", "productname", "itemtitle", "itemname", "displayname", "name", "headline", "label"],
];
const TITLE_WIDTH = 64;
const FACET_VALUES = 6;

/**
 * @typedef {object} PrintOptions
 * @property {(text: string) => void} write
 * @property {import("./paint.mjs").Paint} paint
 * @property {string} [shows] what the query is an example of
 * @property {number} [most] the maximum number of hits
 * @property {readonly string[]} [columns] attributes to show after the title
 */

/**
 * @param {object} params the parameters of the query
 * @param {import("tandem-search").SearchAnswer} answer
 * @param {PrintOptions} options
 */
export function printAnswer(params, { data }, { write, paint, shows, most = Number.POSITIVE_INFINITY, columns = [] }) {
  const asked = Object.entries(params).map(([name, value]) => `${name} ${plain(JSON.stringify(value), 100)}`);
  write(`\n${paint("bold", asked.join(", "))}${shows === undefined ? "" : `  ${paint("dim", `- ${shows}`)}`}\n`);
  const facts = [
    `nbHits ${data.nbHits}`,
    `recallSource ${data.recallSource.join(" + ")}`,
    `processingTimeMS ${data.processingTimeMS}`,
    `serverTimeMS ${data.serverTimeMS}`,
  ];
  if (data.page > 1) facts.unshift(`page ${data.page} of ${Math.ceil(data.nbHits / data.hitsPerPage) || 0}`);
  write(`  ${paint("dim", facts.join(", "))}\n`);
  if (data.understood !== undefined) write(`  ${paint("dim", describeIntent(data.understood))}\n`);
  const shown = data.hits.slice(0, most);
  if (shown.length === 0) write(`  ${noHits(data)}\n`);
  for (const line of table(shown.map((hit) => rowOf(hit, columns)))) write(`  ${line}\n`);
  for (const [attribute, counts] of Object.entries(data.facets ?? {})) {
    const values = counts.slice(0, FACET_VALUES).map(({ value, count }) => `${plain(String(value), 24)} ${count}`);
    const more = counts.length > FACET_VALUES ? `, and ${counts.length - FACET_VALUES} more` : "";
    write(`  ${paint("dim", `${plain(attribute, 32)}: ${values.join(", ")}${more}`)}\n`);
  }
}

/** @param {import("tandem-search").Understood} understood */
function describeIntent({ query, parts }) {
  const described = parts.map(({ text, kind, became }) => {
    const meaning = became === "" ? kind : `${kind} ${plain(became, 60)}`;
    return `"${plain(text, 40)}" as ${meaning}`;
  });
  return `understood ${described.join(", ") || "nothing"}; searched "${plain(query, 60)}"`;
}

/** @param {import("tandem-search").SearchData} data */
function noHits({ nbHits, hitsPerPage }) {
  if (nbHits === 0) return "(no hits)";
  return hitsPerPage === 0 ? "(counted only)" : "(no hits on this page)";
}

/**
 * @param {import("tandem-search").Hit} hit
 * @param {readonly string[]} columns
 */
function rowOf({ id, score, source }, columns) {
  const title = titleOf(source);
  return [
    score.toFixed(6),
    plain(id, 24),
    plain(title ?? "(no title)", TITLE_WIDTH),
    ...columns.map((name) => plain(source[name] ?? "")),
  ];
}

/**
 * The title of a record; undefined: it has none.
 * @param {Record<string, unknown>} source
 * @returns {string | undefined}
 */
function titleOf(source) {
  const names = Object.keys(source).filter((name) => typeof source[name] === "string" && source[name] !== "");
  const plainName = (/** @type {string} */ name) =>
    name
      .toLowerCase()
      .replace(/^g:/, "")
      .replace(/[^\p{L}\p{N}.]/gu, "");
  const found = TITLE_NAMES.map((wanted) => names.find((name) => plainName(name) === wanted));
  const title = found.find((name) => name !== undefined);
  return title === undefined ? undefined : String(source[title]);
}

/**
 * Aligns columns; columns of numbers are aligned right.
 * @param {string[][]} rows
 */
function table(rows) {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => [...row[i]].length))) ?? [];
  const numeric = widths.map((_, i) => rows.every((row) => /^[\d.]*$/.test(row[i])));
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const gap = " ".repeat(widths[i] - [...cell].length);
        return numeric[i] ? gap + cell : cell + gap;
      })
      .join("  ")
      .trimEnd(),
  );
}
