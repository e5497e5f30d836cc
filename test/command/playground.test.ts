// `tandem-search playground`: a folder with a page and all that it needs.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { commands } from "../support/command.js";

/** The files that the scripts of a folder bring, as the page takes them. */
function besideIn(folder: string): Map<string, Buffer> {
  const parts = new Map<string, string[]>();
  const tandemSearch = (name: string, part: number, text: string) => {
    const before = parts.get(name) ?? [];
    before[part] = text;
    parts.set(name, before);
  };
  for (const file of readdirSync(folder).filter((one) => /-\d+\.js$/.test(one)))
    runInNewContext(readFileSync(join(folder, file), "utf8"), { tandemSearch });
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const counts = JSON.parse(/<script id="beside"[^>]*>(.*?)<\/script>/.exec(page)![1]!);
  expect(Object.fromEntries([...parts].map(([name, own]) => [name, own.length]))).toEqual(counts);
  return new Map(
    [...parts].map(([name, own]) => [name, gunzipSync(Buffer.concat(own.map((text) => Buffer.from(text, "base64"))))]),
  );
}

const folder = mkdtempSync(join(tmpdir(), "playground-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a playground", () => {
  const run = commands();

  it("has the records of an index, and the word table that its queries need", async () => {
    const data = join(folder, "data");
    const engine = await SearchEngine.open({ dataDir: data });
    await (await engine.createIndex("lamps")).addRecords([
      { id: 1, title: "Desk lamp" },
      { id: 2, title: "Floor lamp" },
    ]);
    await engine.close();
    const out = join(folder, "lamps");
    const { code, out: printed } = await run("playground", "--data", data, "--out", out);
    expect([code, printed]).toEqual([
      0,
      `${join(out, "index.html")}, with 2 records of lamps. Open it in a browser.\n`,
    ]);
    const beside = besideIn(out);
    expect([...beside.keys()].sort()).toEqual(["sentences", "snapshot", "static-en", "worker"]);
    const opened = new SearchEngine();
    await opened.readSnapshot("lamps", beside.get("snapshot")!);
    expect((await opened.query("lamps", { query: "desk lamp" })).data.hits[0]).toMatchObject({ id: "1" });
  });

  it("asks for a file, or has the demo catalogue, without an index", async () => {
    const out = join(folder, "empty");
    expect((await run("playground", "--out", out)).code).toBe(0);
    const demo = besideIn(out).get("demo")!.toString().trim().split("\n");
    expect(JSON.parse(demo[0]!)).toHaveProperty("title");
  });

  it("replaces a playground whole, and no other folder", async () => {
    const before = join(folder, "lamps");
    expect((await run("playground", "--out", before)).code).toBe(0);
    expect([...besideIn(before).keys()].sort()).toEqual(["demo", "sentences", "static-en", "worker"]);
    const out = mkdtempSync(join(folder, "other-"));
    writeFileSync(join(out, "index.html"), "a shop");
    const { code, err } = await run("playground", "--out", out);
    expect([code, err]).toEqual([1, `error: ${out} exists, and is no playground; name a new folder by --out.\n`]);
    expect(readFileSync(join(out, "index.html"), "utf8")).toBe("a shop");
  });
});
