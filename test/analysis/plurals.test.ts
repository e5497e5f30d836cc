import { describe, expect, it } from "vitest";
import { differInNumberOnly, irregularSingular } from "../../src/analysis/plurals.js";
import { ENGLISH_WORDS } from "../../src/analysis/word-forms.js";

const PAIRS =
  `knife knives, mouse mice, foot feet, tooth teeth, shelf shelves, man men, woman women, child children, leaf leaves,
  scarf scarves, wolf wolves, half halves, goose geese, loaf loaves, person people, bus buses, lens lenses, quiz quizzes,
  cactus cacti, matrix matrices, bookshelf bookshelves, tv tvs, pc pcs, cd cds, ssd ssds, dvd dvds, battery batteries, box boxes,
  shoe shoes, potato potatoes, key keys, glass glasses, cpu cpus, sku skus, ski skis, bra bras, menu menus, bureau bureaus,
  atlas atlases, thermos thermoses, snowman snowmen, spaceman spacemen, policewoman policewomen, fieldmouse fieldmice,
  grandchild grandchildren, salesperson salespeople, bayleaf bayleaves, headscarf headscarves, stylus styli, genus genera,
  stadium stadia, candelabrum candelabra, larynx larynges, person people, panino panini`
    .split(",")
    .map((pair) => pair.trim().split(" ") as [string, string]);

describe("the two numbers of a word", () => {
  it("have one stem", () => {
    const stems = PAIRS.map((pair) => pair.map(ENGLISH_WORDS.stem));
    expect(stems.filter(([one, other]) => one !== other)).toEqual([]);
  });

  it("begin with two letters of their stem, if they have more than five", () => {
    const endings = ["", "s", "es", "ed", "ing", "ies", "ly", "ness", "er"];
    const words = PAIRS.flat().flatMap((word) => endings.map((ending) => word + ending));
    const others = words.filter((word) => word.length > 5 && ENGLISH_WORDS.stem(word).slice(0, 2) !== word.slice(0, 2));
    expect(others).toEqual([]);
  });

  it("are known as such, in either order", () => {
    const regular = PAIRS.filter(([one, many]) => !differInNumberOnly(one, many) || !differInNumberOnly(many, one));
    expect(regular).toEqual([]);
    expect(differInNumberOnly("mens", "man")).toBe(true);
  });

  it("are no other words of the same stem", () => {
    const others = "organ organizer, dress dressing, box boxing, light lighting, print printed, bed bedding".split(
      ", ",
    );
    expect(others.filter((pair) => differInNumberOnly(...(pair.split(" ") as [string, string])))).toEqual([]);
  });

  it("are not seen in words that only end like plurals", () => {
    const words =
      `lumen abdomen police pumice olives sleeves delves plus this xmas gas bus specimen gps sms omen brass ss ups usb lens
      toString __proto__`.split(/\s+/);
    expect(words.filter((word) => irregularSingular(word) !== undefined)).toEqual([]);
  });
});
