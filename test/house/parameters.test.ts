// docs/parameters.md shows what stands in the table of what callers may pass. WRITE_DOCS=1 writes the tables anew.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEngineOptions } from "../../src/input/engine-options.js";
import {
  ENGINE_OPTIONS,
  type Entry,
  FACET_PARAMETERS,
  FOLDER_OPTIONS,
  OPTIONS,
  PARAMETERS,
  SETTINGS,
} from "../../src/input/input-table.js";
import { readParams, takeParams } from "../../src/input/read-params.js";
import { checkSettings, takeSettings } from "../../src/input/read-settings.js";
import { runTask, runTaskAtOnce } from "../../src/util/tasks.js";
import { ROOT } from "../support/source-tree.js";

type Table = Readonly<Record<string, Entry<unknown>>>;

const PAGE = join(ROOT, "docs/parameters.md");
const TABLES: Readonly<Record<string, Table>> = { settings: SETTINGS, parameters: PARAMETERS };

/** What counts where nothing is given. */
function defaultOf({ default: shown, fallback }: Entry<unknown>): string {
  if (shown !== undefined) return shown;
  if (Array.isArray(fallback) && fallback.length === 0) return "none";
  if (typeof fallback === "number") return fallback.toLocaleString("en-US");
  return `\`${JSON.stringify(fallback)}\``;
}

const rowsOf = (table: Table): string =>
  ["| name | default | meaning |", "|---|---|---|"]
    .concat(Object.entries(table).map(([name, entry]) => `| \`${name}\` | ${defaultOf(entry)} | ${entry.meaning} |`))
    .join("\n");

/** The part of a page between two marks. */
const marked = (name: string): RegExp => new RegExp(`(<!-- ${name} -->\n\n)([\\s\\S]*?)(\n\n<!-- end -->)`);

describe("docs/parameters.md", () => {
  it.each(Object.keys(TABLES))("has the table of %s", (name) => {
    const page = readFileSync(PAGE, "utf8");
    const rows = rowsOf(TABLES[name]!);
    if (process.env.WRITE_DOCS === "1")
      writeFileSync(
        PAGE,
        page.replace(marked(name), (_, a, __, b) => a + rows + b),
      );
    else expect(marked(name).exec(page)?.[2]).toBe(rows);
  });

  it("names the options of each verb, and those of engines", () => {
    const page = readFileSync(PAGE, "utf8");
    const optionsOf = (verb: string): string[] => {
      const [, list = ""] = new RegExp(`\`${verb}\\([^)]*?\\{ ([a-zA-Z, ]+) \\}\\)`).exec(page) ?? [];
      return list.split(", ").sort();
    };
    expect(optionsOf("createIndex")).toEqual(Object.keys(OPTIONS.createIndex));
    expect(optionsOf("updateRecords")).toEqual(Object.keys(OPTIONS.call).sort());
    expect(optionsOf("importIndex")).toEqual(Object.keys(OPTIONS.importIndex).sort());
    expect(optionsOf("readSnapshot")).toEqual(Object.keys(OPTIONS.readSnapshot).sort());
    expect(optionsOf("writeSnapshot")).toEqual(Object.keys(OPTIONS.snapshot));
    for (const name of Object.keys(ENGINE_OPTIONS)) expect(page).toContain(`\`${name}\``);
  });
});

describe("the examples of the table", () => {
  const engine = readEngineOptions({});

  it("are parameters that are taken", () => {
    const context = { ...engine, dimensions: 2, warn: () => {} };
    const needed: Record<string, object> = { aroundRadius: { aroundLatLng: PARAMETERS.aroundLatLng.example } };
    for (const [name, { example }] of Object.entries<Entry<unknown>>(PARAMETERS)) {
      const given = { query: "", ...needed[name], [name]: example };
      expect(() => readParams(given, context), name).not.toThrow();
    }
    for (const [name, { example, kind }] of Object.entries<Entry<unknown>>(FACET_PARAMETERS))
      expect(takeParams({ [name]: example }, engine.limits)[name] === example && kind !== undefined, name).toBe(true);
  });

  it("are settings that are taken", async () => {
    const needed: Record<string, object> = {
      dimensions: { vectorAttribute: "vector", embedder: false },
      vectorAttribute: { dimensions: 2, embedder: false },
      distinct: { attributeForDistinct: "model" },
    };
    for (const [name, { example }] of Object.entries<Entry<unknown>>(SETTINGS)) {
      const given = runTaskAtOnce(takeSettings({ ...needed[name], [name]: example }));
      await expect(runTask(checkSettings(given, engine)), name).resolves.toBeDefined();
    }
  });

  it("are options that are taken", () => {
    for (const [name, { example }] of Object.entries<Entry<unknown>>(ENGINE_OPTIONS))
      expect(() => readEngineOptions({ [name]: example }), name).not.toThrow();
    expect(Object.keys(FOLDER_OPTIONS)).toEqual([
      "dataDir",
      "durability",
      "readOnly",
      "follow",
      "followIntervalMs",
      "preload",
    ]);
  });
});
