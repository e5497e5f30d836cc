import { describe, expect, it } from "vitest";
import { KeptLists } from "../../../src/text/impacts/kept-lists.js";

const KEYS = ["a", "b", "c", "d", "e"];

function keptOf(lists: KeptLists<string, string>): string {
  return KEYS.filter((key) => lists.get(key) !== undefined).join("");
}

describe("lists are kept", () => {
  it("as long as there is room", () => {
    const lists = new KeptLists<string, string>(6);
    for (const key of ["a", "b", "c"]) lists.keep(key, key, 2);
    expect([lists.get("a"), keptOf(lists)]).toEqual(["a", "abc"]);
  });

  it("but for the oldest, where there is none", () => {
    const lists = new KeptLists<string, string>(6);
    for (const key of ["a", "b", "c", "d"]) lists.keep(key, key, 2);
    expect(keptOf(lists)).toBe("bcd");
    lists.keep("e", "e", 4);
    expect(keptOf(lists)).toHaveLength(2);
  });

  it("when they were asked for before others came", () => {
    const lists = new KeptLists<string, string>(6);
    for (const key of ["a", "b", "c"]) lists.keep(key, key, 2);
    lists.get("a");
    lists.keep("d", "d", 2);
    expect(keptOf(lists)).toBe("acd");
  });

  it("not for ever because they were asked for once", () => {
    const lists = new KeptLists<string, string>(4);
    lists.keep("a", "a", 2);
    lists.get("a");
    for (const key of ["b", "c", "d", "e"]) lists.keep(key, key, 2);
    expect(keptOf(lists)).toBe("de");
  });

  it("alone, where one takes more than all the room", () => {
    const lists = new KeptLists<string, string>(4);
    for (const key of ["a", "b"]) lists.keep(key, key, 2);
    lists.keep("c", "c", 9);
    expect(keptOf(lists)).toBe("c");
    lists.keep("d", "d", 1);
    expect(keptOf(lists)).toBe("d");
  });

  it("once, where two queries made the same", () => {
    const lists = new KeptLists<string, string>(4);
    for (const list of ["1", "2", "3"]) lists.keep("a", list, 2);
    lists.keep("b", "b", 2);
    expect([lists.get("a"), keptOf(lists)]).toEqual(["3", "ab"]);
  });
});
