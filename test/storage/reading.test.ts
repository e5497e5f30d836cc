// What an engine reads of a data folder, and when.

import { describe, expect, it } from "vitest";
import { asText, contentOf, openFolder } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { seq } from "../support/seq.js";

const FILLER = "-".repeat(1000);
const records = seq(500, (id) => ({ id, title: `lamp ${id}`, filler: FILLER }));
const JSON_BYTES = records.length * FILLER.length;

describe("the records of a stored segment", () => {
  it("stay on the disk, and are in memory with preload; the answers are the same", async () => {
    const disk = new FakeDisk();
    let engine = await openFolder(disk);
    await engine.createIndex("shop", { embedder: false, searchableAttributes: ["title"] });
    await engine.addRecords("shop", records);
    const written = await engine.estimate("shop");
    const content = asText(await contentOf(engine));
    expect(written.records).toBeLessThan(JSON_BYTES / 4);
    for (const preload of [false, true]) {
      await engine.close();
      engine = await openFolder(disk, { preload });
      const { records: bytes } = await engine.estimate("shop");
      if (preload) expect(bytes).toBeGreaterThan(JSON_BYTES);
      else expect(bytes).toBeLessThan(JSON_BYTES / 4);
      expect(asText(await contentOf(engine))).toBe(content);
      const { data } = await engine.query("shop", { query: "lamp 7" });
      expect(data.hits[0]?.source).toEqual(records[7]);
    }
    await engine.close();
  });
});
