// The commands that ask an index: query, explain, why-not, similar, suggest.

import type { FacetCount, Hit, SearchAnswer, SearchIndex } from "../index.js";
import { plainName, TITLES } from "./columns.js";
import type { Arguments, Command } from "./command-line.js";
import { indexOf, PLACE, withFolder } from "./data-folder.js";
import { UsageError } from "./errors.js";
import { END, MARK, type Paint, painterFor, table } from "./terminal.js";
import { plain, shown } from "./texts.js";

const PARAMETERS =
  "Every parameter of docs/parameters.md is a flag of its name, such as --filters, --facets, --sort, --hitsPerPage.";
const FLAGS = { ...PLACE, json: { help: "prints the answer as it is, as JSON" } };
const MARKS = {
  attributesToHighlight: '["*"]',
  highlightPreTag: MARK,
  highlightPostTag: END,
  escapeHTML: "false",
};
const TITLE_WIDTH = 64;
const VALUE_WIDTH = 24;
const MOST_VALUES = 8;
const BAR_WIDTH = 24;

export const QUERY: Command = asking(
  {
    name: "query",
    takes: "[TEXT]",
    summary: "Searches an index, and prints the hits.",
    example: 'tandem-search query "cordless drill" --data ./search-data --filters "price < 100" --facets brand',
  },
  (index, args) => index.query(paramsOf(args, { ...(!args.has("json") && MARKS), query: textOf(args) })),
  answerText,
);

export const EXPLAIN: Command = asking(
  {
    name: "explain",
    takes: "TEXT",
    summary: "Shows what the score of each hit consists of.",
    example: 'tandem-search explain "cordless drill" --data ./search-data --hitsPerPage 3',
  },
  (index, args) => index.query(paramsOf(args, { hitsPerPage: "5", explain: "true", query: textOf(args) })),
  explanationText,
);

export const WHY_NOT: Command = asking(
  {
    name: "why-not",
    takes: "ID TEXT",
    summary: "Says why a record is not among the hits of a query.",
    example: 'tandem-search why-not 1001 "cordless saw" --data ./search-data',
  },
  (index, args) => {
    const [id, ...words] = args.files;
    if (id === undefined) throw new UsageError("why-not needs the id of a record and a text. See why-not --help.");
    return index.whyNot(paramsOf(args, { query: words.join(" ") }), id);
  },
  (absence, _, { files: [id] }) => {
    if (absence.found) return `${plain(id)} is among the hits.\n`;
    const { found: _found, reason, ...more } = absence;
    return `${plain(id)} is not among the hits: ${reason}\n${linesOf(more, "  ")}`;
  },
);

export const SIMILAR: Command = asking(
  {
    name: "similar",
    takes: "ID…",
    summary: "Shows records like one or several others.",
    example: "tandem-search similar 1001 --data ./search-data --hitsPerPage 5",
  },
  (index, args) => {
    if (args.files.length === 0) throw new UsageError("similar needs the id of a record. See similar --help.");
    return index.similar([...args.files], paramsOf(args, {}));
  },
  answerText,
);

export const SUGGEST: Command = asking(
  {
    name: "suggest",
    takes: "TEXT",
    summary: "Shows what is suggested while somebody types.",
    example: 'tandem-search suggest "cord" --data ./search-data',
  },
  (index, args) => index.suggest(paramsOf(args, { query: textOf(args) })),
  ({ data }, paint) => {
    const rows = data.suggestions.map(({ text, nbHits }) => [plain(text, TITLE_WIDTH), shown(nbHits)]);
    return rows.length === 0 ? "(no suggestions)\n" : table(["suggestion", "hits"], rows, paint);
  },
);

/** A command that asks an index, and prints what comes of it as a text, or as JSON. */
function asking<A>(
  about: Pick<Command, "name" | "takes" | "summary" | "example">,
  ask: (index: SearchIndex, args: Arguments) => Promise<A>,
  textOf: (answer: A, paint: Paint, args: Arguments) => string,
): Command {
  const run = (args: Arguments): Promise<void> =>
    withFolder(args, { readOnly: true }, async (engine) => {
      const answer = await ask(await indexOf(engine, args), args);
      const text = args.has("json") ? `${JSON.stringify(answer)}\n` : textOf(answer, painterFor(process.stdout), args);
      process.stdout.write(text);
    });
  return { ...about, flags: FLAGS, takesParameters: true, notes: PARAMETERS, run };
}

function textOf(args: Arguments): string {
  return args.files.join(" ");
}

/** The parameters that are flags, and these where no flag names them. */
function paramsOf(args: Arguments, own: Readonly<Record<string, string>>): { readonly params: string } {
  return { params: new URLSearchParams({ ...own, ...args.parameters }).toString() };
}

