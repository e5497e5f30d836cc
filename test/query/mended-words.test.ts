// Words that are completed, corrected, split and joined, as shoppers type them: which titles they find where all words are asked for.

import { expect, it } from "vitest";
import type { IndexSettings, SearchParams } from "../../src/index.js";
import { AxisEmbedder } from "../support/axis-embedder.js";
import { foundTitles } from "../support/found-titles.js";
import { plainShop } from "../support/plain-shop.js";
import { seq } from "../support/seq.js";

type More = Partial<SearchParams> & Pick<IndexSettings, "disableTypoToleranceOnWords">;

const TYPED_LAST: More = { queryType: "prefixLast" };
const NO_TYPOS: More = { typoTolerance: false };
const ALL: More = { queryType: "prefixAll" };
const NONE: More = { queryType: "prefixNone", ...NO_TYPOS };
const NAMED: More = { disableTypoToleranceOnWords: ["vacum"] };

/** Titles are parted by semicolons; "nothing" is none of them. */
type Row = readonly [what: string, titles: string, query: string, found: string, more?: More];

const ROWS: readonly Row[] = [
  ["the last word is completed", "vacuum cleaner; kettle", "vacu", "vacuum cleaner"],
  ["the last word is completed beside others", "cordless drills; cordless saw", "cordless dri", "cordless drills"],
  ["no other word is completed", "vacuum drill", "vacu drill", "nothing"],
  ["every word is completed where that is asked for", "vacuum drill", "vacu drill", "vacuum drill", ALL],
  ["a word is corrected", "vacuum drill; drill", "vacum drill", "vacuum drill"],
  ["a word is not corrected where that is switched off", "vacuum drill", "vacum drill", "nothing", NO_TYPOS],
  ["a word is not completed where that is switched off", "vacuum", "vacu", "nothing", NONE],
  ["a named word is not corrected", "vacuum drill", "vacum drill", "nothing", NAMED],
  ["one letter is mended in five", "drill press", "drlls press", "drill press"],
  ["two letters are not mended in four", "kettle red", "ktle red", "nothing"],
  ["nothing is mended in three letters", "dril red", "drl red", "nothing"],
  ["two letters are mended in eight", "electric red", "elcetrik red", "electric red"],
  ["two letters are not mended in six", "electric red", "elctrc red", "nothing"],
  ["a word is split where one title has both halves", "head phones red", "headphones red", "head phones red"],
  ["a word is not split where no title has both halves", "head red; phones red", "headphones red", "nothing"],
  ["a word is corrected where its halves are in two titles", "not red; book blue; notebook", "notbook", "notebook"],
  ["a half may have two letters", "tv stand red", "tvstand red", "tv stand red"],
  ["a half is no small word", "is land red", "island red", "nothing", NO_TYPOS],
  ["a word that is held is not completed", "lap desk; laptop", "lap", "lap desk"],
  ["a word that is held is completed as it is typed", "lap desk; laptop", "lap", "lap desk; laptop", TYPED_LAST],
  ["only the last word is completed as it is typed", "lap desk; laptop desk", "lap desk", "lap desk", TYPED_LAST],
  ["a word that is held is not corrected", "dril press; drill press", "drill press", "drill press"],
  ["an umlaut may be written in two letters", "groesse 5", "größe 5", "groesse 5", NO_TYPOS],
  ["two letters may be an umlaut", "größe 5", "groesse 5", "größe 5", NO_TYPOS],
  ["two umlauts may be in a word", "schlüsselanhänger", "schluesselanhaenger", "schlüsselanhänger", NO_TYPOS],
  ["two letters are no umlaut where a title has them", "blue; blu", "blue", "blue", NO_TYPOS],
  ["a code is not corrected", "Saw D-101", "D-102 saw", "nothing"],
  ["a barcode is not corrected", "5012345678900", "5012345678901", "nothing"],
  ["a code is completed", "WH-1000XM4; WH-2000XM4", "WH-1000X", "WH-1000XM4"],
  ["a code is completed without its separators", "502.654.31; 602.654.31", "502.65", "502.654.31"],
  ["a code that is held is completed where it is all", "QX18; QX185; QX285", "QX18", "QX18; QX185"],
  ["a number of two digits that is held is not completed", "50 red; 507", "50", "50 red"],
  ["a number of three digits that is held is completed", "501 red; 5017", "501", "501 red; 5017"],
  ["a number is completed as it is typed", "set 331; set 33", "set 33", "set 331; set 33", TYPED_LAST],
  ["a code is completed as it is typed", "card rtx3060; card rtx 40", "card rtx30", "card rtx3060"],
  ["a hyphen is typed before the rest of a word", "T-shirt; Trousers", "t-sh", "T-shirt"],
  ["a small word may be the beginning of another", "usb headset; usb hub", "usb he", "usb headset; usb hub"],
  ["a unit may be the beginning of another", "10 mAh; 10 kg", "10 m", "10 mAh", TYPED_LAST],
  ["two words are joined", "headphones; head; phones", "head phones", "headphones"],
  ["two words side by side also find them joined", "hand bag; handbag; bag", "hand bag", "hand bag; handbag"],
  ["two words are not joined the other way round", "handbag; bag by hand", "bag hand", "bag by hand"],
  ["a small word is joined to the next", "gopro mount; mount pro; mount go", "go pro mount", "gopro mount; mount pro"],
  ["a small word is joined to the one before", "plugin heater; heater", "plug in heater", "plugin heater"],
  ["a small word between others is not joined", "bag format; mat bag", "bag for mat", "mat bag"],
  ["an article is not joined", "across; cross chain", "a cross", "cross chain"],
  ["a quantity is found in any unit", "kettle 1.5 L; kettle 2 L", "150 cl", "kettle 1.5 L"],
  ["a quantity that no title has is two words", "kit 1.5; shirt l", "1.5 L", "kit 1.5; shirt l", { matching: "any" }],
  ["a word counts once in all its forms", "drill", "drill drills DRILLING", "drill"],
  ["small words say nothing beside others", "drill, case", "the drill with a case", "drill, case"],
  ["small words alone are words", "to be or not to be; to do", "to be or not to be", "to be or not to be"],
];

