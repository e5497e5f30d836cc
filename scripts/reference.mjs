// Writes docs/reference: a page for settings, parameters, options, verbs and errors, with a section for each name. Sentences come from the
// TSDoc of the sources and the tables of docs, what may be given from the library's own messages, and examples from
// reference-examples.mjs; each is run against the built package. With --check nothing is written: pages that differ are named, and it fails.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatWithOptions } from "node:util";
import * as library from "../dist/index.js";
import * as shared from "../docs/examples/reference-shop.mjs";
import { EXAMPLES } from "./reference-examples.mjs";
import { linksFor, readComments, relinked, rowsUnder } from "./reference-sources.mjs";
import { fence, point, sentence, wrap } from "./reference-text.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(join(ROOT, path), "utf8").replaceAll("\r\n", "\n");

/** What may be given, in the words of the message about a number that may not. */
async function expectedBy(call) {
  const error = await call(-7).catch((thrown) => thrown);
  const [, expected] = /expected (.*?)\.(?: |$)/.exec(error.msg ?? "") ?? [];
  if (expected === undefined) throw new Error(`The example needs a value: ${error.msg ?? error}`);
  return expected
    .replace(/\{[^}]*\}|"[^"]*"/g, "`$&`")
    .replace(/\d{4,}/g, (digits) => Number(digits).toLocaleString("en"));
}

// What the examples print.

const AsyncFunction = (async () => {}).constructor;

/** What the lines print, or how they fail. */
async function run(code, names) {
  const printed = [];
  const log = (...values) => printed.push(formatWithOptions({ breakLength: 100 }, ...values));
  const scope = { ...library, ...shared, ...names, console: { log } };
  const { query, ...known } = scope;
  try {
    await new AsyncFunction(...Object.keys(known), code)(...Object.values(known));
  } catch (error) {
    if (!(error instanceof library.SearchError)) throw new Error(`An example fails: ${code}`, { cause: error });
    return { printed, error };
  }
  return { printed };
}

async function answerOf(code, isFailing, names) {
  const { printed, error } = await run(code, names);
  if ((error !== undefined) !== isFailing)
    throw new Error(`An example ${isFailing ? "does not fail" : "fails"}: ${code}`);
  if (error === undefined) return printed.join("\n").trimEnd();
  const { code: number, error: name, param, msg } = error;
  return `${number} ${name}${param === undefined || param === "" ? "" : `, param "${param}"`}\n${wrap(msg, 100)}`;
}

// The pages.

/** A section: what the name is, what may be given, and an example with its answer. */
async function section(heading, example, { text, points = [], isFailing = false, withIndex = true }) {
  const { code, how } = typeof example === "string" ? { code: example } : example;
  const parts = [`## ${heading}`, wrap(sentence(text)), points.join("\n")];
  if (how !== undefined) return [...parts, wrap(`How it comes about: ${how}`)].filter((part) => part !== "");
  for (const { name } of await shared.engine.listIndexes()) await shared.engine.deleteIndex(name);
  const answer = await answerOf(code, isFailing, withIndex ? { index: await shared.shop() } : {});
  return [...parts, ...fence("js no-run", code), ...fence("text", answer)].filter((part) => part !== "");
}

const exampleOf = (table, name) => {
  const example = EXAMPLES[table][name];
  if (example === undefined) throw new Error(`reference-examples.mjs has nothing for ${name} in ${table}.`);
  return typeof example === "string" ? { code: example } : example;
};

/** Sections for the names of a table, which are members of some interfaces. */
async function valueSections({ table, names, owners, rows = [], call, withIndex, headingOf = (name) => name }) {
  const sections = [];
  for (const name of names) {
    const example = exampleOf(table, name);
    const comment = owners.map((owner) => COMMENTS.get(`${owner}.${name}`)).find((each) => each !== undefined);
    const [, shown, cell = ""] = rows.find(([first]) => first === `\`${name}\``) ?? [];
    // What only says the default is in a line of its own.
    const told = comment.text.split(/(?<=\.) (?=[A-Z])/);
    const isDefault = (each) => /^Default\b/.test(each) && (each.length < 40 || (shown?.length ?? 0) > 80);
    const [, alone] = /\bDefault:? (.*?)\.(?: |$)/.exec(comment.text) ?? [];
    const points = [
      ...point("Value", example.value ?? (await expectedBy((value) => call(name, value)))),
      ...point("Default", relinked(shown ?? alone ?? "", "parameters.md")),
      ...point("More", linksFor(name, cell)),
    ];
    const text = example.says ?? (told.filter((each) => !isDefault(each)).join(" ") || comment.text);
    sections.push(...(await section(headingOf(name), example, { text, points, withIndex })));
  }
  return sections;
}

