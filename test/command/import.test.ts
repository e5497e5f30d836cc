// `tandem-search import` as its user meets it: a process, files with the faults of real ones, and the folder that it leaves.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { ROOT } from "../support/source-tree.js";
import { tempPaths } from "../support/temp-folder.js";

const COMMAND = join(ROOT, "dist/command.js");
const pathOf = tempPaths();

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function start(
  args: readonly string[],
  input?: string | Buffer,
): { readonly child: ChildProcess; readonly ran: Promise<Ran> } {
  const child = spawn(process.execPath, [COMMAND, ...args]);
  const texts = { out: "", err: "" };
  for (const [name, stream] of [["out", child.stdout] as const, ["err", child.stderr] as const])
    stream.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  child.stdin.end(input);
  return { child, ran: once(child, "close").then(([code]) => ({ code, ...texts })) };
}

const run = (...args: readonly string[]): Promise<Ran> => start(args).ran;

function save(content: string | Buffer, name = "feed.csv"): string {
  const path = pathOf(name);
  writeFileSync(path, content);
  return path;
}

/** All records of an index in a folder, by the order of their ids. */
async function recordsIn(data: string, index: string): Promise<unknown[]> {
  const engine = await SearchEngine.open({ dataDir: data, readOnly: true });
  try {
    const found: unknown[] = [];
    for await (const page of pages(engine, index)) found.push(...page);
    return found;
  } finally {
    await engine.close();
  }
}

async function* pages(engine: SearchEngine, index: string): AsyncGenerator<unknown[]> {
  let text = "";
  for await (const piece of await engine.exportIndex(index)) text += piece;
  yield text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line));
}

/** Imports a file into a folder of its own; the report, and the records that are there then. */
async function imported(content: string | Buffer, name: string, ...flags: readonly string[]) {
  const data = pathOf();
  const { code, out, err } = await run(
    "import",
    save(content, name),
    "--data",
    data,
    "--index",
    "shop",
    "--json",
    ...flags,
  );
  expect(code, err).toBe(0);
  return { report: JSON.parse(out), records: await recordsIn(data, "shop"), data };
}

/** The lines of an error without the folder of its files. */
const told = (err: string) =>
  err
    .replaceAll(/\/\S*\/\d+-/g, "")
    .trimEnd()
    .split("\n");

const CSV = "id,title,price\n1,Red lamp,19.99\n2,Blue lamp,5\n";
const LAMPS = [
  { id: "1", title: "Red lamp", price: 19.99 },
  { id: "2", title: "Blue lamp", price: 5 },
];

