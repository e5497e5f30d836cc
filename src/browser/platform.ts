// For browsers, what the library uses of the smaller modules and of the globals of Node, besides those in the files beside this one.
// tsconfig.browser.json says which file stands for which module. What reads or writes files has a twin, `*.browser.ts`.

/** Of `node:zlib`: the checksum of bytes that follow those of checksum `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = CRC_TABLE[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

const CRC_POLYNOMIAL = 0xedb88320;
const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
  return crc;
});

/** Of `node:os`. */
export function endianness(): "LE" | "BE" {
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? "LE" : "BE";
}

/** Of `node:os`: a browser does not tell its memory; an allocation fails where there is none. */
export function totalmem(): number {
  return Number.POSITIVE_INFINITY;
}

// Of `node:path`: paths are named and then refused, because nothing here opens them.
export const resolve = (path: string): string => path;
export const basename = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const dirname = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const join = (...parts: readonly string[]): string => parts.join("/");

/** Of `node:diagnostics_channel`: nobody listens. */
export function channel(_name: string): { readonly hasSubscribers: boolean; publish(message: unknown): void } {
  return { hasSubscribers: false, publish() {} };
}

/** Of `node:module`: native code is refused as Node refuses it where addons are forbidden. */
export function createRequire(_base: string): (name: string) => unknown {
  return () => {
    throw Object.assign(new Error("A browser loads no native code."), { code: "ERR_DLOPEN_DISABLED" });
  };
}

export const process = {
  constrainedMemory: (): number => 0,
  /** The console is where Node shows its warnings, too. */
  emitWarning(message: string, { type, code }: { readonly type: string; readonly code: string }): void {
    // biome-ignore lint/suspicious/noConsole: a browser has no other place for what Node writes to the error stream.
    console.warn(`[${code}] ${type}: ${message}`);
  },
};

const due: (() => void)[] = [];
let wake: (() => void) | undefined;

/** Calls it in a later turn of the event loop, after what is waiting there. A timeout of 0 would come 4 ms later. */
export function setImmediate(call: () => void): void {
  due.push(call);
  wake ??= openChannel();
  wake();
}

function openChannel(): () => void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener("message", () => due.shift()!());
  port1.start();
  return () => port2.postMessage(undefined);
}
