// What `npm start` runs, as its user meets it: a process with arguments, an exit code, and something to read.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { ROOT } from "../support/source-tree.js";

const START = join(ROOT, "docs/demo/start.mjs");

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "demo-start-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function save(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const startDemo = (args: readonly string[]): ChildProcess => spawn(process.execPath, [START, ...args], { cwd: folder });

/** Runs the demo; `watch` may look at the process meanwhile. */
function run(args: readonly string[], watch?: (child: ChildProcess) => void): Promise<Run> {
  const child = startDemo(args);
  const texts = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    texts.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    texts.stderr += text;
  });
  watch?.(child);
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve({ code, ...texts }));
  });
}

const LAMPS = [
  { id: 1, title: "Red lamp", note: "on the desk" },
  { id: 2, name: "Blue lamp\u001b[31m\nfor the wall" },
  { id: 3, label: "Green chair" },
];
const jsonl = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join("\n");

/** Ids of the hits printed below the query that a line begins with. */
function idsBelow(output: string, query: string): string[] {
  const block = output.split("\n\n").find((text) => text.startsWith(query)) ?? "";
  return [...block.matchAll(/^ {2}\d\.\d{6} +(\S+)/gm)].map((match) => match[1]!);
}

describe("without arguments", () => {
  let demo: Run;
  beforeAll(async () => {
    demo = await run([]);
  });

  it("ends well, with nothing on stderr and without colours where nobody looks", () => {
    expect([demo.code, demo.stderr]).toEqual([0, ""]);
    expect(demo.stdout).not.toContain("\u001b");
  });

  it("indexes the whole catalogue", () => {
    expect(demo.stdout).toMatch(/^The demo catalogue, .*: 391 records in \d+\.\d\d s, [\d,]+ records\/s, peak memory/);
  });

  it.each([
    ['query "cordless drill"', ["1001", "1003"]],
    ['query "percolator"', ["3012", "3016"]],
    ['query "fridge"', ["3001", "3003"]],
    ['query "flashlight"', ["1037", "1038", "7029"]],
    ['query "frg dd18 2a"', ["1001"]],
    ['query "sofas"', ["2001", "2005"]],
    ['query "ebike"', ["7010"]],
    ['query "t shirt"', ["6006"]],
    ['query "18v battery"', ["1006", "1007"]],
    ['query "jalapeno"', ["5028"]],
    ['params "query=frying%20pan&page=1"', ["3026", "3027"]],
    ['query "kids bike", semanticWeight 1', ["7011"]],
    ['query "kids bike"  ', ["7011"]],
  ])("finds for %s what is meant", (query, expected) => {
    expect(idsBelow(demo.stdout, query).slice(0, expected.length).sort()).toEqual(expected);
  });

  it("gives the exact code the score 1", () => {
    expect(demo.stdout).toMatch(/query "frg dd18 2a".*\n.*\n {2}1\.000000 {2}1001 /);
  });

  it("shows both legs alone, a second page and a query that finds nothing", () => {
    expect(demo.stdout).toMatch(/"kids bike", semanticWeight 0 .*\n.* recallSource fullTextSearch, /);
    expect(demo.stdout).toMatch(/"kids bike", semanticWeight 1 .*\n.* recallSource semanticSearch, /);
    expect(demo.stdout).toMatch(/"wireless", page 2, hitsPerPage 5 .*\n {2}page 2 of \d+, nbHits \d+, /);
    expect(demo.stdout).toMatch(/"qwxyzzt blorfgh" .*\n {2}nbHits 0, .*\n {2}\(no hits\)\n/);
  });

  it("shows one answer as it is", () => {
    const raw = /^\{\n(?:.*\n)*?\}$/m.exec(demo.stdout)?.[0] ?? "";
    const { code, data } = JSON.parse(raw);
    expect([code, data.hits.length, data.hits[0].source.id]).toEqual([200, 1, Number(data.hits[0].id)]);
  });
});

