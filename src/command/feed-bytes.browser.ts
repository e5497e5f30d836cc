// In browsers, the bytes of a file that a page was given.

/** A file: as the page was given it. */
export type FeedFile = Blob;

/** The bytes of a file in pieces; `onBytes` gets how many of them were read. */
export async function* bytesOf(
  file: FeedFile,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  let read = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, next) {
      read += piece.length;
      onBytes(read);
      next.enqueue(piece);
    },
  });
  const counted = file.stream().pipeThrough(counting);
  try {
    for await (const piece of isPacked ? counted.pipeThrough(new DecompressionStream("gzip")) : counted)
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  } catch (error) {
    // As zlib of Node says it.
    throw isPacked && error instanceof TypeError ? Object.assign(error, { code: "Z_DATA_ERROR" }) : error;
  }
}
