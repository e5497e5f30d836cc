// The default embedder: a text's vector is the sum of its known words' rows, scaled to unit length. It needs no network and
// no native code, and is a pure function of the text. The table is read at the first embed and shared by the process;
// a short title then costs a few microseconds.

import { readFile } from "node:fs/promises";
import { throwIfAborted } from "../../base/abort.js";
import type { Embedder } from "../../base/extension-points.js";
import { pauseIfLong, runTask } from "../../base/tasks.js";
import { addText, atUnitLength } from "./add-words.js";
import { embedPartsSteps } from "./embed-parts.js";
import { meaningOf } from "./table-words.js";
import { malformed, parseWordTable, STATIC_EN_DIMENSIONS, type WordTable } from "./word-table.js";

const ID = "static-en-60k-192-int4-1";
const MAX_BATCH = 256;
/** About a tenth of a millisecond. */
const PAUSE_CHARACTERS = 2048;

// embedStaticEn is synchronous and leaves nothing of a text behind, so all calls can share it.
const sum = new Float64Array(STATIC_EN_DIMENSIONS);
let packaged: Promise<WordTable> | undefined;

/**
 * The default embedder: English words, 192 dimensions, offline. A text without any known word gets `null`.
 *
 * @param bytes The table's content, for bundled programs, where the file does not lie beside the code; it must not be changed
 *   afterwards. Default: the packaged file, read at the first `embed` (6.5 MB) and then shared by all embedders.
 * @throws SearchError 400 `invalid_embedder` when the given bytes are no valid table; `embed` rejects with the same when
 *   the packaged file cannot be read.
 * @example
 * const embedder = createStaticEnEmbedder();
 * const [vector, nothing] = await embedder.embed(["corner sofa", "xqzt"], { purpose: "record" });
 * // vector: a Float32Array of 192 components and length 1; nothing: null
 */
export function createStaticEnEmbedder(bytes?: Uint8Array): Embedder {
  let table = bytes === undefined ? undefined : parseWordTable(bytes);
  const ready = async (): Promise<WordTable> => {
    table ??= await packagedTable();
    return table;
  };
  return Object.freeze<Embedder>({
    id: ID,
    dimensions: STATIC_EN_DIMENSIONS,
    maxBatchSize: MAX_BATCH,
    wordsOnly: true,
    knows: (word) => table?.rowOf.has(word) ?? false,
    meaningOf: (word) => (table === undefined ? null : meaningOf(table, word)),
    embedParts: async (parts, options) => runTask(embedPartsSteps(await ready(), parts, options), options.signal),
    embed: async (texts, { signal }) => {
      throwIfAborted(signal);
      const known = await ready();
      throwIfAborted(signal);
      const vectors: (Float32Array | null)[] = [];
      let unpaused = 0;
      for (const text of texts) {
        vectors.push(embedStaticEn(known, text));
        unpaused += text.length;
        if (unpaused < PAUSE_CHARACTERS) continue;
        unpaused = 0;
        await pauseIfLong();
      }
      return vectors;
    },
  });
}

/**
 * The vector of a text: a new array of unit length, or `null` when no word of it is known. Time grows with the text's
 * length; a short title takes 3 to 5 microseconds.
 *
 * @example
 * const vector = embedStaticEn(parseWordTable(bytes), "Café crème maker");
 */
export function embedStaticEn(table: WordTable, text: string): Float32Array | null {
  sum.fill(0);
  addText(table, text, sum);
  return atUnitLength(sum);
}

/** Read once; a failed read is not kept, so that a later embed may succeed. */
function packagedTable(): Promise<WordTable> {
  packaged ??= readPackagedTable().catch((error: unknown) => {
    packaged = undefined;
    throw error;
  });
  return packaged;
}

async function readPackagedTable(): Promise<WordTable> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(new URL("./static-en-60k-192-int4.bin", import.meta.url));
  } catch (cause) {
    throw malformed(
      "no readable file beside the module",
      "static-en-60k-192-int4.bin there, or the bytes as an option",
      cause,
    );
  }
  return parseWordTable(bytes);
}
