import { expect, it } from "vitest";
import { joinKeys, utf8Length } from "../../src/util/json.js";

for (const text of ["", "drill", "é", "ß€", "東京", "😀", "a😀b", "\u0000\u007f\u0080\u07ff\u0800\uffff"])
  it(`counts the UTF-8 bytes of ${JSON.stringify(text)} as the platform encodes it`, () => {
    expect(utf8Length(text)).toBe(Buffer.byteLength(text));
  });

it("counts three bytes for each half of a broken pair", () => {
  expect(["\ud83d", "\ude00", "\ude00\ud83d", "\ud83dx"].map(utf8Length)).toEqual([3, 3, 6, 4]);
});

it("counts pairs and their neighbours as the platform encodes them", () => {
  const texts = [
    "\ud800\udc00",
    "\udbff\udfff",
    "\ud7ff\udc00",
    "\ue000\udc00",
    "\udc00\udc00",
    "\ud800\ue000",
    "\ud800\udc00x",
  ];
  expect(texts.map(utf8Length)).toEqual(texts.map((text) => Buffer.byteLength(text)));
});

it("joins lists of texts to keys that differ where the lists do", () => {
  const lists = [[], [""], ["", ""], ["a", "b"], ["ab"], ["b", "a"], ["1:a"], ["1", "a"], ["1:", "a"]];
  expect(new Set(lists.map(joinKeys)).size).toBe(lists.length);
});
