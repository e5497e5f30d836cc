// `tandem-search import` as its user meets it: files with the faults of real ones, and the folder that is left.

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { allOf } from "../support/all-of.js";
import { commands, startCommand } from "../support/command.js";
import { tempPaths } from "../support/temp-folder.js";

const pathOf = tempPaths();
const run = commands();

function save(content: string | Buffer, name = "feed.csv"): string {
  const path = pathOf(name);
  writeFileSync(path, content);
  return path;
}

/** All records of an index in a folder, each as its line of JSON, by the order of their ids. */
async function linesIn(data: string, index = "shop"): Promise<string[]> {
  const engine = await SearchEngine.open({ dataDir: data, readOnly: true });
  try {
    return (await allOf(engine.exportIndex(index))).join("").trimEnd().split("\n").slice(1);
  } finally {
    await engine.close();
  }
}

/** Imports a file into a folder of its own; the report, and the records that are there then. */
async function imported(content: string | Buffer, ...flags: readonly string[]) {
  const data = pathOf();
  const { code, out, err } = await run("import", save(content), "--data", data, "--index", "shop", "--json", ...flags);
  expect(code, err).toBe(0);
  return { report: JSON.parse(out), lines: await linesIn(data), data };
}

/** The lines of an error without the folder of its files. */
const told = (err: string) => err.replaceAll(/\/\S*\/\d+-/g, "").trimEnd();

/** How an import of a file is refused; it leaves no folder. */
async function refused(content: string | Buffer, ...flags: readonly string[]): Promise<string> {
  const data = pathOf();
  const { code, err } = await run("import", save(content), "--data", data, ...flags);
  expect([code, existsSync(data)]).toEqual([1, false]);
  return told(err);
}

const CSV = "id,title,price\n1,Red lamp,19.99\n2,Blue lamp,5\n";
const LAMPS = ['{"id":"1","title":"Red lamp","price":19.99}', '{"id":"2","title":"Blue lamp","price":5}'];

describe("CSV", () => {
  it.each([
    ["semicolons, CR LF and a byte order mark", `\ufeff${CSV.replaceAll(",", ";").replaceAll("\n", "\r\n")}`],
    ["tabs and blank lines", `\n${CSV.replaceAll(",", "\t").replaceAll("\n", "\n\n")}`],
    ["bars and CR", CSV.replaceAll(",", "|").replaceAll("\n", "\r")],
    ["quotes", 'id,title,price\n"1","Red lamp","19.99"\n2,"Blue lamp",5'],
    ["UTF-16", Buffer.from(`\ufeff${CSV}`, "utf16le")],
    ["UTF-16, big end first", Buffer.from(`\ufeff${CSV}`, "utf16le").swap16()],
    ["gzip", gzipSync(CSV)],
  ])("with %s", async (_, content) => {
    const { report, lines } = await imported(content);
    expect(lines).toEqual(LAMPS);
    expect(report).toMatchObject({ index: "shop", formats: ["CSV"], rows: 2, records: 2, joined: 0, id: "id" });
  });

  it("with placeholders, renamed columns and an id of another name", async () => {
    const content = "Nr.;Name;Farbe;Preis\nA;Sofa;-;1.299,00 €\nB;Tisch;N/A;89,90 €\nC;Bett;\\N;\n";
    const { lines, report } = await imported(content, "--id", "Nr.", "--map", "title=Name", "--map", "price=Preis");
    expect(lines).toEqual([
      '{"Nr.":"A","title":"Sofa","price":1299,"priceCurrency":"EUR"}',
      '{"Nr.":"B","title":"Tisch","price":89.9,"priceCurrency":"EUR"}',
      '{"Nr.":"C","title":"Bett"}',
    ]);
    expect(report.columns).toMatchObject([
      { name: "Nr.", role: "id", filled: 100 },
      { name: "title", role: "title" },
      { name: "price", role: "price", filled: 66.7, currency: "priceCurrency" },
    ]);
  });

  it("whose broken rows are left out tells them", async () => {
    const { lines, report } = await imported("id,title\n1,a\n,b\n3\n4,d\n5,\n", "--skip-broken");
    expect(lines).toEqual(['{"id":"1","title":"a"}', '{"id":"4","title":"d"}', '{"id":"5"}']);
    const first = [{ problem: "1 of 2 cells" }, { problem: "no id" }];
    expect(report).toMatchObject({ rows: 5, records: 3, skipped: { count: 2, first } });
  });
});

