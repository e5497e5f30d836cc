// The body of a request, as a framework has it: whole or as a stream, counted in bytes and decoded strictly. A stream is read no
// further than the limit, and what is not read to its end is let go.

import { isBytes } from "../util/brand.js";
import { callQuietly } from "../util/contain.js";
import { SearchError } from "../util/errors.js";
import { utf8Length } from "../util/json.js";
import { pauseIfLong, untilAborted } from "../util/tasks.js";

/** A body: text, bytes, a stream of both, or what a framework parsed already, which is not counted. */
export type RequestBody = string | Uint8Array | AsyncIterable<string | Uint8Array> | object | undefined;

/**
 * The parameters in a body: its own enumerable properties, without `__proto__`. Throws 400 `invalid_json` or
 * `invalid_request`, 413 `body_too_large`, and what the stream throws. `most`: the most bytes of UTF-8.
 */
export async function readBody(body: unknown, most: number, stop: AbortSignal): Promise<object> {
  const text = await readText(body, most, stop);
  const value = text === undefined ? body : parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return ownCopy(value);
  const msg = 'The body is JSON, but no object; send one such as {"query":"drill","page":1}.';
  throw new SearchError(400, "invalid_request", msg);
}

/** The text of a body; undefined: it is parsed already. */
async function readText(body: unknown, most: number, stop: AbortSignal): Promise<string | undefined> {
  const text = new BodyText(most);
  if (body === undefined || body === null) return "";
  if (isChunk(body)) text.add(body);
  else {
    const stream = streamOf(body);
    if (stream === undefined) return undefined;
    await readStream(stream, text, stop);
  }
  return text.end();
}

function isChunk(value: unknown): value is string | Uint8Array {
  return typeof value === "string" || isBytes(value);
}

/** What a stream throws is the server's business, whatever it is. */
function streamFailed(cause: unknown): never {
  throw new Error("The body could not be read to its end.", { cause });
}

/** The pieces of a body; undefined: it is no stream. */
function streamOf(body: unknown): AsyncIterator<unknown> | undefined {
  const iterate =
    typeof body === "object" ? (body as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] : undefined;
  if (typeof iterate !== "function") return undefined;
  try {
    return Reflect.apply(iterate, body, []);
  } catch (cause) {
    return streamFailed(cause);
  }
}

async function readStream(stream: AsyncIterator<unknown>, text: BodyText, stop: AbortSignal): Promise<void> {
  // A stream that ended, or threw, is not let go.
  let isOver = false;
  const next = async (): Promise<IteratorResult<unknown>> => {
    try {
      return await stream.next();
    } catch (cause) {
      isOver = true;
      return streamFailed(cause);
    }
  };
  try {
    for (;;) {
      const result = await untilAborted(next(), stop);
      if (result.done) {
        isOver = true;
        return;
      }
      if (!isChunk(result.value)) throw new TypeError("The body's stream gave neither text nor bytes.");
      text.add(result.value);
      // Pieces that are there at once, and empty, would keep the event loop, and with it the clock, for ever.
      await pauseIfLong();
    }
  } finally {
    if (!isOver) callQuietly(() => stream.return?.(), undefined);
  }
}

/** The text of a body that comes in pieces. */
class BodyText {
  private readonly most: number;
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  private bytes = 0;
  private text = "";
  private isUtf8 = true;

  constructor(most: number) {
    this.most = most;
  }

  /** Throws 413 above the limit, before the piece is decoded. Bytes that are no UTF-8 are told at the end. */
  add(piece: string | Uint8Array): void {
    this.bytes += typeof piece === "string" ? utf8Length(piece) : piece.byteLength;
    if (this.bytes > this.most)
      throw new SearchError(413, "body_too_large", `The body has more than ${this.most} bytes; send a smaller one.`);
    if (piece.length > 0) this.decode(piece);
  }

  /** The whole text. Throws 400 `invalid_json` if it is no UTF-8. */
  end(): string {
    this.decode("");
    if (!this.isUtf8 || !this.text.isWellFormed()) throw noJson("is not UTF-8");
    return this.text.startsWith("\ufeff") ? this.text.slice(1) : this.text;
  }

  private decode(piece: string | Uint8Array): void {
    if (!this.isUtf8) return;
    try {
      if (typeof piece !== "string") this.text += this.decoder.decode(piece, { stream: true });
      // A character that was cut has to go on in bytes.
      else this.text += this.decoder.decode() + piece;
    } catch {
      this.isUtf8 = false;
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw noJson(text.trim() === "" ? "is empty" : "is not JSON");
  }
}

/** A copy without a prototype, in which `__proto__` would be a name like any other, so it is left out. Throws 400 `invalid_request`. */
export function ownCopy(value: object): object {
  const copy: Record<string, unknown> = Object.create(null);
  try {
    for (const name of Object.keys(value))
      if (name !== "__proto__") copy[name] = (value as Readonly<Record<string, unknown>>)[name];
  } catch (cause) {
    const msg = "The body could not be read; pass a plain object.";
    throw new SearchError(400, "invalid_request", msg, { cause });
  }
  return copy;
}

function noJson(found: string): SearchError {
  const msg = `The body ${found}; send a JSON object such as {"query":"drill","page":1}, in UTF-8.`;
  return new SearchError(400, "invalid_json", msg);
}
