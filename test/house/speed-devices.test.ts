// docs/decisions/speed-devices.md names each device by its files and by how many lines it has, so that its price is known. Both are
// compared with the tree: a file or a name that is gone, or a count that no longer holds, fails here.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

const PAGE = "docs/decisions/speed-devices.md";
/** The page rounds counts; they may differ by so many lines, or by so large a share of them. */
const SLACK_LINES = 10;
const SLACK_SHARE = 0.05;

/** A row of a table on the page whose second column is called "files", and the third "lines". */
interface Device {
  readonly name: string;
  readonly files: string;
  readonly lines: number;
}

/** A whole file, or the declarations with some names in it. */
interface Part {
  readonly path: string;
  readonly names: readonly string[];
}

const cellsOf = (row: string) => row.split("|").map((cell) => cell.trim());

function devicesOn(page: string): Device[] {
  const tables = page.split("\n\n").filter((block) => cellsOf(block.split("\n")[0]!)[2] === "files");
  return tables.flatMap((table) =>
    table
      .split("\n")
      .filter((row) => row.startsWith("|"))
      .slice(2)
      .map((row) => {
        const [, name = "", files = "", lines = ""] = cellsOf(row);
        return { name, files, lines: Number(lines.replaceAll(",", "")) };
      }),
  );
}

/** `src/a/b.ts`, `c.ts` beside it, and `name`, `other` in `src/a/d.ts`. */
function partsOf(files: string): Part[] {
  const parts: Part[] = [];
  let names: string[] = [];
  for (const [, code = ""] of files.matchAll(/`([^`]+)`/g)) {
    if (!code.endsWith(".ts")) {
      names.push(code);
      continue;
    }
    const path = code.includes("/") ? code : `${dirname(parts.at(-1)?.path ?? "")}/${code}`;
    parts.push({ path, names });
    names = [];
  }
  return parts;
}

/** The lines of a part: those of the file, or of the named declarations with their comments; undefined if one is not there. */
function linesOf({ path, names }: Part, text: string): number | undefined {
  if (names.length === 0) return text.trimEnd().split("\n").length;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    const name = declaredName(node);
    if (name !== undefined && names.includes(name) && !found.has(name)) found.set(name, lineCount(file, node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.size < names.length ? undefined : [...found.values()].reduce((sum, lines) => sum + lines, 0);
}

function declaredName(node: ts.Node): string | undefined {
  const isDeclared = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isMethodDeclaration(node);
  return isDeclared && node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

function lineCount(file: ts.SourceFile, node: ts.Node): number {
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  return lineAt(node.end) - lineAt(node.getStart(file, true)) + 1;
}

/** What is wrong with a row; `read` gives the text of a file, undefined if there is none. */
function complaints({ name, files, lines }: Device, read: (path: string) => string | undefined): string[] {
  const parts = partsOf(files);
  if (parts.length === 0) return [`${name}: names no file`];
  const counted = parts.map((part) => {
    const text = read(part.path);
    return { part, lines: text === undefined ? undefined : linesOf(part, text) };
  });
  const missing = counted.filter((each) => each.lines === undefined);
  if (missing.length > 0)
    return missing.map(({ part }) => `${name}: there is no ${[...part.names, part.path].join(", ")}`);
  const sum = counted.reduce((total, each) => total + each.lines!, 0);
  return Math.abs(sum - lines) <= Math.max(SLACK_LINES, SLACK_SHARE * sum)
    ? []
    : [`${name}: ${PAGE} says ${lines} lines, counted are ${sum}`];
}

describe("the page of the speed devices", () => {
  const page = readFileSync(join(ROOT, PAGE), "utf8");
  const read = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : undefined);

  it("names files that exist, with the lines that they have", () => {
    expect(devicesOn(page).length).toBeGreaterThan(15);
    expect(devicesOn(page).flatMap((device) => complaints(device, read))).toEqual([]);
  });

  it("names each kernel", () => {
    const kernels = readdirSync(join(ROOT, "assembly")).filter((name) => name.endsWith(".ts"));
    const named = devicesOn(page).flatMap(({ files }) => partsOf(files).map(({ path }) => path));
    expect(kernels.map((kernel) => `assembly/${kernel}`).filter((path) => !named.includes(path))).toEqual([]);
  });
});

it("the check of a page notices what is gone or has other counts", () => {
  const text = `/** A comment. */\nfunction part() {\n${"  one();\n".repeat(20)}}\nclass K {\n  method() {}\n}\n`;
  const check = (files: string, lines: number) => complaints({ name: "y", files, lines }, () => text);
  expect(check("`part`, `method` in `src/a/c.ts`", 24)).toEqual([]);
  expect(check("`src/a/c.ts`", 60)).toEqual([`y: ${PAGE} says 60 lines, counted are 26`]);
  expect(check("`part`, `gone` in `src/a/c.ts`", 23)).toEqual(["y: there is no part, gone, src/a/c.ts"]);
  expect(complaints({ name: "y", files: "`src/a/d.ts`", lines: 1 }, () => undefined)).toHaveLength(1);
});
