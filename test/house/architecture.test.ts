// The rules of the house: each is a function from files to complaints. Every rule is run on src, and on a small bad
// example that it must complain about, so that no rule can fall asleep.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, readSourceFile, readSourceTree, type SourceFile } from "../support/source-tree.js";

type Rule = (files: readonly SourceFile[]) => string[];

/** What each folder may import besides itself. The entry points on top of src may import any folder. */
const LOWER = ["util", "analysis", "settings", "docvalues", "inverted", "vectors", "embedding", "input"];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  util: [],
  // Stands for Node where the engine runs in a browser: the bundler alone puts it in Node's place.
  browser: ["util"],
  analysis: ["util"],
  docvalues: ["util"],
  settings: ["util", "docvalues", "analysis"],
  vectors: ["util"],
  inverted: ["util", "analysis"],
  understanding: ["util", "analysis"],
  embedding: ["util", "vectors"],
  // Stands in front of everything: it turns what callers pass into plain, typed data.
  input: ["util", "analysis", "settings", "docvalues", "vectors", "embedding"],
  relevance: ["util", "input"],
  state: LOWER,
  write: [...LOWER, "state"],
  query: [...LOWER, "state", "understanding"],
  storage: [...LOWER, "state"],
  api: [...LOWER, "relevance", "state", "write", "query", "storage", "understanding"],
  // Each behind an entry point of its own: above everything, and imported by nothing but that, and by those that name it here.
  evaluation: [...LOWER, "relevance", "state", "query", "storage", "api"],
  service: ["util", "input", "query", "api", "instantsearch"],
  contract: ["util"],
  instantsearch: ["util", "analysis", "docvalues", "input", "query"],
  opensearch: [...LOWER, "state", "write", "query", "storage", "api"],
  // Works on the public verbs of an engine, of this copy of the package or another.
  medusa: ["util", "settings", "docvalues", "embedding", "input", "query", "api"],
  tools: ["util", "analysis", "input", "query", "api", "service"],
  // A user of the package like any other: it knows the entry points alone.
  command: [""],
};

/** What runs instead of being imported. */
const PROGRAM = "command.ts";

/** The folders behind the other entry points, and the one file that may import each. */
const SIDE_ENTRIES: Readonly<Record<string, string>> = {
  evaluation: "evaluation.ts",
  service: "service.ts",
  contract: "contract.ts",
  instantsearch: "instantsearch.ts",
  opensearch: "opensearch.ts",
  medusa: "medusa.ts",
  tools: "tools.ts",
  command: PROGRAM,
};

/** Modules of Node that are imported by one file alone, because not every host has them. */
const HIDDEN_MODULES: Readonly<Record<string, string>> = { "node:diagnostics_channel": "state/engine-activity.ts" };

/** What holds all records of an index, whoever asks; and the files of queries that may have it, to make a bounded snapshot of it. */
const UNBOUNDED = ["state/index-snapshot.ts", "state/index-data.ts"];
const MAKE_BOUNDED = [
  "query/run-query.ts",
  "query/suggest/suggest.ts",
  "query/read/apply-intent.ts",
  "query/warm-up.ts",
];

/** Files on top of src, highest first; each stands below those before it. */
const TOP_ORDER = [
  PROGRAM,
  "index.ts",
  "evaluation.ts",
  "service.ts",
  "contract.ts",
  "instantsearch.ts",
  "opensearch.ts",
  "medusa.ts",
  "tools.ts",
];

/** Shows the warnings that Node would show for the process. */
const WARNS_IN_BROWSERS = "browser/platform.ts";

const FORBIDDEN_NAMES = ["utils.ts", "types.ts", "helpers.ts", "index.ts"];

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** Packages that are put into the files for browsers or into the command, and installed with nothing. */
const BUNDLED = ["@noble/hashes", "cli-progress", "csv-parse", "saxes"];
const DECLARED = [
  ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies }),
  ...BUNDLED,
].sort();

const folderOf = (path: string) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "");
const heightOf = (path: string) => (TOP_ORDER.includes(path) ? TOP_ORDER.length - TOP_ORDER.indexOf(path) : 0);

const layers: Rule = (files) =>
  files.flatMap(({ path, imports }) => {
    const folder = folderOf(path);
    const allowed = MAY_IMPORT[folder];
    if (folder !== "" && !allowed)
      return [`${path}: "${folder}" is a new folder; say in MAY_IMPORT what it may import`];
    return imports.flatMap(({ name, line }) => {
      const other = folderOf(name);
      if (other === "..") return [`${path}:${line} imports ${name}, outside src`];
      const entry = SIDE_ENTRIES[other];
      if (entry !== undefined && folder !== other && path !== entry && allowed?.includes(other) !== true)
        return [`${path}:${line} imports ${name}, which ${entry} alone may import`];
      if (folder === "" && other === "" && heightOf(name) > 0 && heightOf(name) >= heightOf(path) && name !== path)
        return [
          `${path}:${line} imports ${name}, which stands above it or beside it (${TOP_ORDER.join(" > ")} > the rest)`,
        ];
      if (folder === "" || other === folder || allowed?.includes(other)) return [];
      const may = allowed?.length ? `${allowed.join(", ")} and itself` : "nothing of ours";
      return [`${path}:${line} imports ${name}; ${folder}/ may import ${may}`];
    });
  });