/** Sections for the functions of a class. */
async function verbSections(table, owner, names, rows) {
  const sections = [];
  for (const name of names) {
    const comment = COMMENTS.get(owner === undefined ? name : `${owner}.${name}`);
    const row = rows.find(([cell]) => new RegExp(`\`${name}\\(`).test(cell));
    const [, call = comment.call] = new RegExp(`\`(${name}\\([^\`]*)\``).exec(row?.[0] ?? "") ?? [];
    const tagged = (tag) => comment.tags.filter(([each]) => each === tag);
    const points = [
      ...point("Call", `\`${call}\``),
      ...tagged("param").flatMap(([, param, told]) => point(`\`${param}\``, told)),
      ...point(
        "Errors",
        tagged("throws")
          .map(([, , told]) => told.replace(/^SearchError /, ""))
          .join("; "),
      ),
      ...point("More", linksFor(name, row?.join(" ") ?? "")),
    ];
    const example = exampleOf(table, name);
    sections.push(...(await section(name, example, { text: example.says ?? comment.text, points })));
  }
  return sections;
}

const SOURCES = [
  ...[
    "settings/settings",
    "input/search-params",
    "query/facets/facet-search",
    "query/suggest/suggest",
    "input/call-options",
  ],
  ...[
    "input/engine-options",
    "api/search-index",
    "api/engine",
    "api/search-engine",
    "api/default-engine",
    "docvalues/filter",
  ],
  ...["util/position", "embedding/word-table-embedder"],
];
const COMMENTS = readComments(SOURCES.map((name) => `src/${name}.ts`));

const namesIn = (rows) => rows.map(([cell]) => cell.replaceAll("`", ""));

/** The verbs of a class, but for those in `others`, which have the same names. */
const verbsOf = (owner, others = []) =>
  [...COMMENTS]
    .filter(([key, { isCalled }]) => isCalled && key.startsWith(`${owner}.`))
    .map(([key]) => key.slice(owner.length + 1))
    .filter((name) => !others.includes(name));

/** What wrong values are given to. */
const probe = new library.SearchEngine();
const probed = await probe.createIndex("probed");

const INDEX_NOTE = "Here `index` is a new index of the shop, without settings.";

async function settingsPage() {
  const rows = rowsUnder("docs/parameters.md", "## Settings");
  const call = (name, value) => probe.createIndex("probe", { [name]: value });
  const table = { table: "SETTINGS", names: namesIn(rows), owners: ["IndexSettings"], rows, call, withIndex: false };
  const about =
    "What `createIndex(name, settings)` takes: each setting with what it does, its default and an example. All of them are optional.";
  return page("Settings", about, await valueSections(table));
}

async function parametersPage() {
  const rows = rowsUnder("docs/parameters.md", "## Parameters");
  const call = (name, value) => probed.query({ query: "", [name]: value });
  const ofQuery = { table: "PARAMETERS", names: namesIn(rows), owners: ["SearchParams"], rows, call };
  const ofFacets = {
    ...{ table: "FACET_PARAMETERS", names: Object.keys(EXAMPLES.FACET_PARAMETERS), owners: ["FacetSearchParams"] },
    call: (name, value) => probed.searchForFacetValues({ facetName: "brand", [name]: value }),
    headingOf: (name) => `${name}, of searchForFacetValues`,
  };
  const suggestRows = rowsUnder("docs/suggestions.md", "## Parameters");
  const ofSuggest = {
    ...{ table: "SUGGEST_PARAMETERS", names: namesIn(suggestRows), owners: ["SuggestParams"], rows: suggestRows },
    call: (name, value) => probed.suggest({ query: "", [name]: value }),
    headingOf: (name) => `${name}, of suggest`,
  };
  const about = `What a query takes: each parameter with what it does, its default and an example. At the end stand the parameters that
    \`searchForFacetValues\` has besides, and those of \`suggest\`. ${INDEX_NOTE}`;
  const sections = [await valueSections(ofQuery), await valueSections(ofFacets), await valueSections(ofSuggest)];
  return page("Query parameters", about, sections.flat());
}

async function optionsPage() {
  const rows = rowsUnder("docs/parameters.md", "## A data folder");
  const owners = ["EngineOptions", "OpenOptions"];
  const call = (name, value) => library.SearchEngine.open({ dataDir: "./probe", [name]: value });
  const names = Object.keys(EXAMPLES.ENGINE_OPTIONS);
  const ofEngine = { table: "ENGINE_OPTIONS", names, owners, rows, call, withIndex: false };
  const kinds = ["Create", "Call", "Progress", "Add", "Update", "Refresh", "Import"].map((kind) => `${kind}Options`);
  const ofCalls = {
    ...{ table: "OPTIONS", names: Object.keys(EXAMPLES.OPTIONS), owners: kinds },
    call: (name, value) => probe.createIndex("probed", {}, { [name]: value }),
  };
  const about = `What \`new SearchEngine(options)\` and \`SearchEngine.open(options)\` take, from \`dataDir\` on the second alone; behind them,
    from \`ifExists\` on, what calls take as their last argument. There ${INDEX_NOTE.slice(5)}`;
  return page("Options", about, [...(await valueSections(ofEngine)), ...(await valueSections(ofCalls))]);
}

