// Starts a real cluster of one or more OpenSearch nodes on this machine, for tests: a server from Maven packages, unpacked once into
// the folder for temporary files, and each node a process of its own on 127.0.0.1. It needs Maven, and Java of version 21 or newer.
//
// node scripts/opensearch/nodes.mjs [COUNT [FIRST_PORT]]: starts nodes, says their URLs, and stops them when it is ended.

import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const POM = fileURLToPath(new URL("pom.xml", import.meta.url));
const VERSION = /<server>([^<]+)</.exec(readFileSync(POM, "utf8"))[1];
const LEAST_JAVA = 21;
/** The server refuses to run as root, so it runs as this user and group then: nobody. */
const NOBODY = 65534;
const START_MS = 600_000;
const STOP_MS = 30_000;
const HEAP = process.env.OPENSEARCH_HEAP ?? "512m";

/** What is missing to start a node here; undefined: nothing. */
export function missing() {
  if (javaHome() === undefined) return `Java ${LEAST_JAVA} or newer`;
  try {
    execFileSync("mvn", ["--version"], { stdio: "pipe" });
  } catch {
    return "Maven";
  }
  return undefined;
}

function javaHome() {
  const homes = [process.env.OPENSEARCH_JAVA_HOME, process.env.JAVA_HOME];
  try {
    homes.push(dirname(dirname(realpathSync(execFileSync("which", ["java"], { encoding: "utf8" }).trim()))));
  } catch {}
  if (existsSync("/usr/lib/jvm")) homes.push(...readdirSync("/usr/lib/jvm").map((name) => join("/usr/lib/jvm", name)));
  return homes.find((home) => home !== undefined && versionOf(home) >= LEAST_JAVA);
}