describe("with somebody's file", () => {
  it.each([
    ["lamps.jsonl", jsonl(LAMPS)],
    ["lamps.json", JSON.stringify({ lamps: LAMPS })],
    ["lamps.jsonl.gz", gzipSync(jsonl(LAMPS))],
    ["lamps.csv", "id;title;name\n1;Red lamp;\n2;;Blue lamp for the wall\n3;Chair;\n"],
  ])("reads %s and prints what it did and found", async (name, content) => {
    const { code, stdout, stderr } = await run(["--records", save(name, content), "--query", "lamp"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/: 3 records in \d+\.\d\d s, [\d,]+ records\/s, peak memory [\d,]+ MiB\n/);
    expect(idsBelow(stdout, 'query "lamp"').slice(0, 2).sort()).toEqual(["1", "2"]);
  });

  it("guesses the title and lets no text command the terminal", async () => {
    const { stdout } = await run(["--records", save("a.jsonl", jsonl(LAMPS)), "--query", "lamp", "--query", "chair"]);
    expect(stdout).toMatch(/ {2}1 {2}Red lamp\n/);
    expect(stdout).toMatch(/ {2}2 {2}Blue lamp \[31m for the wall\n/);
    expect(stdout).toMatch(/ {2}3 {2}Green chair\n/);
    expect(stdout).not.toContain("\u001b");
  });

  it("takes another attribute for the id, and counts records that replace another", async () => {
    const file = save("skus.csv", "sku,title\nA-1,Lamp\nA-2,Chair\nA-1,Red lamp\n");
    const { code, stdout } = await run(["--records", file, "--id", "sku", "--query", "lamp"]);
    expect(code).toBe(0);
    expect(stdout).toContain(": 3 records (1 of them replaced an earlier one with the same id) in ");
    expect(stdout).toMatch(/ {2}A-1 {2}Red lamp\n/);
  });

  it("adds more records than one batch holds", async () => {
    const many = Array.from({ length: 5003 }, (_, id) => ({ id, title: `Lamp ${id}` }));
    const { stdout } = await run(["--records", save("many.jsonl", jsonl(many)), "--query", "5002", "--json"]);
    expect(JSON.parse(stdout).data.hits.map((hit: { id: string }) => hit.id)).toEqual(["5002"]);
  });

  it("says what to do when there is no query", async () => {
    const { code, stdout } = await run(["--records", save("a.jsonl", jsonl(LAMPS))]);
    expect([code, stdout.split("\n")[1]]).toEqual([0, "Ask it something with --query TEXT."]);
  });
});

describe("--data", () => {
  const KEEP = ["--records", "kept.jsonl", "--data", "kept", "--query", "lamp"];
  const FILLED = /^kept\.jsonl: 3 records in \d+\.\d\d s, .* MiB, kept in kept for the next run\n/;
  const OPENED = /^kept\.jsonl: 3 records, kept in kept, open in \d+ ms\n/;

  beforeEach(() => {
    rmSync(join(folder, "kept"), { recursive: true, force: true });
    save("kept.jsonl", jsonl(LAMPS));
  });

  it("indexes in the first run, opens that index in the second, and answers alike", async () => {
    const [first, second] = [await run(KEEP), await run(KEEP)];
    expect([first.code, first.stderr, second.code, second.stderr]).toEqual([0, "", 0, ""]);
    expect(first.stdout).toMatch(FILLED);
    expect(second.stdout).toMatch(OPENED);
    const hits = ({ stdout }: Run) => stdout.split("\n").slice(4);
    expect(hits(second)).toEqual(hits(first));
    expect(idsBelow(second.stdout, 'query "lamp"').slice(0, 2).sort()).toEqual(["1", "2"]);
  });

  it("tells a file that was touched from one that was changed", async () => {
    await run(KEEP);
    utimesSync(join(folder, "kept.jsonl"), 1, 1);
    expect((await run(KEEP)).stdout).toMatch(OPENED);
    // As long as before, and of the same time.
    save("kept.jsonl", jsonl(LAMPS).replace("Green chair", "Brown table"));
    utimesSync(join(folder, "kept.jsonl"), 1, 1);
    const changed = await run([...KEEP, "--query", "brown table"]);
    expect(changed.stdout).toMatch(/^kept\.jsonl: changed; 3 records in /);
    expect(changed.stdout).toMatch(/ {2}3 {2}Brown table\n/);
    expect((await run(KEEP)).stdout).toMatch(OPENED);
  });

  it("indexes anew under another id attribute, and has no records of the file before", async () => {
    save("kept.jsonl", jsonl(LAMPS.map(({ id, ...record }) => ({ id, sku: `S-${id}`, ...record }))));
    await run(KEEP);
    const { code, stdout } = await run([...KEEP, "--id", "sku"]);
    expect(code).toBe(0);
    expect(idsBelow(stdout, 'query "lamp"').slice(0, 2).sort()).toEqual(["S-1", "S-2"]);
  });

  it("indexes again after a file that it could not read to its end", async () => {
    await run(KEEP);
    save("kept.jsonl", `${jsonl(LAMPS)}\n{"id":`);
    const failed = await run(KEEP);
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
    expect(failed.stderr).toContain("error: kept.jsonl, line 4: not JSON (");
    save("kept.jsonl", jsonl(LAMPS));
    expect((await run(KEEP)).stdout).toMatch(FILLED);
  });

  it("says who has the folder, and leaves it alone", async () => {
    await run(KEEP);
    const holder = await SearchEngine.open({ dataDir: join(folder, "kept") });
    try {
      const { code, stdout, stderr } = await run(KEEP);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toBe("error: kept: another process has this data folder open; end it, or name another folder.\n");
    } finally {
      await holder.close();
    }
    expect((await run(KEEP)).stdout).toMatch(OPENED);
  });

  it.each([
    ["is damaged", 60, 0xff, "the data folder is damaged (manifest)"],
    ["another version wrote", 16, 1, "another version of tandem-search wrote this data folder"],
  ])("says what to do with a folder that %s", async (_, at, change, says) => {
    await run(KEEP);
    const path = join(folder, "kept", "manifest");
    const bytes = readFileSync(path);
    bytes[at]! += change;
    writeFileSync(path, bytes);
    const { code, stdout, stderr } = await run(KEEP);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(`error: kept: ${says}; delete it, and the next run makes it anew from your file.\n`);
  });

  it("needs a file", async () => {
    const { code, stderr } = await run(["--data", "kept", "--query", "lamp"]);
    expect([code, stderr]).toEqual([1, "error: --data needs --records.\n"]);
  });
});

describe("--json", () => {
  it("leaves the envelope alone on stdout, with the documented keys in their order", async () => {
    const args = ["--query", "lamp", "--page", "2", "--hits-per-page", "1", "--json"];
    const { code, stdout, stderr } = await run(["--records", save("a.jsonl", jsonl(LAMPS)), ...args]);
    expect([code, stderr.split(" in ")[0]]).toEqual([0, "a.jsonl: 3 records"]);
    const answer = JSON.parse(stdout);
    expect(Object.keys(answer)).toEqual(["msg", "code", "data"]);
    const [paging, times] = [
      ["nbHits", "page", "hitsPerPage"],
      ["serverTimeMS", "processingTimeMS"],
    ];
    expect(Object.keys(answer.data)).toEqual(["query", "indexUse", "recallSource", ...paging!, ...times!, "hits"]);
    expect([answer.data.page, answer.data.hitsPerPage, answer.data.hits.length]).toEqual([2, 1, 1]);
    expect(Object.keys(answer.data.hits[0])).toEqual(["id", "score", "source"]);
  });

  it("gives several answers one line each", async () => {
    const { stdout } = await run(["--query", "sofa", "--query", "torch", "--json"]);
    const answers = stdout.trimEnd().split("\n");
    expect(answers.map((line) => JSON.parse(line).data.query)).toEqual(["sofa", "torch"]);
  });
});

describe("the command line", () => {
  it("explains itself", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    for (const name of "records id data opensearch index query page hits-per-page json help".split(" "))
      expect(stdout).toContain(`--${name} `);
  });

  it.each<[string, readonly string[], string]>([
    ["an unknown option", ["--colour"], "error: Unknown option '--colour'. See --help.\n"],
    ["an argument without an option", ["lamp"], "error: Unexpected argument 'lamp'. See --help.\n"],
    ["an option without its value", ["--query"], "error: Option '--query <value>' argument missing. See --help.\n"],
    ["a page that is no number", ["--query", "a", "--page", "2x"], 'error: --page is "2x"; expected a whole number.\n'],
    [
      "a page of no query",
      ["--page", "2"],
      "error: --json, --page, --hits-per-page, --filters, --facets and --sort need a --query.\n",
    ],
    [
      "two places for an index",
      ["--records", "a.jsonl", "--data", "kept", "--opensearch", "http://127.0.0.1:9200"],
      "error: --data and --opensearch are two places of an index; choose one.\n",
    ],
    ["an index without its cluster", ["--index", "a"], "error: --index needs --opensearch.\n"],
    [
      "a cluster that is no URL",
      ["--opensearch", "127.0.0.1:9200", "--query", "a"],
      'error: --opensearch is "127.0.0.1:9200"; expected the URL of a node, such as http://127.0.0.1:9200.\n',
    ],
    ["an id of no file", ["--id", "sku"], "error: --id needs --records.\n"],
    ["a missing file", ["--records", "no.jsonl"], "error: no.jsonl: there is no such file.\n"],
    ["a folder", ["--records", "."], "error: .: a folder, not a file.\n"],
  ])("refuses %s", async (_, args, says) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([1, says]);
  });
});

