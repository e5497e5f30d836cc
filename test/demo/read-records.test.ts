// The demo's file readers, on real files: every format gives its records and their lines, every bad file a sentence about it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

interface Found {
  readonly record: Record<string, unknown>;
  readonly place: string;
}

type ReadRecords = (
  path: string,
  options?: { readonly idAttribute?: string; readonly onBytes?: (bytes: number) => void },
) => AsyncIterable<Found>;

const module = await import(pathToFileURL(join(ROOT, "docs/demo/read-records.mjs")).href);
const readRecords: ReadRecords = module.readRecords;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "read-records-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function save(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function readAll(path: string, idAttribute = "id"): Promise<Found[]> {
  const found: Found[] = [];
  for await (const entry of readRecords(path, { idAttribute })) found.push(entry);
  return found;
}

const recordsOf = async (name: string, content: string | Buffer, idAttribute?: string) =>
  (await readAll(save(name, content), idAttribute)).map(({ record }) => record);

const complaintOf = async (name: string, content: string | Buffer) => {
  const path = save(name, content);
  const complaint = await readAll(path).catch((error: Error) => error);
  if (!(complaint instanceof Error)) throw new Error(`${name} was read without a complaint`);
  expect(complaint.name).toBe("DemoError");
  expect(complaint.message.startsWith(path)).toBe(true);
  return complaint.message.slice(path.length);
};

const TWO = [
  { id: 1, title: "Red lamp" },
  { id: 2, title: "Blue lamp" },
];
const TWO_LINES = TWO.map((record) => JSON.stringify(record)).join("\n");

describe("JSON Lines", () => {
  it.each(["a.jsonl", "a.ndjson", "A.JSONL"])("are read from %s", async (name) => {
    expect(await recordsOf(name, `${TWO_LINES}\n`)).toEqual(TWO);
  });

  it("may begin with a byte order mark, end lines as Windows does, hold blank lines and lack the last line end", async () => {
    const found = await readAll(save("mixed.jsonl", `\uFEFF{"id":1}\r\n\r\n  \n{"id":2}`));
    expect(found).toEqual([
      { record: { id: 1 }, place: "line 1" },
      { record: { id: 2 }, place: "line 4" },
    ]);
  });

  it("end at line feeds only, not at the separators that JSON texts may hold", async () => {
    expect(await recordsOf("separators.jsonl", '{"id":1,"title":"a\u2028b\u2029c"}')).toEqual([
      { id: 1, title: "a\u2028b\u2029c" },
    ]);
  });

  it("are the same however the file falls into chunks", async () => {
    const records = Array.from({ length: 9000 }, (_, id) => ({ id, title: `Größe ${"é€😀".repeat(id % 40)} ${id}` }));
    const text = records.map((record) => JSON.stringify(record)).join("\n");
    expect(Buffer.byteLength(text)).toBeGreaterThan(4 * 2 ** 18);
    expect(await recordsOf("long.jsonl", text)).toEqual(records);
    expect(await recordsOf("long.jsonl.gz", gzipSync(text))).toEqual(records);
  });

  it("are unpacked from gzip, from several members too", async () => {
    const [first, second] = TWO_LINES.split("\n");
    const packed = Buffer.concat([gzipSync(`${first}\n`), gzipSync(`${second}\n`)]);
    expect(await recordsOf("packed.jsonl.gz", packed)).toEqual(TWO);
  });

  it("tell how much of the file has been read, as it lies on the disk", async () => {
    const packed = gzipSync(TWO_LINES);
    const told: number[] = [];
    for await (const _ of readRecords(save("told.jsonl.gz", packed), { onBytes: (bytes) => told.push(bytes) }));
    expect(told.at(-1)).toBe(packed.length);
  });
});

describe("JSON", () => {
  it("may be an array, in several lines, with a byte order mark, packed", async () => {
    expect(await recordsOf("a.json", `\uFEFF${JSON.stringify(TWO, null, 2)}`)).toEqual(TWO);
    expect(await recordsOf("a.json.gz", gzipSync(JSON.stringify(TWO)))).toEqual(TWO);
  });

  it("may be an object that holds one array", async () => {
    expect(await recordsOf("b.json", JSON.stringify({ total: 2, products: TWO, next: null }))).toEqual(TWO);
  });

  it("may be JSON Lines under the wrong name", async () => {
    const found = await readAll(save("c.json", `${TWO_LINES}\n`));
    expect(found.map(({ record }) => record)).toEqual(TWO);
    expect(found[1]!.place).toBe("line 2");
  });
});

