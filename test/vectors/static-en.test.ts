import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { resolveEnglishWord } from "../../src/embedding/resolve-english-word.js";
import { parseWordTable } from "../../src/embedding/word-table.js";
import { createStaticEnEmbedder, embedWords, STATIC_EN } from "../../src/embedding/word-table-embedder.js";
import type { SearchError } from "../../src/util/errors.js";
import { thrownBy } from "../support/refusal.js";
import { tempPaths } from "../support/temp-folder.js";
import { dot, type GoldenTexts, itAgreesWith, makeTable, vectorIn } from "../support/word-table.js";

const golden = JSON.parse(
  readFileSync(new URL("../golden/static-en.json", import.meta.url), "utf8"),
) as GoldenTexts<number>;
const file = readFileSync(new URL("../../src/embedding/static-en-2-65k-192-int4.bin", import.meta.url));
const table = parseWordTable(file, STATIC_EN);
const record = { purpose: "record" } as const;
const newPath = tempPaths();

const vectorOf = (text: string): Float32Array => vectorIn(table, text);

/** The words of a made table that a word resolves to. */
function resolved(words: string, word: string): string {
  const made = parseWordTable(makeTable(words.split(" ")), STATIC_EN);
  return resolveEnglishWord(made, word)
    .rows.map((row) => words.split(" ")[row])
    .join(" ");
}

const refusalOf = (bytes: unknown): SearchError => thrownBy(() => createStaticEnEmbedder(bytes as Uint8Array));

function expectRefused(bytes: unknown, found: RegExp): void {
  const error = refusalOf(bytes);
  expect(error).toMatchObject({ code: 400, error: "invalid_embedder", param: "embedder" });
  expect(error.message).toMatch(found);
  expect(error.message).toMatch(/; expected .+\. Pass the unchanged bytes/);
}

describe("golden file", () => {
  itAgreesWith(golden, table, (word) => resolveEnglishWord(table, word).rows);
});

describe("text to words", () => {
  it.each([
    ["upper case", "LEATHER Sofa", "leather sofa"],
    ["accents", "Café crème", "cafe creme"],
    ["combining marks", "cafe\u0301", "cafe"],
    ["full-width letters", "ｗａｔｔ", "watt"],
    ["ligatures", "ofﬁce", "office"],
    ["trade mark", "Core™ drill", "core drill"],
    ["service mark", "bank℠ card", "bank card"],
    ["punctuation", "(garden)/hose, 5-way!", "garden hose 5 way"],
    ["other scripts", "чай tea 茶", "tea"],
    ["line breaks", "tea\nkettle\u00a0pot", "tea kettle pot"],
    ["lone surrogates", "tea \ud800 kettle", "tea kettle"],
    ["capitals that NFKD brings up, which part words", "tea℡pot", "tea pot"],
  ])("%s", (_, text, plain) => {
    expect(vectorOf(text)).toEqual(vectorOf(plain));
  });

  it("adds a repeated word again, and the order of words does not matter to the angle", () => {
    expect(dot(vectorOf("drill drill bit"), vectorOf("drill bit"))).toBeLessThan(0.9999);
    expect(dot(vectorOf("bit drill"), vectorOf("drill bit"))).toBeCloseTo(1, 6);
    expect(dot(vectorOf("drill drill"), vectorOf("drill"))).toBeCloseTo(1, 6);
  });

  it.each(["", " ", "xqzt", "1234", "!?", "茶", "\u0301"])("no vector for %j", (text) => {
    expect(embedWords(table, text)).toBeNull();
  });

  it("no vector when the rows cancel each other out", () => {
    const bytes = makeTable(["tea", "eat"]);
    const codesAt = bytes.length - 7 - 2 * 96;
    bytes[codesAt + 96] = 0x98;
    const cancelling = parseWordTable(bytes, STATIC_EN);
    expect(embedWords(cancelling, "tea")).not.toBeNull();
    expect(embedWords(cancelling, "tea eat")).toBeNull();
  });
});

