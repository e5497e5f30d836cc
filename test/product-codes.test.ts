import { describe, expect, it } from "vitest";
import type { IndexSettings, JsonRecord } from "../src/index.js";
import { plainShop } from "./support/plain-shop.js";

/** The ids of the hits, in their order. */
async function found(records: readonly JsonRecord[], query: string, settings: IndexSettings = {}): Promise<string[]> {
  return (await plainShop(settings, records)).ids({ query, hitsPerPage: 12 });
}

describe("a code in a title", () => {
  const titles = ["Bookcase 602.754.41 white", "Bookcase 602.745.41 white", "Filter 81.50.310", "Coil 06A-905-115"];
  const records = [...titles, "Pump WP/1180-K"].map((title, i) => ({ id: i + 1, title }));

  it.each([
    ["1", "602.754.41; 60275441; 602-754-41; 602 754 41; 602/754/41; bookcase 602 754 41"],
    ["3", "8150310; 81-50-310; 81 50 310; filter 81 50 310"],
    ["4", "06a905115; 06A 905 115; 06a-905115; 06A.905.115"],
  ])("is found first, that of record %s as %s", async (id, queries) => {
    for (const query of queries.split("; ")) expect([query, (await found(records, query))[0]]).toEqual([query, id]);
    expect(await found(records, "06a905115")).toEqual(["4"]);
  });

  it("is no other code", async () => {
    expect(await found(records, "60275442")).toEqual([]);
    expect(await found([{ id: 1, title: "Version 1.2.3" }], "123")).toEqual([]);
  });

  it("is found by its beginning", async () => {
    const titles = ["Bolt QXDB002", "Bolt QXDB011", "Bolt QXML843", "Bolt 60275441"];
    const bolts = titles.map((title, id) => ({ id, title }));
    expect([await found(bolts, "QXDB0"), await found(bolts, "602754")]).toEqual([["0", "1"], ["3"]]);
  });
});

describe("a code of several pieces, typed as one", () => {
  const titles = [
    ...["Oil filter W 712/75", "Oil filter W 712/73", "Oil filter HU 719/7 x", "Oil filter HU 718/1 k"],
    ...["Tyre 205/55 R16 91V", "Tyre 205/60 R16 92H", "Tyre 205/55R17 95Y", "Bearing 6204-2RS C3", "Bearing 6204-ZZ"],
    ...["Cabin filter CUK 26 009", "Belt 6PK 1873", "Belt 6PK1733", "Screw DIN 912 M6 x 20", "Screw DIN 912 M6 x 25"],
    ...["Wiper AR 601 S", "Drill bit HSS-G 6 x 93", "Air filter C 25 118/1", "Bracket 26 x 9 mm, 75 g, model W"],
  ];
  const records = titles.map((title, i) => ({ id: String(i), title }));
  const titlesFor = async (query: string) => (await found(records, query)).map((id) => titles[Number(id)]);

  it.each([
    ["w71275", "Oil filter W 712/75"],
    ["hu7197x", "Oil filter HU 719/7 x"],
    ["HU719/7X", "Oil filter HU 719/7 x"],
    ["20555r16", "Tyre 205/55 R16 91V"],
    ["2055516", "Tyre 205/55 R16 91V"],
    ["2055517", "Tyre 205/55R17 95Y"],
    ["205/55r16", "Tyre 205/55 R16 91V"],
    ["62042rsc3", "Bearing 6204-2RS C3"],
    ["6204zz", "Bearing 6204-ZZ"],
    ["cuk26009", "Cabin filter CUK 26 009"],
    ["26009", "Cabin filter CUK 26 009"],
    ["6pk1873", "Belt 6PK 1873"],
    ["din912m6x20", "Screw DIN 912 M6 x 20"],
    ["ar601s", "Wiper AR 601 S"],
    ["hssg6x93", "Drill bit HSS-G 6 x 93"],
    ["c251181", "Air filter C 25 118/1"],
  ])("%s is %s alone", async (query, title) => expect(await titlesFor(query)).toEqual([title]));

  it("is none of the others", async () => {
    for (const query of "w71274 w71299 hu7187k 2055519 2056516 62042rsc4 din912m6x30 26010 x93 w269".split(" "))
      expect([query, ...(await titlesFor(query))]).toEqual([query]);
  });

  it.each([
    ["w 712 75", "Oil filter W 712/75"],
    ["hu 719 7x", "Oil filter HU 719/7 x"],
    ["205 55 r16", "Tyre 205/55 R16 91V"],
    ["6204 2rs c3", "Bearing 6204-2RS C3"],
    ["6 pk 1733", "Belt 6PK1733"],
  ])("%s, typed apart, is %s first", async (query, title) => expect((await titlesFor(query))[0]).toBe(title));
});

