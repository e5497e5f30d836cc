// What is installed with the library: exact versions, few packages, no install script, licences that go with MIT, no native code.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

type Versions = Readonly<Record<string, string>>;

/** The parts of a package.json that are looked at. */
interface Manifest {
  readonly license?: string;
  readonly main?: string;
  readonly scripts?: Versions;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly peerDependenciesMeta?: object;
  readonly bundleDependencies?: unknown;
}

/** A package of the lock file. */
interface Locked extends Manifest {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly inBundle?: boolean;
}

const read = <T>(path: string): T => JSON.parse(readFileSync(join(ROOT, path), "utf8")) as T;
const lockOf = (folder: string) =>
  read<{ readonly packages: Readonly<Record<string, Locked>> }>(join(folder, "package-lock.json")).packages;

const FOLDERS = ["", "bench", "site", ...readdirSync(join(ROOT, "platforms")).map((name) => `platforms/${name}`)];
const MANIFESTS = FOLDERS.map((folder) => join(folder, "package.json")).filter((path) => existsSync(join(ROOT, path)));
const LOCKS = FOLDERS.filter((folder) => existsSync(join(ROOT, folder, "package-lock.json")));
/** Packages that users get, all of them, by their folder. */
const RUNTIME = Object.entries(lockOf("")).filter(([path, { dev }]) => path !== "" && dev !== true);
const foldersOf = (packages: typeof RUNTIME) => packages.map(([path]) => path.replace("node_modules/", ""));
const isOptional = ([, { optional }]: (typeof RUNTIME)[number]) => optional === true;
const isInstalled = ([path]: (typeof RUNTIME)[number]) => existsSync(join(ROOT, path, "package.json"));
/** Licences that ask no more than to be named. */
const PERMISSIVE = ["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"];
/** A version, or a package under another name in a version. */
const EXACT = /^(npm:[a-z-]+@)?\d+\.\d+\.\d+$/;

describe("versions", () => {
  it.each(MANIFESTS)("of %s are exact", (path) => {
    const { dependencies, devDependencies, optionalDependencies } = read<Manifest>(path);
    const all = [dependencies, devDependencies, optionalDependencies].flatMap((versions) =>
      Object.entries(versions ?? {}),
    );
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter(([, version]) => !EXACT.test(version))).toEqual([]);
  });

  it.each(LOCKS)("locked in %j name no address, and each has its checksum", (folder) => {
    const packages = Object.entries(lockOf(folder)).filter(([path]) => path !== "");
    expect(packages.length).toBeGreaterThan(0);
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(packages.filter(([, { integrity, inBundle }]) => integrity === undefined && inBundle !== true)).toEqual([]);
  });
});

describe("runtime packages", () => {
  it("are the four that words need, and hnswlib-node with the packages that its build needs", () => {
    expect(foldersOf(RUNTIME.filter((one) => !isOptional(one)))).toEqual(
      Object.keys(read<Manifest>("package.json").dependencies ?? {}).sort(),
    );
    expect(Object.keys(read<Manifest>("package.json").optionalDependencies ?? {})).toEqual(["hnswlib-node"]);
    // What a user has anyway, or does not need: npm installs it for nobody.
    const { peerDependencies = {}, peerDependenciesMeta } = read<Manifest>("package.json");
    expect(Object.keys(peerDependencies)).toEqual(["@medusajs/framework"]);
    expect(peerDependenciesMeta).toEqual({ "@medusajs/framework": { optional: true } });
    expect(foldersOf(RUNTIME.filter(isOptional))).toEqual([
      "bindings",
      "file-uri-to-path",
      "hnswlib-node",
      "node-addon-api",
    ]);
  });

  it("are installed as locked; the optional ones may be missing", () => {
    expect(RUNTIME.filter((one) => !isInstalled(one) && !isOptional(one))).toEqual([]);
    for (const [path, { version }] of RUNTIME.filter(isInstalled))
      expect(read<Locked>(join(path, "package.json")).version).toBe(version);
  });

  it("run no script at installation, except the one that compiles hnswlib-node", () => {
    expect(foldersOf(RUNTIME.filter(([, { hasInstallScript }]) => hasInstallScript === true))).toEqual([
      "hnswlib-node",
    ]);
  });

  it("have licences that go with MIT", () => {
    const licences = RUNTIME.filter(([path]) => existsSync(join(ROOT, path))).map(([path]) => {
      const { license } = read<Manifest>(join(path, "package.json"));
      return [path, license];
    });
    expect(licences.filter(([, license]) => !PERMISSIVE.includes(license ?? ""))).toEqual([]);
  });

  it("bundle nothing, and the library runs nothing when it is installed", () => {
    const { bundleDependencies, scripts = {} } = read<Manifest>("package.json");
    expect(bundleDependencies).toBeUndefined();
    const atInstall = ["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts);
    expect(atInstall).toEqual([]);
  });
});

it("loads no native file before hnswlib-node is asked for", () => {
  const script = fileURLToPath(new URL("../hosts/loads.mjs", import.meta.url));
  const lines = execFileSync(process.execPath, [script], { encoding: "utf8" }).trim().split("\n");
  const addon = existsSync(join(ROOT, "node_modules/hnswlib-node/build/Release/addon.node")) ? ["addon.node"] : [];
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    ...["import", "words and meaning", "a graph"].map((step) => ({ step, files: [] })),
    ...["capabilities", "a graph of hnswlib-node"].map((step) => ({ step, files: addon })),
  ]);
});

/** Programs that give what a bundler makes of an application; what it warns of ends them. test/newcomer has webpack. */
const BUNDLERS = {
  "rolldown, minified": `const bundle = await rolldown({ input: "dist/index.js", platform: "node", onLog: fail });
    const { output } = await bundle.generate({ format: "esm", minify: true });
    return output.map(({ code }) => code);`,
  "esbuild, minified": `const settings = { entryPoints: ["dist/index.js"], bundle: true, platform: "node", format: "esm" };
    const { outputFiles, warnings } = await build({ ...settings, minify: true, write: false });
    if (warnings.length > 0) fail(warnings);
    return outputFiles.map(({ text }) => text);`,
};

it("bundled with an application, it leaves hnswlib-node outside", () => {
  // Some bundlers are native themselves, so they run in a process of their own, which may load addons.
  const script = `import { build } from "esbuild";
    import { rolldown } from "rolldown";
    const fail = (...problem) => { throw new Error(JSON.stringify(problem)); };
    const all = [${Object.values(BUNDLERS).map((program) => `await (async () => { ${program} })()`)}];
    console.log(JSON.stringify(all));`;
  const options = { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 } as const;
  const all: string[][] = JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], options),
  );
  // Whether the file is there or not: the request stays what nobody could follow. What reads sentences may be files of its own.
  const request = /Buffer\.from\(["'`]hnswlib-node\/build\/Release\/addon\.node["'`]\)\.toString\(\)/;
  for (const [i, name] of Object.keys(BUNDLERS).entries())
    expect(
      all[i]!.filter((text) => request.test(text)),
      name,
    ).toHaveLength(1);
});
