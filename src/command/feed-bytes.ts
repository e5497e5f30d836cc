// The bytes of a file, unpacked where gzip packed it. In browsers, feed-bytes.browser.ts stands for it.

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

/** A file: its path. */
export type FeedFile = string;

/** The bytes of a file in pieces; `onBytes` gets how many of them were read. */
export async function* bytesOf(
  path: FeedFile,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const handle = await open(path);
  const { buffer: start } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  file.on("data", () => onBytes(file.bytesRead)).pause();
  // Errors reach the loop that reads, because a pipeline destroys its last stream with them.
  yield* start.readUInt16BE() === 0x1f8b ? pipeline(file, createGunzip({ chunkSize: 1 << 17 }), () => {}) : file;
}
