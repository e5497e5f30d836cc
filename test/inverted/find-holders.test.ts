import { expect, it } from "vitest";
import { commonHolders, findIdentifiers } from "../../src/inverted/find-holders.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { segmentOf } from "../support/word-index.js";

it("the holders of several terms hold them all, in whatever fields", () => {
  const segment = segmentOf([
    { title: "drill saw", body: "drill" },
    { title: "saw" },
    { body: "drill" },
    { title: "lamp", body: "saw" },
  ]);
  const holdersOf = (...terms: string[]) => [...runTaskAtOnce(commonHolders(segment, terms))];
  expect(holdersOf("drill", "saw")).toEqual([0]);
  expect(holdersOf("lamp", "saw")).toEqual([3]);
  expect([holdersOf("lamp", "drill"), holdersOf()]).toEqual([[], []]);
});

it("records of any of several codes are told once each, ascending", () => {
  const first = segmentOf([{ ean: "=123", sku: "=123" }, { sku: "=9" }, { sku: "=123" }]);
  const second = { ...segmentOf([{ sku: "=123" }]), base: 3 };
  expect(runTaskAtOnce(findIdentifiers([first, second], ["=9", "=123"]))).toEqual([0, 1, 2, 3]);
});
