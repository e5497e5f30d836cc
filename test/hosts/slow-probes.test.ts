// What is learned in the background while nobody waits for it, in a process that would end.

import { expect, it } from "vitest";
import { runProgram } from "./child.js";

it.each(["never-answered", "refused"])("a floor that nobody waits for keeps no process alive (%s)", {
  timeout: 150_000,
}, async (how) => {
  const { status, lines } = await runProgram({ file: "./slow-probes.mjs", args: [how] });
  expect({ status, lines }).toEqual({ status: 0, lines: ["the end"] });
});

it("a process does not end while a call waits for the floor", { timeout: 150_000 }, async () => {
  const { status, lines } = await runProgram({ file: "./slow-probes.mjs", args: ["answered-late"] });
  expect({ status, lines }).toEqual({ status: 0, lines: ["true after 3 tries", "the end"] });
});
