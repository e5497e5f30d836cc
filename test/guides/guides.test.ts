// The guides of frameworks. Those of Express, Fastify and Hono: their files are saved and served as a reader does. Those of frameworks
// that are not installed here: their files parse, and the one that searches, which they share, answers.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

const folder = mkdtempSync(join(tmpdir(), "guides-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The files of a page by their names, and what it shows as JSON. */
function readGuide(page: string) {
  const text = readFileSync(join(ROOT, "docs", page), "utf8");
  const fences = [...text.matchAll(/^```(\w+)(?: no-run)?(?: file=(\S+))?\n([\s\S]*?)^```$/gm)];
  const files = new Map(fences.flatMap(([, , file, code]) => (file === undefined ? [] : [[file, code!] as const])));
  return { files, shown: fences.filter(([, language]) => language === "json").map(([, , , code]) => JSON.parse(code!)) };
}

/** A project of a reader, with the packages that it needs and the index of the tutorial. */
function makeProject(files: ReadonlyMap<string, string>, installed: readonly string[]): string {
  const project = mkdtempSync(join(folder, "project-"));
  for (const [file, code] of files) {
    mkdirSync(join(project, dirname(file)), { recursive: true });
    writeFileSync(join(project, file), code);
  }
  for (const name of installed) {
    mkdirSync(dirname(join(project, "node_modules", name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(project, "node_modules", name), "junction");
  }
  symlinkSync(ROOT, join(project, "node_modules", "tandem-search"), "junction");
  return project;
}

const dataDir = join(folder, "search-data");
beforeAll(() => {
  writeFileSync(join(folder, "products.csv"), readGuide("start.md").files.get("products.csv")!);
  const args = [join(ROOT, "dist/command.js"), "import", "products.csv", "--data", dataDir];
  execFileSync(process.execPath, args, { cwd: folder });
});

describe.each([
  { page: "express.md", installed: ["express"] },
  { page: "fastify.md", installed: ["fastify"] },
  { page: "hono.md", installed: ["hono", "@hono/node-server"] },
])("$page", ({ page, installed }) => {
  it("serves a search with facets and pages, and refuses what is wrong", async () => {
    const { files, shown } = readGuide(page);
    const html = readGuide("express.md").files.get("public/index.html")!;
    const cwd = makeProject(new Map([...files, ["public/index.html", html]]), installed);
    const env = { ...process.env, PORT: "0", SEARCH_DATA: dataDir };
    const child = spawn(process.execPath, ["server.mjs"], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const address = await new Promise<string>((resolve, reject) => {
        child.stdout.once("data", (text) => resolve(String(text).trim()));
        child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
      });
      const ask = async (asked: string) => {
        const response = await fetch(`${address}/search?${asked}`);
        const { status, data, error } = (await response.json()) as Record<"status" | "data" | "error", any>;
        expect(response.status).toBe(status);
        return { status, data, error };
      };
      const first = await ask("query=");
      const second = await ask("query=&page=2");
      expect([first.data.nbHits, first.data.hits.length, second.data.page]).toEqual([10, 4, 2]);
      const { data } = await ask("query=cordles+drill&brand=Volt");
      expect(data.hits.map(({ source }: any) => source.Brand)).toEqual(["Volt", "Volt", "Volt"]);
      expect(data.facets.Brand).toContainEqual({ value: "Forge", count: 2 });
      expect(await ask("query=drill&page=x")).toEqual({ ...shown[0], data: undefined });
      expect((await ask(`query=${"x".repeat(5000)}`)).status).toBe(400);
      expect(await (await fetch(`${address}/`)).text()).toBe(html);
    } finally {
      child.kill();
    }
  });
});
