// The sources of the library as a reader of rules needs them: paths, imports and words, found by TypeScript's own
// parser, so that comments and strings never count as code.

import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The repository's root folder, as a path of this machine. */
export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

/** Something at a line, counted from 1. */
export type Place = { readonly name: string; readonly line: number };

/** One file of src, by its path below src with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Files of ours that it imports in any way, types included, by their paths below src. */
  readonly imports: readonly Place[];
  /** Packages that it imports or requires in any way, types included; Node's own modules are not among them. */
  readonly packages: readonly Place[];
  /** Identifiers and string literals. */
  readonly words: readonly Place[];
  /** `any` as a type, and `as unknown as`. */
  readonly escapes: readonly Place[];
  /** Top-level statements that are not `export … from`. */
  readonly ownStatements: readonly Place[];
}

/** All .ts files below src. */
export function readSourceTree(): SourceFile[] {
  const src = join(ROOT, "src");
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => readSourceFile(relative(src, file).split(sep).join("/"), readFileSync(file, "utf8")))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A file from its text. */
export function readSourceFile(path: string, text: string): SourceFile {
  const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const found = { specifiers: [] as Place[], words: [] as Place[], escapes: [] as Place[] };
  const loaders = requireNames(parsed);
  walk(parsed, (node) => {
    const line = lineOf(parsed, node.getStart());
    const specifier = specifierOf(node, loaders);
    if (specifier !== undefined) found.specifiers.push({ name: specifier, line });
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) found.words.push({ name: node.text, line });
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.escapes.push({ name: "any", line });
    if (isDoubleAssertion(node)) found.escapes.push({ name: "as unknown as", line });
  });
  const { specifiers, words, escapes } = found;
  const ours = specifiers.filter(({ name }) => name.startsWith("."));
  const foreign = specifiers.filter(({ name }) => !name.startsWith(".") && !isBuiltin(name));
  return {
    ...{ path, text, words, escapes },
    imports: ours.map(({ name, line }) => ({ name: resolveOurs(path, name), line })),
    packages: foreign.map(({ name, line }) => ({ name: packageName(name), line })),
    ownStatements: parsed.statements
      .filter((statement) => !(ts.isExportDeclaration(statement) && statement.moduleSpecifier))
      .map((statement) => ({ name: ts.SyntaxKind[statement.kind], line: lineOf(parsed, statement.getStart()) })),
  };
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

function lineOf(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}

/** `require`, our own function for what may be installed, and whatever holds the result of createRequire. */
function requireNames(file: ts.SourceFile): Set<string> {
  const names = new Set(["require", "requireInstalled"]);
  walk(file, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return;
    if (node.initializer && isCreateRequire(node.initializer)) names.add(node.name.text);
  });
  return names;
}

function isCreateRequire(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  return ts.isIdentifier(callee) && callee.text === "createRequire";
}

/** What a node imports: import and export declarations, import types, import(), require() and resolve(). */
function specifierOf(node: ts.Node, loaders: ReadonlySet<string>): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (ts.isExternalModuleReference(node)) return literal(node.expression);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const called = node.expression;
  const isLoader = (callee: ts.Node) =>
    isCreateRequire(callee) || ts.isMetaProperty(callee) || (ts.isIdentifier(callee) && loaders.has(callee.text));
  const loads =
    called.kind === ts.SyntaxKind.ImportKeyword ||
    isLoader(called) ||
    (ts.isPropertyAccessExpression(called) && called.name.text === "resolve" && isLoader(called.expression));
  return loads ? requestOf(node.arguments[0]) : undefined;
}

/** The text that a call loads; it may be hidden from bundlers by functions that give it back, as in `Buffer.from("x").toString()`. */
function requestOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined || !ts.isCallExpression(node)) return literal(node);
  const called = node.expression;
  return requestOf(node.arguments[0] ?? (ts.isPropertyAccessExpression(called) ? called.expression : undefined));
}

function literal(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function resolveOurs(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, ".ts");
}

function packageName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function isDoubleAssertion(node: ts.Node): boolean {
  if (!ts.isAsExpression(node)) return false;
  let inner = node.expression;
  while (ts.isParenthesizedExpression(inner)) inner = inner.expression;
  return ts.isAsExpression(inner) && inner.type.kind === ts.SyntaxKind.UnknownKeyword;
}
