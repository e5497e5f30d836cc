// Nothing is published by accident: `npm publish` is refused while something is open that only the owner can fill in.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

const base = mkdtempSync(join(tmpdir(), "tandem-release-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const SCRIPT = "scripts/check-release.mjs";
const MANIFEST = {
  name: "released",
  version: "1.2.3",
  repository: "https://example.org/released.git",
  homepage: "https://example.org",
  bugs: "https://example.org/bugs",
  author: "Somebody",
  scripts: { prepublishOnly: `node ${SCRIPT}` },
};
const FILES = {
  "package.json": JSON.stringify(MANIFEST),
  "SECURITY.md": "Write to security@example.org.",
  "CODE_OF_CONDUCT.md": "Write to conduct@example.org.",
  "CHANGELOG.md": "# Changelog\n\n## 1.2.3, 2026-01-31\n",
  [SCRIPT]: readFileSync(join(ROOT, SCRIPT), "utf8"),
};

function folderOf(changes: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(base, "package-"));
  for (const [path, text] of Object.entries({ ...FILES, ...changes })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function check(changes: Readonly<Record<string, string>>) {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd: folderOf(changes), encoding: "utf8" });
  return { status, open: stderr.split("\n").filter((line) => line.startsWith("- ")) };
}

it("a release in which all is filled in goes on", () => {
  expect(check({})).toEqual({ status: 0, open: [] });
});

it("a release in which something is open is refused, and all of it is told", () => {
  const { repository, homepage, bugs, author, ...manifest } = MANIFEST;
  const changes = {
    "package.json": JSON.stringify(manifest),
    "SECURITY.md": "Write to (not yet named).",
    "CODE_OF_CONDUCT.md": "",
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n",
  };
  expect(check(changes)).toEqual({
    status: 1,
    open: [
      ...["repository", "homepage", "bugs", "author"].map((name) => `- package.json has no "${name}"`),
      "- SECURITY.md names no contact",
      "- CODE_OF_CONDUCT.md names no contact",
      '- CHANGELOG.md has no "## 1.2.3"',
    ],
  });
});

it("npm asks before it publishes, here and in such a folder", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as typeof MANIFEST;
  expect(scripts.prepublishOnly).toBe(MANIFEST.scripts.prepublishOnly);
  const cwd = folderOf({ "SECURITY.md": "" });
  const { status, stderr } = spawnSync("npm", ["publish", "--dry-run"], { cwd, encoding: "utf8" });
  expect(status).not.toBe(0);
  expect(stderr).toContain("- SECURITY.md names no contact");
});
