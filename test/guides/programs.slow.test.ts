// Programs of the guides that a page cannot run by itself: files that are saved beside each other, with the command and several processes.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { makeProject, readGuide } from "../support/guide.js";
import { ROOT } from "../support/source-tree.js";

it("the check of judging.md passes, and fails when the settings become worse", async () => {
  const folder = makeProject(readGuide("judging.md").files);
  /** Runs a program of Node, and tells its exit code and what it printed. */
  const run = (...args: readonly string[]) =>
    new Promise<readonly [code: number, printed: string]>((resolve) => {
      execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) =>
        resolve([error === null ? 0 : Number(error.code), `${stdout}${stderr}`]),
      );
    });
  const command = (...args: readonly string[]) =>
    run(join(ROOT, "dist/command.js"), ...args, "--data", "./search-data");
  const titles = ["Three-seat sofa", "Armchair in leather", "Cordless drill"];
  const records = titles.map((title, i) => JSON.stringify({ id: i + 1, title }));
  writeFileSync(join(folder, "products.jsonl"), records.join("\n"));
  mkdirSync(join(folder, "judged"));
  writeFileSync(join(folder, "judged/queries.jsonl"), '{"id":"q1","query":"divan"}\n{"id":"q2","query":"drill"}\n');
  writeFileSync(join(folder, "judged/qrels.tsv"), "q1\t1\t2\nq1\t2\t1\nq2\t3\t2\n");
  expect((await command("import", "products.jsonl"))[0]).toBe(0);
  expect(await run("check-relevance.mjs")).toEqual([0, "nDCG 0.880, judged records that are missing: 0\n"]);
  expect(existsSync(join(folder, "judged/baseline.json"))).toBe(true);
  expect((await run("check-relevance.mjs"))[0]).toBe(0);
  writeFileSync(join(folder, "change.json"), '{"semanticWeight":0}');
  expect((await command("settings", "set", "change.json"))[0]).toBe(0);
  const failed = "nDCG 0.500, judged records that are missing: 0\nq1: 0.76 → 0.00\n";
  expect(await run("check-relevance.mjs")).toEqual([1, failed]);
});

it("the processes of several-processes.md share a folder", async () => {
  const folder = makeProject(readGuide("several-processes.md").files);
  const port = async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, "close");
    return port;
  };
  const [PORT, WRITER_PORT] = [String(await port()), String(await port())];
  const primary = spawn(process.execPath, ["cluster.mjs"], {
    cwd: folder,
    env: { ...process.env, PORT, WRITER_PORT },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    /** Asks again until somebody listens. */
    const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
      for (let tries = 0; ; tries++)
        try {
          return await fetch(url, { ...init, headers: { connection: "close" } });
        } catch (error) {
          if (tries === 100) throw error;
          await pause(50);
        }
    };
    const body = JSON.stringify([{ id: 1, title: "Garden hose" }]);
    const position = await (await ask(`http://127.0.0.1:${WRITER_PORT}/`, { method: "POST", body })).text();
    const url = `http://127.0.0.1:${PORT}/?q=hose&position=${encodeURIComponent(position)}`;
    for (let i = 0; i < 4; i++) {
      const { process: pid, hits } = (await (await ask(url)).json()) as { process: number; hits: unknown };
      expect(hits).toEqual([{ id: 1, title: "Garden hose" }]);
      expect(pid).not.toBe(primary.pid);
    }
    const wrong = await ask(`http://127.0.0.1:${WRITER_PORT}/`, { method: "POST", body: '[{"title":"no id"}]' });
    expect(wrong.status).toBe(400);
  } finally {
    primary.kill();
    await once(primary, "exit");
  }
});

it("the search box of the guide gets suggestions, categories and products in one answer", async () => {
  const examples = ["autocomplete-server.mjs", "autocomplete-box.mjs"].map(
    (name) => [name, readFileSync(join(ROOT, "docs/examples", name), "utf8")] as const,
  );
  const folder = makeProject(new Map([...readGuide("autocomplete.md").files, ...examples]));
  const server = spawn(process.execPath, ["server.mjs"], { cwd: folder, env: { ...process.env, PORT: "0" } });
  try {
    const [printed] = await once(server.stdout, "data");
    const ask = async (path: string) => fetch(new URL(path, String(printed).trim()));
    expect(await (await ask("/typed?q=cordless%20dr")).json()).toEqual({
      suggestions: [{ text: "cordless drill", nbHits: 3 }],
      categories: [
        { value: "Drills", count: 2 },
        { value: "Saws", count: 1 },
      ],
      products: [
        { id: "VT-12", price: 59, title: "<em>Cordless</em> <em>drill</em>, 12 V" },
        { id: "VT-18", price: 89, title: "<em>Cordless</em> <em>drill</em>, 18 V" },
        { id: "VT-J12", price: 119, title: "<em>Cordless</em> jigsaw, 12 V" },
      ],
    });
    const statuses = ["/", "/autocomplete-box.mjs", "/search", `/typed?q=${"a".repeat(5000)}`].map(ask);
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200, 404, 400]);
  } finally {
    server.kill();
    await once(server, "exit");
  }
});
