// What InstantSearch asks of a server, within the bounds of a key; and the pair of files in docs/examples, one asking the other.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { createInstantSearchClient } from "../../src/instantsearch.js";
import { type Credential, hashKey, instantSearchRequest } from "../../src/service.js";
import { ROOT } from "../support/source-tree.js";

const KEY = "a-random-key-of-16-characters-or-more";
const RECORDS = [
  { id: "1", title: "Cordless drill", brand: "Volt", tenant: "acme", price: 89 },
  { id: "2", title: "Drill stand", brand: "Forge", tenant: "acme", price: 39 },
  { id: "3", title: "Hammer drill", brand: "Secret", tenant: "evil", price: 9 },
];

async function shop(): Promise<SearchEngine> {
  const engine = new SearchEngine({ embedder: false, onWarning: () => {} });
  for (const name of ["shop", "hidden"]) {
    await engine.createIndex(name);
    await engine.addRecords(name, RECORDS);
  }
  return engine;
}

async function ask(body: unknown, more: Partial<Credential> = {}, headers: Record<string, string> = {}) {
  const credential = {
    ...{ applicationId: "app", keyHash: hashKey(KEY), permissions: ["search"], indexes: ["shop"] },
    ...{ filters: { tenant: "acme" } },
    ...more,
  };
  const replicas = { cheap: { indexName: "shop", sort: ["price:asc"] } };
  const own = { "content-type": "application/json", "x-search-application-id": "app", "x-search-api-key": KEY };
  const request = { headers: { ...own, ...headers }, body: JSON.stringify(body) };
  return instantSearchRequest(await shop(), request, { credentials: [credential], instantSearch: { replicas } });
}

describe("a request of InstantSearch", () => {
  it("is answered as by the client, of the records that the key sees", async () => {
    const requests = [{ indexName: "cheap", params: { query: "drill", facets: ["brand"] } }];
    const { status, body } = await ask({ requests });
    const seen = new SearchEngine({ embedder: false });
    await seen.createIndex("shop");
    await seen.addRecords("shop", RECORDS.slice(0, 2));
    const options = { replicas: { cheap: { indexName: "shop", sort: ["price:asc"] } } };
    const { results } = await createInstantSearchClient(seen, options).search(requests);
    const untimed = (all: readonly object[]) => all.map((result) => ({ ...result, processingTimeMS: 0 }));
    expect(status).toBe(200);
    expect(untimed(body.data!.results)).toEqual(untimed(results));
    expect(results[0]).toMatchObject({ nbHits: 2, facets: { brand: { Volt: 1, Forge: 1 } } });
  });

  it("finds values of facets and similar records within the bounds, too", async () => {
    const facets = await ask({
      method: "searchForFacetValues",
      requests: [{ indexName: "shop", params: { facetName: "brand", facetQuery: "" } }],
    });
    expect(facets.body.data!.results).toMatchObject([{ facetHits: [{ value: "Forge" }, { value: "Volt" }] }]);
    const similar = await ask({
      method: "getRecommendations",
      requests: [{ indexName: "shop", model: "related-products", objectID: "1" }],
    });
    expect(similar.body.data!.results).toMatchObject([{ nbHits: 1, hits: [{ objectID: "2" }] }]);
    const hidden = [{ indexName: "shop", model: "related-products", objectID: "3" }];
    expect((await ask({ method: "getRecommendations", requests: hidden })).status).toBe(404);
  });

  it("is refused where the key, the index, a parameter or the body is wrong", async () => {
    const requests = [{ indexName: "shop", params: { query: "drill", clickAnalytics: true } }];
    for (const [body, more, headers, status, error] of [
      [{ requests }, {}, { "x-search-api-key": "another-key-of-16-characters" }, 401, "invalid_credentials"],
      [{ requests }, { permissions: [] }, {}, 403, "forbidden"],
      [{ requests: [{ indexName: "hidden" }] }, {}, {}, 403, "forbidden"],
      [{ requests: [...requests, { indexName: "hidden" }] }, {}, {}, 403, "forbidden"],
      [
        { requests: [{ indexName: "shop", params: { boosts: [] } }] },
        { parameters: [] },
        {},
        403,
        "parameter_not_allowed",
      ],
      [{ requests: [{ indexName: "shop", params: { filters: "tenant:" } }] }, {}, {}, 400, "invalid_filter"],
      [{ requests }, {}, { "content-type": "text/plain" }, 415, "unsupported_media_type"],
      [{ requests: 7 }, {}, {}, 400, "invalid_parameter"],
      [{ requests, method: "deleteObject" }, {}, {}, 400, "invalid_parameter"],
      [{ requests, filters: "x:1" }, {}, {}, 400, "invalid_parameter"],
    ] as const) {
      const answer = await ask(body, more as Partial<Credential>, headers as Record<string, string>);
      expect([answer.status, (answer.body as { error?: string }).error], JSON.stringify(body)).toEqual([status, error]);
    }
    // What has no meaning here is no parameter that a key could allow.
    expect((await ask({ requests }, { parameters: [] })).status).toBe(200);
  });
});

it("the page and the server of docs/examples understand each other", async () => {
  const program = `
    import { once } from "node:events";
    import { SearchEngine } from "tandem-search";
    import { hashKey } from "tandem-search/service";
    import { instantSearchServer } from "./docs/examples/instantsearch-server.mjs";
    import { searchClientFor } from "./docs/examples/instantsearch-client.mjs";
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("shop");
    await engine.addRecords("shop", ${JSON.stringify(RECORDS)});
    const apiKey = ${JSON.stringify(KEY)};
    const credential = { applicationId: "app", keyHash: hashKey(apiKey), permissions: ["search"], indexes: ["shop"] };
    const server = instantSearchServer(engine, { credentials: [credential] });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = "http://127.0.0.1:" + server.address().port + "/search";
    const client = searchClientFor(url, { applicationId: "app", apiKey });
    const { results } = await client.search([{ indexName: "shop", params: { query: "drill", hitsPerPage: 1 } }]);
    const [{ facetHits }] = await client.searchForFacetValues([
      { indexName: "shop", params: { facetName: "brand", facetQuery: "fo" } },
    ]);
    const failed = await client.search([{ indexName: "other" }]).catch((error) => error.message);
    console.log(JSON.stringify([results[0].nbHits, results[0].hits[0].objectID, facetHits, failed]));
    server.close();
    server.closeAllConnections();
    await engine.close();`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: ROOT,
  });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual([
    3,
    "1",
    [{ value: "Forge", highlighted: "<em>Fo</em>rge", count: 1 }],
    "The key does not allow searching this index.",
  ]);
});
