// Steps of the store that meet: a hook of the disk holds one of them until another has happened.

import { describe, expect, it } from "vitest";
import type { IndexSettings, JsonRecord } from "../../src/index.js";
import { type Content, contentOf, openFolder } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";

const SETTINGS: IndexSettings = { embedder: false, searchableAttributes: ["title"] };
/** Segments of a record with filler get a file of their own, and a log is emptied after a few small ones. */
const SIZES = { inlineBytes: 2000, logBytes: 2 ** 13, graphNodes: 0 };

const record = (id: number, filler: number): JsonRecord => ({ id, title: "lamp", filler: "-".repeat(filler) });

async function contentOfImage(image: FakeDisk): Promise<Content> {
  const engine = await openFolder(image, { sizes: SIZES });
  const content = await contentOf(engine);
  expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
  await engine.close();
  return content;
}

describe("two indexes that write at once", () => {
  it.each([
    ["one in the log and one in a file", 10, "write"],
    ["both in files", 5000, "create"],
  ] as const)("give their segments different numbers: %s", async (_, filler, held) => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { sizes: SIZES });
    await engine.createIndex("first", SETTINGS);
    await engine.createIndex("second", SETTINGS);
    let second: Promise<unknown> | undefined;
    // The first segment has a number by then, and nothing of it is written yet.
    disk.onOperation = async (kind) => {
      if (kind !== held || second !== undefined) return;
      const made = new Promise<void>((resolve) => {
        disk.onOperation = (begun, path) => {
          if (begun === "create" && path.includes("/segment-")) resolve();
        };
      });
      second = engine.addRecords("second", [record(1, 5000)]);
      await made;
    };
    await engine.addRecords("first", [record(2, filler)]);
    await second;
    const content = await contentOf(engine);
    await engine.close();
    expect(await contentOfImage(disk)).toEqual(content);
  });
});