function versionOf(home) {
  try {
    return Number(/JAVA_VERSION="(\d+)/.exec(readFileSync(join(home, "release"), "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Fetches and unpacks the server. A failure is told as `NoServer`: the packages may be out of reach. */
function fetchServer(folder) {
  const args = ["-B", "-q", "-f", POM, `-Dfolder=${folder}`, "package"];
  try {
    execFileSync("mvn", args, { stdio: ["ignore", "ignore", "inherit"] });
  } catch (cause) {
    throw new NoServer("Maven could not fetch the packages of OpenSearch.", { cause });
  }
}

/** The server cannot be had here. */
export class NoServer extends Error {}

/** The folder of the unpacked server. */
function server() {
  const folder = join(tmpdir(), `tandem-opensearch-${VERSION}`);
  if (existsSync(folder)) return join(folder, `opensearch-${VERSION}`);
  const own = mkdtempSync(`${folder}-`);
  try {
    fetchServer(own);
    const home = join(own, `opensearch-${VERSION}`);
    // Maps of the world, which nothing here needs.
    rmSync(join(home, "modules/ingest-geoip"), { recursive: true, force: true });
    for (const name of readdirSync(join(home, "bin"))) chmodSync(join(home, "bin", name), 0o755);
    chmodSync(own, 0o755);
    renameSync(own, folder);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return join(folder, `opensearch-${VERSION}`);
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** A node; it may be killed and started again. */
class Node {
  constructor(home, base, number, cluster) {
    this.home = home;
    this.folder = join(base, `n${number}`);
    this.name = `n${number}`;
    this.cluster = cluster;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  prepare(all) {
    const { folder, home, port, transport } = this;
    for (const name of ["config", "config/jvm.options.d", "logs", "data", "tmp"])
      mkdirSync(join(folder, name), { recursive: true });
    cpSync(join(home, "config/log4j2.properties"), join(folder, "config/log4j2.properties"));
    const jvm = readFileSync(join(home, "config/jvm.options"), "utf8").split("\n");
    writeFileSync(
      join(folder, "config/jvm.options"),
      jvm.filter((line) => !/^9-:-Xlog|^-Xm[sx]|logs\//.test(line)).join("\n"),
    );
    const lines = [
      `cluster.name: ${this.cluster}`,
      `node.name: ${this.name}`,
      `path.data: ${folder}/data`,
      `path.logs: ${folder}/logs`,
      "network.host: 127.0.0.1",
      `http.port: ${port}`,
      `transport.port: ${transport}`,
      `discovery.seed_hosts: [${all.map((node) => `"127.0.0.1:${node.transport}"`).join(", ")}]`,
      `cluster.initial_cluster_manager_nodes: [${all.map((node) => node.name).join(", ")}]`,
      "cluster.routing.allocation.disk.threshold_enabled: false",
      "cluster.max_shards_per_node: 5000",
    ];
    writeFileSync(join(folder, "config/opensearch.yml"), `${lines.join("\n")}\n`);
    if (process.getuid() === 0) giveTo(NOBODY, folder);
  }

  start() {
    const { folder, home } = this;
    const out = openSync(join(folder, "out.log"), "a");
    this.process = spawn(join(home, "bin/opensearch"), [], {
      stdio: ["ignore", out, out],
      ...(process.getuid() === 0 && { uid: NOBODY, gid: NOBODY }),
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        JAVA_HOME: javaHome(),
        OPENSEARCH_JAVA_HOME: javaHome(),
        OPENSEARCH_PATH_CONF: join(folder, "config"),
        OPENSEARCH_TMPDIR: join(folder, "tmp"),
        OPENSEARCH_JAVA_OPTS: `-Xms${HEAP} -Xmx${HEAP}`,
      },
    });
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
  }

  /** Resolves when the node has ended; after a while it is killed. */
  async stop(signal = "SIGTERM") {
    this.process.kill(signal);
    const timer = setTimeout(() => this.process.kill("SIGKILL"), STOP_MS);
    await this.ended;
    clearTimeout(timer);
  }
}

function giveTo(user, path) {
  chownSync(path, user, user);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const own = join(path, entry.name);
    if (entry.isDirectory()) giveTo(user, own);
    else chownSync(own, user, user);
  }
}

/** Starts so many nodes, and waits until they are a cluster. `stop` ends them, and removes what they stored. */
export async function startNodes(count = 1, firstPort) {
  const home = server();
  const base = mkdtempSync(join(tmpdir(), "tandem-nodes-"));
  chmodSync(base, 0o755);
  const nodes = Array.from({ length: count }, (_, i) => new Node(home, base, i + 1, `tandem-${process.pid}`));
  for (const [i, node] of nodes.entries()) {
    node.port = firstPort === undefined ? await freePort() : firstPort + i;
    node.transport = await freePort();
  }
  const kill = () => {
    for (const node of nodes) node.process?.kill("SIGKILL");
  };
  process.once("exit", kill);
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    process.off("exit", kill);
    rmSync(base, { recursive: true, force: true });
  };
  try {
    for (const node of nodes) node.prepare(nodes);
    for (const node of nodes) node.start();
    await whenJoined(nodes);
  } catch (error) {
    console.error(readFileSync(join(nodes[0].folder, "out.log"), "utf8").slice(-4000));
    kill();
    rmSync(base, { recursive: true, force: true });
    throw error;
  }
  return { nodes, urls: nodes.map((node) => node.url), stop };
}

/** Waits until all of these nodes are one cluster, which has all copies of what it stores. */
export async function whenJoined(nodes, timeoutMs = START_MS) {
  const end = Date.now() + timeoutMs;
  const path = "/_cluster/health?filter_path=number_of_nodes,status";
  for (;;) {
    try {
      const answers = await Promise.all(nodes.map(async ({ url }) => (await fetch(url + path)).json()));
      if (answers.every((each) => each.number_of_nodes === nodes.length && each.status === "green")) return;
    } catch {}
    if (nodes.some((node) => node.process.exitCode !== null)) throw new Error("A node ended.");
    if (Date.now() > end) throw new Error(`The nodes were no cluster after ${timeoutMs} ms.`);
    await pause(250);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [count = "1", port = "9201"] = process.argv.slice(2);
  const without = missing();
  if (without !== undefined) throw new Error(`OpenSearch cannot be started here: ${without} is missing.`);
  const { urls, stop } = await startNodes(Number(count), Number(port));
  console.log(urls.join(" "));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop().then(() => process.exit(0)));
  setInterval(() => {}, 1 << 30);
}