/** An answer for people: how many hits, the hits with what matched, and the counts of facets as bars. */
export function answerText({ data }: SearchAnswer, paint: Paint): string {
  const { hits, nbHits, page, hitsPerPage, processingTimeMS } = data;
  const pages = Math.ceil(nbHits / hitsPerPage);
  const how = data.recallSource.map((source) => (source === "fullTextSearch" ? "words" : "meaning")).join(" and ");
  const head = `${shown(nbHits)} ${nbHits === 1 ? "hit" : "hits"}${how === "" ? "" : ` by ${how}`}`;
  const place = pages > 1 ? `, page ${shown(page)} of ${shown(pages)}` : "";
  let text = `${paint("bold", head)}${paint("dim", `${place}, ${shown(processingTimeMS, 1)} ms`)}\n`;
  for (const { text: part, kind, became } of data.understood?.parts ?? [])
    text += `${paint("dim", `understood: "${plain(part)}" is ${kind} ${plain(became)}`)}\n`;
  text += hitRows(hits, paint);
  for (const [attribute, counts] of Object.entries(data.facets ?? {})) text += facetText(attribute, counts, paint);
  return text;
}

function hitRows(hits: readonly Hit[], paint: Paint): string {
  const columns = COLUMNS.filter((column) => hits.some(({ source }) => valueNamed(source, column) !== undefined));
  const rows = hits.map(({ id, score, source, _highlightResult }) => [
    score.toFixed(3),
    plain(id, VALUE_WIDTH),
    titleOf(_highlightResult as object | undefined) ?? titleOf(source) ?? firstText(source, id),
    ...columns.map((column) => plain(valueNamed(source, column) ?? "", VALUE_WIDTH)),
  ]);
  if (rows.length === 0) return "";
  return table(["score", "id", "title", ...columns], rows, paint);
}

/** What is shown beside the title, where hits have it. */
const COLUMNS = ["brand", "price"];
function valueNamed(source: object, wanted: string): unknown {
  return Object.entries(source).find(([name]) => plainName(name) === wanted)?.[1];
}

/** The title of a record, or of what is highlighted in it. */
function titleOf(source: object | undefined): string | undefined {
  if (source === undefined) return undefined;
  for (const name of TITLES) {
    const value = valueNamed(source, name);
    const text = typeof value === "object" && value !== null && "value" in value ? value.value : value;
    if (typeof text === "string" && text !== "") return cut(plain(text));
  }
  return undefined;
}

/** The first text of a record without a title. */
function firstText(source: object, id: string): string {
  const text = Object.values(source).find((value) => typeof value === "string" && value !== "" && value !== id);
  return text === undefined ? "(no text)" : cut(plain(text));
}

/** Cuts a text with marks, which take no room. */
function cut(text: string): string {
  let [width, kept] = [0, ""];
  for (const character of text) {
    const isMark = character === MARK || character === END;
    if (!isMark && ++width > TITLE_WIDTH) return `${kept}${END}…`;
    kept += character;
  }
  return kept;
}

function facetText(attribute: string, counts: readonly FacetCount[], paint: Paint): string {
  const most = Math.max(1, ...counts.map(({ count }) => count));
  const rows = counts.slice(0, MOST_VALUES).map((one) => {
    const name = "from" in one ? `${one.from ?? ""} … ${one.to ?? ""}` : String(one.value);
    return [plain(name, VALUE_WIDTH), shown(one.count), "█".repeat(Math.ceil((BAR_WIDTH * one.count) / most))];
  });
  const more = counts.length > MOST_VALUES ? paint("dim", `  and ${shown(counts.length - MOST_VALUES)} more\n`) : "";
  return `\n${table([plain(attribute, VALUE_WIDTH), "hits", ""], rows, paint)}${more}`;
}

function explanationText({ data: { hits } }: SearchAnswer, paint: Paint): string {
  if (hits.length === 0) return "(no hits)\n";
  return hits
    .map(({ id, score, source, explanation }, i) => {
      const parts: [string, number][] = [];
      const { lexical, semantic, title, boosts = [], exactCode } = explanation ?? {};
      if (lexical !== undefined) parts.push(["words", lexical.contribution]);
      for (const { term, heldAs } of lexical?.terms ?? [])
        parts.push([`  ${term} (as ${heldAs.join(", ")})`, Number.NaN]);
      if (semantic !== undefined) parts.push([`meaning (cosine ${semantic.cosine.toFixed(3)})`, semantic.contribution]);
      for (const { text, contribution } of title?.parts ?? []) parts.push([text, contribution]);
      for (const { attribute, filters, contribution } of boosts)
        parts.push([`boost by ${attribute ?? JSON.stringify(filters ?? "place")}`, contribution]);
      if (exactCode !== undefined) parts.push(["the query is its code", exactCode.contribution]);
      const rows = parts.map(([name, part]) => [
        Number.isNaN(part) ? "" : part.toFixed(4),
        "█".repeat(Number.isNaN(part) ? 0 : Math.ceil(BAR_WIDTH * Math.abs(part))),
        plain(name, TITLE_WIDTH + VALUE_WIDTH).padStart(name.length),
      ]);
      const head = `${i + 1}. ${plain(id, VALUE_WIDTH)} ${titleOf(source) ?? ""}`;
      return `${paint("bold", head)}\n${table([score.toFixed(4), "", "score"], rows, paint)}`;
    })
    .join("\n");
}

/** The values of an object, one a line. */
export function linesOf(values: object, indent = ""): string {
  return Object.entries(values)
    .map(([name, value]: [string, unknown]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? `${indent}${name}\n${linesOf(value, `${indent}  `)}`
        : `${indent}${name}: ${plain(typeof value === "number" ? shown(value, 4) : value, 200)}\n`,
    )
    .join("");
}
