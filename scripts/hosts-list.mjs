// The hosts that `npm run hosts` tries: flags of Node, other versions of it, threads, changed prototypes. In a host that the
// test runner survives the whole suite runs (`suite`); in every host the scenario runs, which must answer as in the plain one.

const PERMISSION = process.allowedNodeEnvironmentFlags.has("--permission")
  ? "--permission"
  : "--experimental-permission";
/** What the test runner itself needs under the permission model. */
const RUNNER_MAY = ["--allow-fs-read=*", "--allow-fs-write=*", "--allow-child-process", "--allow-worker"];

const POLLUTED = [
  "toJSON",
  "page",
  "parameters",
  "settings",
  "options",
  "throwing getters",
  "names of its own",
  "record",
  "words",
  "signal",
  "then, no function",
  "descriptors",
  "flags",
  "get, a function",
  "stringify",
  "array: more methods",
  "array: methods wrapped",
  "array: toJSON",
];

/**
 * `flags`: of Node. `suite`: run the tests too, with these options of the runner. `args`: of the scenario. `file`: the
 * program, when it is not the scenario itself. `node`: a version to fetch. `acceptance`: run the acceptance programs where
 * their folder is given. `sample`: cheap enough for every change.
 */
export const HOSTS = [
  { name: "plain", suite: [] },
  { name: "no-addons", sample: true, flags: ["--no-addons"], suite: [] },
  { name: "permission", sample: true, flags: [PERMISSION, ...RUNNER_MAY], suite: [] },
  { name: "frozen-intrinsics", sample: true, flags: ["--frozen-intrinsics"] },
  { name: "proto-throw", sample: true, flags: ["--disable-proto=throw"], suite: [] },
  { name: "proto-delete", flags: ["--disable-proto=delete"], suite: [] },
  { name: "no-eval", sample: true, flags: ["--disallow-code-generation-from-strings"], suite: [] },
  { name: "no-wasm", sample: true, flags: ["--no-expose-wasm"], suite: [] },
  { name: "jitless", flags: ["--jitless"], suite: [] },
  { name: "stack-100k", sample: true, flags: ["--stack-size=100"] },
  { name: "stack-200k", flags: ["--stack-size=200"], suite: [] },
  { name: "worker-1mb", sample: true, file: "in-worker.mjs" },
  { name: "heap-64mb", sample: true, flags: ["--max-old-space-size=64"] },
  { name: "threads", suite: ["--pool=threads"] },
  { name: "contexts", suite: ["--pool=vmForks"] },
  ...POLLUTED.map((change) => ({
    name: change.replace(/\W+/g, "-"),
    args: [`--pollution=${change}`],
    sample: change === "toJSON",
  })),
  { name: "node-20.15.1", node: "20.15.1", acceptance: true },
  { name: "node-22", node: "22", suite: [], acceptance: true },
  { name: "node-24", node: "24", suite: [], acceptance: true },
];