/** What is tried of a word that the table lacks; the words of a table in the order of their rows; a word, and what it is: "": unknown. */
const WORDS: readonly (readonly [rule: string, words: string, word: string, expected: string])[] = [
  ["as it stands first", "bus bu buses", "buses", "buses"],
  ["-ies to y", "berrie berri berry", "berries", "berry"],
  ["-ies of short words", "tie ty", "ties", "tie"],
  ["-es off", "boxe box", "boxes", "box"],
  ["-s off", "lamp", "lamps", "lamp"],
  ["-ing off", "paint painte", "painting", "paint"],
  ["-ing to e", "bake", "baking", "bake"],
  ["-ing with a doubled letter", "run", "running", "run"],
  ["-ing: the rest goes before the single letter", "fill fil", "filling", "fill"],
  ["-ed off", "paint", "painted", "paint"],
  ["-ed to e", "bake", "baked", "bake"],
  ["-ed with a doubled letter", "gap", "gapped", "gap"],
  ["-er off", "mix mixe", "mixer", "mix"],
  ["-r off", "tape", "taper", "tape"],
  ["-ly off", "quick", "quickly", "quick"],
  ["with s", "scissors", "scissor", "scissors"],
  ["with s before es", "axes axees axs", "axe", "axes"],
  ["with es", "matches", "match", "matches"],
  ["digits allowed", "mp3", "mp3s", "mp3"],
  ["-ss stays", "gla glas", "glass", ""],
  ["candidates of two characters", "tv id do", "tvs", ""],
  ["words of two characters", "tvs", "tv", ""],
  ["-ing of five characters", "whe bri", "bring", ""],
  ["-ed of four characters", "she", "shed", ""],
  ["-er of four characters", "ove", "over", ""],
  ["-ly of four characters", "onl", "only", ""],
  ["two words: the least sum of rows", "abcd efg abc defg", "abcdefg", "abcd efg"],
  ["the first split on a tie", "abc abcd efg defg", "abcdefg", "abc defg"],
  ["the second may lose an s", "lamp shade", "lampshades", "lamp shade"],
  ["the second as it stands first", "lamp shade shades", "lampshades", "lamp shades"],
  ["the second loses an s of -ss too", "lamp glas", "lampglass", "lamp glas"],
  ["the longest words", "aaaa bbbb", "aaaabbbbs", "aaaa bbbb"],
  ["the same word twice", "yoyo", "yoyoyoyo", "yoyo yoyo"],
  ["parts of two characters", "ab cdef", "abcdef", ""],
  ["a part of two after losing its s", "abcd ef", "abcdefs", ""],
  ["the first loses no s", "lamp shade", "lampsshade", ""],
  ["two words with a digit", "abc de3", "abcde3", ""],
  ["two words of five characters", "abc de", "abcde", ""],
  ["longer than two of the longest words", "aaaa bbbb", "aaaabbbbss", ""],
];

describe("words that the table lacks", () => {
  it.each(WORDS)("%s", (_, words, word, expected) => expect(resolved(words, word)).toBe(expected));

  it("add the whole row of another form, and both rows of a compound, each times 0.7071", () => {
    expect(resolveEnglishWord(table, "mp3s").factors).toEqual([1]);
    const { rows, factors } = resolveEnglishWord(table, "bedsofa");
    expect([rows, factors]).toEqual([
      [3587, 19262],
      [7071 / 10_000, 7071 / 10_000],
    ]);
    const made = parseWordTable(makeTable(["sofa", "bed", "red"]), STATIC_EN);
    const [sofa, bed, red] = embedWords(made, "red sofabed")!;
    for (const part of [sofa, bed]) expect(part! / red!).toBeCloseTo(factors[0]!, 6);
  });

  it("take no longer where they are endless", () => {
    expect(embedWords(parseWordTable(makeTable(["tea"]), STATIC_EN), "tea".repeat(300_000))).toBeNull();
  });
});

