// The commands about an index as a whole: its settings, its measures, what is in it, and copies of it.

import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type EvaluatedRun, evaluate, type JudgedSet } from "../evaluation.js";
import type { IndexSettings, SettingsPreview } from "../index.js";
import { linesOf } from "./ask.js";
import type { Arguments, Command } from "./command-line.js";
import { indexOf, PLACE, placeOf, withFolder } from "./data-folder.js";
import { CommandError, UsageError } from "./errors.js";
import { painterFor, table } from "./terminal.js";
import { counted, plain, shown } from "./texts.js";

const JSON_FLAG = { json: { help: "prints the answer as it is, as JSON" } };
const REPLACE = { replace: { help: "replaces an index of that name" } };

export const SETTINGS: Command = {
  name: "settings",
  takes: "get | set FILE | preview FILE",
  summary: "Prints the settings of an index, changes them, or shows what a change would change.",
  flags: {
    ...PLACE,
    queries: { value: "FILE", help: "of preview: the queries to ask, one a line" },
    judgements: { value: "FOLDER", help: "of preview: judged queries, as of evaluate" },
    ...JSON_FLAG,
  },
  notes:
    "FILE has settings as JSON, - is what comes in; those that it does not name stay as they are. A preview changes nothing.",
  example: "tandem-search settings preview settings.json --data ./search-data --queries queries.txt",
  run: async (args) => {
    const [verb = "get", file, ...more] = args.files;
    if (!["get", "set", "preview"].includes(verb) || (verb === "get") !== (file === undefined) || more.length > 0)
      throw new UsageError("settings takes get, set FILE or preview FILE. See settings --help.");
    const changes: IndexSettings = file === undefined ? {} : parsed(await readText(file), file);
    await withFolder(args, { readOnly: verb !== "set" }, async (engine) => {
      const index = await indexOf(engine, args);
      if (verb === "set") {
        await index.updateSettings(changes);
        return print(`${plain(index.name)}: settings changed\n`);
      }
      if (verb === "get") {
        const { settings, effective } = await index.getSettings();
        return print(args.has("json") ? { settings, effective } : `${JSON.stringify(settings, null, 2)}\n`);
      }
      const { queries, judgements } = await previewed(args);
      const preview = await index.previewSettings(changes, {
        queries,
        ...(judgements !== undefined && { judgements }),
      });
      print(args.has("json") ? preview : previewText(preview));
    });
  },
};

export const EVALUATE: Command = {
  name: "evaluate",
  takes: "FOLDER",
  summary: "Measures an index by queries whose relevant records are known.",
  flags: { ...PLACE, ...JSON_FLAG },
  notes: `FOLDER has queries.jsonl, a line {"id": "q1", "query": "couch"} for each query, and qrels.tsv: the ids of a query and of a record,
and how relevant it is, from 0, with tabs between.`,
  example: "tandem-search evaluate ./judged --data ./search-data",
  run: async (args, signal) => {
    const [folder] = args.files;
    if (folder === undefined) throw new UsageError("evaluate needs the folder of the judgements. See evaluate --help.");
    const judgements = await readJudged(folder);
    await withFolder(args, { readOnly: true }, async (engine) => {
      const { runs, differences, missingRecords } = await evaluate(await indexOf(engine, args), judgements, { signal });
      if (args.has("json")) return print({ runs, differences, missingRecords });
      const named = Object.entries(runs) as [string, EvaluatedRun][];
      const names = Object.keys(named[0]?.[1].means ?? {}) as (keyof EvaluatedRun["means"])[];
      const rows = named.map(([way, { means }]) => [way, ...names.map((name) => means[name]?.toFixed(3) ?? "")]);
      const missing = missingRecords.length;
      const note =
        missing === 0
          ? ""
          : `${counted(missing, "judged record")} not in the index: ${plain(missingRecords.slice(0, 5).join(", "))}\n`;
      print(`${table(["", ...names], rows, painterFor(process.stdout))}${note}`);
    });
  },
};

export const STATS: Command = {
  name: "stats",
  takes: "",
  summary: "Says what a folder has: its indexes, their records, attributes and memory.",
  flags: { ...PLACE, ...JSON_FLAG },
  example: "tandem-search stats --data ./search-data",
  run: (args) =>
    withFolder(args, { readOnly: true }, async (engine) => {
      const facts = [];
      for (const { name, records } of await engine.listIndexes()) {
        if (args.text("index") !== undefined && args.text("index") !== name) continue;
        const index = engine.index(name);
        facts.push({ index: name, records, bytes: await index.estimate(), attributes: await index.getAttributes() });
      }
      if (args.has("json")) return print(facts);
      if (facts.length === 0) return print("(no index)\n");
      for (const { index, records, bytes, attributes } of facts) {
        print(`${painterFor(process.stdout)("bold", plain(index))}: ${counted(records, "record")}\n`);
        const kinds = Object.fromEntries(attributes.map(({ attribute, kind }) => [attribute, kind]));
        print(linesOf({ "bytes in memory": bytes, attributes: kinds }, "  "));
      }
    }),
};

export const CHECK: Command = {
  name: "check",
  takes: "",
  summary: "Reads all files of a folder, and compares every checksum.",
  flags: { data: PLACE.data! },
  notes:
    "Each damaged file is named. A damaged neighbour graph (graph-…) is made anew by the next process that writes.",
  example: "tandem-search check --data ./search-data",
  run: (args) =>
    withFolder(args, { readOnly: true }, async (engine) => {
      const { problems } = await engine.checkStorage();
      if (problems.length > 0)
        throw new CommandError(problems.map(({ file, message }) => `${file}: ${message}`).join("\n"));
      for (const { name, records } of await engine.listIndexes())
        print(`${plain(name)}: ${counted(records, "record")}, all right\n`);
    }),
};

