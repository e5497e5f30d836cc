// The repository speaks of itself alone: no path of the machine it was written on, no folder outside it, no address of a
// package registry. The words are put together from fragments, so that this file does not hold them.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

/** The one file that may look for programs outside the repository. */
const DOORWAY = ".ci/run";

interface Forbidden {
  readonly what: string;
  readonly pattern: RegExp;
  readonly allowedIn?: string;
  /** Must be noticed. */
  readonly bad: readonly string[];
  /** Must not be. */
  readonly good: readonly string[];
}

const word = (...fragments: string[]) => fragments.join("");

const FORBIDDEN: readonly Forbidden[] = [
  {
    what: "an absolute path of a machine",
    pattern: new RegExp(word("(?<![\\w.~-])/(wo", "rk|ro", "ot)/(?=[\\w.])")),
    bad: [word("see /wo", "rk/main"), word("(/ro", "ot/x)"), word('"/wo', 'rk/.x"')],
    good: ["at work/main", ".github/workflows/ci.yml", "https://example.org/work/main", "home/me"],
  },
  {
    what: "a folder outside the repository",
    pattern: new RegExp(word("(?<![\\w-])sha", "red/")),
    allowedIn: DOORWAY,
    bad: [word("../sha", "red/model"), word("sha", "red/x.md")],
    good: ["unshared/x", "shared by all", "a shared word"],
  },
  {
    what: "the folder of the acceptance programs",
    pattern: new RegExp(word("ACCEPT", "ANCE_D", "IR")),
    allowedIn: DOORWAY,
    bad: [word("$ACCEPT", "ANCE_D", "IR")],
    good: ["acceptance"],
  },
  {
    what: "the address of a package registry",
    pattern: new RegExp(
      word(
        "(?<![\\w-])regi",
        "stry\\.(npm",
        "js|yarn",
        "pkg|npm",
        "mirror)\\.|/arti",
        "factory/|npm\\.pk",
        "g\\.github",
      ),
    ),
    bad: [word("https://regi", "stry.npm", "js.org/x"), word("https://x.example/arti", "factory/api")],
    good: ["https://www.npmjs.com/package/x", "registry.get(name)"],
  },
];

/** What is or may be committed: tracked files, and untracked ones that are not ignored. */
function files(): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return [...new Set(listed.split("\0"))].filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

function complaintsOf(path: string, text: string): string[] {
  const rules = FORBIDDEN.filter(({ allowedIn }) => allowedIn !== path);
  return text
    .split("\n")
    .flatMap((line, i) =>
      rules
        .filter(({ pattern }) => pattern.test(line))
        .map(({ what }) => `${path}:${i + 1} names ${what}: ${line.slice(0, 120)}`),
    );
}

it("no text file names what is outside the repository", () => {
  const complaints = files().flatMap((path) => {
    const bytes = readFileSync(join(ROOT, path));
    return bytes.includes(0) ? [] : complaintsOf(path, bytes.toString("utf8"));
  });
  expect(complaints).toEqual([]);
});

it("looks at the files of the repository", () => {
  expect(files()).toEqual(
    expect.arrayContaining(["package.json", "package-lock.json", ".ci/run", "test/house/words.test.ts"]),
  );
});

for (const { what, bad, good, allowedIn } of FORBIDDEN)
  it(`notices ${what}, and nothing else`, () => {
    for (const text of bad) expect(complaintsOf("docs/a.md", text), text).toHaveLength(1);
    for (const text of good) expect(complaintsOf("docs/a.md", text), text).toEqual([]);
    if (allowedIn) for (const text of bad) expect(complaintsOf(allowedIn, text), text).toEqual([]);
  });
