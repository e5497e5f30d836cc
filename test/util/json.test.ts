import { expect, it } from "vitest";
import { joinKeys, utf8Length } from "../../src/util/json.js";

it("counts the UTF-8 bytes of texts as the platform encodes them, three for each half of a broken pair", () => {
  const texts = ["", "drill", "é", "ß€", "東京", "😀", "a😀b", "\u0000\u007f\u0080\u07ff\u0800\uffff"];
  const halves = ["\ud7ff", "\ud800", "\udbff", "\udc00", "\udfff", "\ue000", "x"];
  for (const one of halves) for (const other of halves) texts.push(one, one + other, `${one}${other}x`);
  expect(texts.map(utf8Length)).toEqual(texts.map((text) => Buffer.byteLength(text)));
});

it("joins lists of texts to keys that differ where the lists do", () => {
  const lists = [[], [""], ["", ""], ["a", "b"], ["ab"], ["b", "a"], ["1:a"], ["1", "a"], ["1:", "a"]];
  expect(new Set(lists.map(joinKeys)).size).toBe(lists.length);
});
