// A PostgreSQL server of one's own: in a temporary folder, on a free port of this machine, gone when it is stopped.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A port that nobody listens on now. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

const idOf = (user, flag) => Number(execFileSync("id", [flag, user], { encoding: "utf8" }));

/** Starts a server with default settings -> { url, stop }. initdb and postgres are those of the system's packages, in PATH. */
export async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), "tandem-postgres-"));
  const port = await freePort();
  const root = process.getuid() === 0;
  // PostgreSQL refuses to run as root.
  const as = root ? { uid: idOf("nobody", "-u"), gid: idOf("nobody", "-g") } : {};
  if (root) chownSync(folder, as.uid, as.gid);
  const data = join(folder, "data");
  const settings = { ...as, cwd: folder, stdio: "pipe", encoding: "utf8" };
  execFileSync("initdb", ["-D", data, "-U", "medusa", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8"], settings);
  const args = ["-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1"];
  const server = spawn("postgres", args, { ...as, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const end = once(server, "exit");
  let log = "";
  await new Promise((resolve, reject) => {
    server.stderr.on("data", (text) => {
      log += text;
      if (log.includes("ready to accept connections")) resolve();
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`PostgreSQL did not start: ${log.slice(-500)}`)));
  });
  const clear = () => {
    server.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", clear);
  return {
    url: `postgres://medusa@127.0.0.1:${port}/postgres`,
    async stop() {
      process.off("exit", clear);
      server.kill("SIGINT");
      await end;
      clear();
    },
  };
}
