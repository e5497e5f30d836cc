// In browsers, the bytes of a file that a page was given.

/** A file: as the page was given it. */
export type FeedFile = Blob;

const MAGIC = [0x1f, 0x8b];
/** How long the beginning of what gzip packed is, without a name. */
const HEADER = 10;
const PIECE = 1 << 20;

/** The bytes of a file in pieces; `onBytes` gets how many of them were read. */
export async function* bytesOf(
  file: FeedFile,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const start = new Uint8Array(await file.slice(0, MAGIC.length).arrayBuffer());
  const isPacked = MAGIC.every((byte, i) => start[i] === byte);
  const members = isPacked ? await membersOf(file) : [file];
  let read = 0;
  const counting = () =>
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, next) {
        read += piece.length;
        onBytes(read);
        next.enqueue(piece);
      },
    });
  try {
    for (const member of members) {
      const counted = member.stream().pipeThrough(counting());
      for await (const piece of isPacked ? counted.pipeThrough(new DecompressionStream("gzip")) : counted)
        yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    }
  } catch (error) {
    // As zlib of Node says it.
    throw isPacked && error instanceof TypeError ? Object.assign(error, { code: "Z_DATA_ERROR" }) : error;
  }
}

/**
 * What gzip packed one after the other: browsers unpack the first alone, and call the rest junk. Where one begins is not written, but
 * packed bytes look like a beginning once in many gigabytes.
 */
async function membersOf(file: Blob): Promise<Blob[]> {
  const members: Blob[] = [];
  let from = 0;
  for (let at = 0; at < file.size; at += PIECE) {
    const bytes = new Uint8Array(await file.slice(at, at + PIECE + HEADER - 1).arrayBuffer());
    for (let i = bytes.indexOf(MAGIC[0]!); i >= 0 && i < PIECE; i = bytes.indexOf(MAGIC[0]!, i + 1))
      if (at + i > from && isHeader(bytes, i)) {
        members.push(file.slice(from, at + i));
        from = at + i;
      }
  }
  return [...members, file.slice(from)];
}

/** Method 8, flags that are defined, how hard it was packed, and one of the known systems. */
function isHeader(bytes: Uint8Array, at: number): boolean {
  const [, second, method, flags, , , , , hardness, system] = bytes.subarray(at, at + HEADER);
  if (second !== MAGIC[1] || method !== 8 || flags! >= 0x20 || system === undefined) return false;
  return [0, 2, 4].includes(hardness!) && (system <= 13 || system === 255);
}
