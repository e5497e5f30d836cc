// The guides for frameworks. Those of Express, Fastify and Hono: their files are saved and served as a reader does. Those of frameworks
// that are not installed here: their files parse, and what needs no framework in them answers. Electron has a stand-in.

import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { makeProject, readGuide } from "../support/guide.js";
import { ROOT } from "../support/source-tree.js";

interface Hit {
  readonly source: Readonly<Record<string, unknown>>;
}

/** What the routes of the guides answer. */
interface Answer {
  readonly status: number;
  readonly data: {
    readonly nbHits: number;
    readonly page: number;
    readonly hits: readonly Hit[];
    readonly facets: Readonly<Record<string, unknown>>;
  };
  readonly error?: string;
}

const shop = makeProject(new Map([["products.csv", readGuide("start.md").files.get("products.csv")!]]));
const dataDir = join(shop, "search-data");
beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, "dist/command.js"), "import", "products.csv", "--data", dataDir], {
    cwd: shop,
  });
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
        const { status, data, error } = (await response.json()) as Answer;
        expect(response.status).toBe(status);
        return { status, data, error };
      };
      const first = await ask("query=");
      const second = await ask("query=&page=2");
      expect([first.data.nbHits, first.data.hits.length, second.data.page]).toEqual([10, 4, 2]);
      const { data } = await ask("query=cordles+drill&brand=Volt");
      expect(data.hits.map(({ source }: Hit) => source.Brand)).toEqual(["Volt", "Volt", "Volt"]);
      expect(data.facets.Brand).toContainEqual({ value: "Forge", count: 2 });
      expect(await ask("query=drill&page=x")).toEqual({ ...shown[0], data: undefined });
      expect((await ask(`query=${"x".repeat(5000)}`)).status).toBe(400);
      expect(await (await fetch(`${address}/`)).text()).toBe(html);
    } finally {
      child.kill();
    }
  });
});

/** What a program prints. */
const run = (cwd: string, file: string, env: NodeJS.ProcessEnv = {}) =>
  execFileSync(process.execPath, [file], { cwd, encoding: "utf8", env: { ...process.env, ...env }, timeout: 60_000 });

it.each([
  ["nextjs.md", "lib/search.ts"],
  ["nuxt.md", "server/utils/search.ts"],
  ["astro.md", "src/lib/search.ts"],
])("the search of %s answers, and opens its folder once", (page, file) => {
  const { files, shown } = readGuide(page);
  const { outputText } = ts.transpileModule(files.get(file)!, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const program = `import { SearchEngine } from "tandem-search";
    import { search } from "./search.mjs?1";
    import { search as again } from "./search.mjs?2";
    const open = SearchEngine.open;
    let opened = 0;
    SearchEngine.open = (options) => (opened++, open.call(SearchEngine, options));
    const answers = [];
    for (const [ask, asked] of [[search, "query=couch"], [again, "query=drill&brand=Volt&page=1"], [again, "query=drill&page=x"]])
      answers.push(await ask(new URLSearchParams(asked)));
    console.log(JSON.stringify({ opened, answers }));`;
  const cwd = makeProject(
    new Map([
      ["search.mjs", outputText],
      ["program.mjs", program],
    ]),
    [],
  );
  const { opened, answers } = JSON.parse(run(cwd, "program.mjs", { SEARCH_DATA: dataDir }));
  const [couches, drills, refused] = answers;
  expect(opened).toBe(1);
  expect(couches.data.hits[0].source.Title).toContain("sofa");
  expect(drills.data.facets.Brand).toContainEqual({ value: "Forge", count: 2 });
  expect(new Set(drills.data.hits.map(({ source }: Hit) => source.Brand))).toEqual(new Set(["Volt"]));
  expect(refused).toEqual(shown[0]);
});

it.each(["nextjs.md", "nuxt.md", "astro.md", "electron.md"])("the files of %s parse", (page) => {
  const { files } = readGuide(page);
  expect(files.size).toBeGreaterThan(2);
  for (const [file, text] of files) {
    const [, inside = ""] = /^(?:---|<script[^>]*>)\n([\s\S]*?)\n(?:---|<\/script>)$/m.exec(text) ?? [];
    const code = /\.(ts|tsx|mjs|cjs)$/.test(file) ? text : inside;
    if (file.endsWith(".json")) JSON.parse(text);
    else {
      expect(code.trim(), file).not.toBe("");
      const fileName = file.endsWith("x") ? "file.tsx" : "file.ts";
      const { diagnostics } = ts.transpileModule(code, {
        ...{ fileName, reportDiagnostics: true },
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve },
      });
      expect(
        diagnostics!.map(({ messageText }) => messageText),
        file,
      ).toEqual([]);
    }
  }
});

/** Electron is ready only after the main file has been read to its end, as the real one. */
const ELECTRON = `const { EventEmitter } = require("node:events");
  const handlers = new Map();
  const app = Object.assign(new EventEmitter(), {
    requestSingleInstanceLock: () => true,
    whenReady: () => new Promise((resolve) => setTimeout(resolve)),
    getPath: (name) => process.cwd() + "/" + name,
    getAppPath: () => process.cwd(),
    exit: process.exit,
    quit() {
      let isPrevented = false;
      app.emit("before-quit", { preventDefault: () => (isPrevented = true) });
      if (!isPrevented) console.log(JSON.stringify(answers));
    },
  });
  const ipcMain = { handle: (name, handler) => handlers.set(name, handler) };
  const answers = [];
  class BrowserWindow {
    async loadFile() {
      setTimeout(async () => {
        for (const asked of [{ query: "cordles drill", brands: ["Volt"] }, { query: "couch" }, { query: "", page: "x" }, undefined])
          answers.push(await handlers.get("search")({}, asked));
        app.emit("window-all-closed");
      });
    }
  }
  exports.app = app;
  exports.ipcMain = ipcMain;
  exports.BrowserWindow = BrowserWindow;`;

it("the main process of electron.md answers its windows and closes the folder", () => {
  const { files } = readGuide("electron.md");
  const cwd = makeProject(new Map([...files, ["node_modules/electron/index.js", ELECTRON]]), []);
  for (let start = 0; start < 2; start++) {
    const [drills, sofas, refused, all] = JSON.parse(run(cwd, "main.mjs"));
    expect(drills.data.hits.map(({ source }: Hit) => source.title)).toEqual(["Cordless drill driver, 18 V"]);
    expect(drills.data.facets.brand).toContainEqual({ value: "Forge", count: 1 });
    expect(sofas.data.hits[0].source.title).toContain("sofa");
    expect(refused).toEqual({ status: 400, error: expect.stringContaining("page") });
    expect(all.data.nbHits).toBe(3);
  }
});

it("the file of ten-lines.md that uses require runs", () => {
  const { files } = readGuide("ten-lines.md");
  expect(run(makeProject(files, []), "search.cjs")).toBe("1\n");
});
