// The page of docs/autocomplete.md, its server and its box: the files are as a reader saves them, against the built package.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

it("the search box of the guide gets suggestions, categories and products in one answer", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-autocomplete-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules", "tandem-search"), "junction");
  for (const name of ["server", "box"])
    cpSync(join(ROOT, `docs/examples/autocomplete-${name}.mjs`), join(folder, `autocomplete-${name}.mjs`));
  const page = readFileSync(join(ROOT, "docs/autocomplete.md"), "utf8");
  for (const [, file, text] of page.matchAll(/^```\S+ .*?file=(\S+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(folder, file!), text!);

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
    rmSync(folder, { recursive: true, force: true });
  }
});
