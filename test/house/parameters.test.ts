// docs/parameters.md has a line for each parameter, setting and option that the code reads, with its default.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OPTIONS } from "../../src/input/call-options.js";
import { ENGINE_OPTIONS, FOLDER_OPTIONS } from "../../src/input/engine-options.js";
import { Checker, type Entry } from "../../src/input/kinds.js";
import { PARAMETERS } from "../../src/input/parameter-table.js";
import { SETTINGS } from "../../src/input/setting-table.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { ROOT } from "../support/source-tree.js";

type Table = Readonly<Record<string, Entry<unknown>>>;

const PAGE = readFileSync(join(ROOT, "docs/parameters.md"), "utf8");
const TABLES: Readonly<Record<string, Table>> = {
  Settings: SETTINGS,
  Parameters: PARAMETERS,
  "A data folder": FOLDER_OPTIONS,
};

/** The names in the first table under a heading, and the text of their defaults. */
function rowsUnder(heading: string): (readonly [name: string, shown: string])[] {
  const section = PAGE.slice(PAGE.indexOf(`\n## ${heading}`));
  const [table = ""] = /\n\n\|[\s\S]*?\n\n/.exec(section) ?? [];
  return [...table.matchAll(/^\| `(\w+)` \| (.*?) \| .* \|$/gm)].map(([, name, shown]) => [name!, shown!]);
}

/** What a caller would pass to say a default as the page does. */
function givenBy(shown: string): unknown {
  if (shown === "none") return "";
  if (/^[a-z ]+$/.test(shown)) return {};
  const codes = [...shown.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  if (codes.length > 1) return codes;
  const written = codes[0] ?? shown.replaceAll(",", "");
  return JSON.parse(written.replace(/(\w+):/g, '"$1":'));
}

describe("docs/parameters.md", () => {
  it.each(Object.keys(TABLES))("has the names and defaults of the table: %s", (heading) => {
    const table = TABLES[heading]!;
    const rows = rowsUnder(heading);
    expect(rows.map(([name]) => name)).toEqual(Object.keys(table));
    const check = new Checker("invalid", "");
    for (const [name, shown] of rows) {
      const { kind, fallback = null } = table[name]!;
      const isNone = Array.isArray(fallback) && fallback.length === 0;
      if (isNone) expect(shown, name).toBe("none");
      // What depends on more than the table is said in words.
      if (isNone || fallback === null) continue;
      expect(kind.read(givenBy(shown), name, { check, limits: DEFAULT_LIMITS, dimensions: 0 }), name).toEqual(fallback);
    }
    expect(check.complaints).toEqual([]);
  });

  it("names the options of each verb, and those of engines", () => {
    const optionsOf = (verb: string): string[] => {
      const [, list = ""] = new RegExp(`\`${verb}\\([^)]*?\\{ ([a-zA-Z, ]+) \\}\\)`).exec(PAGE) ?? [];
      return list.split(", ").sort();
    };
    expect(optionsOf("createIndex")).toEqual(Object.keys(OPTIONS.createIndex));
    expect(optionsOf("updateRecords")).toEqual(Object.keys(OPTIONS.call).sort());
    expect(optionsOf("importIndex")).toEqual(Object.keys(OPTIONS.importIndex).sort());
    expect(optionsOf("readSnapshot")).toEqual(Object.keys(OPTIONS.readSnapshot).sort());
    expect(optionsOf("writeSnapshot")).toEqual(Object.keys(OPTIONS.snapshot));
    for (const name of Object.keys(ENGINE_OPTIONS)) expect(PAGE).toContain(`\`${name}\``);
  });
});