describe("embedder", () => {
  it("names itself, by the bytes of its table: of the packaged file or of others", () => {
    const { embed, embedParts, knows, meaningOf, ...rest } = createStaticEnEmbedder();
    expect(rest).toEqual({ id: "static-en-df6909ded139f159", dimensions: 192, maxBatchSize: 256, wordsOnly: true });
    for (const method of [embed, embedParts, knows, meaningOf]) expect(method).toBeTypeOf("function");
    const almost = file.map((byte, at) => (at === 3_000_000 ? byte ^ 1 : byte));
    for (const bytes of [file, almost, makeTable(["sofa", "bed"])]) {
      const digest = createHash("sha256").update(bytes).digest("hex");
      expect(createStaticEnEmbedder(bytes).id).toBe(`static-en-${digest.slice(0, 16)}`);
    }
  });

  it("knows the words of its table once it was read, and no misspelt ones", async () => {
    const embedder = createStaticEnEmbedder();
    await embedder.embed(["sofa"], record);
    const words = ["couch", "fridge", "vacum", "blutooth"];
    expect(words.map((word) => embedder.knows?.(word))).toEqual([true, true, false, false]);
  });

  it("answers a batch in its order, with null for unknown text, of queries as of records", async () => {
    const texts = ["sofa", "xqzt", "drill", "sofa", ""];
    for (const purpose of ["record", "query"] as const) {
      const vectors = await createStaticEnEmbedder().embed(texts, { purpose });
      expect(vectors).toEqual([vectorOf("sofa"), null, vectorOf("drill"), vectorOf("sofa"), null]);
      expect(vectors[0]).not.toBe(vectors[3]);
    }
    expect(await createStaticEnEmbedder().embed([], record)).toEqual([]);
  });

  it("gives equal vectors from the file's bytes, also where they lie unaligned, and never changes them", async () => {
    const padded = new Uint8Array(file.length + 5);
    padded.set(file, 3);
    const before = Buffer.from(padded);
    const texts = golden.vectors.map(({ text }) => text);
    const embedder = createStaticEnEmbedder(padded.subarray(3, 3 + file.length));
    expect(await embedder.embed(texts, record)).toEqual(await createStaticEnEmbedder().embed(texts, record));
    expect(before.equals(padded)).toBe(true);
  });

  it("gives up when the signal is aborted", async () => {
    const pending = createStaticEnEmbedder().embed(["sofa"], { ...record, signal: AbortSignal.abort() });
    await expect(pending).rejects.toMatchObject({ code: 499, error: "aborted" });
  });
});

/** Node reads HTTP by WebAssembly. */
const CAN_FETCH = "WebAssembly" in globalThis;

describe("a table at a URL", () => {
  const texts = ["corner sofa", "xqzt"];
  const exported = pathToFileURL(createRequire(import.meta.url).resolve("tandem-search/static-en.bin"));

  /** A server that answers with the table, and its address. */
  async function serve(statusOf = () => 200) {
    const server = createServer((_, response) => response.writeHead(statusOf()).end(file)).listen(0, "127.0.0.1");
    await once(server, "listening");
    return { server, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) };
  }

  it("gives the same vectors, from the exported file and from a server", async () => {
    const { server, url: served } = await serve();
    const expected = await createStaticEnEmbedder().embed(texts, record);
    for (const url of CAN_FETCH ? [exported, served] : [exported])
      expect(await createStaticEnEmbedder(url).embed(texts, record)).toEqual(expected);
    server.close();
  });

  it("is read again after it could not be read", async () => {
    const path = newPath("table.bin");
    const embedder = createStaticEnEmbedder(pathToFileURL(path));
    await expect(embedder.embed(texts, record)).rejects.toMatchObject({ code: 400, error: "invalid_embedder" });
    await writeFile(path, file);
    expect(await embedder.embed(texts, record)).toHaveLength(texts.length);
  });

  it.runIf(CAN_FETCH)("is asked for again after a server could not answer", async () => {
    let status = 503;
    const { server, url } = await serve(() => status);
    const embedder = createStaticEnEmbedder(url);
    await expect(embedder.embed(texts, record)).rejects.toMatchObject({ code: 400, error: "invalid_embedder" });
    status = 200;
    expect(await embedder.embed(texts, record)).toHaveLength(texts.length);
    server.close();
  });

  it("is refused if it is another table, whose vectors would have the id of the packaged one", async () => {
    const path = newPath("table.bin");
    await writeFile(path, makeTable(["sofa", "bed"]));
    await expect(createStaticEnEmbedder(pathToFileURL(path)).embed(texts, record)).rejects.toMatchObject({
      ...{ code: 400, error: "invalid_embedder" },
      msg: expect.stringMatching(/has the id static-en-[0-9a-f]{16}; expected static-en-df6909ded139f159\. Pass the/),
    });
  });

  it("is refused if it is no table, or no URL", async () => {
    const other = createStaticEnEmbedder(new URL(import.meta.url));
    await expect(other.embed(texts, record)).rejects.toMatchObject({ code: 400, error: "invalid_embedder" });
    for (const href of ["static-en.bin", 5, undefined])
      expect(() => createStaticEnEmbedder({ href } as { href: string })).toThrow("expected a Uint8Array or a URL");
  });
});

