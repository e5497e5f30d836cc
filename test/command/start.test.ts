// docs/start.md, step by step: its files are saved, its commands run, and what they print is compared with the page. So is the first
// minute of README with the feed of that page.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

const PAGE = readFileSync(join(ROOT, "docs/start.md"), "utf8");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "start-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The fenced blocks of a page: their languages and files, and their texts. */
const blocksOf = (page: string) =>
  [...page.matchAll(/^```(\w+)(?: no-run)?(?: file=(\S+))?\n([\s\S]*?)^```$/gm)].map(([, language, file, text]) => ({
    language,
    file,
    text: text!,
  }));
const blocks = blocksOf(PAGE);

/** Times and speeds differ from run to run. */
const comparable = (text: string) => text.replace(/[\d,.]+(?= (?:ms|s|records\/s)\b)/g, "N").trimEnd();

/** Runs a line of the page as a shell does. `npx tandem-search` is the command of this checkout. */
function run(line: string, cwd = folder): string {
  const [program, ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
  if (program === "mkdir") mkdirSync(join(cwd, args[0]!));
  else if (program === "cp") cpSync(join(cwd, args[0]!), join(cwd, args[1]!, args[0]!.split("/").at(-1)!));
  else if (program === "npx" && args[0] === "tandem-search")
    return execFileSync(process.execPath, [join(ROOT, "dist/command.js"), ...args.slice(1)], { cwd }).toString();
  else expect(["npm"], line).toContain(program);
  return "";
}

async function startServer(line: string) {
  expect(line).toBe("node server.mjs");
  const child = spawn(process.execPath, ["server.mjs"], { cwd: folder, env: { ...process.env, PORT: "0" } });
  let said = "";
  child.stdout.setEncoding("utf8");
  for await (const text of child.stdout) {
    said += String(text);
    if (said.endsWith("\n")) break;
  }
  return { child, address: said.trim() };
}

it("begins in README", () => {
  const cwd = join(folder, "readme");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "products.csv"), blocks.find(({ file }) => file === "products.csv")!.text);
  const [commands, answer] = blocksOf(README.slice(README.indexOf("## The first minute")));
  const printed = commands!.text
    .trim()
    .split("\n")
    .map((line) => run(line, cwd));
  expect(comparable(printed.at(-1)!)).toBe(comparable(answer!.text));
});

it("is a shop that answers", { timeout: 120_000 }, async () => {
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["express", "instantsearch.js"])
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name), "junction");
  symlinkSync(ROOT, join(folder, "node_modules/tandem-search"), "junction");
  let server: Awaited<ReturnType<typeof startServer>> | undefined;
  try {
    for (const [i, { language, file, text }] of blocks.entries()) {
      if (file !== undefined) {
        mkdirSync(join(folder, dirname(file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      if (language !== "sh") continue;
      const next = blocks[i + 1];
      const printed = next?.language === "text" ? next.text : undefined;
      if (text.startsWith("node ")) {
        server = await startServer(text.trim());
        expect(printed).toMatch(/^http:\/\/localhost:\d+\n$/);
        continue;
      }
      const lines = text.trim().split("\n");
      const said = lines.map((line) => run(line)).join("");
      if (printed !== undefined) expect(comparable(said), text).toBe(comparable(printed));
    }
    const { address } = server!;
    expect(await (await fetch(address)).text()).toBe(readFileSync(join(folder, "public/index.html"), "utf8"));
    for (const script of PAGE.match(/(?<=(?:src="|from ")\/)[^"]+/g)!)
      expect((await fetch(`${address}/${script}`)).status, script).toBe(200);
    const { searchClientFor } = await import(pathToFileURL(join(folder, "public/instantsearch-client.mjs")).href);
    const [, applicationId, apiKey] = /applicationId: "(\w+)", apiKey: "([^"]+)"/.exec(PAGE)!;
    const client = searchClientFor(`${address}/search`, { applicationId, apiKey });
    const ask = async (indexName: string, query: string) => {
      const params = { query, facets: ["Brand", "Price"] };
      return (await client.search([{ indexName, params }])).results[0];
    };
    const { hits, facets } = await ask("products", "cordles drill");
    expect(hits[0]).toMatchObject({ objectID: "VT-18", Price: 89 });
    expect(facets.Brand).toEqual({ Volt: 3, Forge: 2 });
    const prices = (await ask("cheapest", "lamp")).hits.map(({ Price }: { readonly Price: number }) => Price);
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
    expect((await ask("products", "akku")).hits[0]).toMatchObject({ objectID: "VT-A4" });
  } finally {
    server?.child.kill();
  }
});