const noCircles: Rule = (files) => {
  const edges = new Map(files.map(({ path, imports }) => [path, imports.map(({ name }) => name)]));
  const done = new Set<string>();
  const complaints: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) complaints.push(`import circle: ${[...trail.slice(start), path].join(" -> ")}`);
    if (start >= 0 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return complaints;
};

const onePackageOneFile =
  (declared: readonly string[]): Rule =>
  (files) => {
    const users = new Map<string, Set<string>>(declared.map((name) => [name, new Set()]));
    for (const { path, packages } of files)
      for (const { name } of packages) users.set(name, (users.get(name) ?? new Set()).add(path));
    return [...users].flatMap(([name, paths]) => {
      if (!declared.includes(name)) return [`${name} (${[...paths].join(", ")}) is no dependency in package.json`];
      if (paths.size === 0) return [`${name} is a dependency in package.json, but no file imports it`];
      return paths.size === 1
        ? []
        : [`${name} is imported by ${[...paths].join(" and ")}; let one file hide it from the rest`];
    });
  };

const hiddenModules: Rule = (files) =>
  files.flatMap(({ path, words }) =>
    words.flatMap(({ name, line }) => {
      const owner = HIDDEN_MODULES[name.startsWith("node:") ? name : `node:${name}`];
      return owner === undefined || owner === path
        ? []
        : [`${path}:${line} names ${name}, which ${owner} alone may import`];
    }),
  );

const bounded: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith("query/") && !MAKE_BOUNDED.includes(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ name }) => UNBOUNDED.includes(name))
        .map(({ name, line }) => `${path}:${line} imports ${name}; a query reads what state/bounded-snapshot.ts shows`),
    );

const names: Rule = (files) =>
  files
    .filter(({ path }) => path !== "index.ts" && FORBIDDEN_NAMES.includes(path.slice(path.lastIndexOf("/") + 1)))
    .map(({ path }) => `${path}: name the file after the one noun it holds`);

const entryPoints: Rule = (files) =>
  files
    .filter(({ path }) => path === "index.ts" || (Object.values(SIDE_ENTRIES).includes(path) && path !== PROGRAM))
    .flatMap(({ path, ownStatements }) =>
      ownStatements.map(({ name, line }) => `${path}:${line} is a ${name}; an entry point holds only "export … from"`),
    );

const quiet: Rule = (files) =>
  files.flatMap(({ path, words }) =>
    words
      .filter(({ name }) => name === "console" && path !== WARNS_IN_BROWSERS)
      .map(({ line }) => `${path}:${line} uses the console; warn by onWarning`),
  );

const typed: Rule = (files) =>
  files.flatMap(({ path, escapes }) => escapes.map(({ name, line }) => `${path}:${line} has "${name}"; name the type`));

const nothingLeftOver: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, i) => {
      const found = /\bTODO\b|\.skip\b/.exec(line);
      return found ? [`${path}:${i + 1} has "${found[0]}"; finish it or leave it out`] : [];
    }),
  );

/** A rule with files that break it and how its complaints of them begin; `real` where src needs the rule in another form. */
interface HouseRule {
  readonly name: string;
  readonly rule: Rule;
  readonly real?: Rule;
  readonly bad: Readonly<Record<string, string>>;
  readonly says: readonly string[];
}

