import { describe, expect, it } from "vitest";
import { tradeNumber } from "../../src/analysis/identifier-terms.js";
import { SearchEngine } from "../../src/index.js";

describe("a trade number", () => {
  // Numbers printed in the GS1 and ISBN agencies' own explanations.
  for (const [number, expected] of [
    ["4006381333931", "04006381333931"],
    ["036000291452", "00036000291452"],
    ["73513537", "00000073513537"],
    ["0306406152", "09780306406157"],
    ["9780306406157", "09780306406157"],
    ["080442957x", "09780804429573"],
  ] as const)
    it(`${number} is told by its check digit`, () => expect(tradeNumber(number)).toBe(expected));

  for (const number of ["4006381333932", "036000291453", "0306406153", "12345", "", "abcdefgh", "08044295xx"])
    it(`${number} is none`, () => expect(tradeNumber(number)).toBeUndefined());

  it("finds its record in any of its forms, first", async () => {
    const index = await new SearchEngine().createIndex("books", { embedder: false });
    await index.addRecords([
      { id: 1, isbn: "0-306-40615-2", title: "A handbook" },
      { id: 2, ean: "0036000291452", title: "Tissues" },
      { id: 3, ean: "4006381333931", title: "Marker 9780306406157" },
    ]);
    const first = async (query: string): Promise<readonly unknown[]> => {
      const [hit] = (await index.query({ query })).data.hits;
      return [hit?.id, hit?.score];
    };
    expect(await first("978-0-306-40615-7")).toEqual(["1", 1]);
    expect(await first("036000291452")).toEqual(["2", 1]);
    expect(await first("4006381333932")).toEqual([undefined, undefined]);
  });
});
