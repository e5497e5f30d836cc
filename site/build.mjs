// `npm run site [-- --base /path/]`: builds the documentation, its API pages and the playground into site/dist. The pages are those of docs,
// with README, CHANGELOG and NOTICE beside them; links out of docs lead to these.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { parseArgs } from "node:util";
import { SearchEngine } from "../dist/index.js";
import { ENTRIES, ROOT, sections, slugOf } from "./contents.mjs";

const SITE = join(ROOT, "site");
const PAGES = join(SITE, "pages");
const OUT = join(SITE, "dist");
/** Files beside docs that have a page on the site. */
const BESIDE = { "README.md": "readme.md", "CHANGELOG.md": "changelog.md", NOTICE: "notice.md" };

const { base } = parseArgs({ options: { base: { type: "string", default: "/" } } }).values;
if (!/^\/([\w.~-]+\/)*$/.test(base))
  throw new Error(`--base is ${JSON.stringify(base)}; begin and end it with a slash, as in /docs/.`);

/** Runs a program of a package, with this output for its own. */
function run(folder, name, bin, ...args) {
  const manifest = createRequire(join(folder, "package.json")).resolve(`${name}/package.json`);
  execFileSync(process.execPath, [join(dirname(manifest), bin), ...args], { cwd: folder, stdio: "inherit" });
}

/** Where a file of the repository is on the site: a page, or a file to download; undefined: it is not there. */
function onSite(path) {
  if (path in BESIDE) return BESIDE[path];
  return path.startsWith("docs/") ? path.slice("docs/".length).replace(/(^|\/)README\.md$/, "$1index.md") : undefined;
}

/** A page with its relative links as they are on the site. `from` is its path in the repository. */
function withLinks(text, from) {
  const here = onSite(from);
  return text.replace(/(src|srcset)="(?=docs\/)/g, '$1="./').replace(/\]\(([^()\s]+)\)/g, (link, target) => {
    const [path, ...fragment] = target.split(/(?=#)/);
    if (path === "" || /^([a-z]+:|\/)/.test(path)) return link;
    const there = onSite(posix.join(posix.dirname(from), path));
    if (there === undefined) return link;
    const relative = posix.relative(posix.dirname(here), there);
    // What is no page is a file as it stands.
    return /\.(md|svg|png)$/.test(there)
      ? `](${relative.startsWith(".") ? relative : `./${relative}`}${fragment.join("")})`
      : `](${base}${there}){target="_self"}`;
  });
}

function writePage(from) {
  const to = join(PAGES, onSite(from));
  mkdirSync(dirname(to), { recursive: true });
  const text = readFileSync(join(ROOT, from), "utf8");
  writeFileSync(to, from === "NOTICE" ? `# Notice\n\n\`\`\`text\n${text}\`\`\`\n` : withLinks(text, from));
}

/** Writes the API pages, from the docstrings: a page for each entry point, by the name that programs import. */
function writeApi() {
  const folder = join(PAGES, "api");
  const plugin = createRequire(join(SITE, "package.json")).resolve("typedoc-plugin-markdown");
  run(
    ROOT,
    "typedoc",
    "bin/typedoc",
    ...["--plugin", plugin, "--out", folder, "--readme", "none", "--entryFileName", "modules"],
    ...["--outputFileStrategy", "modules", "--hidePageHeader", "--hideBreadcrumbs", "--parametersFormat", "table"],
  );
  rmSync(join(folder, "modules.md"));
  for (const { file, name } of ENTRIES) {
    const path = join(folder, `${file}.md`);
    writeFileSync(path, readFileSync(path, "utf8").replace(/^# .*/, `# ${name}`));
  }
}

/** The sections of a page: a heading, and the text below it up to the next one. */
function partsOf(text) {
  const parts = [];
  let fence = false;
  for (const line of text.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) fence = !fence;
    const [, heading] = (!fence && /^#{1,4} (.*)/.exec(line)) || [];
    if (heading !== undefined) parts.push({ heading: heading.replace(/[`*]/g, ""), anchor: slugOf(heading), text: "" });
    else if (parts.length > 0 && !/^\s*(```|\|[ :|-]+\|$|<)/.test(line))
      parts.at(-1).text += `${line.replace(/\]\([^)]*\)|[[`*|]/g, " ").trim()} `;
  }
  return parts;
}

/** Writes the index of the search box: a record for each heading. */
async function writeSearch() {
  const engine = new SearchEngine();
  const index = await engine.createIndex("pages", {
    idAttribute: "address",
    embedder: false,
    synonyms: [
      { type: "synonym", synonyms: ["typo", "typing error", "misspelt", "typoTolerance"] },
      { type: "synonym", synonyms: ["autocomplete", "suggestions", "as you type"] },
      { type: "synonym", synonyms: ["ranking", "order", "relevance"] },
      { type: "synonym", synonyms: ["delete", "remove"] },
      { type: "synonym", synonyms: ["embedding", "vector"] },
      { type: "synonym", synonyms: ["category page", "blank query"] },
    ],
    searchableAttributes: [
      { attribute: "heading", weight: 3 },
      { attribute: "page", weight: 2 },
      { attribute: "text", weight: 1 },
    ],
    // Who types the name of a parameter wants it rather than the error of a wrong value.
    boosts: [{ filters: "page:Errors", weight: -0.2 }],
  });
  for (const section of sections())
    for (const page of section.entries.flatMap(({ pages }) => pages)) {
      const parts = partsOf(readFileSync(join(ROOT, "docs", page.path), "utf8"));
      const address = `/${page.path.replace("README.md", "").replace(/\.md$/, ".html")}`;
      await index.addRecords(
        parts.map(({ heading, anchor, text }, i) => ({
          address: i === 0 ? address : `${address}#${anchor}`,
          section: section.title,
          page: page.title,
          heading,
          text: text.replace(/\s+/g, " ").trim().slice(0, 4_000),
        })),
      );
    }
  await engine.writeSnapshot("pages", join(OUT, "search.snapshot"));
  await engine.close();
}

