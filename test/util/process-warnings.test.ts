// Without an `onWarning`, warnings are warnings of the process. Each life has a vitest process of its own, so the first of each code
// and index is counted here.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SearchEngine, type SearchParams } from "../../src/index.js";
import { fromOutside } from "../../src/input/call-options.js";

interface ProcessWarning extends Error {
  readonly code?: string;
}

const SHOWN = Symbol.for("tandem-search.warnings.1");
let heard: ProcessWarning[] = [];
const hear = (warning: ProcessWarning): void => void heard.push(warning);
const turn = () => new Promise((resolve) => setImmediate(resolve));
const ask = (name: string): SearchParams => ({ query: "", [name]: 1 }) as SearchParams;

/** The warnings of the process so far, by code and message. */
async function told(): Promise<string[]> {
  await turn();
  return heard.splice(0).map(({ name, code, message }) => `${name} ${code}: ${message}`);
}

beforeEach(() => {
  heard = [];
  Reflect.deleteProperty(globalThis, SHOWN);
  // What the tests of this file ask for is not to be printed.
  process.removeAllListeners("warning");
  process.on("warning", hear);
});

afterEach(() => {
  process.off("warning", hear);
});

describe("an engine without onWarning", () => {
  it("warns the process, once for each code and index, whatever the names of a query are", async () => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("a", { searchableFields: ["title"] } as object);
    const first = await told();
    expect(first).toHaveLength(1);
    expect(first[0]).toMatch(/^TandemSearchWarning unknown_setting: .*"searchableFields".*\(Index "a"\.\)$/);
    await engine.createIndex("b");
    for (const index of ["a", "b", "a"])
      for (const name of ["getRankingInfo", "anything", "else"]) await engine.query(index, ask(name));
    const codes = (await told()).map((line) => line.replace(/: .*\(/, " "));
    expect(codes).toEqual([
      'TandemSearchWarning unknown_parameter Index "a".)',
      'TandemSearchWarning unknown_parameter Index "b".)',
    ]);
  });

  it("stops at a hundred, and the last one says so", async () => {
    const engine = new SearchEngine({ embedder: false });
    for (let i = 0; i < 120; i++) {
      await engine.createIndex(`shop-${i}`);
      await engine.query(`shop-${i}`, ask("page2"));
    }
    const lines = await told();
    expect(lines).toHaveLength(100);
    const last = lines.filter((line) => line.includes("no more follow"));
    expect(last).toEqual([lines[99]]);
  });

  it("is silent about requests from outside, and another engine hears all of its own", async () => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("a");
    for (const name of ["x1", "x2"]) await engine.query("a", ask(name), fromOutside({}));
    expect(await told()).toEqual([]);
    const warnings: string[] = [];
    const own = new SearchEngine({ embedder: false, onWarning: ({ param }) => void warnings.push(param!) });
    await own.createIndex("a");
    for (const name of ["x1", "x2"]) await own.query("a", ask(name), fromOutside({}));
    expect([await told(), warnings]).toEqual([[], ["x1", "x2"]]);
  });
});