describe("an attribute of codes", () => {
  const NAMES = "barcode gtin13 EAN13 article_number part-number ModelNumber product_code oemNumber".split(" ");

  it.each([...NAMES, "Item Number"])("is %s", async (name) => {
    const codes = ["81-50.310 K", "81-50.311 K"];
    const records = codes.map((code, i) => ({ id: i + 1, title: "Milk", details: { [name]: code } }));
    expect(await found(records, "8150 310k")).toEqual(["1"]);
  });

  it.each<[query: string, record: JsonRecord, isFound: boolean, settings?: IndexSettings]>([
    // Named with or without hyphens and underscores in the settings too.
    ["z7712", { lieferNr: "Z-77/12" }, true, { identifierAttributes: ["liefer_nr"] }],
    // A barcode as a number has lost its zeros; other numbers that differ in zeros are kept apart.
    ["060383998622", { upc: 60383998622 }, true],
    ["60383998622", { upc: "060383998622" }, true],
    ["025293001220", { barcode: "0025293001220" }, true],
    ["5 901234 123457", { barcode: 5901234123457 }, true],
    ["12345671", { partNumber: "0012345671" }, false],
  ])("%s asks for %j: %s", async (query, record, isFound, settings) => {
    expect(await found([{ id: 1, ...record }], query, settings)).toEqual(isFound ? ["1"] : []);
  });

  it("is found with blanks beside words", async () => {
    const records = [
      { id: 1, title: "Milk", barcode: "5901234123457" },
      { id: 2, title: "Milk", barcode: "5901234123464" },
    ];
    expect((await found(records, "milk 5 901234 123464"))[0]).toBe("2");
  });
});