/** https://llmstxt.org: the contents for programs that read, with each page as Markdown beside it. */
function writeLlms() {
  const list = sections().map(({ title, entries }) => {
    const lines = entries.flatMap(({ pages, about }) =>
      pages.map((page) => `- [${page.title}](${base}${page.path}): ${about}`),
    );
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  const { description } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  writeFileSync(join(OUT, "llms.txt"), `# tandem-search\n\n> ${description}\n\n${list.join("\n")}`);
}

if (!existsSync(join(SITE, "node_modules")))
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: SITE, stdio: "inherit" });
rmSync(PAGES, { recursive: true, force: true });
const files = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).filter(
  (path) => !path.startsWith("api") && !path.startsWith("demo") && statSync(join(ROOT, "docs", path)).isFile(),
);
for (const path of files.filter((path) => path.endsWith(".md"))) writePage(`docs/${path}`);
for (const path of Object.keys(BESIDE)) writePage(path);
for (const path of files.filter((path) => /\.(svg|png)$/.test(path)))
  cpSync(join(ROOT, "docs", path), join(PAGES, path));
// README shows pictures of docs.
cpSync(join(PAGES, "pictures"), join(PAGES, "docs/pictures"), { recursive: true });
writeApi();
run(SITE, "vitepress", "bin/vitepress.js", "build", ".", "--base", base, "--outDir", OUT);
for (const path of files.filter((path) => /\.(md|mjs|html)$/.test(path))) {
  mkdirSync(dirname(join(OUT, path)), { recursive: true });
  cpSync(join(ROOT, "docs", path), join(OUT, path));
}
await writeSearch();
writeLlms();
execFileSync(process.execPath, [join(ROOT, "dist/command.js"), "playground", "--out", join(OUT, "playground")], {
  stdio: "inherit",
});
