// Writes docs/reference: a page for settings, parameters, options, verbs and errors, with a section for each name. Sentences come from the
// TSDoc of the sources and the tables of docs, what may be given from the library's own messages, and examples from
// reference/examples.mjs; each is run against the built package. With --check nothing is written: pages that differ are named, and it fails.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SearchEngine } from "../dist/index.js";
import { products } from "../docs/examples/reference-shop.mjs";
import { EXAMPLES, SEE } from "./reference/examples.mjs";
import { answerOf, expectedBy } from "./reference/run.mjs";
import { COMMENTS, linksFor, relinked, rowsUnder, verbsOf } from "./reference/sources.mjs";
import { fence, point, sentence, wrap } from "./reference/text.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(join(ROOT, path), "utf8").replaceAll("\r\n", "\n");

/** The example of a name in a table, and the page that explains more. */
function exampleOf(table, name) {
  const example = EXAMPLES[table][name];
  if (example === undefined) throw new Error(`reference/examples.mjs has nothing for ${name} in ${table}.`);
  const [see] = Object.entries(SEE).find(([, names]) => names.split(" ").includes(`${table}.${name}`)) ?? [];
  return { see, ...(typeof example === "string" ? { code: example } : example) };
}

/** A section: what the name is, what may be given, and an example with its answer. */
async function section(heading, { code, how }, { text, points = [], isFailing = false, withIndex = true }) {
  const parts = [`## ${heading}`, wrap(sentence(text)), ...(points.length > 0 ? [points.join("\n")] : [])];
  if (how !== undefined) return [...parts, wrap(`How it comes about: ${how}`)];
  const answer = await answerOf(code, { isFailing, withIndex });
  return [...parts, ...fence("js no-run", code), ...fence("text", answer)];
}

/** Sections for the names of a table, which are members of some interfaces. `ask` gives a value to a name. */
async function valueSections(table, { names = Object.keys(EXAMPLES[table]), owners, rows = [], ask, ...options }) {
  const { withIndex, of = "" } = options;
  const sections = [];
  for (const name of names) {
    const example = exampleOf(table, name);
    const comment = owners.map((owner) => COMMENTS.get(`${owner}.${name}`)).find((each) => each !== undefined);
    const [, shown, ...cells] = rows.find(([first]) => first === `\`${name}\``) ?? [];
    // What only says the default is in a line of its own.
    const isDefault = (each) => /^Default\b/.test(each) && (each.length < 40 || (shown?.length ?? 100) > 80);
    const told = comment.text.split(/(?<=\.) (?=[A-Z])/).filter((each) => !isDefault(each));
    const [, inComment = ""] = /\bDefault:? (.*?)\.(?: |$)/.exec(comment.text) ?? [];
    const points = [
      ...point("Value", example.value ?? (await expectedBy((value) => ask({ [name]: value })))),
      ...point("Default", relinked(example.fallback ?? shown ?? inComment, "parameters.md")),
      ...point("More", linksFor(name, cells.join(" "), example.see)),
    ];
    const text = example.says ?? told.join(" ");
    sections.push(...(await section(name + of, example, { text, points, withIndex })));
  }
  return sections;
}

const VERB_ROWS = ["## Verbs", "| verb of an engine"].flatMap((heading) => rowsUnder("docs/parameters.md", heading));

/** Sections for the verbs of a class, or for functions. `on`: what they are called on. */
async function verbSections(table, names, owner, on) {
  const sections = [];
  for (const name of names) {
    const { text, call, tags, isStatic } = COMMENTS.get(owner === undefined ? name : `${owner}.${name}`);
    const row = VERB_ROWS.find(([cell]) => cell.includes(`\`${name}(`)) ?? [""];
    const [, shown = call] = new RegExp(`\`(${name}\\([^\`]*)\``).exec(row[0]) ?? [];
    const errors = tags.filter(([tag]) => tag === "throws").map(([, , told]) => told.replace(/^SearchError /, ""));
    const example = exampleOf(table, name);
    const points = [
      ...point("Call", `\`${isStatic ? `${owner}.` : on}${shown}\``),
      ...tags.filter(([tag]) => tag === "param").flatMap(([, param, told]) => point(`\`${param}\``, told)),
      ...point("Errors", errors.join("; ")),
      ...point("More", linksFor(name, row.join(" "), example.see)),
    ];
    sections.push(...(await section(name, example, { text: example.says ?? text, points })));
  }
  return sections;
}

/** Sections for the codes of errors. */
async function errorSections() {
  const rows = rowsUnder("docs/errors.md", "| code | `error`");
  const sections = [];
  for (const shown of new Set(rows.map(([, name]) => name))) {
    const name = shown.replaceAll("`", "");
    const example = exampleOf("ERRORS", name);
    const told = rows
      .filter((row) => row[1] === shown)
      .map(([code, , ...when]) => `${code}: ${relinked(example.says ?? when.join(" | "), "errors.md")}`);
    sections.push(...(await section(name, example, { text: told.join(". "), isFailing: true })));
  }
  return sections;
}

/** What wrong values are given to. */
const probe = new SearchEngine();
const probed = await probe.createIndex("probed");

const rowsOf = (page, heading) => {
  const rows = rowsUnder(page, heading);
  return { rows, names: rows.map(([cell]) => cell.replaceAll("`", "")) };
};
const INDEX_NOTE = "`index` is a new index of the shop, without settings.";

