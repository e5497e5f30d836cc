// An import of files into an index: a first pass learns the columns, a second one writes. Runs in Node and in browsers.

import {
  type ImportSkipResult,
  type IndexSettings,
  type JsonRecord,
  type SearchEngine,
  SearchError,
  type SkipResult,
} from "../index.js";
import { type ColumnFacts, Columns, isAbsent, type WrongCells } from "./columns.js";
import { CommandError, UsageError } from "./errors.js";
import { type FeedFormat, openFeed } from "./feed.js";
import type { FeedFile } from "./feed-bytes.js";
import { type ShopExport, shopExportOf } from "./shop-export.js";
import { counted, plain } from "./texts.js";

/** Records of one call with `add`. */
export const CALL = 10_000;
/** Characters of lines that are given on at once. */
const PIECE = 1 << 16;
const MOST_REASONS = 10;

/** A file to read, by the name that the user gave it. */
export interface Source {
  readonly name: string;
  readonly file: FeedFile;
  readonly size: number;
}

/** How files are read, as the flags of the command say. */
export interface ImportPlan {
  readonly index: string;
  /** The column of the ids. */
  readonly id?: string | undefined;
  /** New names of columns by old ones. */
  readonly names: ReadonlyMap<string, string>;
  readonly replace: boolean;
  readonly add: boolean;
  readonly language?: string | undefined;
  /** Whether wrong rows are left out. */
  readonly skips: boolean;
  readonly delimiter?: string | undefined;
  readonly decimal?: string | undefined;
  readonly encoding?: string | undefined;
  readonly signal: AbortSignal;
  /** Begins to show how far a pass has come, of so many bytes. */
  readonly startBar: (title: string, total: number) => { update(done: number, rows: number): void; stop(): void };
}

/** What an import did. */
export interface ImportReport {
  readonly index: string;
  /** What the files hold, such as `CSV of Shopify`. */
  readonly formats: readonly string[];
  /** The column of the ids. */
  readonly id: string;
  readonly rows: number;
  readonly records: number;
  /** Rows that became part of the record before. */
  readonly joined: number;
  /** Records whose id was there, and those of the files that a later one of the same id replaced. */
  readonly replaced: number;
  readonly skipped: { readonly count: number; readonly first: readonly BrokenRow[] };
  readonly columns: readonly ColumnFacts[];
  /** Columns that stay texts, since some cells are none of what the others are. */
  readonly wrong: readonly (Omit<WrongCells, "first"> & {
    readonly first: readonly { readonly value: string; readonly place: string }[];
  })[];
}

/** A row that was left out. */
interface BrokenRow {
  readonly place: string;
  readonly problem: string;
}

/** A record, and where it begins: the number of its source and its line, as one number. */
interface Placed {
  readonly record: Record<string, unknown>;
  readonly place: number;
}
const LINES = 2 ** 32;

export class FeedImport {
  private readonly engine: SearchEngine;
  private readonly sources: readonly Source[];
  private readonly plan: ImportPlan;
  private readonly renamed = new Set<string>();
  private readonly columns: Columns;
  private readonly formats = new Set<string>();
  private readonly broken: BrokenRow[] = [];
  private brokenRows = 0;
  private rowsRead = 0;
  private joined = 0;
  private shop: ShopExport | undefined;
  /** The first line of an export. */
  private head = "";
  private id = "";

  constructor(engine: SearchEngine, sources: readonly Source[], plan: ImportPlan) {
    this.engine = engine;
    this.sources = sources;
    this.plan = plan;
    this.columns = new Columns(plan.decimal);
  }

  /** Imports all, and tells what happened. */
  async run(): Promise<ImportReport> {
    const { columns } = this;
    const { index, add, language } = this.plan;
    const there = await this.settingsThere();
    const idThere = there?.effective.idAttribute;
    await this.learn(idThere);
    if (add && this.id !== (idThere ?? this.id))
      throw new CommandError(`the ids of this index are in "${idThere}"; pass --map ${idThere}=${this.id}.`);
    const settings = {
      ...there?.settings,
      ...(language !== undefined && { language }),
      ...(this.id !== (idThere ?? "id") && { idAttribute: this.id }),
    };
    const { records, replaced } = await (add && there !== undefined ? this.add() : this.write(settings));
    const wrong = columns.wrong.map(({ first, ...column }) => {
      return { ...column, first: first.map(({ value, place }) => ({ value, place: this.placeOf(place) })) };
    });
    return {
      ...{ index, formats: [...this.formats], id: this.id },
      ...{ rows: this.rowsRead, records, joined: this.joined, replaced },
      ...{ skipped: { count: this.brokenRows, first: this.broken }, columns: columns.facts(this.id), wrong },
    };
  }