for (const [what, titles, query, found, more = {}] of ROWS)
  it(`${what}: in ${titles}, ${query} finds ${found}`, async () => {
    const { disableTypoToleranceOnWords = [], ...params } = more;
    const settings = { matching: "all" as const, disableTypoToleranceOnWords };
    const shown = await foundTitles(titles.split("; "), { query, ...params }, settings);
    expect(shown.sort().join("; ") || "nothing").toBe(found.split("; ").sort().join("; "));
  });

it("completes a barcode from three digits on, by its beginning alone", async () => {
  const { ids } = await plainShop({ matching: "all" }, [{ id: 1, title: "drill", sku: "5012345678900" }]);
  const found = [await ids({ query: "501" }), await ids({ query: "012" }), await ids({ query: "drill 501" })];
  expect(found).toEqual([["1"], [], ["1"]]);
});

it("corrects sixteen words of a query, and completes words by a hundred each, by four hundred in all", async () => {
  const letters = [..."abcdefghijklmnopqrst"];
  const { index } = await plainShop({}, [{ id: 1, title: letters.map((letter) => `${letter}kettle`).join(" ") }]);
  const query = letters.map((letter) => `${letter}kettlq`).join(" ");
  const { data } = await index.query({ query: `${query} x`, getParsedQuery: true });
  expect([data.parsedQuery!.corrected.length, data.parsedQuery!.unknown.length]).toEqual([16, 5]);
  const begun = letters.slice(0, 6).map((letter) => `q${letter}`);
  const ends = letters.flatMap((one) => letters.slice(0, 6).map((other) => one + other));
  const titles = begun.flatMap((start) => ends.map((end) => start + end));
  const { count } = await plainShop(
    { matching: "any", queryType: "prefixAll" },
    titles.map((title, id) => ({ id, title })),
  );
  expect([await count({ query: "qa" }), await count({ query: begun.join(" 7 ") })]).toEqual([100, 400]);
});

it.each([
  ["a built-in synonym", "television", "tv", 0.8],
  ["the halves of a rare word", "sun glasses", "sunglasses", 0.5],
])("counts %s less: %s for %s by %f", async (_what, title, query, weight) => {
  const { index } = await plainShop({}, [
    { id: 1, title },
    { id: 2, title: query },
  ]);
  const { hits } = (await index.query({ query, explain: true, matching: "any" })).data;
  const { fields, frequency } = hits.find(({ id }) => id === "1")!.explanation!.lexical!.terms[0]!;
  expect(frequency / fields[0]!.normalized).toBeCloseTo(weight, 9);
});

it("puts first what a small word that is typed last begins, and finds what lacks it all the same", async () => {
  const titles = ["usb hub", "usb headset"];
  expect(await foundTitles(titles, "usb he", { matching: "all" })).toEqual(["usb headset", "usb hub"]);
});

it("takes a word of six letters that the embedder knows as typed to its end, unless each last word goes on", async () => {
  const embedder = Object.assign(new AxisEmbedder(), { knows: (word: string) => word !== "drill" });
  const { index } = await plainShop({ embedder, matching: "all" }, [{ id: 1, title: "drill cordless" }]);
  const foundByWords = async (query: string, more: More = {}) =>
    (await index.query({ query, getMatchInfo: true, ...more })).data.matchInfo!.nbHitsByWords;
  expect([await foundByWords("drill cordl"), await foundByWords("drill cordle")]).toEqual([1, 0]);
  expect(await foundByWords("drill cordle", TYPED_LAST)).toBe(1);
});

it("reads the first 64 words of a query", async () => {
  const words = seq(70, (i) => `word${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`);
  const [first, fewer] = [words.slice(0, 64).join(" "), words.slice(0, 63).join(" ")];
  const found = await foundTitles([first, fewer], { query: words.join(" "), ...NO_TYPOS }, { matching: "all" });
  expect(found).toEqual([first]);
});
