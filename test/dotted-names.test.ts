import { describe, expect, it } from "vitest";
import { foundTitles } from "./support/found-titles.js";
import { plainShop } from "./support/plain-shop.js";

const OTHERS = ["Garden hose", "Attic ladder", "Abacus", "Oil can", "Size B boots", "Phone stand"];

describe("a name with dots, slashes, ampersands or apostrophes", () => {
  it.each<readonly [title: string, ...queries: string[]]>([
    ["A.B.C. blocks", "abc", "a.b.c", "a b c", "abc blocks", "A.B.C. blocks"],
    ["U.K. plug", "uk", "u.k.", "u k plug"],
    ["TCP/IP handbook", "tcpip", "tcp/ip", "tcp ip", "tcp-ip"],
    ["Vue.js primer", "vuejs", "vue js", "vue.js", "vue-js"],
    ["B&Q paint", "bq", "b&q", "b & q", "b and q", "b q", "b/q"],
    ["AT&T charger", "att", "at&t", "at & t", "at and t", "att charger"],
    ["O'Brien kit", "obrien", "o'brien", "o brien", "o’brien"],
    ["D'Angelico strings", "dangelico", "d angelico", "d'angelico"],
    ["Tom's shoes", "toms", "tom's", "tom shoes"],
    ["B&B's tea", "bbs", "b&bs", "b&b", "b and bs"],
    ["M.2 drive", "m2", "m.2", "m 2 drive"],
    ["Salt 'n' Pepper mill", "salt n pepper", "salt and pepper mill", "salt'n'pepper"],
    ["Salt'n'Pepper mill", "salt n pepper", "salt & pepper mill", "salt 'n' pepper"],
  ])("%s is found as it may be typed", async (title, ...queries) => {
    for (const query of queries) expect((await foundTitles([...OTHERS, title], query))[0], query).toBe(title);
  });

  it("is found where both spellings are there", async () => {
    const titles = ["O'Brien kit", "O Brien kit", "OBrien kit"];
    expect((await foundTitles(titles, "o'brien")).sort()).toEqual([...titles].sort());
    const letters = ["U.K. plug", "UK plug"];
    expect((await foundTitles(letters, "u k plug")).sort()).toEqual([...letters].sort());
  });

  it("is itself before words that only begin so", async () => {
    expect((await foundTitles(["Abcess plaster", "A.B.C. blocks"], "abc"))[0]).toBe("A.B.C. blocks");
  });

  it("leaves two words that are nowhere joined two words", async () => {
    const cables = ["HDMI cable", "USB cable", "Garden hose"];
    expect((await foundTitles(cables, "usb/hdmi cable")).sort()).toEqual(["HDMI cable", "USB cable"]);
    expect(await foundTitles(["Bottle 500ml/can", "Bottle 300 ml"], "500 ml bottle")).toEqual(["Bottle 500ml/can"]);
  });

  it("is highlighted", async () => {
    const { index } = await plainShop({}, [{ id: 1, title: "The M&M's and TCP/IP game" }]);
    const shown = async (query: string): Promise<string> =>
      JSON.stringify((await index.query({ query, attributesToHighlight: ["title"], escapeHTML: false })).data.hits[0]);
    expect(await shown("mms")).toContain("The <em>M&M's</em> and");
    expect(await shown("tcpip")).toContain("and <em>TCP/IP</em> game");
    expect(await shown("tcp/ip")).toContain("<em>TCP/IP</em>");
  });
});