describe("CSV", () => {
  it.each([",", ";", "\t"])("is read with the delimiter %j that its header row has", async (delimiter) => {
    const rows = [
      ["id", "title", "price"],
      ["1", '"Lamp, red; ""big""\tone"', "12.50"],
    ];
    const text = rows.map((row) => row.join(delimiter)).join("\r\n");
    expect(await recordsOf("a.csv", `\uFEFF${text}`)).toEqual([{ id: 1, title: 'Lamp, red; "big"\tone', price: 12.5 }]);
    expect(await recordsOf("a.tsv.gz", gzipSync(text))).toHaveLength(1);
  });

  it("takes plain decimals for numbers and leaves every other text alone", async () => {
    const cells = ["0", "-3", "12.50", "0012", "1e3", "+4", "1,5", ".5", "12345678901234567", " 7 ", "7 mm", "0x10"];
    const names = cells.map((_, i) => `c${i}`);
    const quoted = cells.map((cell) => `"${cell}"`);
    const [record] = await recordsOf("numbers.csv", `id,${names.join(",")}\nA1,${quoted.join(",")}\n`);
    const expected = [0, -3, 12.5, "0012", "1e3", "+4", "1,5", ".5", "12345678901234567", 7, "7 mm", "0x10"];
    expect(names.map((name) => record![name])).toEqual(expected);
  });

  it("keeps an id that is no integer as it is written", async () => {
    expect(await recordsOf("ids.csv", "sku,n\n1.10,1\n1.1,2\n007,3\n12,4\n", "sku")).toEqual([
      { sku: "1.10", n: 1 },
      { sku: "1.1", n: 2 },
      { sku: "007", n: 3 },
      { sku: 12, n: 4 },
    ]);
  });

  it("leaves empty cells out, with columns that have no name and rows that have no value", async () => {
    expect(await recordsOf("gaps.csv", ",id,title,price\n0,1,,5\n,,,\n\n1,2, ,\n")).toEqual([
      { id: 1, price: 5 },
      { id: 2 },
    ]);
  });

  it("tells the line where a row begins, though cells go over several", async () => {
    const found = await readAll(save("lines.csv", '\nid,title\n1,"two\nlines"\n\n2,"three\r\n\r\nlines"\n3,x'));
    expect(found.map(({ place }) => place)).toEqual(["line 3", "line 6", "line 9"]);
    expect(found[1]!.record.title).toBe("three\n\nlines");
  });
});

describe("a complaint names the place and what is wrong there, when", () => {
  const array = JSON.stringify(TWO);
  it.each<[what: string, name: string, content: string | Buffer, says: string]>([
    ["a line is no JSON", "x.jsonl", '{"id":1}\n{"id":2 "a":1}', ", line 2: not JSON ("],
    ["a line is no object", "x.jsonl", '{"id":1}\n\n"a"', ", line 3: expected a JSON object, found a string."],
    ["JSON Lines are an array", "x.jsonl", array, ", line 1: expected a JSON object, found an array. A JSON array"],
    ["JSON Lines are an array in lines", "x.jsonl", `[\n${TWO_LINES}]`, " A JSON array belongs in a file named .json."],
    ["bytes are no UTF-8", "x.jsonl", Buffer.from('{"id":1}\n{"id":"é"}', "latin1"), ", line 2: not UTF-8 text; save"],
    ["bytes are UTF-16", "x.csv", Buffer.from("\uFEFFid,title", "utf16le"), ", line 1: not UTF-8 text but UTF-16;"],
    ["a line is endless", "x.jsonl", Buffer.alloc(17 << 20, "a"), ", line 1: longer than 16 MiB"],
    ["JSON breaks off", "x.json", array.slice(0, -3), ": not JSON ("],
    ["JSON holds two arrays", "x.json", '{"a":[],"b":[]}', "holds exactly one array; found 2 (a, b)."],
    ["JSON holds no array", "x.json", '{"id":1}', "holds exactly one array; found none."],
    ["an array holds something else", "x.json", '[{"id":1},3]', ", item 2 of the array: expected a JSON object, found"],
    ["a row is short", "x.csv", "id,title\n1,a\n2\n", ", line 3: 1 of 2 cells"],
    ["a row is long", "x.csv", "id,title\n1,a,b\n", ", line 2: 3 of 2 cells"],
    ["a quote stays open", "x.csv", 'id,title\n1,a\n2,"b\n3,c\n', ", line 3: a quote that opens here or soon after"],
    ["two columns share a name", "x.csv", "id,title, id\n1,a,2\n", ', line 1: two columns are named "id"'],
    ["a file is no gzip", "x.jsonl.gz", TWO_LINES, ": damaged, or not packed by gzip (incorrect header check)."],
    ["a gzip file breaks off", "x.jsonl.gz", gzipSync(TWO_LINES).subarray(0, 30), ": damaged, or not packed by gzip ("],
    ["a name says nothing", "x.xlsx", "PK", ": unreadable format; its name should end in .json, .jsonl, .ndjson,"],
    ["JSON Lines are none", "x.jsonl", "\n\r\n", ": the file holds no records."],
    ["an array is empty", "x.json", " [] ", ": the file holds no records."],
    ["a JSON file is empty", "x.json", "", ": the file holds no records."],
    ["a CSV file is empty", "x.csv", "", ": the file holds no records."],
    ["a CSV file is a header row", "x.csv", "id,title\n", ": the file holds no records."],
  ])("%s", async (_, name, content, says) => {
    expect(await complaintOf(name, content)).toContain(says);
  });

  it("a record has no id", async () => {
    const says = ': the record has no "id". Name its id with --id ATTRIBUTE; it has: sku, title.';
    expect(await complaintOf("x.jsonl", '{"id":1}\n{"sku":"A","title":"Lamp"}')).toBe(`, line 2${says}`);
    expect(await complaintOf("x.csv", "sku,title,id\nA,Lamp,\n")).toBe(`, line 2${says}`);
    expect(await complaintOf("x.json", '[{"id":null}]')).toContain(', item 1 of the array: the record has no "id".');
  });

  it("there is no file, or it is a folder", async () => {
    await expect(readAll(join(folder, "missing.jsonl"))).rejects.toThrow("missing.jsonl: there is no such file.");
    await expect(readAll(join(folder, "missing.json"))).rejects.toThrow("missing.json: there is no such file.");
  });
});
