// Small word tables, in the format of static-en.

/** A table of the given words; row r has only component r, with the value -1. */
export function makeTable(words: readonly string[], header: object = {}, magic = "SEV1"): Uint8Array<ArrayBuffer> {
  const vocab = Buffer.from(words.join("\n"), "latin1");
  const fields = { rows: words.length, dim: 192, bits: 4, vocabBytes: vocab.length, ...header };
  const json = Buffer.from(JSON.stringify(fields));
  const head = Buffer.alloc(Math.ceil(json.length / 4) * 4, " ");
  json.copy(head);
  const prefix = Buffer.from(`${magic}....`);
  prefix.writeUInt32LE(head.length, 4);
  const scales = Buffer.alloc(4 * words.length);
  const codes = Buffer.alloc(96 * words.length, 0x88);
  words.forEach((_, row) => {
    scales.writeFloatLE(1, 4 * row);
    codes[96 * row + (row >> 1)] = row % 2 === 0 ? 0x78 : 0x87;
  });
  return Uint8Array.from(Buffer.concat([prefix, head, scales, codes, vocab]));
}
