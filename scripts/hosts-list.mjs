// The hosts of `npm run hosts`: flags of Node, other versions of it, threads. Every host runs the scenario, which
// must give the same answers as in the plain host. Hosts in which the test runner works also run the whole suite (`suite`).

const PERMISSION = process.allowedNodeEnvironmentFlags.has("--permission")
  ? "--permission"
  : "--experimental-permission";
/** The permissions that the test runner itself needs. */
const RUNNER_MAY = ["--allow-fs-read=*", "--allow-fs-write=*", "--allow-child-process", "--allow-worker"];

/**
 * `flags`: flags of Node. `suite`: also run the tests, with these options of the runner. `file`: the program, if it is not the scenario.
 * `node`: a version to fetch. `acceptance`: run the acceptance programs if their folder is given.
 */
export const HOSTS = [
  { name: "plain", suite: [] },
  { name: "no-addons", flags: ["--no-addons"], suite: [] },
  { name: "permission", flags: [PERMISSION, ...RUNNER_MAY], suite: [] },
  { name: "frozen-intrinsics", flags: ["--frozen-intrinsics"] },
  { name: "proto-throw", flags: ["--disable-proto=throw"], suite: [] },
  { name: "proto-delete", flags: ["--disable-proto=delete"], suite: [] },
  { name: "no-eval", flags: ["--disallow-code-generation-from-strings"], suite: [] },
  { name: "no-wasm", flags: ["--no-expose-wasm"], suite: [] },
  { name: "jitless", flags: ["--jitless"], suite: [] },
  { name: "stack-100k", flags: ["--stack-size=100"] },
  { name: "stack-200k", flags: ["--stack-size=200"], suite: [] },
  { name: "worker-1mb", file: "in-worker.mjs" },
  { name: "heap-64mb", flags: ["--max-old-space-size=64"] },
  { name: "threads", suite: ["--pool=threads"] },
  { name: "contexts", suite: ["--pool=vmForks"] },
  { name: "node-20.15.1", node: "20.15.1", acceptance: true },
  { name: "node-22", node: "22", suite: [], acceptance: true },
  { name: "node-24", node: "24", suite: [], acceptance: true },
];