async function verbsPage() {
  const rows = [
    ...rowsUnder("docs/parameters.md", "## Verbs"),
    ...rowsUnder("docs/parameters.md", "| verb of an engine"),
  ];
  const ofIndex = verbsOf("SearchIndex");
  const ofAll = verbsOf("Engine", ofIndex);
  const sections = [
    await verbSections("VERBS", "SearchIndex", ofIndex, rows),
    await verbSections("VERBS", "Engine", ofAll, rows),
    await verbSections("VERBS", "SearchEngine", verbsOf("SearchEngine", [...ofIndex, ...ofAll]), rows),
    await verbSections("FUNCTIONS", undefined, Object.keys(EXAMPLES.FUNCTIONS), rows),
  ];
  const about = `What an index and an engine can do: each verb with an example and its answer. From \`createIndex\` on they are verbs of an
    engine alone; an engine has the others, too, with the name of the index as the first argument. ${INDEX_NOTE}`;
  return page("Verbs", about, sections.flat());
}

async function errorsPage() {
  const rows = rowsUnder("docs/errors.md", "| code | `error`").map(([code, error, ...when]) => ({
    code,
    name: error.replaceAll("`", ""),
    when: when.join(" | "),
  }));
  const sections = [];
  for (const name of new Set(rows.map((row) => row.name))) {
    const example = exampleOf("ERRORS", name);
    const told = rows
      .filter((row) => row.name === name)
      .map(({ code, when }) => `${code}: ${relinked(example.says ?? when, "errors.md")}`);
    sections.push(...(await section(name, example, { text: told.join(". "), isFailing: true })));
  }
  const about = `Each error with its code, when it is thrown, and a call that fails with it. The answer shows \`code\`, \`error\`, \`param\` and
    \`msg\` of the \`SearchError\`. ${INDEX_NOTE}`;
  return page("Error codes", about, sections);
}

function page(title, about, sections) {
  const uses = `The examples use [a shop of eight products](shop.md), and print with \`console.log\`.`;
  return [`# ${title}`, wrap(about.replace(/\s+/g, " ")), uses, ...sections, ""].join("\n\n").trimEnd() + "\n";
}

/** The file of the shop, and a table of its products. */
function shopPage() {
  const names = ["id", "title", "brand", "category", "color", "price", "stock", "sold"];
  const rows = [names, names.map(() => "---"), ...shared.products.map((product) => names.map((name) => product[name]))];
  const about = `The shop of the examples in [settings](settings.md), [query parameters](query-parameters.md), [options](options.md),
    [verbs](verbs.md) and [error codes](error-codes.md): an engine, eight products, \`shop(settings)\`, which makes an index of them, and
    \`titles(index, params)\`, which asks it. To run an example, save the code below as \`shop.mjs\`, and begin your file with:`;
  const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const imports = `import { engine, products, shop, titles } from "./shop.mjs";\nimport { SearchEngine } from "tandem-search";`;
  const code = read("docs/examples/reference-shop.mjs").trimEnd();
  const parts = ["# The shop of the examples", wrap(about.replace(/\s+/g, " ")), ...fence("js no-run", imports)];
  const index = wrap("Where an example says `index` without making one, it begins with `const index = await shop();`.");
  return `${[...parts, index, table, ...fence("js no-run", code)].join("\n\n")}\n`;
}

const isCheck = process.argv.includes("--check");
const folder = mkdtempSync(join(tmpdir(), "reference-"));
process.chdir(folder);
const pages = {
  "settings.md": settingsPage,
  "query-parameters.md": parametersPage,
  "options.md": optionsPage,
  "verbs.md": verbsPage,
  "error-codes.md": errorsPage,
  "shop.md": shopPage,
};
mkdirSync(join(ROOT, "docs/reference"), { recursive: true });
const differing = [];
for (const [name, write] of Object.entries(pages)) {
  const path = `docs/reference/${name}`;
  const text = await write();
  if (existsSync(join(ROOT, path)) && read(path) === text) continue;
  differing.push(path);
  if (!isCheck) writeFileSync(join(ROOT, path), text);
}
process.chdir(ROOT);
rmSync(folder, { recursive: true, force: true });
if (differing.length > 0)
  console.log(`${isCheck ? "node scripts/reference.mjs would write" : "Written"}: ${differing.join(", ")}`);
// Engines that an example left open.
process.exit(isCheck && differing.length > 0 ? 1 : 0);
