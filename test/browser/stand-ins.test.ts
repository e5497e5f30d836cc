// What stands for Node in a browser gives what Node gives.

import buffer from "node:buffer";
import crypto from "node:crypto";
import os from "node:os";
import zlib from "node:zlib";
import { expect, it } from "vitest";
import { Buffer } from "../../src/browser/buffer.js";
import { createHash, randomBytes, randomInt, timingSafeEqual } from "../../src/browser/crypto.js";
import { crc32, createRequire, endianness, setImmediate } from "../../src/browser/platform.js";
import { property } from "../support/random.js";

const CODINGS = ["utf8", "latin1", "utf16le"] as const;
/** Characters of one to four bytes, a byte order mark, and halves of pairs. */
const CHARACTERS = [..."aZ09 \n\0", "é", "ÿ", "Ā", "€", "\uFEFF", "\uFFFD", "𝄞", "\ud834", "\udd1e"];
const listed = (bytes: Uint8Array) => [...bytes];

property("texts become the same bytes, and bytes the same texts", 300, (random) => {
  const text = random.list(0, 30, () => random.pick(CHARACTERS)).join("");
  for (const coding of CODINGS) {
    const bytes = buffer.Buffer.from(text, coding);
    expect(listed(Buffer.from(text, coding))).toEqual(listed(bytes));
    expect(Buffer.from(bytes).toString(coding)).toBe(bytes.toString(coding));
  }
  expect(Buffer.byteLength(text)).toBe(buffer.Buffer.byteLength(text));
  const room = random.between(0, 40);
  const [own, nodes] = [Buffer.alloc(room + 2), buffer.Buffer.alloc(room + 2)];
  expect([own.write(text, 2), listed(own)]).toEqual([nodes.write(text, 2), listed(nodes)]);
});

property("any bytes, well-formed or not, are read and compared alike", 300, (random) => {
  const bytes = Uint8Array.from(
    random.list(0, 24, () => random.pick([0, 0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xff])),
  );
  const other = Uint8Array.from(bytes, (byte) => (random.chance(0.1) ? byte ^ 1 : byte));
  const [own, nodes] = [Buffer.from(bytes), buffer.Buffer.from(bytes)];
  const [from, to] = [random.between(0, 8), random.between(0, 24)];
  for (const coding of [...CODINGS, "hex"] as const) {
    expect(own.toString(coding)).toBe(nodes.toString(coding));
    expect(own.toString(coding, from, Math.max(from, to))).toBe(nodes.toString(coding, from, Math.max(from, to)));
  }
  expect([Buffer.compare(own, other), own.equals(other)]).toEqual([
    buffer.Buffer.compare(nodes, other),
    nodes.equals(other),
  ]);
  expect(listed(Buffer.concat([own, other, own]))).toEqual(listed(buffer.Buffer.concat([nodes, other, nodes])));
  expect(crc32(other, crc32(bytes))).toBe(zlib.crc32(other, zlib.crc32(bytes)));
  const [hash, nodeHash] = [createHash("sha256"), crypto.createHash("sha256")];
  expect(hash.update(bytes).update("é\ud834", "utf8").digest("hex")).toBe(
    nodeHash.update(bytes).update("é\ud834", "utf8").digest("hex"),
  );
  expect(timingSafeEqual(bytes, other)).toBe(crypto.timingSafeEqual(bytes, other));
});

it("long texts are read whole", () => {
  const text = "aé".repeat(100_000);
  for (const coding of CODINGS) expect(Buffer.from(text, coding).toString(coding)).toBe(text);
});

it("numbers stand in the bytes as in Node's", () => {
  const [own, nodes] = [Buffer.alloc(20), buffer.Buffer.alloc(20)];
  for (const bytes of [own, nodes]) {
    bytes.writeUInt32LE(0xfedc_ba98, 1);
    bytes.writeDoubleLE(Math.PI, 7);
  }
  expect(listed(own)).toEqual(listed(nodes));
  expect([own.readUInt32LE(1), own.readDoubleLE(7)]).toEqual([0xfedc_ba98, Math.PI]);
});

it("a view shares its memory, and a copy does not", () => {
  const memory = Uint8Array.of(1, 2, 3, 4);
  const view = Buffer.from(memory.buffer, 1, 2);
  const copy = Buffer.from(memory.subarray(1, 3));
  const part = view.subarray(1);
  memory[2] = 9;
  expect([listed(view), listed(copy), listed(part), part instanceof Buffer]).toEqual([[2, 9], [2, 3], [9], true]);
});

it("random numbers are of the size that was asked for, and differ", () => {
  expect(randomBytes(16).length).toBe(16);
  expect(randomBytes(16).equals(randomBytes(16))).toBe(false);
  const drawn = Array.from({ length: 200 }, () => randomInt(2 ** 32));
  expect(drawn.every((number) => Number.isInteger(number) && number >= 0 && number < 2 ** 32)).toBe(true);
  expect(new Set(drawn).size).toBeGreaterThan(190);
});

it("the machine is the same, and native code is refused", () => {
  expect(endianness()).toBe(os.endianness());
  expect(() => createRequire("")("a.node")).toThrow(expect.objectContaining({ code: "ERR_DLOPEN_DISABLED" }));
});

it("turns come one after the other, after promises and in the order in which they were asked for", async () => {
  const seen: number[] = [];
  const done = new Promise<void>((resolve) => {
    setImmediate(() => seen.push(1));
    setImmediate(() => {
      seen.push(2);
      resolve();
    });
  });
  await Promise.resolve();
  expect(seen).toEqual([]);
  await done;
  expect(seen).toEqual([1, 2]);
});
