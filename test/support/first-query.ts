// What the first query of an opened data folder reads of the disk.

import { expect } from "vitest";
import { openFolder } from "./data-folder.js";
import { FakeDisk } from "./fake-disk.js";
import { seq } from "./seq.js";

/** How many reads the first query of so many records makes, of which all match and all titles are weighed. */
export async function readsOfFirstQuery(count: number): Promise<number> {
  const disk = new FakeDisk();
  const words = ["red", "oak", "steel", "small", "old"];
  const lamps = seq(count, (id) => ({ id, title: `${words[id % 5]} lamp ${id}`, body: `for ${words[id % 3]} walls` }));
  let engine = await openFolder(disk);
  await engine.createIndex("shop");
  await engine.addRecords("shop", lamps);
  await engine.close();
  engine = await openFolder(disk);
  let reads = 0;
  disk.onOperation = (kind) => void (kind === "read" && reads++);
  const { data } = await engine.query("shop", { query: "old oak lamp walls", matching: "any", semanticWeight: 0.4 });
  disk.onOperation = undefined;
  expect(data.nbHits).toBe(count);
  await engine.close();
  return reads;
}
