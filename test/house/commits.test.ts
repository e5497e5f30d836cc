// Subjects of commits have at most 72 characters, so that `git log --oneline` shows them whole. The rule holds from the commit on that
// added this file; older subjects stay as they are. Merges are made by tools, which name them. Outside of git, or without it, there
// is nothing to check; in a shallow clone, only what is there.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

const LONGEST = 72;
const THIS_FILE = "test/house/commits.test.ts";

/** What git prints; undefined: there is no git, no repository, or git refuses to read it. */
function git(folder: string, ...args: readonly string[]): string | undefined {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  try {
    const env = Object.fromEntries(own);
    return execFileSync("git", args, {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}

/** Complaints of subjects that are too long, of the commits of a repository after the one that added this file. */
function longSubjects(folder: string): string[] {
  // A tarball may be unpacked within a repository of something else.
  if (git(folder, "rev-parse", "--show-prefix") !== "") return [];
  // A shallow clone ends with a commit that seems to add every file.
  const base = git(folder, "log", "--diff-filter=A", "--format=%H", "--", THIS_FILE)?.split("\n").at(-1);
  if (base === undefined || base === "") return [];
  const after = git(folder, "log", "--no-merges", "--ancestry-path", "--format=%h %s", `${base}..HEAD`) ?? "";
  return after.split("\n").flatMap((line) => {
    const subject = line.slice(line.indexOf(" ") + 1);
    const length = [...subject].length;
    return length > LONGEST
      ? [`${line}: ${length} characters; shorten it to ${LONGEST}, and say more in the body`]
      : [];
  });
}

it("the subject of a commit has at most 72 characters", () => {
  expect(longSubjects(ROOT)).toEqual([]);
});

describe("the check of subjects", () => {
  const temp = mkdtempSync(join(tmpdir(), "subjects-"));
  afterAll(() => rmSync(temp, { recursive: true, force: true }));
  const hasGit = git(temp, "--version") !== undefined;
  const long = "A".repeat(LONGEST + 1);

  it("finds long ones after the rule, but no older ones, none of branches begun before it, and no merges", () => {
    const folder = join(temp, "full");
    const file = join(folder, THIS_FILE);
    const inner = join(folder, "node_modules", "tandem-search");
    for (const each of [dirname(file), inner]) mkdirSync(each, { recursive: true });
    const run = (...args: string[]) =>
      git(folder, "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", ...args);
    const commit = (subject: string) => run("commit", "--quiet", "--allow-empty", "--no-verify", "-m", subject);
    run("init", "--quiet");
    commit(`${long} before the rule`);
    run("checkout", "--quiet", "-b", "beside");
    commit(`${long} beside the rule`);
    run("checkout", "--quiet", "-b", "trunk", "HEAD~1");
    writeFileSync(file, "");
    run("add", THIS_FILE);
    for (const subject of ["Add the rule", "Short", "é".repeat(LONGEST), long, "Short again"]) commit(subject);
    run("merge", "--quiet", "--no-ff", "-m", `Merge ${long}`, "beside");
    const foundIn = (where: string) => longSubjects(where).map((line) => line.replace(/^\w+ /, ""));
    const found = [`${long}: 73 characters; shorten it to 72, and say more in the body`];
    expect(foundIn(folder)).toEqual(hasGit ? found : []);
    git(temp, "clone", "--quiet", "--depth", "5", pathToFileURL(folder).href, "shallow");
    expect(foundIn(join(temp, "shallow"))).toEqual(hasGit ? found : []);
    // Outside of a repository, and in a folder of another one.
    expect([longSubjects(temp), longSubjects(inner)]).toEqual([[], []]);
  });
});
