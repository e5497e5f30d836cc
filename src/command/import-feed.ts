// `tandem-search import`: files become an index.

import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DEFAULT_LIMITS, type SearchWarning } from "../index.js";
import type { Arguments, Command } from "./command-line.js";
import { openPlace, PLACE, placeOf } from "./data-folder.js";
import { CommandError, UsageError } from "./errors.js";
import { CALL, FeedImport, type ImportPlan, type ImportReport, type Source } from "./feed-import.js";
import { painterFor, startBar, table } from "./terminal.js";
import { counted, plain, shown } from "./texts.js";

const ENDINGS = /(\.(gz|csv|tsv|txt|json|jsonl|ndjson|xml))+$/i;
const INDEX_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

export const IMPORT: Command = {
  name: "import",
  takes: "FILE…|-",
  summary: "Makes an index of files, or of what comes in: CSV, JSON, JSON Lines, XML, each also packed by gzip.",
  flags: {
    ...PLACE,
    index: { value: "NAME", help: "the name of the index (default: that of the file)" },
    id: {
      value: "COLUMN",
      help: "the column of the ids (default: the first of id, sku, handle … that tells rows apart)",
    },
    map: { value: "title=Name", multiple: true, help: "renames a column; may be given several times" },
    replace: { help: "replaces the records of an index that is there, and keeps its settings" },
    add: { help: `adds to an index that is there, ${shown(CALL)} records at a time; equal ids are replaced` },
    language: { value: "de", help: "the language of the texts of a new index (default: English)" },
    "skip-broken": { help: "leaves wrong rows out, instead of refusing the file" },
    delimiter: { value: ";", help: "what is between the cells of CSV (default: as the first line has it)" },
    decimal: { value: ",", help: "the decimal sign of numbers (default: as each column has it)" },
    encoding: { value: "windows-1252", help: "of the text (default: UTF-8, or as the file says)" },
    json: { help: "prints what happened as JSON" },
  },
  notes: "A new index, or one that is replaced, has all records or is as it was, also after Ctrl-C.",
  example: 'tandem-search import products.csv --data ./search-data --id "Article no."',
  run,
};

/** What happened. */
type Report = ImportReport & {
  readonly data: string;
  readonly warnings: readonly string[];
  readonly seconds: number;
  readonly recordsPerSecond: number;
};

