// Parses the command line; the help text and the error messages.

import { parseArgs } from "node:util";
import { DemoError } from "./demo-error.mjs";

export const USAGE = `Usage: npm start [--silent] -- [options]

Without options: indexes the demo catalogue and answers a dozen queries that show what the engine does.

  --records FILE       search this file instead: .json (an array of objects, or an object with one such array),
                       .jsonl, .ndjson, .csv or .tsv (with a header row), each also packed as .gz
  --id ATTRIBUTE       the attribute that is a record's id (default: id)
  --data FOLDER        keep the index in this folder: the next run opens it, unless the file has changed
  --opensearch URL     keep the index in the OpenSearch cluster of this node, such as http://127.0.0.1:9200, and remove it at the end
  --index NAME         with --opensearch: keep this index; --records adds to it, and without --records it is asked as it is
  --query TEXT         what to look for; may be given several times
  --page N             the page of the result, from 1 (default: 1)
  --hits-per-page N    hits on a page (default: 12)
  --filters TEXT       which records exist, such as 'brand:Forge AND price < 100'
  --facets A,B         attributes to count the values of
  --sort A:asc,B:desc  the order of the hits
  --json               print the answers' envelopes and nothing else on stdout: pretty on a terminal, one a line elsewhere
  --help               print this

Examples:
  npm start -- --query "noise cancelling headphones"
  npm start -- --records products.csv --id sku --query "usb-c cable" --query charger
  npm start -- --records products.jsonl --data ./data --query "cordless drill"
  npm start -- --records products.jsonl --opensearch http://127.0.0.1:9200 --query "cordless drill"
  npm start --silent -- --records products.jsonl.gz --query drill --json
`;

const OPTIONS = /** @type {const} */ ({
  records: { type: "string" },
  id: { type: "string" },
  data: { type: "string" },
  opensearch: { type: "string" },
  index: { type: "string" },
  query: { type: "string", multiple: true },
  page: { type: "string" },
  "hits-per-page": { type: "string" },
  filters: { type: "string" },
  facets: { type: "string" },
  sort: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
});

/**
 * @typedef {object} Command
 * @property {boolean} help
 * @property {boolean} json
 * @property {string | undefined} records
 * @property {string | undefined} idAttribute
 * @property {string | undefined} data the folder that keeps the index
 * @property {string | undefined} opensearch the URL of a node of the cluster that has the index
 * @property {string | undefined} kept the name of the index that stays in the cluster
 * @property {readonly string[]} queries
 * @property {Partial<import("tandem-search").SearchParams>} params parameters of every query, besides its text
 */

/**
 * @param {readonly string[]} args
 * @returns {Command}
 */
export function readCommandLine(args) {
  const {
    records,
    id,
    data,
    opensearch,
    index: kept,
    query: queries = [],
    page,
    json = false,
    help = false,
    filters,
    facets,
    sort,
    ...rest
  } = parse(args);
  if (id !== undefined && records === undefined) throw new DemoError("--id needs --records.");
  if (data !== undefined && records === undefined) throw new DemoError("--data needs --records.");
  if (data === "") throw new DemoError('--data is ""; expected the path of a folder.');
  if (data !== undefined && opensearch !== undefined)
    throw new DemoError("--data and --opensearch are two places of an index; choose one.");
  if (kept !== undefined && opensearch === undefined) throw new DemoError("--index needs --opensearch.");
  const params = {
    ...whole("page", page),
    ...whole("hitsPerPage", rest["hits-per-page"]),
    ...(filters === undefined ? {} : { filters }),
    ...list("facets", facets),
    ...list("sort", sort),
  };
  if (queries.length === 0 && (json || Object.keys(params).length > 0))
    throw new DemoError("--json, --page, --hits-per-page, --filters, --facets and --sort need a --query.");
  return { help, json, records, idAttribute: id, data, opensearch, kept, queries, params };
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const { code = "", message = "" } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!code.startsWith("ERR_PARSE_ARGS_")) throw error;
    // The first sentence says what is wrong; the others explain a convention.
    throw new DemoError(`${message.split(/\.\s|\n/)[0].replace(/\.$/, "")}. See --help.`);
  }
}

/**
 * @param {"facets" | "sort"} name
 * @param {string | undefined} text
 */
function list(name, text) {
  return text === undefined ? {} : { [name]: text.split(",").map((item) => item.trim()) };
}

/**
 * @param {"page" | "hitsPerPage"} name
 * @param {string | undefined} text
 */
function whole(name, text) {
  if (text === undefined) return {};
  if (/^-?\d+$/.test(text)) return { [name]: Number(text) };
  const option = name === "page" ? "--page" : "--hits-per-page";
  throw new DemoError(`${option} is "${text}"; expected a whole number.`);
}
