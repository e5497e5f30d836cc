import { describe, expect, it } from "vitest";
import { type TermDictionary, TermHashTable, writeDictionary } from "../../../src/inverted/term-dictionary.js";
import { runTaskAtOnce } from "../../../src/util/tasks.js";
import { property, type Random } from "../../support/random.js";

/** A table of distinct names, given in any order. */
function tableOf(names: readonly string[]): TermDictionary {
  const order = Uint32Array.from(names.keys()).sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
  const written = new TermHashTable();
  for (const name of names) written.numberOf(name, true);
  return runTaskAtOnce(writeDictionary(written, order));
}

/** Names of narrow and wide characters, surrogates without a partner among them. */
function someNames(random: Random): string[] {
  const letters = ["a", "b", "~", "=", "é", "\u00ff", "\u0100", "東", "\ud83d", "\ude00", "\uffff", "\u0000"];
  const name = () => random.list(0, 5, () => random.pick(letters)).join("");
  return [...new Set(random.list(0, 200, name))];
}

property("a table knows each name by its number, and the numbers ascend", 100, (random) => {
  const names = someNames(random);
  const table = tableOf(names);
  const sorted = [...names].sort();
  expect(table.size).toBe(names.length);
  expect(sorted.map((_, number) => table.textAt(number))).toEqual(sorted);
  expect(sorted.map((name) => table.ordinalOf(name))).toEqual(sorted.map((_, number) => number));
});

property("a table knows no other names", 100, (random) => {
  const table = tableOf(someNames(random).filter((name) => name.length % 2 === 1));
  for (const other of someNames(random).filter((name) => name.length % 2 === 0))
    expect(table.ordinalOf(other)).toBeUndefined();
});

property("names that begin alike stand from the first to the last of them", 100, (random) => {
  const names = someNames(random).sort();
  const table = tableOf(random.shuffle(names));
  for (const prefix of someNames(random)) {
    expect(table.firstFrom(prefix)).toBe(names.filter((name) => name < prefix).length);
    const after = names.filter((name) => name < prefix || name.startsWith(prefix)).length;
    expect(table.afterPrefix(prefix)).toBe(after);
  }
});

describe("a table of names", () => {
  it("may be empty, or hold the empty name", () => {
    expect([tableOf([]).ordinalOf("a"), tableOf([]).size]).toEqual([undefined, 0]);
    expect([tableOf([""]).ordinalOf(""), tableOf([""]).textAt(0)]).toEqual([0, ""]);
  });

  it("takes a byte a character, two where a name has greater ones, and less than two bytes a name besides", () => {
    const many = Array.from({ length: 1000 }, (_, i) => `n${i + 1000}`);
    const room = tableOf(many).byteLength;
    expect(tableOf(many.map((name) => `${name}é`)).byteLength - room).toBe(1000);
    expect(tableOf(many.map((name) => `${name}東`)).byteLength - room).toBe(7000);
    expect(room).toBeLessThan(1000 * (5 + 2));
  });
});