describe("CSV", () => {
  it.each([
    ["commas", CSV],
    ["semicolons, CR LF and a byte order mark", `\ufeff${CSV.replaceAll(",", ";").replaceAll("\n", "\r\n")}`],
    ["tabs and blank lines", `\n${CSV.replaceAll(",", "\t").replaceAll("\n", "\n\n")}`],
    ["bars and CR", CSV.replaceAll(",", "|").replaceAll("\n", "\r")],
    ["quotes", 'id,title,price\n"1","Red lamp","19.99"\n2,"Blue lamp",5'],
    ["UTF-16", Buffer.from(`\ufeff${CSV}`, "utf16le")],
    ["UTF-16, big end first", Buffer.from(`\ufeff${CSV}`, "utf16le").swap16()],
    ["gzip", gzipSync(CSV)],
  ])("with %s", async (_, content) => {
    const { report, records } = await imported(content, "feed.txt");
    expect(records).toEqual(LAMPS);
    expect(report).toMatchObject({ index: "shop", formats: ["CSV"], rows: 2, records: 2, joined: 0, id: "id" });
  });

  it("with line ends, quotes and delimiters in cells, and columns without a name or of the same", async () => {
    const { records } = await imported('id,title,,note,note\n7,"A ""b"",\nc;",x,1 a,2 b\n', "feed.csv");
    expect(records).toEqual([{ id: "7", title: 'A "b",\nc;', note: "1 a", "note (2)": "2 b" }]);
  });

  it("of Windows", async () => {
    const content = Buffer.from("id;title\n1;Stuhl f\xfcr 5 \x80\n", "latin1");
    expect((await imported(content, "feed.csv", "--encoding", "windows-1252")).records).toEqual([
      { id: "1", title: "Stuhl für 5 €" },
    ]);
    const { code, err } = await run("import", save(content), "--data", pathOf());
    expect([code, ...told(err)]).toEqual([
      1,
      "error: feed.csv, line 2: not UTF-8 text; name what it is, such as --encoding windows-1252.",
    ]);
  });

  it.each([
    ["damaged, or not packed by gzip (", gzipSync(CSV).subarray(0, -9)],
    ["a file of Excel or a zip file; save it as CSV.", Buffer.from("PK\x03\x04rest")],
    ["no records.", ""],
    ['"x" is no encoding', '<?xml version="1.0" encoding="x"?><a/>'],
    ["no records.", "id,title\n"],
  ])("that is none: %s", async (problem, content) => {
    const { code, err } = await run("import", save(content), "--data", pathOf());
    expect([code, told(err)[0]!.slice(0, 17 + problem.length)]).toEqual([1, `error: feed.csv: ${problem}`]);
  });

  it("whose rows are broken is refused, with all places", async () => {
    const data = pathOf();
    const path = save('id,title\n1,a\n2,"b\nb",x\n3\n4,d\n');
    const { code, err } = await run("import", path, "--data", data);
    expect(code).toBe(1);
    expect(told(err)).toEqual([
      "error: 2 rows cannot be read; nothing was changed. --skip-broken leaves such rows out.",
      "  feed.csv, line 3: 3 of 2 cells",
      "  feed.csv, line 5: 1 of 2 cells",
    ]);
    const left = await imported("id,title\n1,a\n,b\n3\n4,d\n5,\n", "feed.csv", "--skip-broken");
    expect(left.records).toEqual([{ id: "1", title: "a" }, { id: "4", title: "d" }, { id: "5" }]);
    expect(left.report.skipped.count).toBe(2);
    expect(left.report.skipped.first.map(({ problem }: { problem: string }) => problem)).toEqual([
      "1 of 2 cells",
      "no id",
    ]);
    expect(left.report).toMatchObject({ rows: 5, records: 3 });
  });

  it("with a quote that is not closed, or without an id in a row, is refused", async () => {
    const open = await run("import", save('id,title\n1,a\n2,"b\n3,c\n'), "--data", pathOf(), "--skip-broken");
    expect([open.code, ...told(open.err)]).toEqual([
      1,
      "error: feed.csv, line 3: a quote that opens here or soon after is not closed.",
    ]);
    const data = pathOf();
    expect((await run("import", save('[{"id":1}'), "--data", data)).code).toBe(1);
    expect(existsSync(data)).toBe(false);
    const none = await run("import", save(`${CSV},none,3\n`), "--data", pathOf(), "--id", "id");
    expect(told(none.err)[1]).toBe("  feed.csv, line 4: no id");
    const unknown = await run("import", save("number,text\n1,a\n"), "--data", pathOf());
    expect(told(unknown.err)).toEqual([
      "error: no column tells the rows apart; name one by --id. There are: number, text.",
    ]);
  });

  it("with a row that repeats an id, or has none, in a language", async () => {
    const data = pathOf();
    const rows = '{"id":1,"title":"Regal"}\n{"id":2,"title":"Tisch"}\n{"id":1,"title":"Regale"}\n{"title":"Bett"}\n';
    const refused = await run("import", save(rows), "--data", data);
    expect(told(refused.err)[1]).toMatch(/, line 4: no id$/);
    const args = ["--data", data, "--skip-broken", "--language", "de", "--index", "moebel"];
    expect((await run("import", save(rows), ...args)).code).toBe(0);
    expect(await recordsIn(data, "moebel")).toEqual([
      { id: 1, title: "Regale" },
      { id: 2, title: "Tisch" },
    ]);
    const { out } = await run("settings", "get", "--data", data, "--json");
    expect(JSON.parse(out).effective.language).toBe("de");
  });

  it("with placeholders, renamed columns and an id of another name", async () => {
    const content = "Nr.;Name;Farbe;Preis\nA;Sofa;-;1.299,00 €\nB;Tisch;N/A;89,90 €\nC;Bett;\\N;\n";
    const { records, report } = await imported(
      content,
      "feed.csv",
      "--id",
      "Nr.",
      "--map",
      "title=Name",
      "--map",
      "price=Preis",
    );
    expect(records).toEqual([
      { "Nr.": "A", title: "Sofa", price: 1299, priceCurrency: "EUR" },
      { "Nr.": "B", title: "Tisch", price: 89.9, priceCurrency: "EUR" },
      { "Nr.": "C", title: "Bett" },
    ]);
    expect(report.columns).toMatchObject([
      { name: "Nr.", role: "id", filled: 100 },
      { name: "title", role: "title" },
      { name: "price", role: "price", filled: 66.7, currency: "priceCurrency" },
    ]);
  });
});