describe("malformed tables", () => {
  const words = ["tea", "kettle", "pot"];
  const good = makeTable(words);
  /** The good table with a change. */
  const changed = (change: (bytes: Uint8Array, view: DataView) => void): Uint8Array => {
    const bytes = good.slice();
    change(bytes, new DataView(bytes.buffer));
    return bytes;
  };
  const withScale = (scale: number) =>
    changed((_, view) => view.setFloat32(8 + view.getUint32(4, true) + 4, scale, true));

  it("accepts a small whole table, and refuses it shortened anywhere", () => {
    expect(parseWordTable(good, STATIC_EN).words.size).toBe(3);
    for (let length = 0; length < good.length; length++)
      expect(refusalOf(good.slice(0, length)).error, `${length} bytes`).toBe("invalid_embedder");
  });

  it.each([
    0,
    4,
    7,
    8,
    100,
    380,
    240_000,
    6_000_000,
    file.length - 1,
  ])("refuses the first %i bytes of the file", (length) => {
    expectRefused(file.subarray(0, length), /has /);
  });

  it.each([null, "SEV1", 7, {}, [], new ArrayBuffer(8), new Float32Array(8)])("refuses %o, no Uint8Array", (bytes) => {
    expectRefused(bytes, /expected a Uint8Array/);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ["a byte too many", Uint8Array.of(...good, 0), /has \d+ bytes/],
    ["the wrong magic", makeTable(words, {}, "SEV2"), /magic 0x53455632; expected 0x53455631/],
    ...[0xffff_ffff, 65_540, 1_000].map((length): [string, Uint8Array, RegExp] => [
      `a header said to have ${length} bytes`,
      changed((_, view) => view.setUint32(4, length, true)),
      /a header of/,
    ]),
    ["a header that is not padded", changed((bytes) => bytes[4]!--), /a multiple of 4/],
    ["a header that is no JSON", changed((bytes) => bytes.fill(0x28, 8, 9)), /no JSON/],
    [
      "a header that is no object",
      Uint8Array.from([...good.subarray(0, 4), 4, 0, 0, 0, ...Buffer.from("null")]),
      /a JSON object/,
    ],
    [
      "too few words",
      changed((bytes) => bytes.fill(0x78, bytes.lastIndexOf(10), bytes.lastIndexOf(10) + 1)),
      /2 words; expected 3/,
    ],
    ["an empty word", makeTable(["tea", "", "pot"]), /the word "" in row 1/],
    ["a repeated word", makeTable(["tea", "pot", "tea"]), /the word "tea" in row 2/],
    ["the scale NaN", withScale(Number.NaN), /the scale .* in row 1/],
    ["an infinite scale", withScale(Number.POSITIVE_INFINITY), /the scale .* in row 1/],
  ])("refuses %s", (_, bytes, found) => expectRefused(bytes, found));

  it.each([
    [{ rows: 2 }, /bytes; expected/],
    [{ rows: 4 }, /bytes; expected/],
    [{ rows: 0 }, /rows 0/],
    [{ rows: -1 }, /rows -1/],
    [{ rows: 1.5 }, /rows 1\.5/],
    [{ rows: "3" }, /rows "3"/],
    [{ rows: 4_294_967_295 }, /bytes; expected/],
    [{ rows: 1e300 }, /rows 1e\+300/],
    [{ rows: undefined }, /rows undefined/],
    [{ vocabBytes: 0 }, /vocabBytes 0/],
    [{ vocabBytes: 13 }, /bytes; expected/],
    [{ dim: 96 }, /dim 96; expected 192/],
    [{ bits: 8 }, /bits 8; expected 4/],
  ])("refuses the lying header %o", (header, found) => expectRefused(makeTable(words, header), found));
});
