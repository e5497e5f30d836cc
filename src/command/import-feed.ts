// `tandem-search import`: files become an index. A first pass learns the columns, a second one writes.

import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  DEFAULT_LIMITS,
  type ImportSkipResult,
  type IndexSettings,
  type JsonRecord,
  type SearchEngine,
  SearchError,
  type SearchWarning,
  type SkipResult,
} from "../index.js";
import { Columns, isAbsent } from "./columns.js";
import { type Arguments, type Command, CommandError, UsageError } from "./command-line.js";
import { openPlace, PLACE, placeOf } from "./data-folder.js";
import { type FeedFormat, openFeed } from "./feed.js";
import { type ShopExport, shopExportOf } from "./shop-export.js";
import { counted, painterFor, plain, shown, startBar, table } from "./terminal.js";

const ENDINGS = /(\.(gz|csv|tsv|txt|json|jsonl|ndjson|xml))+$/i;
const INDEX_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** Records of one call with --add. */
const CALL = 10_000;
/** Characters of lines that are given on at once. */
const PIECE = 1 << 16;
const MOST_REASONS = 10;

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

/** A file to read, by the name that the user gave it. */
interface Source {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

/** What happened. */
type Report = Awaited<ReturnType<FeedImport["run"]>> & {
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
    const facts = await new FeedImport(engine, sources, args, signal).run().catch(async (error) => {
      await engine.close();
      if (isNew) await rm(place, { recursive: true, force: true });
      throw error;
    });
    await engine.close();
    const seconds = Math.round(performance.now() - start) / 1000;
    const recordsPerSecond = Math.round(facts.records / seconds);
    const report = { ...facts, warnings: [...warnings.values()], seconds, recordsPerSecond };
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

function nameOf(file: string): string {
  const name = basename(file).replace(ENDINGS, "");
  return file !== "-" && INDEX_NAME.test(name) && name.length <= DEFAULT_LIMITS.indexName ? name : "products";
}

/** A file that can be read twice: what comes in, or through a pipe, is copied. */
async function sourceOf(file: string, copy: string, signal: AbortSignal): Promise<Source> {
  const found = file === "-" ? undefined : await stat(file).catch(() => null);
  if (found === null) throw new CommandError(`${file}: there is no such file.`);
  if (found?.isDirectory()) throw new CommandError(`${file}: a folder, not a file.`);
  if (found?.isFile()) return { name: file, path: file, size: found.size };
  await pipeline(file === "-" ? process.stdin : createReadStream(file), createWriteStream(copy, { mode: 0o600 }), {
    signal,
  });
  return { name: file === "-" ? "standard input" : file, path: copy, size: (await stat(copy)).size };
}

/** A record, and where it begins: the number of its source and its line, as one number. */
interface Placed {
  readonly record: Record<string, unknown>;
  readonly place: number;
}
const LINES = 2 ** 32;

class FeedImport {
  private readonly engine: SearchEngine;
  private readonly sources: readonly Source[];
  private readonly args: Arguments;
  private readonly signal: AbortSignal;
  private readonly index: string;
  private readonly skips: boolean;
  /** New names of columns by old ones. */
  private readonly names: ReadonlyMap<string, string>;
  private readonly renamed = new Set<string>();
  private readonly columns: Columns;
  private readonly formats = new Set<string>();
  private readonly broken: { readonly place: string; readonly problem: string }[] = [];
  private brokenRows = 0;
  private rowsRead = 0;
  private joined = 0;
  private shop: ShopExport | undefined;
  /** The first line of an export. */
  private head = "";
  private id = "";

  constructor(engine: SearchEngine, sources: readonly Source[], args: Arguments, signal: AbortSignal) {
    this.engine = engine;
    this.sources = sources;
    this.args = args;
    this.signal = signal;
    this.index = args.text("index") ?? nameOf(args.files[0]!);
    this.skips = args.has("skip-broken");
    this.names = new Map(args.all("map").map((pair) => [pair.slice(pair.indexOf("=") + 1), pair.split("=", 1)[0]!]));
    this.columns = new Columns(args.text("decimal"));
  }

  /** Imports all, and tells what happened. */
  async run() {
    const { columns, index, args } = this;
    const there = await this.settingsThere();
    const idThere = there?.effective.idAttribute;
    await this.learn(idThere);
    if (args.has("add") && this.id !== (idThere ?? this.id))
      throw new CommandError(`the ids of this index are in "${idThere}"; pass --map ${idThere}=${this.id}.`);
    const language = args.text("language");
    const settings = {
      ...there?.settings,
      ...(language !== undefined && { language }),
      ...(this.id !== (idThere ?? "id") && { idAttribute: this.id }),
    };
    const { records, replaced } = await (args.has("add") && there !== undefined ? this.add() : this.write(settings));
    const wrong = columns.wrong.map(({ first, ...column }) => {
      return { ...column, first: first.map(({ value, place }) => ({ value, place: this.placeOf(place) })) };
    });
    return {
      ...{ index, data: placeOf(this.args), formats: [...this.formats], id: this.id },
      ...{ rows: this.rowsRead, records, joined: this.joined, replaced },
      ...{ skipped: { count: this.brokenRows, first: this.broken }, columns: columns.facts(this.id), wrong },
    };
  }

  /** The settings of the index that is there. */
  private async settingsThere() {
    const { engine, index, args } = this;
    if (!(await engine.listIndexes()).some(({ name }) => name === index)) return undefined;
    if (args.has("add") || args.has("replace")) return engine.index(index).getSettings();
    const msg = `The index "${index}" exists; --replace replaces its records, --add adds to them.`;
    throw new SearchError(409, "index_exists", msg);
  }

  /** The first pass: what the columns are, and which rows are wrong. */
  private async learn(idThere: string | undefined): Promise<void> {
    const { columns } = this;
    for await (const { record, place } of this.rows("reading", (at, problem) => this.leaveOut(at, problem)))
      columns.see(record, place);
    this.rowsRead = columns.rows + this.brokenRows;
    if (this.brokenRows > 0 && !this.skips) throw this.refuse();
    if (columns.rows === 0) throw new CommandError(`${this.sources.map(({ name }) => name).join(", ")}: no records.`);
    const known = `There are: ${columns.names.map((name) => plain(name, 60)).join(", ")}.`;
    this.id = this.idFor(idThere) ?? "";
    if (this.id === "") throw new CommandError(`no column tells the rows apart; name one by --id. ${known}`);
    const missing = [...this.names.keys()].find((name) => !this.renamed.has(name));
    if (missing !== undefined) throw new CommandError(`--map: there is no column "${missing}". ${known}`);
    if (columns.filled(this.id) === 0) throw new CommandError(`there is no column "${this.id}". ${known}`);
    if (this.head === "") columns.decide(this.id);
    if (this.skips || columns.filled(this.id) === columns.rows) return;
    for await (const { record, place } of this.rows("reading"))
      if (record[this.id] === undefined) this.leaveOut(place, `no ${plain(this.id)}`);
    throw this.refuse();
  }

  private idFor(idThere: string | undefined): string | undefined {
    const { columns, shop, head, names, args } = this;
    if (head !== "") return (JSON.parse(head) as { readonly settings?: IndexSettings }).settings?.idAttribute ?? "id";
    const ofShop = shop === undefined ? undefined : (names.get(shop.id) ?? shop.id);
    const there = columns.filled(idThere ?? "") > 0 ? idThere : undefined;
    return args.text("id") ?? there ?? ofShop ?? columns.idColumn();
  }

  private placeOf(place: number): string {
    return `${this.sources[Math.floor(place / LINES)]!.name}, line ${place % LINES}`;
  }

  private leaveOut(place: number, problem: string): void {
    if (this.brokenRows++ < MOST_REASONS) this.broken.push({ place: this.placeOf(place), problem });
  }

  private refuse(): CommandError {
    const lines = this.broken.map(({ place, problem }) => `${place}: ${problem}`);
    const more = this.brokenRows > lines.length ? [`and ${counted(this.brokenRows - lines.length, "other")}`] : [];
    const what = `${counted(this.brokenRows, "row")} cannot be read; nothing was changed. --skip-broken leaves such rows out.`;
    return new CommandError([what, ...lines, ...more].join("\n"));
  }

  /** The rows of all sources by their new names, without what is absent. */
  private async *rows(
    title: string,
    onBroken?: (place: number, problem: string) => void,
  ): AsyncGenerator<Placed, void, undefined> {
    const { sources, args } = this;
    const delimiter = args.text("delimiter")?.replace(/^(\\t|tab)$/, "\t");
    let before = 0;
    let count = 0;
    const bar = startBar(
      title,
      sources.reduce((sum, { size }) => sum + size, 0),
    );
    try {
      for (const [number, { name, path, size }] of sources.entries()) {
        const onBytes = (bytes: number) => bar.update(before + bytes, count);
        let shop: ShopExport | undefined | null = null;
        try {
          const feed = await openFeed(path, { delimiter, encoding: args.text("encoding"), onBytes });
          for await (const rows of feed.rows) {
            this.signal.throwIfAborted();
            for (const { line, values, problem } of rows) {
              const place = number * LINES + line;
              count++;
              if (problem !== undefined) onBroken?.(place, problem);
              else {
                if (shop === null) shop = this.begin(name, feed.format, feed.head, Object.keys(values));
                yield { place, record: this.named(shop === undefined ? values : shop.shape(values), feed.format) };
              }
            }
          }
        } catch (error) {
          if (!(error instanceof CommandError)) throw error;
          throw new CommandError(`${name}${error.message.startsWith("line ") ? "," : ":"} ${error.message}`);
        }
        before += size;
      }
    } finally {
      bar.stop();
    }
  }

  /** Notes what a source is. */
  private begin(name: string, format: FeedFormat, head: string, columns: readonly string[]): ShopExport | undefined {
    const shop = format === "CSV" ? shopExportOf(columns) : undefined;
    if (this.shop === undefined) this.shop = shop;
    this.formats.add(shop === undefined ? format : `${format} of ${shop.name}`);
    if (format === "export" && (this.sources.length > 1 || this.names.size > 0))
      throw new UsageError(`${name} is an export of an index, which is imported alone, and with its own names.`);
    this.head = head;
    return shop;
  }

  private named(values: Readonly<Record<string, unknown>>, format: FeedFormat): Record<string, unknown> {
    if (format === "export") return values as Record<string, unknown>;
    const { names } = this;
    const record: Record<string, unknown> = Object.create(null);
    for (const old of Object.keys(values)) {
      const value = values[old];
      const name = names.get(old) ?? old;
      if (name !== old) this.renamed.add(old);
      if (isAbsent(value)) continue;
      if (record[name] !== undefined)
        throw new CommandError(`two columns would be "${name}"; rename the other one, too.`);
      record[name] = value;
    }
    return record;
  }

  /** The second pass: the records. Rows of one id that follow each other are one. */
  private async *records(): AsyncGenerator<Placed, void, undefined> {
    const { columns, id } = this;
    let last: Placed | undefined;
    for await (const { record: row, place } of this.rows("indexing")) {
      if (row[id] === undefined) {
        this.leaveOut(place, `no ${plain(id)}`);
        continue;
      }
      const record = this.head === "" ? columns.read(row) : row;
      if (last !== undefined && this.head === "" && String(last.record[id]) === String(record[id])) {
        joinRow(last.record, record);
        this.joined++;
        continue;
      }
      if (last !== undefined) yield last;
      last = { record, place };
    }
    if (last !== undefined) yield last;
  }

  /** The records as lines of JSON; `places` gets the place of each line, in 8 bytes. */
  private async *lines(places: number[]): AsyncGenerator<string, void, undefined> {
    let text = "";
    if (this.head !== "") {
      text = `${this.head}\n`;
      places.push(1);
    }
    for await (const { record, place } of this.records()) {
      this.columns.count(record);
      text += `${JSON.stringify(record)}\n`;
      places.push(place);
      if (text.length < PIECE) continue;
      yield text;
      text = "";
    }
    yield text;
  }

  /** All or nothing. */
  private async write(settings: IndexSettings): Promise<{ readonly records: number; readonly replaced: number }> {
    const { index, head, signal } = this;
    const places: number[] = [];
    const placeOf = (line: number) => places[line - 1]!;
    try {
      const result: Partial<ImportSkipResult> = await this.engine.importIndex(index, this.lines(places), {
        ifExists: this.args.has("replace") ? "replace" : "error",
        signal,
        ...(head === "" && { format: "records" as const, settings }),
        ...(this.skips && { onInvalid: "skip" as const }),
      });
      const { records = 0, nbSkipped = 0, skipped = [] } = result;
      for (const { line, msg } of skipped) this.leaveOut(placeOf(line), withoutLine(msg));
      this.brokenRows += nbSkipped - skipped.length;
      return { records, replaced: places.length - (head === "" ? 0 : 1) - nbSkipped - records };
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      if (error.error === "source_failed") throw error.cause;
      const line = error.details?.line;
      if (typeof line !== "number") throw error;
      throw new CommandError(`${this.placeOf(placeOf(line))}: ${withoutLine(error.msg)} Nothing was changed.`);
    }
  }

  /** In calls, each of which is all or nothing. */
  private async add(): Promise<{ readonly records: number; readonly replaced: number }> {
    const { signal } = this;
    const index = this.engine.index(this.index);
    const done = { records: 0, replaced: 0 };
    let call: Placed[] = [];
    const add = async () => {
      const records = call.map(({ record }) => record) as JsonRecord[];
      const { added, ...rest } = await index.addRecords(records, {
        signal,
        ...(this.skips && { onInvalid: "skip" as const }),
      });
      const { skipped = [] } = rest as Partial<SkipResult>;
      for (const { index: at, msg } of skipped) this.leaveOut(call[at]!.place, msg);
      done.records += call.length - skipped.length;
      done.replaced += call.length - skipped.length - added;
      call = [];
    };
    try {
      for await (const placed of this.records()) {
        this.columns.count(placed.record);
        if (call.push(placed) === CALL) await add();
      }
      await add();
      return done;
    } catch (error) {
      const [, at] = /^records\[(\d+)\]/.exec((error as Partial<SearchError>).param ?? "") ?? [];
      const place = at === undefined ? "" : `${this.placeOf(call[Number(at)]!.place)}: `;
      const why = signal.aborted ? "interrupted." : (error as Error).message;
      throw new CommandError(`${place}${why}\n${counted(done.records, "record")} of the calls before are in.`);
    }
  }
}

const withoutLine = (msg: string) => msg.replace(/^Line \d+: /, "");

/** Joins a later row of a record: absent values are filled, and different ones make a list. */
function joinRow(record: Record<string, unknown>, row: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(row)) {
    const before = record[name];
    const value = row[name];
    if (before === undefined) record[name] = value;
    else if (before !== value) {
      const list = new Map([before, value].flat().map((item) => [JSON.stringify(item), item]));
      record[name] = list.size === 1 && !Array.isArray(before) ? before : [...list.values()];
    }
  }
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
