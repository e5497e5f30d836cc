// The files of a guide, as a reader saves them, and a project to save them in.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { ROOT } from "./source-tree.js";

/** The files of a page by their names, and what it shows as JSON. */
export function readGuide(page: string): {
  readonly files: ReadonlyMap<string, string>;
  readonly shown: readonly Readonly<Record<string, unknown>>[];
} {
  const text = readFileSync(join(ROOT, "docs", page), "utf8");
  const fences = [...text.matchAll(/^```(\w+)(?: no-run)?(?: file=(\S+))?\n([\s\S]*?)^```$/gm)];
  const files = new Map(fences.flatMap(([, , file, code]) => (file === undefined ? [] : [[file, code!] as const])));
  return {
    files,
    shown: fences.filter(([, language]) => language === "json").map(([, , , code]) => JSON.parse(code!)),
  };
}

/** A project of a reader, with files and packages; it is gone after the tests of a file. */
export function makeProject(files: ReadonlyMap<string, string> = new Map(), installed: readonly string[] = []): string {
  const project = mkdtempSync(join(tmpdir(), "tandem-guide-"));
  afterAll(() => rmSync(project, { recursive: true, force: true }));
  for (const [file, code] of files) {
    mkdirSync(join(project, dirname(file)), { recursive: true });
    writeFileSync(join(project, file), code);
  }
  mkdirSync(join(project, "node_modules"), { recursive: true });
  for (const name of installed) {
    mkdirSync(dirname(join(project, "node_modules", name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(project, "node_modules", name), "junction");
  }
  symlinkSync(ROOT, join(project, "node_modules", "tandem-search"), "junction");
  return project;
}
