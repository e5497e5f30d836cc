// The command on a cluster: what is imported by one process is found by others, as from a folder.

import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { NODE } from "../support/cluster-engines.js";

/** What the command prints, and its exit code. */
function command(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["dist/command.js", ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

it("imports, asks and deletes an index of a cluster", () => {
  const index = `command-${crypto.randomUUID()}`;
  const place = ["--opensearch", NODE, "--index", index];
  expect(command("import", "docs/demo/catalogue/kitchen.jsonl", ...place)).toMatchObject({ status: 0 });
  const { stdout } = command("query", "kettle", ...place, "--json");
  expect(JSON.parse(stdout).data.nbHits).toBeGreaterThan(0);
  // What is misspelt is refused, as of a folder.
  expect(command("query", "kettle", ...place, "--hitsPerPge", "5")).toMatchObject({ status: 1 });
  expect(command("delete", ...place)).toMatchObject({ status: 0 });
  expect(command("query", "kettle", ...place)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/index_not_found/),
  });
  expect(command("query", "kettle", ...place, "--data", "folder")).toMatchObject({ status: 2 });
});
