// The documentation keeps its word: every relative link leads somewhere, and every sample runs as it stands, against the
// built package, in a folder of its own. A sample that only illustrates is marked ```ts no-run.

import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sections, slugOf } from "../../site/contents.mjs";
import { ROOT } from "../support/source-tree.js";

const CACHE = join(ROOT, "node_modules", ".cache");
const RUNNER = fileURLToPath(new URL("samples.mjs", import.meta.url));

interface Sample {
  readonly line: number;
  readonly code: string;
  /** What it prints: the ```text that follows it at once; undefined: nothing is said. */
  printed?: string;
}

interface Fence {
  readonly mark: string;
  readonly runs: boolean;
  readonly prints: boolean;
  readonly line: number;
  readonly code: string[];
}

interface Markdown {
  /** Lines outside fences; inside them, empty. */
  readonly prose: readonly string[];
  /** Lines inside fences, as one text. */
  readonly fenced: string;
  readonly samples: readonly Sample[];
}

/** Splits Markdown in prose and the ```js and ```ts samples that are to be run, with what they print where a ```text says it. */
function readMarkdown(text: string): Markdown {
  const prose: string[] = [];
  const fenced: string[] = [];
  const samples: Sample[] = [];
  let fence: Fence | undefined;
  /** The last sample, as long as only blank lines follow it. */
  let last: Sample | undefined;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const [, mark = "", info = ""] = /^\s*(`{3,}|~{3,})\s*(.*)$/.exec(line) ?? [];
    prose.push(fence || mark ? "" : line);
    if (!fence && !mark && line.trim() !== "") last = undefined;
    if (!fence && mark) {
      const [language = "", ...words] = info.trim().split(/\s+/);
      const runs = /^(js|ts)$/.test(language) && !words.includes("no-run");
      fence = { mark, runs, prints: language === "text", line: i + 1, code: [] };
    } else if (fence && mark.startsWith(fence.mark) && info === "") {
      const text = fence.code.join("\n");
      if (fence.prints && last !== undefined) last.printed = text;
      last = fence.runs ? { line: fence.line, code: text } : undefined;
      if (last !== undefined) samples.push(last);
      fence = undefined;
    } else if (fence) {
      fence.code.push(line);
      fenced.push(line);
    }
  }
  if (fence) throw new Error(`The fence opened at line ${fence.line} is never closed.`);
  return { prose, fenced: fenced.join("\n"), samples };
}

/** Targets of a page's links within the project, those of its own headings among them. */
function linksWithin(prose: readonly string[]): string[] {
  const text = prose.join("\n").replace(/`[^`\n]*`/g, "");
  const inline = text.matchAll(/\]\(\s*<?([^()\s<>]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const defined = text.matchAll(/^\s{0,3}\[[^\]]+\]:\s*(\S+)/gm);
  const tags = text.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g);
  return [...inline, ...defined, ...tags]
    .map((match) => match[1]!)
    .filter((target) => !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target))
    .map(decodeURIComponent);
}