describe("single letters and pieces of a code", () => {
  /** The numbers of the titles that a query finds, in ascending order. */
  const finds = async (query: string, titles: readonly string[], settings: IndexSettings = {}): Promise<number[]> => {
    const hits = await found(
      titles.map((title, id) => ({ id, title })),
      query,
      { matching: "all", ...settings },
    );
    return hits.map(Number).sort((a, b) => a - b);
  };

  const cases: readonly (readonly [query: string, titles: readonly string[], found: readonly number[]])[] = [
    // A letter of a code is no word.
    ["k", ["K2R rope", "Special K cereal", "5K race", "USB-K plug"], [1, 3]],
    ["b hose", ["Hose B4J", "B hose", "Hose DX-7B"], [1]],
    // A code is found where its pieces stand side by side.
    ["gt3", ["GT3 wing", "GT 3 wing", "GT-3 wing", "GT/3 wing", "GT wing, 3 m", "GT wing 3M"], [0, 1, 2, 3]],
    ["GT 3", ["GT3 wing", "GT 3 wing", "GT-3 wing", "Wing 5X"], [0, 1, 2]],
    ["d7", ["Lens D 7", "D lens, 7 parts", "Lens X-D7-K", "7 D lens"], [0, 2]],
    ["kz80f", ["KZ80F oven", "KZ 80F oven", "KZ80 F oven", "KZ 80 F oven", "KZ oven 80 F"], [0, 1, 2, 3]],
    ["kz 80 f", ["KZ80F oven", "KZ-80F oven", "KZ 80 F oven"], [0, 1, 2]],
    ["tk500rv2", ["TK-500RV2 pump", "TK 500RV2 pump", "TK500 RV2 pump", "TK 500 pump RV 2"], [0, 1, 2]],
    ["rv2", ["TK-500RV2 pump", "RV 2 pump", "RV pump 2"], [0, 1]],
    // Letters that are a word tell something where they stand, as a small word between digits does.
    ["dockstar9", ["Dockstar 9", "Dockstar mount, 9 parts"], [0, 1]],
    ["2on1", ["2 on 1 trousers", "2-on-1 trousers"], [0, 1]],
    ["4x4", ["4x4 tyre"], [0]],
    // A quantity belongs to its unit.
    ["vr6", ["VR 6 engine", "VR engine 6V", "Engine 6 VR"], [0]],
    // A letter beside a word.
    ["xray", ["X Ray viewer", "X-ray viewer", "Xray viewer", "X viewer, ray"], [0, 1, 2]],
    ["x ray", ["X Ray viewer", "X-ray viewer", "Xray viewer"], [0, 1, 2]],
    ["vneck", ["V neck jumper", "V-neck jumper", "Neck warmer V", "Jumper VNECK"], [0, 1, 3]],
    ["vnecks", ["V neck jumper", "V necks"], [0, 1]],
    ["usb-d", ["USB-D-3.1 plug", "USB D plug", "USBD plug"], [0, 1, 2]],
    ["apart", ["A part of it", "Set apart"], [1]],
  ];
  for (const [query, titles, expected] of cases)
    it(`${query} is found in ${expected.map((i) => titles[i]).join(", ")} only`, async () =>
      expect(await finds(query, titles)).toEqual(expected));

  it("are found as they are typed", async () => {
    const titles = ["KZ-80F oven", "KZ 80F oven", "Kettle"];
    for (const query of ["kz", "kz-", "kz-80", "kz-80f", "kz 8", "kz 80"])
      expect((await finds(query, titles, { queryType: "prefixLast" })).filter((id) => id < 2)).toEqual([0, 1]);
  });

  it("are marked where they stand", async () => {
    const { index } = await plainShop({}, [{ id: 1, title: "Wing GT 3, X ray" }]);
    const marked = async (query: string): Promise<unknown> =>
      (await index.query({ query, attributesToHighlight: ["title"] })).data.hits[0]?._highlightResult;
    expect(JSON.stringify(await marked("gt3"))).toContain("Wing <em>GT</em> <em>3</em>, X ray");
    expect(JSON.stringify(await marked("xray"))).toContain("Wing GT 3, <em>X</em> <em>ray</em>");
  });

  it("are found the same wherever a long text is cut for indexing", async () => {
    const filler = "word ".repeat(405);
    for (let shift = 0; shift < 12; shift++)
      expect(await found([{ id: 1, text: `${filler}${"z".repeat(shift + 2)} x ray lamp ${filler}` }], "xray")).toEqual([
        "1",
      ]);
  });
});

it("the record of an exact code scores 1, whatever boosts raise or lower", async () => {
  const holder = { id: 2, title: "Holder of an AB-1207 drill", sold: 900 };
  const records = [{ id: 1, title: "Drill", sku: "AB-1207", sold: 0 }, holder];
  for (const weight of [1, -1]) {
    const { index } = await plainShop({ boosts: [{ attribute: "sold", weight, pivot: 1 }] }, records);
    const { hits } = (await index.query({ query: "ab 1207" })).data;
    expect([hits[0]?.id, hits[0]?.score]).toEqual(["1", 1]);
    expect(hits[1]?.score ?? 0).toBeLessThan(1);
  }
});