describe("exports of shops", () => {
  it("of Shopify: variants become one record", async () => {
    const content = `Handle,Title,Type,Tags,Published,Variant SKU,Variant Price,Image Src
shoe,Red shoe,Shoes,"red, summer",TRUE,S-38,59.90,https://x/1.jpg
shoe,,,,,S-39,59.90,https://x/2.jpg
hat,Blue hat,Hats,blue,FALSE,H-1,19.00,
`;
    const { records, report } = await imported(content, "products_export.csv");
    expect(records).toEqual([
      {
        Handle: "hat",
        Title: "Blue hat",
        Type: "Hats",
        Tags: ["blue"],
        Published: false,
        "Variant SKU": "H-1",
        "Variant Price": 19,
      },
      {
        ...{ Handle: "shoe", Title: "Red shoe", Type: "Shoes", Tags: ["red", "summer"], Published: true },
        ...{
          "Variant SKU": ["S-38", "S-39"],
          "Variant Price": 59.9,
          "Image Src": ["https://x/1.jpg", "https://x/2.jpg"],
        },
      },
    ]);
    expect(report).toMatchObject({ formats: ["CSV of Shopify"], rows: 3, records: 2, joined: 1, replaced: 0 });
  });

  it("of WooCommerce: categories and attributes", async () => {
    const content = `ID,Type,Name,In stock?,Regular price,Categories,Images,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible
12,simple,Mug,1,9.5,"Home > Mugs, Bags\\, boxes","https://a/1, https://a/2",Colour,"Red, Blue",1
13,simple,Cup,0,7,Home > Cups,,,,
`;
    const { records } = await imported(content, "wc.csv");
    expect(records).toEqual([
      {
        ...{
          ID: "12",
          Name: "Mug",
          "In stock?": true,
          "Regular price": 9.5,
          Categories: ["Home > Mugs", "Bags, boxes"],
        },
        ...{ Images: ["https://a/1", "https://a/2"], Colour: ["Red", "Blue"], "Product kind": "simple" },
      },
      {
        ...{ ID: "13", Name: "Cup", "In stock?": false, "Regular price": 7, Categories: ["Home > Cups"] },
        "Product kind": "simple",
      },
    ]);
  });

  it("of Magento: additional attributes", async () => {
    const content = `sku,attribute_set_code,categories,name,price,additional_attributes
M-1,Top,"Men,Men/Tops",Shirt,29.0000,"color=red,material=Cotton|Wool,note=a, b"
`;
    expect((await imported(content, "magento.csv")).records).toEqual([
      {
        ...{ sku: "M-1", attribute_set_code: "Top", categories: ["Men", "Men/Tops"], name: "Shirt", price: 29 },
        ...{ color: "red", material: ["Cotton", "Wool"], note: "a, b" },
      },
    ]);
  });

  it("of this library: as they were, with their settings", async () => {
    const lines = [
      '{"tandem-search":1,"settings":{"idAttribute":"nr","attributesForFaceting":["brand"]}}',
      '{"nr":7,"price":"5"}',
    ];
    const { records, report, data } = await imported(lines.join("\n"), "export.jsonl");
    expect(records).toEqual([{ nr: 7, price: "5" }]);
    expect(report).toMatchObject({ formats: ["export"], id: "nr" });
    const engine = await SearchEngine.open({ dataDir: data });
    expect((await engine.index("shop").getSettings()).effective.attributesForFaceting).toEqual(["brand"]);
    await engine.close();
  });
});

