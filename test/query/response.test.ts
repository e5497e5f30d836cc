import { expect, it } from "vitest";
import { buildAnswer } from "../../src/query/response.js";

it("gives the documented keys in the documented order, and nothing more", () => {
  const data = {
    hits: [{ id: "1", score: 0.5, source: { id: 1 } }],
    processingTimeMS: 1,
    serverTimeMS: 2,
    hitsPerPage: 12,
    page: 1,
    nbHits: 1,
    recallSource: ["fullTextSearch" as const],
    indexUse: "products",
    query: "drill",
    extra: "not asked for",
  };
  expect(JSON.stringify(buildAnswer(data))).toBe(
    '{"msg":"success","code":200,"data":{"query":"drill","indexUse":"products","recallSource":["fullTextSearch"],' +
      '"nbHits":1,"page":1,"hitsPerPage":12,"serverTimeMS":2,"processingTimeMS":1,' +
      '"hits":[{"id":"1","score":0.5,"source":{"id":1}}]}}',
  );
});

it("tells offset and length behind the page, where they were asked for", () => {
  const data = {
    query: "",
    indexUse: "a",
    recallSource: [],
    nbHits: 0,
    page: 3,
    hitsPerPage: 5,
    offset: 12,
    length: 5,
  };
  const { data: told } = buildAnswer({ ...data, serverTimeMS: 0, processingTimeMS: 0, hits: [] });
  expect(Object.keys(told).join(" ")).toBe(
    "query indexUse recallSource nbHits page hitsPerPage offset length serverTimeMS processingTimeMS hits",
  );
});
