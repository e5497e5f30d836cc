// docs/reference has a section for each name, and is what scripts/reference.mjs writes, which runs each of its examples.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import * as library from "../../src/index.js";
import { OPTIONS } from "../../src/input/call-options.js";
import { ENGINE_OPTIONS, FOLDER_OPTIONS } from "../../src/input/engine-options.js";
import { FACET_PARAMETERS, PARAMETERS, SUGGEST_PARAMETERS } from "../../src/input/parameter-table.js";
import { SETTINGS } from "../../src/input/setting-table.js";
import { ROOT } from "../support/source-tree.js";

const read = (page: string): string => readFileSync(join(ROOT, "docs", page), "utf8");

/** The sections of a page, by their names. */
const sectionsOf = (page: string): Map<string, string> =>
  new Map(
    read(`reference/${page}`)
      .split(/\n## /)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf("\n")), text]),
  );

const EXAMPLE = /\n```js no-run\n/;

/** Errors that need a failing disk, a cluster, another version or a race. */
const WITHOUT_EXAMPLE =
  `version_conflict storage_version invalid_credential not_implemented cluster_refused cluster_unavailable timeout
  storage_full`.split(/\s+/);

describe("the reference", () => {
  const of = (names: object, verb: string): string[] => Object.keys(names).map((name) => `${name}, of ${verb}`);
  it.each([
    ["settings.md", Object.keys(SETTINGS)],
    [
      "query-parameters.md",
      [
        ...Object.keys(PARAMETERS),
        ...of(FACET_PARAMETERS, "searchForFacetValues"),
        ...of(SUGGEST_PARAMETERS, "suggest"),
      ],
    ],
    [
      "options.md",
      [
        ...Object.keys({ ...ENGINE_OPTIONS, ...FOLDER_OPTIONS }),
        ...new Set(Object.values(OPTIONS).flatMap((table) => Object.keys(table))),
      ],
    ],
  ])("has in %s each name of the tables, with an example", (page, names) => {
    const sections = sectionsOf(page);
    expect([...sections.keys()].sort()).toEqual([...names].sort());
    for (const [name, text] of sections) expect(text, name).toMatch(EXAMPLE);
  });

  it("has each verb and function", () => {
    const sections = sectionsOf("verbs.md");
    const cells = read("parameters.md").match(/^\| `\w+\(.*?\|/gm)!;
    const verbs = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)\(/g)].map(([, name]) => name!));
    const functions = Object.entries(library).filter(
      ([name, value]) => !/^[A-Z]/.test(name) && typeof value === "function",
    );
    expect(verbs.length).toBeGreaterThan(35);
    expect([...sections.keys()]).toEqual(expect.arrayContaining([...verbs, ...functions.map(([name]) => name)]));
    for (const [name, text] of sections) expect(text, name).toMatch(EXAMPLE);
  });

  it("has each error, with a call that fails or how it comes about", () => {
    const codes = [...read("errors.md").matchAll(/^\| \d{3} \| `(\w+)`/gm)].map(([, name]) => name!);
    const sections = sectionsOf("error-codes.md");
    expect([...sections.keys()]).toEqual([...new Set(codes)]);
    const without = [...sections].filter(([, text]) => !EXAMPLE.test(text));
    expect(without.map(([name]) => name)).toEqual(WITHOUT_EXAMPLE);
    for (const [name, text] of without) expect(text, name).toContain("\nHow it comes about: ");
  });

  it("is what the script writes", async () => {
    const script = join(ROOT, "scripts", "reference.mjs");
    const { stderr } = await promisify(execFile)(process.execPath, [script, "--check"], { cwd: ROOT });
    expect(stderr).toBe("");
  });
});