const RULES: readonly HouseRule[] = [
  {
    name: "imports go down",
    rule: layers,
    bad: {
      "util/a.ts": 'import type { B } from "../inverted/b.js";',
      "inverted/b.ts": 'type V = import("../vectors/c.js").V;',
      "vectors/sub/c.ts": 'const c = await import("../../query/d.js");',
      "query/d.ts": 'export * from "../api/e.js";',
      "api/e.ts": 'import { f } from "../../package.json";\nimport "../query/d.js";\nimport "../evaluation/g.js";',
      "unknown/f.ts": "",
      "index.ts": 'import "./evaluation.js";',
      "evaluation/g.ts": 'import "../api/h.js";\nimport "../unknown/h.js";',
      "evaluation.ts": 'export { g } from "./evaluation/g.js";\nexport * from "./index.js";',
      "command/i.ts": 'import "../index.js";\nimport "../api/h.js";',
      "instantsearch.ts": 'import "./command/i.js";\nimport "./command.js";',
    },
    says: [
      "util/a.ts:1 imports inverted/b.ts",
      "inverted/b.ts:1 imports vectors/c.ts",
      "vectors/sub/c.ts:1 imports query/d.ts",
      "query/d.ts:1 imports api/e.ts",
      "api/e.ts:1 imports ../package.json",
      "api/e.ts:3 imports evaluation/g.ts",
      'unknown/f.ts: "unknown"',
      "evaluation/g.ts:2 imports unknown/h.ts",
      "evaluation.ts:2 imports index.ts",
      "command/i.ts:2 imports api/h.ts",
      "instantsearch.ts:1 imports command/i.ts",
      "instantsearch.ts:2 imports command.ts",
    ],
  },
  {
    name: "no import goes in a circle",
    rule: noCircles,
    bad: {
      "base/a.ts": 'import type { B } from "./b.js";',
      "base/b.ts": 'export { c } from "./c.js";',
      "base/c.ts": 'import "./b.js";\nimport "./d.js";',
      "base/d.ts": "",
      "base/self.ts": 'import "./self.js";',
    },
    says: ["import circle: base/b.ts -> base/c.ts -> base/b.ts", "import circle: base/self.ts -> base/self.ts"],
  },
  {
    name: "each package is imported by exactly one file",
    rule: onePackageOneFile(["once", "twice", "never", "@scope/thrice"]),
    real: onePackageOneFile(DECLARED),
    bad: {
      "base/a.ts":
        'import once from "once";\nimport type { T } from "twice";\nimport "@scope/thrice/x";\nimport "node:fs";\nimport "fs";',
      "base/b.ts":
        'const load = createRequire(import.meta.url);\nload("twice");\nimport.meta.resolve("@scope/thrice/y");',
      "base/c.ts":
        'createRequire(import.meta.url).resolve("@scope/thrice/z");\nrequire(Buffer.from("stranger").toString());',
    },
    says: [
      "twice is imported by base/a.ts and base/b.ts",
      "never is a dependency",
      "@scope/thrice is imported by base/a.ts and base/b.ts and base/c.ts",
      "stranger (base/c.ts) is no dependency",
    ],
  },
  {
    name: "some modules of Node are imported by one file",
    rule: hiddenModules,
    bad: {
      "state/engine-activity.ts": 'import { channel } from "node:diagnostics_channel";',
      "util/a.ts": 'import "node:fs";\nimport { channel } from "node:diagnostics_channel";',
      "api/b.ts": 'const d = await import("diagnostics_channel");',
    },
    says: ["util/a.ts:2", "api/b.ts:1"],
  },
  {
    name: "a query sees no record beyond its bounds",
    rule: bounded,
    bad: {
      "query/run-query.ts": 'import type { IndexVersion } from "../state/index-data.js";',
      "query/a.ts":
        'import type { IndexSnapshot } from "../state/index-snapshot.js";\nimport type { B } from "../state/bounded-snapshot.js";',
      "query/b.ts": 'import type { IndexVersion } from "../state/index-data.js";',
    },
    says: ["query/a.ts:1", "query/b.ts:1"],
  },
  {
    name: "files are named after a noun",
    rule: names,
    bad: Object.fromEntries(
      ["index", "text/index", "utils", "base/types", "query/helpers", "text/top-types"].map((path) => [
        `${path}.ts`,
        "",
      ]),
    ),
    says: ["text/index.ts", "utils.ts", "base/types.ts", "query/helpers.ts"],
  },
  {
    name: "an entry point holds exports only",
    rule: entryPoints,
    bad: {
      "index.ts": 'export { a } from "./a.js";\nexport const b = 1;\n',
      "a.ts": "export const a = 1;",
      "evaluation.ts": "export const c = 1;",
    },
    says: ["index.ts:2", "evaluation.ts:1"],
  },
  {
    name: "the library prints nothing",
    rule: quiet,
    bad: { "base/a.ts": '// console.log here is a comment\nconsole.warn("x");\nglobalThis["console"].log(1);' },
    says: ["base/a.ts:2", "base/a.ts:3"],
  },
  {
    name: "no type is escaped",
    rule: typed,
    bad: {
      "base/a.ts": "const any = 1; // any\nlet b: any[];\nconst c = b as unknown as string;\nconst d = b as unknown;",
    },
    says: ['base/a.ts:2 has "any"', 'base/a.ts:3 has "as unknown as"'],
  },
  {
    name: "nothing is left for later",
    rule: nothingLeftOver,
    bad: { "base/a.ts": "// TODO: later\nit.skip();\nconst skip = 1;" },
    says: ["base/a.ts:1", "base/a.ts:2"],
  },
];

describe("the house", () => {
  const files = readSourceTree();

  it("has sources", () => {
    expect(files.map(({ path }) => path)).toContain("util/errors.ts");
  });

  for (const { name, rule, real = rule } of RULES) it(name, () => expect(real(files)).toEqual([]));
});

describe("the rules notice, of a bad example", () => {
  for (const { name, rule, bad, says } of RULES)
    it(name, () => {
      const complaints = rule(Object.entries(bad).map(([path, text]) => readSourceFile(path, text)));
      expect(complaints.map((complaint, i) => complaint.slice(0, says[i]?.length))).toEqual(says);
    });
});