describe("what goes wrong is said in one line, without a stack:", () => {
  it.each<[string, string, string, string]>([
    ["a bad line", "bad.jsonl", '{"id":1}\n{"id":', "error: bad.jsonl, line 2: not JSON ("],
    ["a record without an id", "noid.csv", "sku,title\nA,Lamp\n", "it has: sku, title."],
    ["an empty file", "empty.jsonl", "", "error: empty.jsonl: the file holds no records."],
    ["an unreadable format", "a.xlsx", "PK", "error: a.xlsx: unreadable format;"],
    ["an id the library refuses", "id.jsonl", '{"id":1}\n\n{"id":1.5}', "error: id.jsonl, line 3: invalid_id (400): "],
    ["a record too large", "big.jsonl", `{"id":1,"a":"${"x".repeat(200_000)}"}`, "line 1: record_too_large (413): "],
  ])("%s", async (_, name, content, says) => {
    const { code, stdout, stderr } = await run(["--records", save(name, content), "--query", "lamp"]);
    expect([code, stdout, stderr.split("\n").length]).toEqual([1, "", 2]);
    expect(stderr).toContain(says);
  });

  it("a cluster that is away", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const url = `http://127.0.0.1:${port}`;
    const file = save("lamps.jsonl", jsonl(LAMPS));
    const { code, stdout, stderr } = await run(["--opensearch", url, "--records", file, "--query", "lamp"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(`error: ${url}: no cluster answers there (ECONNREFUSED); start one, or name another URL.\n`);
  });

  it("a query the library refuses", async () => {
    const { code, stderr } = await run(["--query", "lamp", "--page", "0"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: invalid_page \(400\): page is 0; .*\n$/);
  });
});

it("ends quietly when nobody reads on", async () => {
  const queries = Array.from({ length: 40 }, () => ["--query", ""]).flat();
  const { code, stdout, stderr } = await run([...queries, "--hits-per-page", "1000", "--json"], (child) =>
    child.stdout?.once("data", () => child.stdout?.destroy()),
  );
  expect(code).toBe(0);
  expect(stdout.length).toBeGreaterThan(0);
  expect(stderr).toMatch(/^The demo catalogue: 391 records in .*\n$/);
});