describe("JSON", () => {
  const records = [
    { id: 1, title: 'A "]} b', sizes: ["38", "39"], more: { a: [1] } },
    { id: 2, title: "B", sizes: null, price: "5,50" },
  ];
  const read = [
    { id: 1, title: 'A "]} b', sizes: [38, 39], more: { a: [1] } },
    { id: 2, title: "B", price: 5.5 },
  ];

  it.each([
    ["an array", JSON.stringify(records, null, 2), "JSON"],
    ["an object", `{"count": 2, "tags": ["x"], "products": ${JSON.stringify(records)}, "next": null}`, "JSON"],
    ["lines", `${records.map((one) => JSON.stringify(one)).join("\n\n")}\n`, "JSON Lines"],
    ["one line", JSON.stringify(records), "JSON"],
  ])("in %s", async (_, content, format) => {
    const { report, records: found } = await imported(content, "feed.bin");
    expect(found).toEqual(read);
    expect(report.formats).toEqual([format]);
  });

  it("with wrong records names their lines", async () => {
    const array = await run("import", save('[\n{"id":1},\n{"id":2,},\n"x"\n]'), "--data", pathOf());
    expect(told(array.err)[1]).toMatch(/^ {2}feed\.csv, line 3: no JSON \(/);
    expect(told(array.err)[2]).toBe("  feed.csv, line 4: no JSON object");
    const lines = await run("import", save('{"id":1}\n{"id":2\n[]\n'), "--data", pathOf());
    expect(told(lines.err).map((line) => line.slice(0, 18))).toEqual(
      ["error: 2 rows cann", "  feed.csv, line 2", "  feed.csv, line 3"].map((one) => one.slice(0, 18)),
    );
    const cut = await run("import", save('[{"id":1},\n{"id":2,"title":"a'), "--data", pathOf());
    expect(told(cut.err)[1]).toBe("  feed.csv, line 2: the file ends within it");
    const none = await run("import", save('{"a":{"b":[]}}\n'.repeat(1) + " "), "--data", pathOf());
    expect(none.code).toBe(1);
  });
});

describe("XML", () => {
  it("of Google Shopping", async () => {
    const content = `<?xml version="1.0"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title><item>
<g:id>0</g:id><title>Plain</title><g:title>Drill &amp; bit & x</g:title><g:price>19.99 EUR</g:price>
<g:additional_image_link>http://a/1</g:additional_image_link><g:additional_image_link>http://a/2</g:additional_image_link>
<g:shipping><g:country>DE</g:country><g:price>4.95 EUR</g:price></g:shipping><description><![CDATA[<b>x & y</b>]]></description>
</item><item><g:id>1</g:id><title>Saw&nbsp;2</title><g:price>5.00 EUR</g:price></item></channel></rss>`;
    expect((await imported(content, "google.xml")).records).toEqual([
      {
        ...{
          id: "0",
          title: "Drill & bit & x",
          price: 19.99,
          priceCurrency: "EUR",
          additional_image_link: ["http://a/1", "http://a/2"],
        },
        ...{ shipping: { country: "DE", price: "4.95 EUR" }, description: "<b>x & y</b>" },
      },
      { id: "1", title: "Saw\u00a02", price: 5, priceCurrency: "EUR" },
    ]);
  });

  it("of Atom, and of any list", async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><id>a</id><title type="html">T</title><link href="http://x"/></entry></feed>`;
    expect((await imported(atom, "feed.xml")).records).toEqual([{ id: "a", title: "T", link: "http://x" }]);
    const list = `<shop><categories><category id="1">All</category></categories><books>
<book id="7" new="true"><title>A</title><price currency="USD">5</price><param name="Pages">100</param><author/></book>
<book id="8" new="false"><title>B</title><price currency="USD">6</price></book></books></shop>`;
    expect((await imported(list, "list.xml")).records).toEqual([
      { id: "7", new: true, title: "A", price: 5, priceCurrency: "USD", Pages: 100 },
      { id: "8", new: false, title: "B", price: 6, priceCurrency: "USD" },
    ]);
  });

  it("that is broken names the line of the item", async () => {
    const content =
      "<items>\n<item><id>1</id></item>\n<item>\n<id>2</id><title>x</item>\n<item><id>4</id></item>\n<item><id>5";
    const { code, err } = await run("import", save(content), "--data", pathOf());
    expect(code).toBe(1);
    expect(told(err).slice(1)).toEqual([
      "  feed.csv, line 3: unexpected close tag",
      "  feed.csv, line 6: the file ends within it",
    ]);
    const { records } = await imported(content, "feed.xml", "--skip-broken");
    expect(records).toEqual([{ id: "1" }, { id: "4" }]);
  });
});

describe("the folder", () => {
  it("has all or what it had; an index that is there is replaced or added to when it is said", async () => {
    const { data } = await imported(CSV, "feed.csv");
    const into = ["--data", data, "--index", "shop"];
    const more = save("id,title,price\n2,Green lamp,7\n3,Chair,8\n");
    const refused = await run("import", more, ...into);
    expect([refused.code, ...told(refused.err)]).toEqual([
      1,
      'error: index_exists (409): The index "shop" exists; --replace replaces its records, --add adds to them.',
    ]);
    const broken = await run("import", save("id,title\n4,Sofa\n5"), ...into, "--replace");
    expect(broken.code).toBe(1);
    // An id that the library alone finds wrong.
    const long = await run("import", save(`id,title\n4,Sofa\n${"x".repeat(5000)},Bed\n`), ...into, "--replace");
    expect(told(long.err)[0]).toMatch(/^error: feed\.csv, line 3: /);
    expect(await recordsIn(data, "shop")).toEqual(LAMPS);

    const added = await run("import", more, ...into, "--add", "--json");
    expect(JSON.parse(added.out)).toMatchObject({ rows: 2, records: 2, replaced: 1 });
    expect(await recordsIn(data, "shop")).toHaveLength(3);
    const replaced = await run("import", more, ...into, "--replace", "--json");
    expect(JSON.parse(replaced.out)).toMatchObject({ rows: 2, records: 2, replaced: 0 });
    expect(await recordsIn(data, "shop")).toMatchObject([{ id: "2", title: "Green lamp" }, { id: "3" }]);
  });

  it("keeps the settings of what is replaced", async () => {
    const data = pathOf();
    const engine = await SearchEngine.open({ dataDir: data });
    await engine.createIndex("shop", { attributesForFaceting: ["brand"], embedder: false });
    await engine.close();
    const { code, err } = await run("import", save(CSV), "--data", data, "--index", "shop", "--replace");
    expect(code, err).toBe(0);
    const again = await SearchEngine.open({ dataDir: data });
    expect((await again.index("shop").getSettings()).settings).toEqual({
      attributesForFaceting: ["brand"],
      embedder: false,
    });
    await again.close();
  });

  it("has the last of equal ids that do not follow each other", async () => {
    const { records, report } = await imported("id,title\n1,a\n2,b\n1,c\n", "feed.csv", "--id", "id");
    expect(records).toEqual([
      { id: "1", title: "c" },
      { id: "2", title: "b" },
    ]);
    expect(report).toMatchObject({ rows: 3, records: 2, joined: 0, replaced: 1 });
  });

  it("keeps its column of ids", async () => {
    const { data } = await imported("sku,title\n1,a\n", "feed.csv");
    const into = ["--data", data, "--index", "shop"];
    const other = save("id,sku,title\n7,2,b\n");
    expect((await run("import", other, ...into, "--add")).code).toBe(0);
    expect(await recordsIn(data, "shop")).toEqual([
      { sku: "1", title: "a" },
      { id: "7", sku: "2", title: "b" },
    ]);
    const { code, err } = await run("import", save("id,title\n3,c\n"), ...into, "--add");
    expect([code, err]).toEqual([1, 'error: the ids of this index are in "sku"; pass --map sku=id.\n']);
    expect((await run("import", other, ...into, "--replace", "--id", "id")).code).toBe(0);
    expect(await recordsIn(data, "shop")).toEqual([{ id: "7", sku: "2", title: "b" }]);
  });

  it("of another process is refused", async () => {
    const data = pathOf();
    const engine = await SearchEngine.open({ dataDir: data });
    const { code, err } = await run("import", save(CSV), "--data", data);
    await engine.close();
    expect(code).toBe(1);
    expect(err).toContain("storage_locked (409)");
    // Only the sockets of Linux tell who has it.
    if (process.platform === "linux") expect(err).toContain(`Process ${process.pid} has the data folder open`);
  });

  it("takes several files, and what comes in, of which no copy stays", async () => {
    const data = pathOf();
    const copies = () => readdirSync(tmpdir()).filter((name) => /^tandem-search-\w{6}$/.test(name)).length;
    const before = copies();
    const piped = await start(["import", "-", "--data", data, "--json"], gzipSync(CSV)).ran;
    expect(JSON.parse(piped.out)).toMatchObject({ index: "products", records: 2 });
    expect(copies()).toBe(before);
    const files = [save(CSV, "lamps.csv"), save('[{"id":"3","title":"Chair","price":"7,50"}]', "chairs.json")];
    const both = await run("import", ...files, "--data", data, "--index", "both", "--json");
    expect(JSON.parse(both.out)).toMatchObject({ formats: ["CSV", "JSON"], rows: 3, records: 3 });
    // One comma decides nothing where points are, too.
    expect(await recordsIn(data, "both")).toMatchObject([{ price: "19.99" }, { price: "5" }, { price: "7,50" }]);
  });
});

describe("an interrupted import", () => {
  const rows = (count: number) =>
    `id,title,text\n${Array.from({ length: count }, (_, i) => `${i},Lamp number ${i},${"a lamp of some colour ".repeat(4)}${i}`).join("\n")}\n`;

  it("leaves the folder as it was", async () => {
    const { data } = await imported(CSV, "feed.csv");
    const { child, ran } = start(["import", save(rows(150_000)), "--data", data, "--index", "shop", "--replace"]);
    await pause(3000);
    child.kill("SIGINT");
    expect(await ran).toEqual({ code: 130, out: "", err: "error: interrupted; nothing was changed.\n" });
    expect(await recordsIn(data, "shop")).toEqual(LAMPS);
  });

  it("with --add leaves it as after the last whole call", async () => {
    const data = pathOf();
    expect((await run("import", save(CSV), "--data", data, "--index", "shop")).code).toBe(0);
    const { child, ran } = start(["import", save(rows(150_000)), "--data", data, "--index", "shop", "--add"]);
    const reader = await SearchEngine.open({ dataDir: data, readOnly: true });
    while ((await reader.listIndexes())[0]!.records < 10_000) {
      await pause(100);
      await reader.refresh();
    }
    await reader.close();
    child.kill("SIGINT");
    const { code, err } = await ran;
    const records = (await recordsIn(data, "shop")).length;
    expect(code).toBe(130);
    expect(records % 10_000).toBe(0);
    expect(err).toBe(`error: interrupted.\n  ${records.toLocaleString("en")} records of the calls before are in.\n`);
  });
});

describe("the command line", () => {
  it("says what is known", async () => {
    expect(await run("--help")).toMatchObject({ code: 0, err: "", out: expect.stringContaining("import") });
    expect(await run("import", "--help")).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("--skip-broken"),
    });
    expect(await run("load")).toMatchObject({ code: 2, err: expect.stringContaining("known are import") });
    const flag = await run("import", "x.csv", "--dta", "y");
    expect(flag).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Unknown option '--dta'.*--data, --opensearch, --index/),
    });
    expect(told((await run("import", save(CSV), "--data", pathOf(), "--map", "title=Name")).err)).toEqual([
      'error: --map: there is no column "Name". There are: id, title, price.',
    ]);
    const twice = await run("import", save(CSV), "--data", pathOf(), "--map", "title=price");
    expect(told(twice.err)).toEqual(['error: feed.csv: two columns would be "title"; rename the other one, too.']);
    expect(await run("import", "x.csv")).toMatchObject({ code: 2, err: expect.stringContaining("--data FOLDER") });
    expect(await run("import", "none.csv", "--data", pathOf())).toMatchObject({
      code: 1,
      err: "error: none.csv: there is no such file.\n",
    });
  });

  it("prints a table, and no control characters of a file", async () => {
    const path = save("id,title,price\n1,Red \u001b[31mlamp,5\n2,b,6\n3,c,7\n4,d,8\n5,e,free\n");
    const { out } = await run("import", path, "--data", pathOf());
    expect(out).not.toContain("\u001b");
    expect(out.split("\n").slice(1)).toEqual(
      `
column  taken for  filled  example
id      id          100 %  1
title   title       100 %  Red [31mlamp
price   text        100 %  5

wrong? price has numbers with a decimal point, but for 1 cell: "free" (${path}, line 6). All stay texts.
`.split("\n"),
    );
  });
});