const PAGES = {
  "settings.md": async () => ({
    title: "Settings",
    about: `What \`createIndex(name, settings)\` takes: each setting with what it does, its default and an example. All are optional.`,
    sections: await valueSections("SETTINGS", {
      ...rowsOf("docs/parameters.md", "## Settings"),
      owners: ["IndexSettings"],
      ask: (settings) => probe.createIndex("new", settings),
      withIndex: false,
    }),
  }),
  "query-parameters.md": async () => ({
    title: "Query parameters",
    about: `What a query takes: each parameter with what it does, its default and an example. At the end stand the parameters that
      \`searchForFacetValues\` has besides, and those of \`suggest\`. In the examples ${INDEX_NOTE}`,
    sections: [
      ...(await valueSections("PARAMETERS", {
        ...rowsOf("docs/parameters.md", "## Parameters"),
        owners: ["SearchParams"],
        ask: (params) => probed.query({ query: "", ...params }),
      })),
      ...(await valueSections("FACET_PARAMETERS", {
        owners: ["FacetSearchParams"],
        ask: (params) => probed.searchForFacetValues({ facetName: "brand", ...params }),
        of: ", of searchForFacetValues",
      })),
      ...(await valueSections("SUGGEST_PARAMETERS", {
        ...rowsOf("docs/suggestions.md", "## Parameters"),
        owners: ["SuggestParams"],
        ask: (params) => probed.suggest({ query: "", ...params }),
        of: ", of suggest",
      })),
    ],
  }),
  "options.md": async () => ({
    title: "Options",
    about: `What \`new SearchEngine(options)\` and \`SearchEngine.open(options)\` take, from \`dataDir\` on the second alone; behind them,
      from \`ifExists\` on, what calls take as their last argument. There ${INDEX_NOTE}`,
    sections: [
      ...(await valueSections("ENGINE_OPTIONS", {
        rows: rowsOf("docs/parameters.md", "## A data folder").rows,
        owners: ["EngineOptions", "OpenOptions"],
        ask: (options) => SearchEngine.open({ dataDir: "./probe", ...options }),
        withIndex: false,
      })),
      ...(await valueSections("OPTIONS", {
        owners: ["Create", "Call", "Progress", "Add", "Update", "Refresh", "Import"].map((kind) => `${kind}Options`),
      })),
    ],
  }),
  "verbs.md": async () => ({
    title: "Verbs",
    about: `What an index and an engine can do: each verb with an example and its answer. An engine has those of an index, too, with
      the name of the index as the first argument. At the end stand functions. In the examples ${INDEX_NOTE}`,
    sections: [
      ...(await verbSections("VERBS", verbsOf("SearchIndex"), "SearchIndex", "index.")),
      ...(await verbSections("VERBS", verbsOf("Engine", verbsOf("SearchIndex")), "Engine", "engine.")),
      ...(await verbSections("VERBS", verbsOf("SearchEngine", verbsOf("Engine")), "SearchEngine", "engine.")),
      ...(await verbSections("FUNCTIONS", Object.keys(EXAMPLES.FUNCTIONS), undefined, "")),
    ],
  }),
  "error-codes.md": async () => ({
    title: "Error codes",
    about: `Each error with its code, when it is thrown, and a call that fails with it. The answer shows \`code\`, \`error\`, \`param\` and
      \`msg\` of the \`SearchError\`. In the examples ${INDEX_NOTE}`,
    sections: await errorSections(),
  }),
};

/** The file of the shop, and a table of its products. */
function shopPage() {
  const names = ["id", "title", "brand", "category", "color", "price", "stock", "sold"];
  const rows = [names, names.map(() => "---"), ...products.map((product) => names.map((name) => product[name]))];
  const imports = [
    'import { engine, products, shop, titles } from "./shop.mjs";',
    'import { comparePositions, createStaticDeEmbedder, createStaticEnEmbedder, quoteFilterValue } from "tandem-search";',
    'import { SearchEngine, setDefaultEngine } from "tandem-search";',
  ];
  const about = `The shop of the examples in [settings](settings.md), [query parameters](query-parameters.md), [options](options.md),
    [verbs](verbs.md) and [error codes](error-codes.md): an engine, eight products, \`shop(settings)\`, which makes an index of them, and
    \`titles(index, params)\`, which asks it. To run an example, save the code below as \`shop.mjs\`, and begin a file with:`;
  const more =
    wrap(`Where an example says \`index\` without making one, put \`const index = await shop();\` before it. One with \`dataDir\`
    writes a folder; delete that before you run it again.`);
  const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const code = read("docs/examples/reference-shop.mjs").trimEnd();
  const first = ["# The shop of the examples", wrap(about), ...fence("js no-run", imports.join("\n")), more];
  return `${[...first, table, ...fence("js no-run", code)].join("\n\n")}\n`;
}

async function pageOf(name) {
  if (name === "shop.md") return shopPage();
  const { title, about, sections } = await PAGES[name]();
  const uses = "The examples use [a shop of eight products](shop.md), and print with `console.log`.";
  return `${[`# ${title}`, wrap(about), uses, ...sections].join("\n\n")}\n`;
}

const isCheck = process.argv.includes("--check");
const folder = mkdtempSync(join(tmpdir(), "reference-"));
process.chdir(folder);
mkdirSync(join(ROOT, "docs/reference"), { recursive: true });
const differing = [];
for (const name of [...Object.keys(PAGES), "shop.md"]) {
  const path = `docs/reference/${name}`;
  const text = await pageOf(name);
  if (existsSync(join(ROOT, path)) && read(path) === text) continue;
  differing.push(path);
  if (!isCheck) writeFileSync(join(ROOT, path), text);
}
process.chdir(ROOT);
rmSync(folder, { recursive: true, force: true });
if (differing.length > 0)
  console.log(isCheck ? "node scripts/reference.mjs would change" : "Written:", differing.join(", "));
// Some examples leave engines open.
process.exit(isCheck && differing.length > 0 ? 1 : 0);
