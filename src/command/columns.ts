// What each column of a feed is. A first pass learns it, in memory that depends on the number of columns only; then cells are read as
// numbers, dates and so on where all filled cells of a column agree.

import { plain } from "./texts.js";

/** What a column is taken for. */
export type Role =
  | ("id" | "title" | "brand" | "price" | "category" | "code" | "text" | "long text" | "number" | "date" | "true/false")
  | ("link" | "list" | "object");

/** What the report says of a column. */
export interface ColumnFacts {
  readonly name: string;
  readonly role: Role;
  /** The share of records that have it, in percent. */
  readonly filled: number;
  readonly example: string;
  /** The column that the currencies of this one are in. */
  readonly currency?: string;
  /** Why its cells stay texts though most or all look like something else. */
  readonly unclear?: string;
}

type Values = Readonly<Record<string, unknown>>;

/** A way to read a cell; undefined: the cell is none. */
interface Reading {
  readonly says: string;
  readonly role: Role;
  read(text: string, column: string): unknown;
}

/** More columns than this are left as they are. */
const MOST_COLUMNS = 5000;
/** So many ids are looked at to see whether they are distinct. */
const MOST_IDS = 2_000_000;
/** A reading that this share of cells disagrees with is named, and so is one of a single cell in a column of five. */
const WRONG_SHARE = 0.02;
const WRONG_SHOWN = 3;
const LONGEST_READ = 40;
const WIDTH = 40;

const PLACEHOLDERS = new Set(["", "-", "n/a", "null", "\\n", "#n/a"]);

