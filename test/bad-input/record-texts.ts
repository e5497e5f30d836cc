// Rows A30 to A36: texts that are hard to read.

import { expect } from "vitest";
import { passedEach, type Row } from "./row.js";
import type { World } from "./world.js";

const REPLACED = { added: 1, replaced: 0 };
const ONE_RECORD_PER_MB = { limits: { recordBytes: 8_000_000 } };

const RUNS = ["a", "/", "#", "\u6771", "\0", "\ud83d", "\ud83d\ude00", "a'", "1.", "-", "\u0301", "\ufdfa"];

/** Adds one long run, and says what came of it. */
async function addRun(world: World, text: string, index = "shop"): Promise<unknown> {
  const answer = await world.add([{ id: "new", title: "Unicycle", text }], index);
  const [record] = (await world.get(["new"], index)) as { readonly text: string }[];
  return [answer, record?.text === text, world.warnings.map((warning) => warning.code)];
}

/** Searches for a text that was written otherwise. */
function foundAs(row: string, written: string, asked: string, ids: readonly string[] = ["new"]): Row {
  return {
    row,
    what: `${JSON.stringify(written)} by ${JSON.stringify(asked)}`,
    run: async (world) => {
      await world.add([{ id: "new", text: written }]);
      const [record] = (await world.get(["new"])) as { readonly text: string }[];
      return [record?.text, await world.found(asked)];
    },
    expect: (result) => expect(result).toEqual([written, ids]),
  };
}

/** Rows A30 to A36. */
export const TEXTS: readonly Row[] = [
  ...passedEach(
    "A30",
    "a text",
    [
      ["that is empty", ""],
      ["of blanks", " \t\n\u3000"],
      ["that cannot be seen", "\u200b\ufeff"],
      ["of punctuation", "!?--"],
    ],
    (world, title) => world.add([{ id: "new", title, sku: title }]),
    (result) => expect(result).toEqual(REPLACED),
  ),
  ...RUNS.flatMap((run) =>
    ["shop", "english"].map(
      (index): Row => ({
        row: "A31",
        what: `100,000 characters of ${JSON.stringify(run)} in ${index}`,
        options: ONE_RECORD_PER_MB,
        run: async (world) => {
          await world.create("english", { embedder: "static-en" });
          await world.add([{ id: "warm", title: "Warm" }], "english");
          return addRun(world, run.repeat(100_000 / run.length), index);
        },
        expect: (result) => expect(result).toEqual([REPLACED, true, ["field_truncated"]]),
      }),
    ),
  ),
  {
    row: "A32",
    what: "1,000,000 characters, over the limit of a record",
    run: (world) => world.add([{ id: "new", text: "word ".repeat(200_000) }]),
    expect: { code: 413, error: "record_too_large", param: "records[0]" },
  },
  {
    row: "A32",
    what: "1,000,000 characters, where a record may have them",
    options: ONE_RECORD_PER_MB,
    run: (world) => addRun(world, "word ".repeat(200_000)),
    expect: (result) => expect(result).toEqual([REPLACED, true, ["field_truncated"]]),
  },
  foundAs("A33", "half \ud800 unicycle \udc00", "unicycle"),
  foundAs("A33", "uni\ud800cycle", "uni cycle"),
  foundAs("A33", "uni\ud800cycle", "unicyclist", []),
  foundAs("A34", '<script>alert("x")</script> <b>unicycle</b> &amp; co', "unicycle alert"),
  foundAs("A35", "\u05d0\u05d5\u05e4\u05e0\u05d9\u05d9\u05dd", "\u05d0\u05d5\u05e4\u05e0\u05d9\u05d9\u05dd"),
  foundAs("A35", "\u202eunicycle\u202c", "unicycle"),
  foundAs("A35", "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 unicycle", "unicycle"),
  foundAs("A35", "uni\u0308cycle", "unicycle"),
  foundAs("A35", "un\u00efcycle", "uni\u0308cycle"),
  foundAs("A35", "\uff35\uff4e\uff49\uff43\uff59\uff43\uff4c\uff45", "unicycle"),
  foundAs("A35", "\ufb01sh o\ufb00er", "fish offer"),
  foundAs("A35", "uni\u00adcycle", "unicycle"),
  foundAs("A35", "\u6771\u4eac\u30bf\u30ef\u30fc", "\u6771\u4eac"),
  foundAs("A36", "cable CD-123 x", "cd-123"),
  foundAs("A36", "cable CD-123 x", "cd123"),
  foundAs("A36", "cable CD-123 x", "cd-12i", []),
  foundAs("A36", "plug 3.5mm", "3.5mm"),
  foundAs("A36", "plug 3.5mm", "5.3mm", []),
  foundAs("A36", "an mp3 player", "mp3"),
  foundAs("A36", "an mp3 player", "mp4", []),
];
