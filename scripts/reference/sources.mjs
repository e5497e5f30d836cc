// What the pages of scripts/reference.mjs take from elsewhere: TSDoc of the sources, rows of tables in docs, and links to sections of docs.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path) => readFileSync(join(ROOT, path), "utf8").replaceAll("\r\n", "\n");

/** The text of a comment, on one line, in Markdown of docs/reference. */
function commentText(comment) {
  const text = (ts.getTextOfJSDocComment(comment) ?? "").replace(/\s+/g, " ").trim();
  return text.replace(/\{@link ([^}]+?)\s*\}/g, "`$1`").replace(/docs\/([\w-]+)\.md/g, "[$1](../$1.md)");
}

const docOf = (node) => commentText(node?.jsDoc?.at(-1)?.comment);
const isOpen = (node) =>
  !/\b(?:private|protected)\b/.test(node.modifiers?.map((each) => each.getText()).join(" ") ?? "");
const isShown = (node) => isOpen(node) && !ts.getJSDocTags(node).some((tag) => tag.tagName.text === "internal");

/** What TSDoc says of functions and of the members of interfaces and classes, by names such as `SearchIndex.query`. */
function readComments(paths) {
  const found = new Map();
  const take = (node, under, file) => {
    const name = node.name?.getText() ?? "";
    const key = under === undefined ? name : `${under}.${name}`;
    if (found.has(key) || !/^\w+$/.test(name) || !isShown(node)) return;
    const type = file.statements.find((each) => each.name?.text === node.type?.getText().match(/^\w+/)?.[0]);
    const tags = ts
      .getJSDocTags(node)
      .map((tag) => [tag.tagName.text, tag.name?.getText(), commentText(tag.comment).replace(/^- /, "")]);
    const isCalled = ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node);
    const call = isCalled ? `${name}(${node.parameters.map((each) => each.name.getText()).join(", ")})` : name;
    const isStatic = node.modifiers?.some((each) => each.kind === ts.SyntaxKind.StaticKeyword) ?? false;
    found.set(key, {
      text: docOf(node) || docOf(type),
      tags,
      call,
      isStatic,
      isCalled: isCalled || ts.isGetAccessor(node),
    });
  };
  for (const path of paths) {
    const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
    for (const node of file.statements) {
      if (ts.isFunctionDeclaration(node)) take(node, undefined, file);
      if (!ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node)) continue;
      for (const member of node.members) take(member, node.name.text, file);
    }
  }
  return found;
}

const SOURCES = `settings/settings input/search-params query/facets/facet-search query/suggest/suggest input/call-options
  input/engine-options api/search-index api/engine api/search-engine api/default-engine docvalues/filter util/position
  embedding/word-table-embedder`;

export const COMMENTS = readComments(SOURCES.split(/\s+/).map((name) => `src/${name}.ts`));

/** The verbs of a class, but for those in `others`, which have the same names. */
export const verbsOf = (owner, others = []) =>
  [...COMMENTS]
    .filter(([key, { isCalled }]) => isCalled && key.startsWith(`${owner}.`))
    .map(([key]) => key.slice(owner.length + 1))
    .filter((name) => !others.includes(name));

const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

/** The headings and texts of the pages of docs; a title has the address of its page. */
const SECTIONS = [...readdirSync(join(ROOT, "docs")), "decisions/own-neighbour-graph.md", "../README.md"]
  .filter((page) => page.endsWith(".md"))
  .flatMap((page) =>
    read(`docs/${page}`)
      .split(/\n(?=##+ )/)
      .map((text, i) => ({ page, text, i, heading: /^#+ (.*)/m.exec(text)[1].replaceAll("`", "") }))
      .map((each) => ({ ...each, at: each.i === 0 ? `../${page}` : `../${page}#${slug(each.heading)}` })),
  );

export const relinked = (text, page) =>
  text.replace(/\]\(([^)]*)\)/g, (_, target) => `](../${target.startsWith("#") ? page : ""}${target})`);

/** Links to what explains a name: what is given, else those of its row in a table, else the section that has the name in its heading. */
export function linksFor(name, cell, see) {
  const linked = [...relinked(cell, "parameters.md").matchAll(/\]\((\.\.\/[^)]*)\)/g)].map(([, target]) => target);
  const told = SECTIONS.find(({ i, text }) => i > 0 && /^.*/.exec(text)[0].includes(`\`${name}\``));
  const targets = see !== undefined ? [`../${see}`] : linked.length > 0 || told === undefined ? linked : [told.at];
  return [...new Set(targets)].map((target) => `[${headingAt(target)}](${target})`).join(" · ");
}

function headingAt(target) {
  const found = SECTIONS.find(({ at }) => at === target);
  if (found === undefined) throw new Error(`There is no ${target}.`);
  const { page, i, heading } = found;
  const title = SECTIONS.find((each) => each.page === page && each.i === 0).heading.split(/[:,]/)[0];
  return i === 0 ? title : `${title} › ${heading}`;
}

/** The rows of the first table under a heading of a page, as lists of cells. */
export function rowsUnder(page, heading) {
  const text = read(page);
  const [table] = /\n\|[\s\S]*?\n\n/.exec(text.slice(text.indexOf(`\n${heading}`)));
  const rows = table.trim().split("\n").slice(2);
  return rows.map((row) => row.slice(2, -2).split(" | "));
}
