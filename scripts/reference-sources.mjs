// What the pages of scripts/reference.mjs take from elsewhere: TSDoc of the sources, rows of tables in docs, and links to sections of docs.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
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
export function readComments(paths) {
  const found = new Map();
  const take = (node, under, file) => {
    const name = node.name?.getText() ?? "";
    const key = under === undefined ? name : `${under}.${name}`;
    if (found.has(key) || !/^\w+$/.test(name) || !isShown(node)) return;
    const type = file.statements.find((each) => each.name?.text === node.type?.getText().match(/^\w+/)?.[0]);
    const tags = ts.getJSDocTags(node).map((tag) => [tag.tagName.text, tag.name?.getText(), commentText(tag.comment)]);
    const isCalled = ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node);
    const call = isCalled ? `${name}(${node.parameters.map((each) => each.name.getText()).join(", ")})` : name;
    found.set(key, { text: docOf(node) || docOf(type), tags, call, isCalled: isCalled || ts.isGetAccessor(node) });
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

/** Where to look first for what no row links to. */
const GUIDES = [
  "relevance-settings.md",
  "rules.md",
  "filters.md",
  "suggestions.md",
  "relevance.md",
  "errors.md",
  "durability.md",
  "server.md",
];

export const relinked = (text, page) =>
  text.replace(/\]\(([^)]*)\)/g, (_, target) => `](../${target.startsWith("#") ? page : ""}${target})`);

/** Links to what explains a name: those of its row in a table, or else the section that has it in its heading, or that names it first. */
export function linksFor(name, cell) {
  const linked = [...relinked(cell, "parameters.md").matchAll(/\]\((\.\.\/[^)]*)\)/g)].map(([, target]) => target);
  const guides = GUIDES.flatMap((page) => SECTIONS.filter((each) => each.page === page && each.i > 0));
  const told =
    guides.find(({ heading }) => new RegExp(`\\b${name}\\b`).test(heading)) ??
    guides.find(({ text }) => text.includes(`\`${name}`));
  const targets = linked.length > 0 || told === undefined ? linked : [told.at];
  return [...new Set(targets)].map((target) => `[${headingAt(target)}](${target})`).join(" · ");
}

function headingAt(target) {
  const found = SECTIONS.find(({ at }) => at === target);
  if (found === undefined) throw new Error(`There is no ${target}.`);
  const { page, i, heading } = found;
  const title = SECTIONS.find((each) => each.page === page && each.i === 0).heading;
  return i === 0 || title === heading ? title : `${title}: ${heading}`;
}

/** The rows of the first table under a heading of a page, as lists of cells. */
export function rowsUnder(page, heading) {
  const text = read(page);
  const [table] = /\n\|[\s\S]*?\n\n/.exec(text.slice(text.indexOf(`\n${heading}`)));
  const rows = table.trim().split("\n").slice(2);
  return rows.map((row) => row.slice(2, -2).split(" | "));
}