  /** The settings of the index that is there. */
  private async settingsThere() {
    const { engine } = this;
    const { index, add, replace } = this.plan;
    if (!(await engine.listIndexes()).some(({ name }) => name === index)) return undefined;
    if (add || replace) return engine.index(index).getSettings();
    const msg = `The index "${index}" exists; --replace replaces its records, --add adds to them.`;
    throw new SearchError(409, "index_exists", msg);
  }

  /** The first pass: what the columns are, and which rows are wrong. */
  private async learn(idThere: string | undefined): Promise<void> {
    const { columns } = this;
    const { skips, names } = this.plan;
    for await (const { record, place } of this.rows("reading", (at, problem) => this.leaveOut(at, problem)))
      columns.see(record, place);
    this.rowsRead = columns.rows + this.brokenRows;
    if (this.brokenRows > 0 && !skips) throw this.refuse();
    if (columns.rows === 0) throw new CommandError(`${this.sources.map(({ name }) => name).join(", ")}: no records.`);
    const known = `There are: ${columns.names.map((name) => plain(name, 60)).join(", ")}.`;
    this.id = this.idFor(idThere) ?? "";
    if (this.id === "") throw new CommandError(`no column tells the rows apart; name one by --id. ${known}`);
    const missing = [...names.keys()].find((name) => !this.renamed.has(name));
    if (missing !== undefined) throw new CommandError(`--map: there is no column "${missing}". ${known}`);
    if (columns.filled(this.id) === 0) throw new CommandError(`there is no column "${this.id}". ${known}`);
    if (this.head === "") columns.decide(this.id);
    if (skips || columns.filled(this.id) === columns.rows) return;
    for await (const { record, place } of this.rows("reading"))
      if (record[this.id] === undefined) this.leaveOut(place, `no ${plain(this.id)}`);
    throw this.refuse();
  }

  private idFor(idThere: string | undefined): string | undefined {
    const { columns, shop, head } = this;
    const { id, names } = this.plan;
    if (head !== "") return (JSON.parse(head) as { readonly settings?: IndexSettings }).settings?.idAttribute ?? "id";
    const ofShop = shop === undefined ? undefined : (names.get(shop.id) ?? shop.id);
    const there = columns.filled(idThere ?? "") > 0 ? idThere : undefined;
    return id ?? there ?? ofShop ?? columns.idColumn();
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
    const { sources } = this;
    const { encoding, signal, startBar } = this.plan;
    const delimiter = this.plan.delimiter?.replace(/^(\\t|tab)$/, "\t");
    let before = 0;
    let count = 0;
    const bar = startBar(
      title,
      sources.reduce((sum, { size }) => sum + size, 0),
    );
    try {
      for (const [number, { name, file, size }] of sources.entries()) {
        const onBytes = (bytes: number) => bar.update(before + bytes, count);
        let shop: ShopExport | undefined | null = null;
        try {
          const feed = await openFeed(file, { delimiter, encoding, onBytes });
          for await (const rows of feed.rows) {
            signal.throwIfAborted();
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
    if (format === "export" && (this.sources.length > 1 || this.plan.names.size > 0))
      throw new UsageError(`${name} is an export of an index, which is imported alone, and with its own names.`);
    this.head = head;
    return shop;
  }

  private named(values: Readonly<Record<string, unknown>>, format: FeedFormat): Record<string, unknown> {
    if (format === "export") return values as Record<string, unknown>;
    const { names } = this.plan;
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
    const { head } = this;
    const { index, replace, skips, signal } = this.plan;
    const places: number[] = [];
    const placeOf = (line: number) => places[line - 1]!;
    try {
      const result: Partial<ImportSkipResult> = await this.engine.importIndex(index, this.lines(places), {
        ifExists: replace ? "replace" : "error",
        signal,
        ...(head === "" && { format: "records" as const, settings }),
        ...(skips && { onInvalid: "skip" as const }),
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
    const { signal, skips } = this.plan;
    const index = this.engine.index(this.plan.index);
    const done = { records: 0, replaced: 0 };
    let call: Placed[] = [];
    const add = async () => {
      const records = call.map(({ record }) => record) as JsonRecord[];
      const { added, ...rest } = await index.addRecords(records, {
        signal,
        ...(skips && { onInvalid: "skip" as const }),
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