/** Whether a cell says that there is none. */
export function isAbsent(value: unknown): boolean {
  if (typeof value === "string") return value.length < 5 && PLACEHOLDERS.has(value.trim().toLowerCase());
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

const ACCENTS = /[\u0300-\u036f]/g;

const withoutAccents = (name: string) => name.normalize("NFD").replace(ACCENTS, "").normalize("NFC").toLowerCase();

const wordsOf = (name: string) =>
  withoutAccents(name.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2"))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(" ");

// The engine knows these names, too (src/state/read-fields.ts, and of other languages src/analysis/languages), but tells nobody.
export const TITLES: readonly string[] = `
  title producttitle productname itemtitle itemname displayname name headline label
  titel bezeichnung produktname artikelname naam productnaam titre nom designation libelle titulo nombre nome titolo denominazione
  tytul nazwa nazev namn produktnamn benamning tittel navn produktnavn varenavn nimi tuotenimi название наименование 商品名`
  .trim()
  .split(/\s+/);
const CATEGORIES =
  /^(product |google product )?categor(y|ies)$|^product type$|^type$|^department$|^collection$|^kategori(en?|a|er)?$|^categori[ae]s?$|^warengruppe$|^категория$|^カテゴリー?$/;
const BRANDS =
  /^(brands?|manufacturer|vendor|marke|hersteller|merk|marque|fabricante?|marca|marka|producent|znacka|varumarke|merke|бренд|ブランド)$/;
const PRICES = /(^| )(prices?|preis|cost|msrp|rrp|uvp|prix|prijs|precio|preco|prezzo|cena|pris|hinta|цена|価格)( |$)/;
const IDS =
  "id,sku,handle,product id,item id,article id,item number,item no,article number,article no,artikelnummer,artikel nr,variant sku,gtin,ean".split(
    ",",
  );
const CODES =
  /(^| )(ids?|eans?|ean\d+|gtins?|gtin\d+|upc|isbn|isbn\d+|sku|mpn|asin|barcodes?|handle|zip|plz|postcode|phone|tel|telephone|fax|code)$|^(ean|gtin|upc|isbn|sku|mpn|asin|barcode|zip|postal|phone) |(item|part|article|model|serial) (number|no|nr)$|artikelnummer$/;
/** Of these, "NO" is Norway. */
const NEVER_READ = /(^| )(country|lang|language|locale|currency)$/;
const FLAGS = /^(is|has|in stock|on sale)( |$)|(^| )(published|available|visible|active|enabled|featured|taxable)( |$)/;
const CODE_SHAPE = /^(?=.*\d)[\p{L}\d._/-]{3,40}$/u;

const POINT = /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}([,'’])\d{3}(?:\1\d{3})*)(?:\.\d+)?$/;
const COMMA = /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}([.\s’'])\d{3}(?:\1\d{3})*)(?:,\d+)?$/;
const SIGNS: Readonly<Record<string, string>> = { "€": "EUR", $: "USD", "£": "GBP", "¥": "JPY", "₹": "INR", zł: "PLN" };
const MONEY = /^(€|\$|£|¥|₹|[A-Z]{3})?\s?(-?\d[\d.,'’\s]*?)\s?(€|\$|£|¥|₹|zł|[A-Z]{3})?$/;
const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));
const ISO = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;
const DAY_FIRST = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:,? (\d{2}:\d{2})(:\d{2})?)?$/;
const MONTH_FIRST = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?:,? (\d{2}:\d{2})(:\d{2})?)?$/;

/** The text without its currency, and the currency. */
function splitMoney(text: string): { readonly amount: string; readonly currency: string | undefined } {
  const [, before, amount, after] = MONEY.exec(text) ?? [];
  const sign = before ?? after;
  if (amount === undefined || sign === undefined || (before !== undefined && after !== undefined))
    return { amount: text, currency: undefined };
  const currency = SIGNS[sign] ?? sign;
  return CURRENCIES.has(currency) ? { amount, currency } : { amount: text, currency: undefined };
}

function readNumber(text: string, form: RegExp, between: RegExp): number | undefined {
  const { amount } = splitMoney(text);
  if (!form.test(amount) || amount.replace(/\D/g, "").length > 15) return undefined;
  return Number(amount.replace(between, "").replace(",", "."));
}

function asDate(day: readonly (string | undefined)[], time?: string, seconds = "", zone = ""): string | undefined {
  const [year, month, date] = day.map((part) => part!.padStart(2, "0"));
  const text = `${year}-${month}-${date}`;
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?/, "$1:") : "Z";
  const whole = time === undefined ? text : `${text}T${time}${seconds}${offset}`;
  // The 30th of February would be a day of March.
  const isDay = new Date(text).getUTCDate() === Number(date);
  return isDay && !Number.isNaN(Date.parse(whole)) ? whole : undefined;
}

/** `order`: where the pattern has the year, the month and the day. */
function dates(says: string, pattern: RegExp, [year, month, day]: readonly [number, number, number]): Reading {
  const read = (text: string) => {
    // A date as ISO writes it is clear among others.
    const iso = ISO.exec(text);
    if (iso !== null) return asDate([iso[1], iso[2], iso[3]], iso[4], iso[5], iso[6]);
    const found = pattern.exec(text);
    return found === null ? undefined : asDate([found[year], found[month], found[day]], found[4], found[5], found[6]);
  };
  return { says, role: "date", read };
}

const READINGS: readonly Reading[] = [
  {
    says: "true/false",
    role: "true/false",
    read: (text, column) => {
      if (/^(true|yes|ja|false|no|nein)$/i.test(text)) return /^[tyj]/i.test(text);
      return /^[01]$/.test(text) && FLAGS.test(wordsOf(column)) ? text === "1" : undefined;
    },
  },
  { says: "numbers with a decimal point", role: "number", read: (text) => readNumber(text, POINT, /[,\s'’]/g) },
  { says: "numbers with a decimal comma", role: "number", read: (text) => readNumber(text, COMMA, /[.\s'’]/g) },
  dates("dates", ISO, [1, 2, 3]),
  dates("dates, day first", DAY_FIRST, [3, 2, 1]),
  dates("dates, month first", MONTH_FIRST, [3, 1, 2]),
];
const POINTS = 1;
const COMMAS = 2;

/** Readings that make two values of one cell, and what says which one is meant. */
const RIVALS = [
  { both: [POINTS, COMMAS], says: "numbers with a decimal point or with a decimal comma; --decimal says which" },
  { both: [4, 5], says: "dates with the day or with the month first; write them as 2024-05-31" },
] as const;

/** What was seen of a column. */
class ColumnSample {
  readonly name: string;
  readonly isRead: boolean;
  /** Rows that have it, and its cells, of which a list has several. */
  rows = 0;
  cells = 0;
  lists = 0;
  objects = 0;
  links = 0;
  codes = 0;
  characters = 0;
  money = 0;
  example: unknown;
  /** The records that have it in the end. */
  written = 0;
  /** By reading: cells that agree, and the first that do not. */
  readonly agreed: number[] = READINGS.map(() => 0);
  readonly wrong: { value: string; place: number }[][] = READINGS.map(() => []);
  /** Whether rivals made two values of a cell. */
  readonly differs: boolean[] = RIVALS.map(() => false);
  readonly ids: DistinctIds | undefined;

  constructor(name: string) {
    const words = wordsOf(name);
    this.name = name;
    this.isRead = !CODES.test(words) && !NEVER_READ.test(words) && titleRank(name) < 0 && !isGroup(words);
    this.ids = IDS.includes(words) ? new DistinctIds() : undefined;
  }

  see(value: unknown, place: number): void {
    this.rows++;
    this.example ??= value;
    this.ids?.add(String(value));
    if (Array.isArray(value)) this.lists++;
    for (const item of Array.isArray(value) ? value : [value]) this.seeCell(item, place);
  }

  private seeCell(value: unknown, place: number): void {
    this.cells++;
    if (typeof value === "object") this.objects++;
    if (typeof value === "number") for (const i of [POINTS, COMMAS]) this.agreed[i]!++;
    if (typeof value === "boolean") this.agreed[0]!++;
    if (typeof value !== "string") return;
    this.characters += value.length;
    if (/^https?:\/\//i.test(value)) this.links++;
    else if (CODE_SHAPE.test(value)) this.codes++;
    if (!this.isRead) return;
    const text = value.trim();
    // Most texts are none of all this.
    const isCandidate = text.length <= LONGEST_READ && (/\d/.test(text) || text.length <= 5);
    const values = READINGS.map(({ read }) => (isCandidate ? read(text, this.name) : undefined));
    for (const [i, one] of values.entries())
      if (one !== undefined) this.agreed[i]!++;
      else if (this.wrong[i]!.length < WRONG_SHOWN) this.wrong[i]!.push({ value: plain(value, WIDTH), place });
    for (const [i, { both }] of RIVALS.entries())
      if (values[both[0]] !== undefined && values[both[1]] !== undefined && values[both[0]] !== values[both[1]])
        this.differs[i] = true;
    if ((values[POINTS] ?? values[COMMAS]) !== undefined && splitMoney(text).currency !== undefined) this.money++;
  }
}

const isGroup = (words: string) => CATEGORIES.test(words) || BRANDS.test(words);
const titleRank = (name: string) => TITLES.indexOf(plainName(name));

/** A name as the engine compares it: without case, accents, blanks, signs and the prefix of Google's feeds. */
export function plainName(name: string): string {
  return withoutAccents(name)
    .replace(/^g:/, "")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Cells of a column that are none of what nearly all others are, so that all stay texts. */
export interface WrongCells {
  readonly column: string;
  readonly expected: string;
  readonly count: number;
  readonly first: readonly { readonly value: string; readonly place: number }[];
}

/** The columns of a feed: seen by `see`, then read by `read`. */
export class Columns {
  private readonly seen = new Map<string, ColumnSample>();
  /** How cells are read, and the column of their currencies. */
  private readonly known = new Map<string, { readonly reading: Reading; readonly currency: string | undefined }>();
  private readonly unclear = new Map<string, string>();
  readonly wrong: WrongCells[] = [];
  rows = 0;
  records = 0;
  private readonly decimal: string | undefined;

  /** `decimal`: the sign of all numbers, where it is known. */
  constructor(decimal: string | undefined) {
    this.decimal = decimal;
  }

  get names(): string[] {
    return [...this.seen.keys()];
  }

  /** Looks at the cells of a row, without those that are absent. */
  see(values: Values, place: number): void {
    this.rows++;
    for (const name of Object.keys(values)) {
      let column = this.seen.get(name);
      if (column === undefined) {
        if (this.seen.size >= MOST_COLUMNS) continue;
        column = new ColumnSample(name);
        this.seen.set(name, column);
      }
      column.see(values[name], place);
    }
  }

  /** The column of ids: the first with such a name that tells rows apart; one that nearly all rows have comes before others. */
  idColumn(): string | undefined {
    const rank = ({ name, rows }: ColumnSample) =>
      IDS.indexOf(wordsOf(name)) + (rows >= this.rows * (1 - WRONG_SHARE) ? 0 : IDS.length);
    return [...this.seen.values()]
      .filter(({ ids, rows, lists }) => ids?.isDistinct && lists === 0 && rows >= this.rows / 2)
      .sort((a, b) => rank(a) - rank(b))[0]?.name;
  }

  /** Decides how all columns are read, when all rows were seen. */
  decide(id: string): void {
    for (const column of this.seen.values())
      if (column.name !== id && column.isRead && column.cells > column.objects) this.decideColumn(column);
  }

  private decideColumn(column: ColumnSample): void {
    const { name, cells, agreed, wrong, differs } = column;
    const left = this.decimal === "," ? POINTS : this.decimal === "." ? COMMAS : -1;
    const order = [...READINGS.keys()].filter((i) => i !== left);
    const whole = order.filter((i) => agreed[i] === cells);
    const rivals = RIVALS.find(({ both }, i) => differs[i] && both.every((one) => whole.includes(one)));
    if (rivals !== undefined) this.unclear.set(name, rivals.says);
    else if (whole.length > 0) {
      const currency = column.money > 0 ? `${name}Currency` : undefined;
      this.known.set(name, { reading: READINGS[whole[0]!]!, currency });
    } else {
      const nearly = order.reduce((a, b) => (agreed[b]! > agreed[a]! ? b : a));
      const count = cells - agreed[nearly]!;
      if (count <= Math.max(cells * WRONG_SHARE, cells >= 5 ? 1 : 0))
        this.wrong.push({ column: name, expected: READINGS[nearly]!.says, count, first: wrong[nearly]! });
    }
  }

  /** The record of a row. */
  read(values: Values): Record<string, unknown> {
    const record: Record<string, unknown> = Object.create(null);
    for (const name of Object.keys(values)) {
      const value = values[name];
      const { reading, currency } = this.known.get(name) ?? {};
      const read = (cell: unknown) => (typeof cell === "string" ? reading?.read(cell.trim(), name) : cell);
      record[name] = reading === undefined ? value : Array.isArray(value) ? value.map(read) : read(value);
      const [first] = currency === undefined ? [] : [value].flat();
      const code = typeof first === "string" ? splitMoney(first.trim()).currency : undefined;
      if (code !== undefined && values[currency!] === undefined) record[currency!] = code;
    }
    return record;
  }

  /** Notes that a record has these columns. */
  count(record: Values): void {
    this.records++;
    for (const name of Object.keys(record)) {
      const column = this.seen.get(name);
      if (column !== undefined) column.written++;
    }
  }

  /** The rows that have a column. */
  filled(name: string): number {
    return this.seen.get(name)?.rows ?? 0;
  }

  /** What the report says, in the order of the columns. */
  facts(id: string): ColumnFacts[] {
    const titles = this.names.filter((name) => titleRank(name) >= 0).sort((a, b) => titleRank(a) - titleRank(b));
    return [...this.seen.values()].map((column) => {
      const { name, written, example } = column;
      const unclear = this.unclear.get(name);
      const currency = this.known.get(name)?.currency;
      return {
        name,
        role: name === id ? "id" : name === titles[0] ? "title" : this.roleOf(column),
        filled: Math.round((1000 * written) / Math.max(this.records, 1)) / 10,
        example: plain(this.read({ [name]: example })[name], WIDTH),
        ...(currency !== undefined && { currency }),
        ...(unclear !== undefined && { unclear }),
      };
    });
  }

  private roleOf({ name, cells, objects, links, codes, lists, characters }: ColumnSample): Role {
    const words = wordsOf(name);
    if (CATEGORIES.test(words)) return "category";
    if (BRANDS.test(words)) return "brand";
    if (objects > 0) return "object";
    const read = this.known.get(name)?.reading.role;
    if (read === "number" && PRICES.test(words)) return "price";
    if (read !== undefined) return read;
    if (links === cells) return "link";
    if (CODES.test(words) || codes >= cells * 0.9) return "code";
    if (lists > 0) return "list";
    return characters > 128 * cells ? "long text" : "text";
  }
}

/** Tells whether ids are distinct, but for those that follow each other, from 30 bits of each, which V8 keeps without an object. */
class DistinctIds {
  private readonly hashes = new Set<number>();
  private count = 0;
  private last: string | undefined;

  add(id: string): void {
    if (id === this.last || this.count >= MOST_IDS) return;
    this.last = id;
    this.count++;
    let hash = 0x811c9dc5;
    for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
    this.hashes.add((hash ^ (hash >>> 15)) >>> 2);
  }

  /** Some hashes are the same by chance, and a feed may repeat some ids. */
  get isDistinct(): boolean {
    return this.count - this.hashes.size <= Math.max(1, this.count / 100);
  }
}