export const EXPORT: Command = {
  name: "export",
  takes: "[FILE]",
  summary: "Writes an index as JSON Lines: the settings, then a record a line. Without FILE, to the standard output.",
  flags: PLACE,
  notes: "tandem-search import reads it.",
  example: "tandem-search export products.jsonl --data ./search-data",
  run: (args, signal) =>
    withFolder(args, { readOnly: true }, async (engine) => {
      const { name } = await indexOf(engine, args);
      const [file] = args.files;
      const to = file === undefined ? process.stdout : createWriteStream(file);
      await pipeline(engine.exportIndex(name), to, { signal, end: file !== undefined });
    }),
};

export const SNAPSHOT: Command = {
  name: "snapshot",
  takes: "FILE",
  summary: "Writes an index with its vectors into one file, for backups and to ship it.",
  flags: PLACE,
  notes: "tandem-search restore reads it, and embeds nothing again.",
  example: "tandem-search snapshot products.snapshot --data ./search-data",
  run: (args) => {
    const file = fileOf(args, "snapshot");
    return withFolder(args, { readOnly: true }, async (engine) => {
      const { bytes, records } = await engine.writeSnapshot((await indexOf(engine, args)).name, file);
      print(`${plain(file)}: ${counted(records, "record")}, ${shown(bytes)} bytes\n`);
    });
  },
};

export const RESTORE: Command = {
  name: "restore",
  takes: "FILE",
  summary: "Makes an index of a snapshot.",
  flags: { ...PLACE, ...REPLACE },
  example: "tandem-search restore products.snapshot --data ./search-data --index products",
  run: (args) => {
    const file = fileOf(args, "restore");
    const index = args.text("index");
    if (index === undefined) throw new UsageError("restore needs the name of the index, with --index.");
    return withFolder(args, { readOnly: false }, async (engine) => {
      const { records } = await engine.readSnapshot(index, file, {
        ifExists: args.has("replace") ? "replace" : "error",
      });
      print(`${plain(index)}: ${counted(records, "record")}\n`);
    });
  },
};

export const DELETE: Command = {
  name: "delete",
  takes: "",
  summary: "Deletes an index with all its records.",
  flags: PLACE,
  notes: "The index must be named, also if it is the only one.",
  example: "tandem-search delete --data ./search-data --index products",
  run: (args) => {
    const index = args.text("index");
    if (index === undefined) throw new UsageError("delete needs the name of the index, with --index.");
    return withFolder(args, { readOnly: false }, async (engine) => {
      await engine.deleteIndex(index);
      print(`${plain(index)}: deleted from ${plain(placeOf(args))}\n`);
    });
  },
};

/** Prints a text as it is, and all else as JSON. */
function print(value: unknown): void {
  process.stdout.write(
    typeof value === "string" ? value : `${JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0)}\n`,
  );
}

function fileOf(args: Arguments, command: string): string {
  const [file] = args.files;
  if (file === undefined) throw new UsageError(`${command} needs a file. See ${command} --help.`);
  return file;
}

async function readText(file: string): Promise<string> {
  if (file !== "-") return readFile(file, "utf8");
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const piece of process.stdin) text += String(piece);
  return text;
}

function parsed<T extends object>(text: string, place: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new CommandError(`${place} is no JSON: ${(cause as Error).message}.`);
  }
}

const linesIn = async (file: string): Promise<string[]> =>
  (await readText(file)).split(/\r?\n/).filter((line) => line.trim() !== "");

/** The queries and judgements of a folder. */
async function readJudged(folder: string): Promise<JudgedSet> {
  const file = join(folder, "queries.jsonl");
  const queries = (await linesIn(file)).map((line) => parsed<JudgedSet["queries"][number]>(line, file));
  const qrels = (await linesIn(join(folder, "qrels.tsv"))).map((line) => {
    const [queryId = "", recordId = "", relevance] = line.split("\t");
    return { queryId, recordId, relevance: Number(relevance) };
  });
  return { queries: queries.map(({ id, query }) => ({ id, query })), qrels };
}

async function previewed(args: Arguments): Promise<{ readonly queries: string[]; readonly judgements?: JudgedSet }> {
  const [file, folder] = [args.text("queries"), args.text("judgements")];
  if (file === undefined && folder === undefined)
    throw new UsageError("preview needs --queries FILE or --judgements FOLDER. See settings --help.");
  return {
    queries: file === undefined ? [] : await linesIn(file),
    ...(folder !== undefined && { judgements: await readJudged(folder) }),
  };
}

function previewText({ queries, total, measures }: SettingsPreview): string {
  const paint = painterFor(process.stdout);
  const changed = queries.filter(
    ({ moved, entered, left, nbHits }) =>
      moved.length + entered.length + left.length > 0 || nbHits.before !== nbHits.after,
  );
  const rows = changed.map(({ query, nbHits, moved, entered, left }) => [
    plain(query, 40),
    `${shown(nbHits.before)} → ${shown(nbHits.after)}`,
    ...[moved.length, entered.length, left.length].map(String),
  ]);
  let text =
    total === undefined
      ? ""
      : `${shown(total.changed)} of ${counted(total.queries, "query").replace(/ys$/, "ies")} change\n`;
  if (rows.length > 0) text += table(["query", "hits", "moved", "entered", "left"], rows, paint);
  if (measures !== undefined) {
    const names = Object.keys(measures.before) as (keyof typeof measures.before)[];
    const measured = names.map((name) => [
      name,
      ...[measures.before[name], measures.after[name]].map((value) => value?.toFixed(3) ?? ""),
      measures.interval[name].significant ? "significant" : "within chance",
    ]);
    text += table(["measure", "before", "after", ""], measured, paint);
  }
  return text;
}