const JSON_RECORDS =
  '[{"id":1,"title":"A \\"]} b","sizes":["38","39"],"more":{"a":[1]}},{"id":2,"price":"5,50","sizes":null}]';
const JSON_LINES = ['{"id":1,"title":"A \\"]} b","sizes":[38,39],"more":{"a":[1]}}', '{"id":2,"price":5.5}'];
type Read = [what: string, content: string | Buffer, lines: readonly string[], report: object, ...flags: string[]];
const READ: readonly Read[] = [
  [
    "cells with line ends, quotes and delimiters, columns without a name or of the same",
    'id,title,,note,note\n7,"A ""b"",\nc;",x,1 a,2 b\n',
    ['{"id":"7","title":"A \\"b\\",\\nc;","note":"1 a","note (2)":"2 b"}'],
    {},
  ],
  [
    "Windows",
    Buffer.from("id;title\n1;Stuhl f\xfcr 5 \x80\n", "latin1"),
    ['{"id":"1","title":"Stuhl für 5 €"}'],
    {},
    "--encoding=windows-1252",
  ],
  [
    "Shopify: variants become one record",
    `Handle,Title,Type,Tags,Published,Variant SKU,Variant Price,Image Src
shoe,Red shoe,Shoes,"red, summer",TRUE,S-38,59.90,https://x/1.jpg
shoe,,,,,S-39,59.90,https://x/2.jpg
hat,Blue hat,Hats,blue,FALSE,H-1,19.00,
`,
    [
      '{"Handle":"hat","Title":"Blue hat","Type":"Hats","Tags":["blue"],"Published":false,"Variant SKU":"H-1","Variant Price":19}',
      '{"Handle":"shoe","Title":"Red shoe","Type":"Shoes","Tags":["red","summer"],"Published":true,' +
        '"Variant SKU":["S-38","S-39"],"Variant Price":59.9,"Image Src":["https://x/1.jpg","https://x/2.jpg"]}',
    ],
    { formats: ["CSV of Shopify"], rows: 3, records: 2, joined: 1, replaced: 0 },
  ],
  [
    "WooCommerce: categories and attributes",
    `ID,Type,Name,In stock?,Regular price,Categories,Images,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible
12,simple,Mug,1,9.5,"Home > Mugs, Bags\\, boxes","https://a/1, https://a/2",Colour,"Red, Blue",1
13,simple,Cup,0,7,Home > Cups,,,,
`,
    [
      '{"ID":"12","Name":"Mug","In stock?":true,"Regular price":9.5,"Categories":["Home > Mugs","Bags, boxes"],' +
        '"Images":["https://a/1","https://a/2"],"Product kind":"simple","Colour":["Red","Blue"]}',
      '{"ID":"13","Name":"Cup","In stock?":false,"Regular price":7,"Categories":["Home > Cups"],"Product kind":"simple"}',
    ],
    {},
  ],
  [
    "Magento: additional attributes",
    `sku,attribute_set_code,categories,name,price,additional_attributes
M-1,Top,"Men,Men/Tops",Shirt,29.0000,"color=red,material=Cotton|Wool,note=a, b"
`,
    [
      '{"sku":"M-1","attribute_set_code":"Top","categories":["Men","Men/Tops"],"name":"Shirt","price":29,' +
        '"color":"red","material":["Cotton","Wool"],"note":"a, b"}',
    ],
    {},
  ],
  ["an array of JSON", JSON_RECORDS, JSON_LINES, { formats: ["JSON"] }],
  [
    "an object of JSON",
    `{"count": 2, "tags": ["x"], "products": ${JSON_RECORDS}, "next": null}`,
    JSON_LINES,
    { formats: ["JSON"] },
  ],
  ["lines of JSON", JSON_RECORDS.slice(1, -1).replace("}},", "}}\n\n"), JSON_LINES, { formats: ["JSON Lines"] }],
  [
    "Google Shopping",
    `<?xml version="1.0"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title><item>
<g:id>0</g:id><title>Plain</title><g:title>Drill &amp; bit & x</g:title><g:price>19.99 EUR</g:price>
<g:additional_image_link>http://a/1</g:additional_image_link><g:additional_image_link>http://a/2</g:additional_image_link>
<g:shipping><g:country>DE</g:country><g:price>4.95 EUR</g:price></g:shipping><description><![CDATA[<b>x & y</b>]]></description>
</item><item><g:id>1</g:id><title>Saw&nbsp;2</title><g:price>5.00 EUR</g:price></item></channel></rss>`,
    [
      '{"title":"Drill & bit & x","description":"<b>x & y</b>","id":"0","price":19.99,"priceCurrency":"EUR",' +
        '"additional_image_link":["http://a/1","http://a/2"],"shipping":{"country":"DE","price":"4.95 EUR"}}',
      '{"title":"Saw\u00a02","id":"1","price":5,"priceCurrency":"EUR"}',
    ],
    {},
  ],
  [
    "Atom",
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><id>a</id><title type="html">T</title><link href="http://x"/></entry></feed>',
    ['{"id":"a","title":"T","link":"http://x"}'],
    {},
  ],
  [
    "any list of XML",
    `<shop><categories><category id="1">All</category></categories><books>
<book id="7" new="true"><title>A</title><price currency="USD">5</price><param name="Pages">100</param><author/></book>
<book id="8" new="false"><title>B</title><price currency="USD">6</price></book></books></shop>`,
    [
      '{"id":"7","new":true,"title":"A","price":5,"priceCurrency":"USD","Pages":100}',
      '{"id":"8","new":false,"title":"B","price":6,"priceCurrency":"USD"}',
    ],
    {},
  ],
  [
    "the last of equal ids that do not follow each other",
    "id,title\n1,a\n2,b\n1,c\n",
    ['{"id":"1","title":"c"}', '{"id":"2","title":"b"}'],
    { rows: 3, records: 2, joined: 0, replaced: 1 },
    "--id=id",
  ],
];

