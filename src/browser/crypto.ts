// For browsers, what the library uses of Node's `node:crypto`. The hash is not that of `crypto.subtle`, which gives it later only and
// not to pages without TLS.

import { sha256 } from "@noble/hashes/sha2.js";
import { Buffer } from "./buffer.js";

/** A SHA-256 that is being computed. */
export class Hash {
  private readonly state = sha256.create();

  update(data: string | Uint8Array, coding?: "utf8"): this {
    this.state.update(typeof data === "string" ? Buffer.from(data, coding) : data);
    return this;
  }

  digest(coding: "hex"): string {
    return Buffer.from(this.state.digest()).toString(coding);
  }
}

export function createHash(_algorithm: "sha256"): Hash {
  return new Hash();
}

export function randomBytes(length: number): Buffer {
  return new Buffer(crypto.getRandomValues(new Uint8Array(length)).buffer);
}

/** An integer from 0 to below `end`, which is at most 2 ** 32. */
export function randomInt(end: number): number {
  return Math.floor((randomBytes(4).readUInt32LE() / 2 ** 32) * end);
}

/** Whether two arrays of one length are equal, in a time that does not depend on where they differ. */
export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
  return difference === 0;
}
