// A newcomer's project, built from the packed package: strict TypeScript, an ES module beside a CommonJS one, Express and Fastify, keys, a
// data folder, a page of InstantSearch, bundlers, an older way to resolve modules, and the least TypeScript that the README names. What
// the types refuse prints a message that begins with what is wrong.

import { type ExecFileException, execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

const PROJECT = fileURLToPath(new URL("project", import.meta.url));
/** What the newcomer has installed besides the package. */
const INSTALLED = [
  ...["express", "fastify", "@types/node", "esbuild", "webpack"],
  ...["algoliasearch-helper", "instantsearch.js"],
];
const TABLE = "static-en-2-65k-192-int4.bin";
let project: string;

/** What a program prints, and undefined if it fails. */
async function run(program: string, args: readonly string[], cwd: string = project) {
  const options = { cwd, timeout: 100_000, maxBuffer: 1 << 24 };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], options);
    return { code: 0, printed: `${stdout}${stderr}`.trim() };
  } catch (error) {
    const { code, stdout, stderr } = error as ExecFileException;
    return { code, printed: `${stdout}${stderr}`.trim() };
  }
}

const tsc = (version: "typescript" | "typescript-5.4", ...args: readonly string[]) =>
  run(join(ROOT, "node_modules", version, "bin/tsc"), args);

const ANSWERS = [
  `cordles drills: 79 <em>Cordless</em> <em>drill</em> driver, 18 V {"brand":[{"value":"Volt","count":1}]}`,
  `couch: 899 Three-seat sofa, grey fabric {"brand":[]}`,
  `hammer: 12 Claw <em>hammer</em> {"brand":[]}`,
  "undefined",
].join("\n");

/** How the messages of `wrong.mts` begin, in the order of its lines. */
const WRONG = [
  /^Object literal may only specify known properties, and 'pgae' does not exist/,
  /^Type 'string' is not assignable to type 'number'/,
  /^Object literal may only specify known properties, and 'prize' does not exist in type 'TypedFilter<Product>'/,
  /^Type 'string' is not assignable to type 'number'/,
  /^Object literal may only specify known properties, and 'pgae' does not exist/,
  /^Type '"most"' is not assignable to type 'Matching | undefined'/,
  /^Type 'string' is not assignable to type 'boolean | undefined'/,
  /^Argument of type .* is not assignable to parameter of type '"made.at is a bigint; store a number or a text"'/,
];

/** Programs that bundle the shop into a folder of their name. What a bundler warns of, they print. */
const BUNDLERS = {
  esbuild: `import { build } from "esbuild";
    const target = { outfile: "esbuild/bundled.mjs", bundle: true, platform: "node", format: "esm" };
    await build({ entryPoints: ["src/bundled.mts"], ...target, logLevel: "warning" });`,
  webpack: `import { promisify } from "node:util";
    import webpack from "webpack";
    const output = { path: process.cwd() + "/webpack", filename: "bundled.mjs", module: true };
    const settings = { mode: "production", target: "node20", performance: false, optimization: { minimize: false } };
    const compiler = webpack({ ...settings, experiments: { outputModule: true }, entry: "./out/bundled.mjs", output });
    const stats = await promisify(compiler.run.bind(compiler))();
    if (stats.hasErrors() || stats.hasWarnings()) console.log(stats.toString("errors-warnings"));`,
};

beforeAll(() => {
  if (!existsSync(join(ROOT, "dist/index.d.cts"))) throw new Error("dist has no types: npm run build comes first.");
  project = mkdtempSync(join(tmpdir(), "tandem-newcomer-"));
  cpSync(PROJECT, project, { recursive: true });
  const modules = join(project, "node_modules");
  const installer = pathToFileURL(join(ROOT, "scripts/bundle-sizes.mjs")).href;
  const install = `const { installPackage } = await import("${installer}"); await installPackage(${JSON.stringify(project)});`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", install]);
  for (const name of INSTALLED) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name), "junction");
  }
  cpSync(join(modules, "tandem-search/docs/examples/express.mjs"), join(project, "src/express.mjs"));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("the project of a newcomer", () => {
  it("compiles, and its program does what was meant", async () => {
    expect(await tsc("typescript", "-p", ".")).toEqual({ code: 0, printed: "" });
    expect(await run("out/main.mjs", [])).toEqual({
      code: 0,
      printed: [ANSWERS, "3 1 3", "200 2 401 undefined", "200 2 401 undefined", "79 false", "1 true"].join("\n"),
    });
  });

  it("compiles with the least TypeScript that the README names, modules resolved as Node resolves them or as it did", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules/typescript-5.4/package.json"), "utf8")) as {
      version: string;
    };
    const readme = readFileSync(join(project, "node_modules/tandem-search/README.md"), "utf8");
    expect(readme).toContain(`TypeScript ${version.replace(/\.\d+$/, "")} or newer`);
    expect(await tsc("typescript-5.4", "-p", ".", "--noEmit")).toEqual({ code: 0, printed: "" });
    expect(await tsc("typescript-5.4", "-p", "older")).toEqual({ code: 0, printed: "" });
    expect(await tsc("typescript", "-p", "older", "--ignoreDeprecations", "6.0")).toEqual({ code: 0, printed: "" });
  });

  it("compiles its page of InstantSearch, for a bundler", async () => {
    expect(await tsc("typescript", "-p", "page")).toEqual({ code: 0, printed: "" });
    expect(await tsc("typescript-5.4", "-p", "page")).toEqual({ code: 0, printed: "" });
  });

  it("compiles the embedders of the guides, and not what is wrong: the message begins with what is wrong", async () => {
    const pages = ["embedders.md", "other-languages.md"].map((page) =>
      readFileSync(join(project, "node_modules/tandem-search/docs", page), "utf8"),
    );
    const samples = [...pages.join("\n").matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]!);
    const lines = samples.flatMap((sample) => sample.split("\n"));
    const [imports, code] = [true, false].map((asked) => lines.filter((line) => line.startsWith("import ") === asked));
    writeFileSync(join(project, "wrong/samples.ts"), [...new Set(imports), ...code!].join("\n"));
    for (const version of ["typescript", "typescript-5.4"] as const) {
      const { code, printed } = await tsc(version, "-p", "wrong", "--pretty", "false");
      expect(code).toBe(2);
      const firsts = printed.split("\n").filter((line) => !line.startsWith(" "));
      const messages = firsts.map((line) => line.replace(/^wrong\/wrong\.mts.*\): error TS\d+: /, ""));
      expect(messages).toEqual(WRONG.map((message) => expect.stringMatching(message)));
    }
  });

  it.each(Object.entries(BUNDLERS))("is bundled by %s, and answers the same elsewhere", async (name, program) => {
    expect(await run("--input-type=module", ["--eval", program])).toEqual({ code: 0, printed: "" });
    const elsewhere = mkdtempSync(join(project, "..", `tandem-${name}-`));
    cpSync(join(project, name), elsewhere, { recursive: true });
    cpSync(join(project, "node_modules/tandem-search/dist", TABLE), join(elsewhere, TABLE));
    expect(await run("bundled.mjs", [], elsewhere)).toEqual({ code: 0, printed: ANSWERS });
    rmSync(elsewhere, { recursive: true });
  });
});
