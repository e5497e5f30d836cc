// The options of an engine: defaults, complaints and warnings.

import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/api/search-engine.js";
import { type OpenOptions, readEngineOptions, readOpenOptions } from "../../src/input/engine-options.js";
import type { Embedder, SearchWarning } from "../../src/util/extension-points.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { rejectionOf, thrownBy } from "../support/refusal.js";

const OWN: Embedder = { id: "own", dimensions: 2, embed: async (texts) => texts.map(() => [1, 0]) };
const refused = (options: unknown) => thrownBy(() => readEngineOptions(options));

function warned(options: object): SearchWarning[] {
  const warnings: SearchWarning[] = [];
  readEngineOptions({ ...options, onWarning: (warning: SearchWarning) => warnings.push(warning) });
  return warnings;
}

describe("the options of an engine", () => {
  it("may all be left out", () => {
    const { limits, strict, defaultEmbedder } = readEngineOptions({});
    expect([limits, strict, defaultEmbedder]).toEqual([DEFAULT_LIMITS, false, undefined]);
  });

  it("name the built-in embedder, none, or one's own", () => {
    for (const embedder of ["static-en", "static-de"] as const) {
      const { defaultEmbedder, tables } = readEngineOptions({ embedder });
      expect(defaultEmbedder).toBe(tables[embedder]);
    }
    expect(readEngineOptions({ embedder: false }).defaultEmbedder).toBe(false);
    expect(readEngineOptions({ embedder: OWN }).defaultEmbedder).toMatchObject({ id: "own", dimensions: 2 });
  });

  it("take embedders and analyzers by their ids, with the embedder among them", () => {
    const analyzer = { id: "words", analyze: (text: string) => text.split(" ") };
    const given = { own: { ...OWN }, other: { ...OWN, id: "other" } };
    const { embedders, analyzers } = readEngineOptions({
      ...{ embedder: { ...OWN, id: "third" }, embedders: given, analyzers: { words: analyzer } },
    });
    expect([...embedders.keys(), ...analyzers.keys()]).toEqual(["own", "other", "third", "words"]);
    Reflect.set(given.own, "id", "changed");
    expect([embedders.get("own")?.id, analyzers.get("words")?.analyze("a b")]).toEqual(["own", ["a", "b"]]);
    const { defaultEmbedder, ...others } = readEngineOptions({ embedder: OWN, embedders: { own: OWN } });
    expect(others.embedders.get("own")).toBe(defaultEmbedder);
  });

  it("take limits of one's own and strict", () => {
    const { limits, strict } = readEngineOptions({ limits: { idBytes: 9 }, strict: true });
    expect([limits.idBytes, strict]).toEqual([9, true]);
  });

  it("are all known: none of them is warned of or refused", () => {
    const options = { embedder: false, strict: false, limits: {} };
    expect(warned(options)).toEqual([]);
    expect(readEngineOptions({ ...options, onWarning: () => {}, strict: true }).strict).toBe(true);
  });

  it("of unknown names are warned of, with the nearest known name where there is one", () => {
    const told = (message: string, param: string) => [{ code: "unknown_option", message, param }];
    expect(warned({ embeder: false })).toEqual(
      told('option "embeder" is unknown; did you mean "embedder"? It was ignored.', "embedder"),
    );
    expect(warned({ zzzzzzzzz: 1 })).toEqual(
      told(
        'option "zzzzzzzzz" is unknown; known are analyzers, cacheBytes, embedder, embedders, limits, onWarning, strict, warmUp. It was ignored.',
        "zzzzzzzzz",
      ),
    );
  });

  it("do not mind a handler of warnings that throws", () => {
    const onWarning = () => {
      throw new Error("theirs");
    };
    expect(readEngineOptions({ onWarning, limit: {} }).strict).toBe(false);
  });
});

