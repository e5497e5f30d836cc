// Random shops written down and read again, the text cut anywhere.

import { expect } from "vitest";
import { SearchEngine } from "../src/index.js";
import { allOf } from "./support/all-of.js";
import { pictureOf } from "./support/engine-picture.js";
import { property, type Random } from "./support/random.js";
import { randomShop } from "./support/random-shop.js";

const WORDS = { embedder: false } as const;

property("an import makes the same index, wherever its text is cut", 60, async (random) => {
  const { settings, records, strangers, queries } = randomShop(random);
  const known = typeof settings.embedder === "object" ? { [settings.embedder.id]: settings.embedder } : {};
  // The settings may name attributes that chance gave to no record.
  const onWarning = () => {};
  const source = new SearchEngine({ ...WORDS, onWarning });
  const target = new SearchEngine({ embedders: known, onWarning });
  const index = await source.createIndex("shop", settings);
  await index.addRecords([...records, ...strangers]);
  await index.deleteRecords(strangers.map(({ id }) => id as string));
  const text = (await allOf(source.exportIndex("shop"))).join("");
  expect(await target.importIndex("shop", cut(text, random))).toEqual({ records: index.recordCount });
  expect(await pictureOf(target)).toEqual(await pictureOf(source));
  expect((await allOf(target.exportIndex("shop"))).join("")).toBe(text);
  // Which attributes are known depends on the records that once were there.
  for (const params of queries.map(({ query, semanticWeight }) => ({
    query: query!,
    explain: true,
    semanticWeight,
  }))) {
    const [expected, found] = await Promise.all([source, target].map((each) => each.query("shop", params)));
    expect(found!.data.hits).toEqual(expected!.data.hits);
    expect(found!.data.nbHits).toBe(expected!.data.nbHits);
  }
});

/** The text in random pieces of text or bytes. */
function cut(text: string, random: Random): (string | Uint8Array)[] {
  const bytes = Buffer.from(text);
  const ofText = random.chance(0.5);
  const whole = ofText ? text : bytes;
  const pieces: (string | Uint8Array)[] = [];
  const most = random.pick([1, 9, 200, 10_000]);
  for (let at = 0; at < whole.length; ) {
    const end = at + random.between(most === 1 ? 1 : 0, most);
    pieces.push(ofText ? text.slice(at, end) : bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}
