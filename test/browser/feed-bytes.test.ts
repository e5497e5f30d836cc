// The bytes of a file as the command reads them, and as a page does: the same rows of both.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it, vi } from "vitest";
import type * as Feed from "../../src/command/feed.js";

const folder = mkdtempSync(join(tmpdir(), "feed-bytes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TEXT = `id,title,price\n${Array.from({ length: 5000 }, (_, i) => `${i},Lämp ${i},${i / 4}`).join("\n")}\n`;
const half = TEXT.indexOf("\n2500,");
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
const FILES: Readonly<Record<string, Buffer>> = {
  plain: Buffer.from(TEXT),
  empty: Buffer.alloc(0),
  "of one byte": Buffer.from("a"),
  gzip: gzipSync(TEXT),
  "gzip of several members": Buffer.concat([gzipSync(TEXT.slice(0, half)), gzipSync(TEXT.slice(half))]),
  "UTF-16": utf16(TEXT),
  "UTF-16 in gzip": gzipSync(utf16(TEXT)),
  "gzip that is cut off": gzipSync(TEXT).subarray(0, 9000),
  "gzip with a wrong checksum": Buffer.concat([gzipSync(TEXT).subarray(0, -8), Buffer.alloc(8, 1)]),
  "no gzip but for its start": Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]),
};

/** The rows of a file, or what its reader says. */
async function rowsOf({ openFeed }: typeof Feed, file: unknown) {
  const rows: unknown[] = [];
  let last = 0;
  const onBytes = (bytes: number) => {
    last = bytes;
  };
  try {
    const feed = await openFeed(file as string, { onBytes, delimiter: undefined, encoding: undefined });
    for await (const some of feed.rows) rows.push(...some);
  } catch (error) {
    return (error as Error).message;
  }
  return { rows, last };
}

it.each(Object.entries(FILES))("%s", async (name, bytes) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const ofCommand = await rowsOf(await import("../../src/command/feed.js"), path);
  vi.resetModules();
  vi.doMock("../../src/command/feed-bytes.js", () => import("../../src/command/feed-bytes.browser.js"));
  const ofPage = await rowsOf(await import("../../src/command/feed.js"), new Blob([new Uint8Array(bytes)]));
  vi.doUnmock("../../src/command/feed-bytes.js");
  vi.resetModules();
  expect(ofPage).toEqual(ofCommand);
});