describe("the options of an engine are refused", () => {
  const EMBEDDER = "{ id, dimensions, embed(texts, options) }";
  const noEmbedder = { embedders: { own: OWN, no: { id: "no" } } };
  const noAnalyzer = { analyzers: { plain: { id: "plain", analyze: () => [] } } };

  it.each<readonly [error: string, param: string, msg: string, options: unknown]>([
    ["invalid_options", "options", "options is null; pass an object.", null],
    ["invalid_option", "strict", "options.strict is 1; expected true or false.", { strict: 1 }],
    ["invalid_option", "onWarning", 'options.onWarning is "log"; expected a function.', { onWarning: "log" }],
    [
      "invalid_embedder",
      "embedder",
      `options.embedder is "x"; expected "static-en", "static-de", false or ${EMBEDDER}.`,
      { embedder: "x" },
    ],
    [
      "invalid_option",
      "embedders.x.id",
      'options.embedders.x.id is "own"; expected "x", as its key says.',
      { embedders: { x: OWN } },
    ],
    ["invalid_embedder", "embedders.no", `options.embedders.no is an object; expected ${EMBEDDER}.`, noEmbedder],
    [
      "invalid_analyzer",
      "analyzers.plain",
      "options.analyzers.plain is an object; expected { id, analyze(text) }.",
      noAnalyzer,
    ],
    ["invalid_option", "analyzers", "analyzers is an array; pass an object.", { analyzers: [] }],
    [
      "unknown_option",
      "embeder",
      'option "embeder" is unknown; did you mean "embedder"?',
      { strict: true, embeder: false },
    ],
  ])("as %s of %s: %s", (error, param, msg, options) =>
    expect(refused(options)).toMatchObject({ code: 400, error, param, msg }));

  it("all together", () => {
    expect(refused({ strict: "yes", onWarning: 5, embedder: 5 }).details?.total).toBe(3);
  });
});

describe("the options of a data folder", () => {
  const dataDir = join(tmpdir(), `tandem-never-made-${process.pid}`, "data");

  const SPELT =
    "readonly ReadOnly READONLY read_only READ_ONLY read-only readOnyl reedOnly isReadOnly readOnlyMode openReadOnly read_only_mode " +
    "readOnlyFolder opened.as.readonly.by.default";

  it.each([
    ...SPELT.split(" "),
    "read only",
  ])("are refused where they mean readOnly, and nothing is made: %s", async (name) => {
    const warnings: SearchWarning[] = [];
    const onWarning = (warning: SearchWarning) => void warnings.push(warning);
    for (const value of [true, false, "yes"]) {
      const options = { dataDir, onWarning, [name]: value } as OpenOptions;
      const error = await rejectionOf(SearchEngine.open(options));
      expect(error).toMatchObject({
        code: 400,
        error: "invalid_option",
        param: name,
        msg: `option "${name}" is unknown; did you mean "readOnly"? It is an error, because ignoring it would open the folder for writing.`,
      });
      expect(thrownBy(() => readOpenOptions({ ...options, strict: true })).error).toBe("invalid_option");
    }
    expect([warnings, existsSync(join(dataDir, ".."))]).toEqual([[], false]);
  });

  it("are taken beside readOnly and where they are undefined, and other unknown ones are warned of", () => {
    const codes: [string, string | undefined][] = [];
    const onWarning = ({ code, param }: SearchWarning) => void codes.push([code, param]);
    const options = { dataDir, readOnly: true, readonly: undefined, preloads: true, reader: true, onWarning };
    expect(readOpenOptions(options)).toMatchObject({ readOnly: true, preload: false });
    expect(codes).toEqual([
      ["unknown_option", "preload"],
      ["unknown_option", "reader"],
    ]);
    expect(thrownBy(() => readOpenOptions({ ...options, read_only: true })).param).toBe("read_only");
  });

  it("that are wrong are told together", () => {
    expect(thrownBy(() => readOpenOptions({ readonly: true, preload: 1 })).details?.total).toBe(3);
  });
});