it.each(READ)("reads %s", async (_, content, lines, report, ...flags) => {
  const read = await imported(content, ...flags);
  expect(read.lines).toEqual(lines);
  expect(read.report).toMatchObject(report);
});

const BROKEN_XML =
  "<items>\n<item><id>1</id></item>\n<item>\n<id>2</id><title>x</item>\n<item><id>4</id></item>\n<item><id>5";

const REFUSED: readonly (readonly [content: string | Buffer, error: string | RegExp, flag?: string])[] = [
  [gzipSync(CSV).subarray(0, -9), /^error: feed\.csv: damaged, or not packed by gzip \(/],
  [Buffer.from("PK\x03\x04rest"), "error: feed.csv: a file of Excel or a zip file; save it as CSV."],
  ["", "error: feed.csv: no records."],
  ["id,title\n", "error: feed.csv: no records."],
  ['<?xml version="1.0" encoding="x"?><a/>', /^error: feed\.csv: "x" is no encoding/],
  [
    Buffer.from("id;title\n1;Stuhl f\xfcr 5 \x80\n", "latin1"),
    "error: feed.csv, line 2: not UTF-8 text; name what it is, such as --encoding windows-1252.",
  ],
  [
    'id,title\n1,a\n2,"b\nb",x\n3\n4,d\n',
    `error: 2 rows cannot be read; nothing was changed. --skip-broken leaves such rows out.
  feed.csv, line 3: 3 of 2 cells
  feed.csv, line 5: 1 of 2 cells`,
  ],
  [
    'id,title\n1,a\n2,"b\n3,c\n',
    "error: feed.csv, line 3: a quote that opens here or soon after is not closed.",
    "--skip-broken",
  ],
  [`${CSV},none,3\n`, /\n {2}feed\.csv, line 4: no id$/, "--id=id"],
  ["number,text\n1,a\n", "error: no column tells the rows apart; name one by --id. There are: number, text."],
  ['[{"id":1}', /^error: /],
  ['[\n{"id":1},\n{"id":2,},\n"x"\n]', /\n {2}feed\.csv, line 3: no JSON \(.*\n {2}feed\.csv, line 4: no JSON object$/],
  ['{"id":1}\n{"id":2\n[]\n', /^error: 2 rows cann.*\n {2}feed\.csv, line 2.*\n {2}feed\.csv, line 3/],
  ['[{"id":1},\n{"id":2,"title":"a', /\n {2}feed\.csv, line 2: the file ends within it$/],
  ['{"a":{"b":[]}}\n ', /^error: /],
  [BROKEN_XML, /\n {2}feed\.csv, line 3: unexpected close tag\n {2}feed\.csv, line 6: the file ends within it$/],
  [CSV, 'error: --map: there is no column "Name". There are: id, title, price.', "--map=title=Name"],
  [CSV, 'error: feed.csv: two columns would be "title"; rename the other one, too.', "--map=title=price"],
];
it.each(
  REFUSED.map(([content, error, flag]) => ({ content, error, flags: flag === undefined ? [] : [flag] })),
)("refuses a feed with: $error", async ({ content, error, flags }) => {
  expect(await refused(content, ...flags)).toEqual(typeof error === "string" ? error : expect.stringMatching(error));
});

it("leaves a broken item of XML out", async () => {
  expect((await imported(BROKEN_XML, "--skip-broken")).lines).toEqual(['{"id":"1"}', '{"id":"4"}']);
});

it("reads a row that repeats an id, or has none, in a language", async () => {
  const rows = '{"id":1,"title":"Regal"}\n{"id":2,"title":"Tisch"}\n{"id":1,"title":"Regale"}\n{"title":"Bett"}\n';
  expect(await refused(rows)).toMatch(/, line 4: no id$/);
  const { lines, data } = await imported(rows, "--skip-broken", "--language", "de");
  expect(lines).toEqual(['{"id":1,"title":"Regale"}', '{"id":2,"title":"Tisch"}']);
  const { out } = await run("settings", "get", "--data", data, "--json");
  expect(JSON.parse(out).effective.language).toBe("de");
});

describe("the folder", () => {
  it("has all or what it had; an index that is there is replaced or added to when it is said", async () => {
    const { data } = await imported(CSV);
    const more = save("id,title,price\n2,Green lamp,7\n3,Chair,8\n");
    const into = (file: string, ...flags: string[]) => run("import", file, "--data", data, "--index", "shop", ...flags);
    expect(await into(more)).toMatchObject({
      code: 1,
      err: 'error: index_exists (409): The index "shop" exists; --replace replaces its records, --add adds to them.\n',
    });
    expect((await into(save("id,title\n4,Sofa\n5"), "--replace")).code).toBe(1);
    // An id that the library alone finds wrong.
    const long = await into(save(`id,title\n4,Sofa\n${"x".repeat(5000)},Bed\n`), "--replace");
    expect(told(long.err)).toMatch(/^error: feed\.csv, line 3: /);
    expect(await linesIn(data)).toEqual(LAMPS);

    expect(JSON.parse((await into(more, "--add", "--json")).out)).toMatchObject({ rows: 2, records: 2, replaced: 1 });
    expect(await linesIn(data)).toHaveLength(3);
    expect(JSON.parse((await into(more, "--replace", "--json")).out)).toMatchObject({ records: 2, replaced: 0 });
    expect(await linesIn(data)).toEqual([
      '{"id":"2","title":"Green lamp","price":7}',
      '{"id":"3","title":"Chair","price":8}',
    ]);
  });

  it("keeps the settings of an export, and those of what is replaced", async () => {
    const settings = { idAttribute: "nr", attributesForFaceting: ["brand"], embedder: false };
    const { lines, report, data } = await imported(
      `${JSON.stringify({ "tandem-search": 1, settings })}\n{"nr":7,"price":"5"}`,
    );
    expect(lines).toEqual(['{"nr":7,"price":"5"}']);
    expect(report).toMatchObject({ formats: ["export"], id: "nr" });
    const replaced = await run(
      "import",
      save("nr,title\n1,a\n"),
      "--data",
      data,
      "--index",
      "shop",
      "--replace",
      "--id",
      "nr",
    );
    expect(replaced.code, replaced.err).toBe(0);
    const { out } = await run("settings", "get", "--data", data, "--json");
    expect(JSON.parse(out).settings).toEqual(settings);
  });

  it("keeps its column of ids", async () => {
    const { data } = await imported("sku,title\n1,a\n");
    const into = ["--data", data, "--index", "shop"];
    const other = save("id,sku,title\n7,2,b\n");
    expect((await run("import", other, ...into, "--add")).code).toBe(0);
    expect(await linesIn(data)).toEqual(['{"sku":"1","title":"a"}', '{"id":"7","sku":"2","title":"b"}']);
    const { code, err } = await run("import", save("id,title\n3,c\n"), ...into, "--add");
    expect([code, err]).toEqual([1, 'error: the ids of this index are in "sku"; pass --map sku=id.\n']);
    expect((await run("import", other, ...into, "--replace", "--id", "id")).code).toBe(0);
    expect(await linesIn(data)).toEqual(['{"id":"7","sku":"2","title":"b"}']);
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
    const piped = await startCommand(["import", "-", "--data", data, "--json"], gzipSync(CSV)).ran;
    expect(JSON.parse(piped.out)).toMatchObject({ index: "products", records: 2 });
    expect(copies()).toBe(before);
    const files = [save(CSV, "lamps.csv"), save('[{"id":"3","title":"Chair","price":"7,50"}]', "chairs.json")];
    const both = await run("import", ...files, "--data", data, "--index", "both", "--json");
    expect(JSON.parse(both.out)).toMatchObject({ formats: ["CSV", "JSON"], rows: 3, records: 3 });
    // One comma decides nothing where points are, too.
    const prices = (await linesIn(data, "both")).map((line) => JSON.parse(line).price);
    expect(prices).toEqual(["19.99", "5", "7,50"]);
  });
});

describe.concurrent("an interrupted import", () => {
  const rows = `id,title,text\n${Array.from({ length: 150_000 }, (_, i) => `${i},Lamp number ${i},${"a lamp of some colour ".repeat(4)}${i}`).join("\n")}\n`;
  const begin = async (how: string) => {
    const { data } = await imported(CSV);
    return { data, ...startCommand(["import", save(rows), "--data", data, "--index", "shop", how]) };
  };

  it("leaves the folder as it was", async () => {
    const { data, child, ran } = await begin("--replace");
    await pause(3000);
    child.kill("SIGINT");
    expect(await ran).toEqual({ code: 130, out: "", err: "error: interrupted; nothing was changed.\n" });
    expect(await linesIn(data)).toEqual(LAMPS);
  });

  it("with --add leaves it as after the last whole call", async () => {
    const { data, child, ran } = await begin("--add");
    const reader = await SearchEngine.open({ dataDir: data, readOnly: true });
    while ((await reader.listIndexes())[0]!.records < 10_000) {
      await pause(100);
      await reader.refresh();
    }
    await reader.close();
    child.kill("SIGINT");
    const { code, err } = await ran;
    const { length } = await linesIn(data);
    expect([code, length % 10_000]).toEqual([130, 0]);
    expect(err).toBe(`error: interrupted.\n  ${length.toLocaleString("en")} records of the calls before are in.\n`);
  });
});

describe("the command line", () => {
  it.each<[string[], number, RegExp]>([
    [["--help"], 0, /import/],
    [["import", "--help"], 0, /--skip-broken/],
    [["load"], 2, /known are import/],
    [["import", "x.csv", "--dta", "y"], 2, /Unknown option '--dta'.*--data, --opensearch, --index/],
    [["import", "x.csv"], 2, /--data FOLDER/],
    [["import", "none.csv", "--data", pathOf()], 1, /^error: none\.csv: there is no such file\.\n$/],
  ])("says what is known: %j", async (args, code, said) => {
    const { out, err, ...ran } = await run(...args);
    expect([ran.code, code === 0 ? err : out]).toEqual([code, ""]);
    expect(code === 0 ? out : err).toMatch(said);
  });

  it("prints a table, and no control characters of a file", async () => {
    const path = save("id,title,price\n1,Red \u001b[31mlamp,5\n2,b,6\n3,c,7\n4,d,8\n5,e,free\n");
    const { out } = await run("import", path, "--data", pathOf());
    expect(out.slice(out.indexOf("\n"))).toBe(`

column  taken for  filled  example
id      id          100 %  1
title   title       100 %  Red [31mlamp
price   text        100 %  5

wrong? price has numbers with a decimal point, but for 1 cell: "free" (${path}, line 6). All stay texts.
`);
  });
});