/** The files that a page links to. */
const relativeLinks = (prose: readonly string[]): string[] =>
  linksWithin(prose)
    .map((target) => target.replace(/[#?].*$/, ""))
    .filter((target) => target !== "");

/** The fragments that lead to the headings of a page; a second heading of the same text gets a number. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const { prose } = markdownOf(page);
  for (const line of prose) {
    const slug = slugOf(/^ {0,3}#{1,6} (.*)/.exec(line)?.[1] ?? "");
    for (let n = 0; slug !== ""; n++) {
      const anchor = n === 0 ? slug : `${slug}-${n}`;
      if (anchors.has(anchor)) continue;
      anchors.add(anchor);
      break;
    }
  }
  for (const [, id = ""] of prose.join("\n").matchAll(/ id="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

/** Pages of the repository: those of its root and docs, without the generated reference. */
function pages(): string[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !path.startsWith("docs/api/"));
  return ["README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", ...docs.sort()].filter((page) =>
    existsSync(join(ROOT, page)),
  );
}

const markdownOf = (page: string) => readMarkdown(readFileSync(join(ROOT, page), "utf8"));
const PAGES = pages();
const SAMPLES = PAGES.filter((page) => page === "README.md" || /^docs\/[^/]+$/.test(page)).flatMap((page) =>
  markdownOf(page).samples.map((sample) => ({ ...sample, page })),
);

describe("links", () => {
  it.each(PAGES)("of %s lead somewhere", (page) => {
    const broken = relativeLinks(markdownOf(page).prose).filter(
      (target) => !existsSync(target.startsWith("/") ? join(ROOT, target) : join(ROOT, dirname(page), target)),
    );
    expect(broken).toEqual([]);
  });

  it.each(PAGES)("of %s to a heading find it", (page) => {
    const broken = linksWithin(markdownOf(page).prose).filter((target) => {
      const [, path = "", fragment] = /^([^#?]*)#(.+)$/.exec(target) ?? [];
      const there = path === "" ? page : posix.join(posix.dirname(page), path);
      return fragment !== undefined && there.endsWith(".md") && !anchorsOf(there).has(fragment);
    });
    expect(broken).toEqual([]);
  });
});

it("the contents name each page of docs once", () => {
  const named = sections().flatMap(({ entries }) => entries.flatMap(({ pages }) => pages.map(({ path }) => path)));
  const guides = PAGES.flatMap((page) => /^docs\/(?!README|decisions\/|benchmarks\/|demo\/)(.*)/.exec(page)?.[1] ?? []);
  expect(named.filter((path) => !/^(benchmarks|decisions)\//.test(path)).sort()).toEqual(guides.sort());
});

describe("the page of errors", () => {
  it("has one row for each code", () => {
    const page = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");
    const rows = [...page.matchAll(/^\| (\d{3}) \| (.*?) \|/gm)].map(([, code, name]) => `${code} ${name}`);
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter((row) => !/^\d{3} `\w+`$/.test(row))).toEqual([]);
    expect(new Set(rows).size).toBe(rows.length);
  });
});

describe("the package", () => {
  it("has what its pages link to", () => {
    const [packed] = JSON.parse(
      execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: ROOT, encoding: "utf8" }),
    ) as [{ readonly files: readonly { readonly path: string }[] }];
    const files = new Set(packed.files.map(({ path }) => path));
    const shipped = [...files].filter((path) => path.endsWith(".md"));
    expect(shipped).toEqual(expect.arrayContaining(["README.md", "CHANGELOG.md", "docs/server.md"]));
    const dead = shipped.flatMap((page) =>
      relativeLinks(markdownOf(page).prose)
        .map((target) => posix.join(posix.dirname(page), target))
        .filter((target) => !files.has(target))
        .map((target) => `${page} links to ${target}`),
    );
    expect(dead).toEqual([]);
  });
});

it("samples and links are found", () => {
  expect(SAMPLES.length).toBeGreaterThan(60);
  expect(PAGES.flatMap((page) => relativeLinks(markdownOf(page).prose)).length).toBeGreaterThan(400);
  expect(SAMPLES.filter(({ printed }) => printed !== undefined).length).toBeGreaterThan(5);
});

describe("each sample", () => {
  let folder: string;

  // Inside node_modules Node does not resolve a package by its own name; a link in the samples' folder does it.
  beforeAll(() => {
    if (!existsSync(join(ROOT, "dist", "index.js")))
      throw new Error("dist/index.js is missing: npm run build comes first.");
    mkdirSync(CACHE, { recursive: true });
    folder = mkdtempSync(join(CACHE, "samples-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(ROOT, join(folder, "node_modules", "tandem-search"), "junction");
  });

  afterAll(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  interface Ran {
    readonly printed: string;
    /** What ended it. */
    readonly error?: string;
  }

  /** Runs samples in one process. */
  async function run(codes: readonly string[]): Promise<readonly Ran[]> {
    const files = codes.map((code) => {
      const { outputText } = ts.transpileModule(code, {
        compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
      });
      const file = join(mkdtempSync(join(folder, "sample-")), "sample.mjs");
      writeFileSync(file, outputText);
      return file;
    });
    const { stdout } = await promisify(execFile)(process.execPath, [RUNNER, ...files], { timeout: 100_000 });
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  describe("of the pages", () => {
    let ran: readonly Ran[];
    beforeAll(async () => {
      // All in one process: the first ones find the entry points, since Node 20 may take a link for another copy once folders were open.
      const entries = [
        "",
        "/evaluation",
        "/service",
        "/service/contract",
        "/instantsearch",
        "/opensearch",
        "/medusa",
        "/tools",
      ];
      const imports = entries.map((entry) => `import "tandem-search${entry}";`).join("\n");
      ran = (await run([imports, ...SAMPLES.map(({ code }) => code)])).slice(1);
    });

    it.each(SAMPLES.map(({ page, line }, i) => [page, line, i] as const))("%s at line %i runs", (_page, _line, i) => {
      const { code, printed } = SAMPLES[i]!;
      expect(ran[i]!.error, code).toBeUndefined();
      if (printed !== undefined) expect(ran[i]!.printed.trimEnd()).toBe(printed);
    });
  });

  it("runs with its types taken off, and fails when it throws", async () => {
    const [good, thrown, unknown, late, last] = await run([
      'import type { Hit } from "tandem-search";\nconst n: number = 1;\nif (n !== 1) throw new Error();',
      'throw new Error("boom");',
      'import { noSuchName } from "tandem-search";',
      'setTimeout(() => { throw new Error("late"); }, 5);',
      'console.log("last");',
    ]);
    expect([good, last]).toEqual([{ printed: "" }, { printed: "last\n" }]);
    expect([thrown!.error, unknown!.error, late!.error]).toEqual([
      expect.stringContaining("boom"),
      expect.stringContaining("noSuchName"),
      expect.stringContaining("late"),
    ]);
  });
});
