// What bundlers make of the package as npm installs it: the same answers, with what reads sentences and without it, and the sizes that
// docs/bundling.md tells.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

interface Bundled {
  readonly name: string;
  readonly hasSentences: boolean;
  readonly bytes: number;
  readonly answers: readonly [byWords: readonly [string, number][], understood: unknown];
}

const script = join(ROOT, "scripts/bundle-sizes.mjs");
const lines = execFileSync(process.execPath, [script], { encoding: "utf8", maxBuffer: 1 << 26 })
  .trim()
  .split("\n");
const bundles: readonly Bundled[] = lines.map((line) => JSON.parse(line));
const NAMES = ["esbuild", "esbuild, for a browser", "rollup", "webpack", "rolldown", "Vite"];
const named = (bundled: readonly Bundled[]) => bundled.map(({ name }) => name);

/** The kilobytes that the page tells for a bundler: with what reads sentences, and without it. */
function told(name: string): readonly number[] {
  const page = readFileSync(join(ROOT, "docs/bundling.md"), "utf8");
  const row = page.slice(page.indexOf("<!-- sizes:")).match(new RegExp(`^\\| ${name} \\|.*$`, "m"))?.[0] ?? "";
  const [, , withSentences, , without] = row.split("|").map((cell) => Number(cell.replaceAll(",", "")));
  return [withSentences!, without!];
}

it("every bundler builds it in both ways, and it answers in both", () => {
  expect(named(bundles.filter(({ hasSentences }) => hasSentences))).toEqual(NAMES);
  expect(named(bundles.filter(({ hasSentences }) => !hasSentences))).toEqual(NAMES);
  for (const { answers } of bundles) expect(answers[0].map(([id]) => id)).toEqual(["1", "2"]);
});

it("sentences are understood where they are in it, and refused with a remedy where they are not", () => {
  for (const { hasSentences, answers } of bundles)
    if (hasSentences) expect(answers[1]).toEqual([["1", expect.any(Number)]]);
    else
      expect(answers[1]).toEqual({
        msg: expect.stringMatching(
          /^understand is asked for, but the condition "tandem-no-sentences" .*; build or start/,
        ),
        ...{ code: 400, data: null, error: "invalid_parameter" },
      });
});

it("without sentences it has none of wink-nlp's three megabytes, and the page tells the sizes", () => {
  for (const name of NAMES) {
    const [withSentences, without] = bundles.filter((one) => one.name === name).map(({ bytes }) => bytes / 1000);
    expect(withSentences! - without!).toBeGreaterThan(3000);
    const [toldWith, toldWithout] = told(name);
    expect(Math.abs(withSentences! / toldWith! - 1)).toBeLessThan(0.02);
    expect(Math.abs(without! / toldWithout! - 1)).toBeLessThan(0.02);
  }
});
