import { expect, it } from "vitest";
import { jsonOfName, jsonOfText } from "../../src/write/write-record.js";
import { property } from "../support/random.js";

it("writes every code unit as JSON.stringify does", () => {
  for (let unit = 0; unit < 0x10000; unit++) {
    const text = `a${String.fromCharCode(unit)}b`;
    if (jsonOfText(text) !== JSON.stringify(text)) expect.fail(unit.toString(16));
  }
});

property("writes names as JSON.stringify does, however many there are", 3, (random) => {
  const names = random.list(
    3000,
    3000,
    () => `n${random.between(0, 2000)}${random.pick(["", '"', "é", "\ud83d", "\\"])}`,
  );
  for (const name of names) if (jsonOfName(name) !== `${JSON.stringify(name)}:`) expect.fail(name);
});