async function run(args: Arguments, signal: AbortSignal): Promise<void> {
  const place = checkArguments(args);
  const folder = await mkdtemp(join(tmpdir(), "tandem-search-"));
  const warnings = new Map<string, string>();
  const start = performance.now();
  const onWarning = ({ code, message }: SearchWarning) => void warnings.set(code, `${code}: ${message}`);
  try {
    const sources: Source[] = [];
    for (const file of args.files) sources.push(await sourceOf(file, join(folder, String(sources.length)), signal));
    const isNew = args.text("opensearch") === undefined && !existsSync(place);
    const engine = await openPlace(args, { durability: "interval", onWarning });
    const facts = await new FeedImport(engine, sources, planOf(args, signal)).run().catch(async (error) => {
      await engine.close();
      if (isNew) await rm(place, { recursive: true, force: true });
      throw error;
    });
    await engine.close();
    const seconds = Math.round(performance.now() - start) / 1000;
    const recordsPerSecond = Math.round(facts.records / seconds);
    const { index, ...others } = facts;
    const report = { index, data: place, ...others, warnings: [...warnings.values()], seconds, recordsPerSecond };
    process.stdout.write(args.has("json") ? `${JSON.stringify(report)}\n` : readable(report));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The data folder, or the node. */
function checkArguments(args: Arguments): string {
  if (args.files.length === 0) throw new UsageError("import needs a file, or - for what comes in. See import --help.");
  const place = placeOf(args);
  if (args.has("replace") && args.has("add")) throw new UsageError("--replace and --add exclude each other.");
  if (!/^[.,]?$/.test(args.text("decimal") ?? "")) throw new UsageError('--decimal is either "." or ",".');
  if (args.text("delimiter") === "") throw new UsageError("--delimiter is empty.");
  const wrong = args.all("map").find((pair) => !/^[^=]+=./.test(pair));
  if (wrong !== undefined) throw new UsageError(`--map is "${wrong}"; expected new=Old.`);
  return place;
}

function planOf(args: Arguments, signal: AbortSignal): ImportPlan {
  const names = args
    .all("map")
    .map((pair): [string, string] => [pair.slice(pair.indexOf("=") + 1), pair.split("=", 1)[0]!]);
  return {
    index: args.text("index") ?? nameOf(args.files[0]!),
    names: new Map(names),
    ...{ replace: args.has("replace"), add: args.has("add"), skips: args.has("skip-broken") },
    ...{ id: args.text("id"), language: args.text("language"), delimiter: args.text("delimiter") },
    ...{ decimal: args.text("decimal"), encoding: args.text("encoding"), signal, startBar },
  };
}

function nameOf(file: string): string {
  const name = basename(file).replace(ENDINGS, "");
  return file !== "-" && INDEX_NAME.test(name) && name.length <= DEFAULT_LIMITS.indexName ? name : "products";
}

/** A file that can be read twice: what comes in, or through a pipe, is copied. */
async function sourceOf(file: string, copy: string, signal: AbortSignal): Promise<Source> {
  const found = file === "-" ? undefined : await stat(file).catch(() => null);
  if (found === null) throw new CommandError(`${file}: there is no such file.`);
  if (found?.isDirectory()) throw new CommandError(`${file}: a folder, not a file.`);
  if (found?.isFile()) return { name: file, file, size: found.size };
  await pipeline(file === "-" ? process.stdin : createReadStream(file), createWriteStream(copy, { mode: 0o600 }), {
    signal,
  });
  return { name: file === "-" ? "standard input" : file, file: copy, size: (await stat(copy)).size };
}

function readable(report: Report): string {
  const { columns, wrong, skipped, warnings, seconds, recordsPerSecond, replaced, joined, id } = report;
  const paint = painterFor(process.stdout);
  const rows = columns.map(({ name, role, filled, example, currency }) => {
    const taken = currency === undefined ? role : `${role}, ${plain(currency, 30)}`;
    return [plain(name, 40), taken, `${shown(filled, 1)} %`, example];
  });
  const from = `${counted(report.rows, "row")} of ${report.formats.join(", ")}`;
  const into = `${counted(report.records, "record")} in index ${report.index} of ${plain(report.data)}`;
  const title = columns.some(({ role }) => role === "title");
  const notes = [
    ...wrong.map(({ column, expected, count, first }) => {
      const cells = first.map(({ value, place }) => `"${value}" (${place})`).join(", ");
      return `wrong? ${plain(column)} has ${expected}, but for ${counted(count, "cell")}: ${cells}. All stay texts.`;
    }),
    ...columns.flatMap(({ name, unclear }) =>
      unclear === undefined ? [] : `unclear: ${plain(name)} has ${unclear}. It stays text.`,
    ),
    ...(title ? [] : ["no title: name the column of the titles by --map title=COLUMN."]),
    ...(joined > 0
      ? [`joined: ${counted(joined, "row")} became part of the row before, with the same ${plain(id)}.`]
      : []),
    ...(replaced > 0 ? [`replaced: ${counted(replaced, "record")} had an id that was there; the last counts.`] : []),
    ...(skipped.count > 0 ? [`left out: ${counted(skipped.count, "row")}.`] : []),
    ...skipped.first.map(({ place, problem }) => `  ${place}: ${plain(problem, 200)}`),
    ...warnings.map((warning) => `warning: ${plain(warning)}`),
  ];
  return `${paint("green", into)}, from ${from}, in ${shown(seconds, 2)} s, ${shown(recordsPerSecond)} records/s

${table(["column", "taken for", "filled", "example"], rows, paint)}${notes.length > 0 ? "\n" : ""}${notes.map((note) => `${note}\n`).join("")}`;
}
