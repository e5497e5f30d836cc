// One request as data in, data out: what is decided in which order, and what no key can leave.

import { beforeAll, describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/api/search-engine.js";
import type { SearchAnswer } from "../../src/query/response.js";
import {
  answerRequest,
  type MultiAnswer,
  type ServiceAccess,
  type ServiceAnswer,
  type ServiceEvent,
  type ServiceRequest,
} from "../../src/service/answer-request.js";
import { type Credential, hashKey } from "../../src/service/credentials.js";
import { SearchError } from "../../src/util/errors.js";
import { rejectionOf, thrownBy } from "../support/refusal.js";

const KEY = "key-0123456789abcdef";
const credential = (more: Partial<Credential> = {}): Credential => ({
  applicationId: "app",
  keyHash: hashKey(KEY),
  permissions: ["search"],
  name: "test",
  ...more,
});

let engine: SearchEngine;
beforeAll(async () => {
  engine = new SearchEngine({ embedder: false });
  const shop = await engine.createIndex("shop");
  await shop.addRecords(
    Array.from({ length: 30 }, (_, i) => ({ id: i, title: `lamp ${i}`, tenant: "abc"[i % 3]!, price: i })),
  );
});

const HEADERS = { "x-search-application-id": "app", "x-search-api-key": KEY, "content-type": "application/json" };

interface Asked extends Partial<ServiceRequest> {
  readonly access?: Partial<ServiceAccess>;
}

/** Asks once with a right request, of which some parts are changed; the answer in short, with its event. */
async function ask(params: unknown, { access, ...request }: Asked = {}) {
  const events: ServiceEvent[] = [];
  const body = typeof params === "object" && params !== null ? JSON.stringify(params) : (params as string);
  const whole = { indexName: "shop", headers: HEADERS, body, ...request };
  const all: ServiceAccess = { credentials: [credential()], onRequest: (event) => events.push(event), ...access };
  // The answers of other operations are looked at as data.
  const answer = (await answerRequest(engine, whole, all)) as ServiceAnswer<SearchAnswer>;
  expect(events).toHaveLength(1);
  const { status, headers } = answer;
  const { error = "none", msg, data } = answer.body as { error?: string; msg: string; data: { nbHits: number } | null };
  const ids = (answer.body.data?.hits ?? []).map(({ id }) => Number(id));
  return { status, headers, error, msg, nbHits: data?.nbHits, data: answer.body.data, ids, event: events[0]! };
}
/** As {@link ask}, with a key of these properties. */
const askAs = (own: Partial<Credential>, params: unknown, more: Asked = {}) =>
  ask(params, { ...more, access: { credentials: [credential(own)], ...more.access } });

async function* pieces(...chunks: (string | Uint8Array)[]) {
  for (const chunk of chunks) yield chunk;
}
const never = (): Promise<never> => new Promise(() => {});

describe("hashKey", () => {
  it("is the SHA-256 of the UTF-8 bytes", () => {
    // printf %s 0123456789abcdef | sha256sum
    expect(hashKey("0123456789abcdef")).toBe("sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f");
  });

  it.each(["short", "", undefined, 1234567890123456])("refuses %j, and does not show it", (weak) => {
    const { code, error, msg } = thrownBy(() => hashKey(weak as string));
    expect([code, error]).toEqual([400, "invalid_key"]);
    expect(msg).not.toContain("short");
  });
});

describe("what is decided before the body is read", () => {
  const unread = {
    async *[Symbol.asyncIterator]() {
      yield await Promise.reject<string>(new Error("the body was read"));
    },
  };
  const table: [what: string, asked: Asked, status: number, error: string][] = [
    ["another method", { method: "GET" }, 405, "method_not_allowed"],
    ["another operation", { operation: "deleteIndex", headers: {} }, 404, "unknown_operation"],
    ["no headers", { headers: {} }, 401, "invalid_credentials"],
    ["a wrong key", { headers: { ...HEADERS, "x-search-api-key": `${KEY}x` } }, 401, "invalid_credentials"],
    ["a hash as the key", { headers: { ...HEADERS, "x-search-api-key": hashKey(KEY) } }, 401, "invalid_credentials"],
    ["a key twice", { headers: { ...HEADERS, "X-Search-Api-Key": KEY } }, 401, "invalid_credentials"],
    [
      "a key twice, joined",
      { headers: { ...HEADERS, "x-search-api-key": `${KEY}, ${KEY}` } },
      401,
      "invalid_credentials",
    ],
    [
      "a key past its time",
      { access: { credentials: [credential({ validUntil: "2020-01-01T00:00:00Z" })] } },
      401,
      "key_expired",
    ],
    ["no permission", { access: { credentials: [credential({ permissions: [] })] } }, 403, "forbidden"],
    [
      "an index that is not covered",
      { access: { credentials: [credential({ indexes: ["shop_*"] })] } },
      403,
      "forbidden",
    ],
    ["another media type", { headers: { ...HEADERS, "content-type": "text/plain" } }, 415, "unsupported_media_type"],
    [
      "another charset",
      { headers: { ...HEADERS, "content-type": 'application/json; a="; charset=utf-8"; charset=latin1' } },
      415,
      "unsupported_media_type",
    ],
  ];
  const operations = ["query", "searchForFacetValues", "similar", "suggest", "multiQuery"];
  it.each(table)("%s", async (_, asked, status, error) => {
    for (const operation of asked.operation === undefined ? operations : [asked.operation]) {
      const answer = await ask("", { body: unread, ...asked, operation });
      expect([operation, answer.status, answer.error]).toEqual([operation, status, error]);
      expect(answer.event).toMatchObject({ indexName: "shop", status, error });
      expect(answer.event).not.toHaveProperty("queries");
    }
  });

  it("takes headers in any case, as lists of one, and as the class of fetch", async () => {
    const upper = Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const headers of [
      upper,
      new Headers(HEADERS),
      { ...HEADERS, "content-type": 'Application/JSON ; v=1; CharSet="UTF-8"' },
    ])
      expect((await ask({ query: "lamp" }, { headers })).status).toBe(200);
  });

  it("covers names and beginnings of names, literally", async () => {
    const statusOf = async (indexName: string, ...indexes: string[]) =>
      (await askAs({ indexes }, { query: "" }, { indexName })).status;
    expect(await statusOf("shop", "sh*")).toBe(200);
    expect(await statusOf("shop", "*")).toBe(200);
    expect(await statusOf("shop")).toBe(403);
    expect(await statusOf("shop", "s.op", "*op", "SHOP", "sho", "shop_*")).toBe(403);
  });

  it("knows keys from a function, and believes it no other application", async () => {
    const asked: string[] = [];
    const credentials = async (id: string) => {
      asked.push(id);
      return [credential({ applicationId: "other" }), credential()];
    };
    expect((await ask({ query: "" }, { access: { credentials } })).status).toBe(200);
    const other = { ...HEADERS, "x-search-application-id": "another" };
    expect((await ask({ query: "" }, { headers: other, access: { credentials } })).error).toBe("invalid_credentials");
    expect(asked).toEqual(["app", "another"]);
  });

  const broken: [string, Partial<Credential>][] = [
    ["an instant that cannot be read", { validUntil: "tomorrow" }],
    ["an instant without a zone", { validUntil: "2099-01-01T00:00:00" }],
    ["permissions that are no list", { permissions: "search" as unknown as string[] }],
    ["a page size below 0", { maxHitsPerPage: -1 }],
    ["a filter that cannot be parsed", { filters: "tenant:secret OR" }],
    ["a filter of an unknown attribute", { filters: { secret: 1 } }],
  ];
  it.each(broken)("closes a key with %s, and tells the server alone", async (_, own) => {
    const { status, error, msg, event } = await askAs(own, { query: "" });
    expect([status, error]).toEqual([500, "internal_error"]);
    expect(msg).not.toContain("secret");
    expect(event.cause).toBeInstanceOf(SearchError);
  });
});

describe("the body", () => {
  const bytes = new TextEncoder().encode('{"query":"lämp 東京","hitsPerPage":2}');
  const bodies: [string, ServiceRequest["body"]][] = [
    ["text", new TextDecoder().decode(bytes)],
    ["bytes", bytes],
    ["single bytes", pieces(...Array.from(bytes, (byte) => Uint8Array.of(byte)))],
    ["text and bytes", pieces('{"query":"l', bytes.subarray(11, 19), "", new TextDecoder().decode(bytes.subarray(19)))],
    ["a byte order mark", `\ufeff${new TextDecoder().decode(bytes)}`],
    ["parsed", { query: "lämp 東京", hitsPerPage: 2 }],
    ["with __proto__", '{"__proto__":{"page":9},"query":"lämp 東京","hitsPerPage":2}'],
  ];
  it.each(bodies)("is read as %s", async (_, body) => {
    const { status, data } = await ask("", { body });
    expect([status, data?.query, data?.hitsPerPage, data?.page]).toEqual([200, "lämp 東京", 2, 1]);
  });

  const refused: [string, ServiceRequest["body"], number, string][] = [
    ["nothing", undefined, 400, "invalid_json"],
    ["a cut character", bytes.subarray(0, 12), 400, "invalid_json"],
    ["a cut character before text", pieces(bytes.subarray(0, 12), '"}'), 400, "invalid_json"],
    ["a lone surrogate", '{"query":"\ud800"}', 400, "invalid_json"],
    ["two byte order marks", "\ufeff\ufeff{}", 400, "invalid_json"],
    ["a list", "[]", 400, "invalid_request"],
    ["too many bytes", `{"query":"${"é".repeat(32_768)}"}`, 413, "body_too_large"],
    ["too many bytes, broken", pieces(Uint8Array.of(0xff), " ".repeat(65_536)), 413, "body_too_large"],
  ];
  it.each(refused)("is refused: %s", async (_, body, status, error) => {
    const answer = await ask("", { body });
    expect([answer.status, answer.error]).toEqual([status, error]);
  });

  it("is let go once when it is too large, and read no further", async () => {
    let [nexts, returns] = [0, 0];
    const endless = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          nexts++;
          return { done: false as const, value: " ".repeat(10_000) };
        },
        return: () => {
          returns++;
          return never();
        },
      }),
    };
    expect((await ask("", { body: endless })).error).toBe("body_too_large");
    expect([nexts, returns]).toEqual([7, 1]);
  });

  it("of which reading fails is the server's fault, and the cause is told", async () => {
    const cause = new SearchError(404, "index_not_found", "of another engine");
    const { error, event } = await ask("", {
      body: {
        async *[Symbol.asyncIterator]() {
          yield "{";
          throw cause;
        },
      },
    });
    expect(error).toBe("internal_error");
    expect((event.cause as Error).cause).toBe(cause);
  });
});

describe("what a key allows", () => {
  const all = { query: "", hitsPerPage: 100 };
  const encoded = (filters: string) => ({ params: `query=&hitsPerPage=100&filters=${encodeURIComponent(filters)}` });

  it("confines what is near to its filter", async () => {
    await engine.createIndex("places");
    const place = { lat: 48, lng: 11 };
    await engine.addRecords("places", [
      { id: "a", tenant: "a", _geoloc: place },
      { id: "b", tenant: "b", _geoloc: place },
    ]);
    const near = { aroundLatLng: "48,11", aroundRadius: 5, insideBoundingBox: [[49, 10, 47, 12]] };
    const asked = { indexName: "places", headers: HEADERS, body: JSON.stringify({ query: "", ...near }) };
    const { body } = await answerRequest(engine, asked, { credentials: [credential({ filters: "tenant:a" })] });
    expect(body).toMatchObject({ data: { nbHits: 1, hits: [{ id: "a", _geoDistance: 0 }] } });
  });

  it.each([
    "tenant:b) OR (tenant:b",
    ") OR (",
    "tenant:b OR",
    '"',
  ])("refuses %j as the engine does", async (filters) => {
    const { msg, error } = await rejectionOf(engine.query("shop", { query: "", filters }));
    for (const params of [{ ...all, filters }, encoded(filters)])
      expect(await askAs({ filters: "tenant:a" }, params)).toMatchObject({ status: 400, error, msg });
  });

  it("clamps the page, also the default one, and says so", async () => {
    for (const params of [{ query: "" }, { query: "", hitsPerPage: 6 }, { params: "query=&hitsPerPage=500" }]) {
      const { data } = await askAs({ maxHitsPerPage: 5 }, params);
      expect([data?.hitsPerPage, data?.hits.length]).toEqual([5, 5]);
    }
    expect((await askAs({ maxHitsPerPage: 5 }, { query: "", hitsPerPage: 7.5 })).error).toBe("invalid_hits_per_page");
  });

  it("clamps the length, also the default one, and says so", async () => {
    const parameters = ["facets"];
    for (const params of [
      { query: "", offset: 6 },
      { query: "", offset: 6, length: 9 },
      { params: "query=&offset=6&length=1000" },
    ]) {
      const { data } = await askAs({ maxHitsPerPage: 5, parameters }, params);
      expect(data).toMatchObject({ page: 2, hitsPerPage: 5, offset: 6, length: 5 });
      expect(data?.hits.length).toBe(Math.min(5, Math.max(0, data!.nbHits - 6)));
    }
    const { data } = await askAs({ maxHitsPerPage: 0 }, { query: "", offset: 6 });
    expect(data).toMatchObject({ page: 1, hitsPerPage: 0, offset: 6, length: 0, hits: [] });
  });

  it("is not left by the rules of the index", async () => {
    const params = { hitsPerPage: 20, explain: true, facets: ["tenant"], attributesToRetrieve: ["*"] };
    const promote = [0, 1, 2].map((id) => ({ id, position: 0 }));
    const shop = engine.index("shop");
    await shop.updateSettings({ rules: [{ id: "r", consequence: { promote, params } }] });
    const own = { maxHitsPerPage: 5, filters: { tenant: "b" } };
    const { data } = await askAs(own, { query: "" });
    expect([data?.hitsPerPage, data?.nbHits, data?.hits.map(({ id }) => id)]).toEqual([
      5,
      10,
      ["1", "10", "13", "16", "19"],
    ]);
    expect([data?.facets, data?.hits[0]?.explanation]).toEqual([{ tenant: [{ value: "b", count: 10 }] }, undefined]);
    expect((await askAs(own, { query: "lamp 0" })).ids).toHaveLength(5);
    await shop.updateSettings({ rules: [{ id: "r", consequence: { params: { length: 20 } } }] });
    expect((await askAs(own, { query: "" })).data).toMatchObject({ hitsPerPage: 5, offset: 0, length: 5 });
    await shop.updateSettings({ rules: [] });
  });

  it("names the parameter that is not allowed, in both forms", async () => {
    const parameters = ["facets"];
    for (const params of [
      { query: "", filters: "x" },
      { params: "query=&fil%74ers=x" },
      { params: "filters", page: 1 },
    ]) {
      const { status, error, msg } = await askAs({ parameters }, params);
      expect([status, error]).toEqual([403, "parameter_not_allowed"]);
      expect(msg).toContain("filters");
    }
    expect((await askAs({ parameters }, { query: "", facets: ["tenant"], page: 2 })).status).toBe(200);
  });

  it("warns onWarning of what a stranger sent", async () => {
    const warnings: string[] = [];
    const warned = new SearchEngine({ embedder: false, onWarning: ({ param }) => warnings.push(param!) });
    await warned.createIndex("shop");
    const asked = { indexName: "shop", headers: HEADERS, body: '{"query":"","odd":1}' };
    expect((await answerRequest(warned, asked, { credentials: [credential()] })).status).toBe(200);
    expect(warnings).toEqual(["odd"]);
  });

  it("warns the process of nothing that a stranger sent", async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on("warning", listen);
    const quiet = new SearchEngine({ embedder: false });
    await quiet.createIndex("shop");
    const asked = { indexName: "shop", headers: HEADERS, body: '{"query":"","odder":1}' };
    expect((await answerRequest(quiet, asked, { credentials: [credential()] })).status).toBe(200);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", listen);
    expect(warnings).toEqual([]);
  });
});

describe("an answer that does not come", () => {
  const limits = { timeoutMs: 30 };
  it.each([
    ["the body", { body: { [Symbol.asyncIterator]: () => ({ next: never }) }, access: { limits } }],
    ["the credentials", { access: { limits, credentials: never } }],
  ] as [string, Asked][])("is given up when the time is over: %s", async (_, asked) => {
    const { status, error, headers } = await ask({ query: "" }, asked);
    expect([status, error, headers["retry-after"]]).toEqual([503, "timed_out", "1"]);
  });

  it.each([
    ["texts", "", "async"],
    ["bytes", new Uint8Array(), "async"],
    ["texts at once", "", "sync"],
  ])("is given up when the body's pieces are empty and never wait: %s", async (_, value, kind) => {
    const result = { done: false as const, value };
    let returns = 0;
    const next = (): unknown => (kind === "async" ? Promise.resolve(result) : result);
    const iterator = { next, return: async () => ({ done: true as const, value: returns++ }) };
    const body = { [Symbol.asyncIterator]: () => iterator };
    expect((await ask("", { body, access: { limits } })).error).toBe("timed_out");
    const gone = new AbortController();
    setTimeout(() => gone.abort(), 5);
    expect((await ask("", { body, signal: gone.signal })).error).toBe("aborted");
    expect(returns).toBe(2);
  });

  it("is given up when the client is gone, and leaves no listener", async () => {
    const gone = new AbortController();
    const asked = ask({ query: "" }, { signal: gone.signal, access: { credentials: never } });
    gone.abort();
    expect(await asked).toMatchObject({ status: 499, error: "aborted" });
    expect((await ask({ query: "" }, { signal: gone.signal })).error).toBe("aborted");
    expect((await ask({ query: "" }, { signal: gone.signal, method: "GET" })).error).toBe("method_not_allowed");
  });

  it("is 503 of a closed engine", async () => {
    const closed = new SearchEngine({ embedder: false });
    await closed.close();
    const asked = { indexName: "shop", headers: HEADERS, body: '{"query":""}' };
    const { status, body } = await answerRequest(closed, asked, { credentials: [credential()] });
    expect([status, (body as { error: string }).error]).toEqual([503, "closed"]);
  });
});

describe("access", () => {
  const RIGHT = { credentials: [] };
  const UNKNOWN = "option of access";
  const table: [access: object, param: string, msg: string][] = [
    [{}, "credentials", "credentials"],
    [{ credentials: "all" }, "credentials", "credentials"],
    [{ ...RIGHT, limits: { timeoutMs: 0 } }, "limits.timeoutMs", "timeoutMs"],
    [{ ...RIGHT, limits: { timeoutMs: 2 ** 31 } }, "limits.timeoutMs", "timeoutMs"],
    [{ ...RIGHT, limits: { bodyBytes: -1 } }, "limits.bodyBytes", "bodyBytes"],
    [{ ...RIGHT, onRequest: 5 }, "onRequest", "onRequest"],
    [{ ...RIGHT, credential: [] }, "credential", `${UNKNOWN} "credential" is unknown; did you mean "credentials"?`],
    [{ ...RIGHT, limit: {} }, "limit", `${UNKNOWN} "limit" is unknown; did you mean "limits"?`],
    [{ ...RIGHT, onrequest: () => {} }, "onrequest", `${UNKNOWN} "onrequest" is unknown; did you mean "onRequest"?`],
    [{ ...RIGHT, secret: 1 }, "secret", "is unknown; known are credentials, instantSearch, limits, onRequest."],
    [{ ...RIGHT, limits: { timeout: 9 } }, "limits.timeout", `${UNKNOWN}.limits "timeout" is unknown; did you mean`],
  ];
  it.each(table)("that is wrong is refused whatever the request is: %j", async (access, param, msg) => {
    const error = await rejectionOf(answerRequest(engine, { indexName: "shop" }, access as ServiceAccess));
    expect(error).toMatchObject({ code: 400, error: "invalid_option", param });
    expect(error.msg).toContain(msg);
  });

  it("may have options that are undefined", async () => {
    const access = { credentials: [], limit: undefined, limits: { bodybytes: undefined } };
    expect((await answerRequest(engine, { indexName: "shop" }, access as ServiceAccess)).status).toBe(401);
  });

  it("may have an onRequest that throws, rejects or changes the event", async () => {
    for (const onRequest of [
      () => {
        throw new Error("x");
      },
      async () => {
        throw new Error("x");
      },
      (event: { status: number }) => {
        event.status = 1;
      },
    ])
      expect((await answerRequest(engine, { indexName: "shop" }, { credentials: [], onRequest })).status).toBe(401);
  });
});

describe("each operation", () => {
  const NEAR_3 = "9: 0 12 15 18 21 24 27 6 9";
  const FEW = { filters: "price < 10" };
  const BRAND = { facetName: "tenant" };
  const A = { filters: { tenant: "a" } };
  const BROKEN = { filters: "tenant:secret) OR (" };
  const page = (maxHitsPerPage: number) => ({ maxHitsPerPage });
  const only = (...parameters: string[]) => ({ parameters });
  const OPERATIONS: Record<string, [own: Partial<Credential>, params: object, said: string][]> = {
    query: [],
    searchForFacetValues: [
      [{}, BRAND, "a 10, b 10, c 10"],
      [{}, { ...BRAND, ...FEW, facetQuery: "b", query: "lamp" }, "b 3"],
      [{}, { params: "facetName=tenant&maxFacetHits=2&filters=price%3C10&facetFilters=price:1" }, "b 1"],
      [A, BRAND, "a 10"],
      [A, { ...BRAND, filters: "tenant:b" }, ""],
      // What was chosen of a facet hides none of its other values.
      [A, { ...BRAND, facetFilters: [["tenant:b"]] }, "a 10"],
      [A, { ...BRAND, query: "lamp 1" }, "a 3"],
      [A, { ...BRAND, facetQuery: "b" }, ""],
      [BROKEN, BRAND, "500 internal_error"],
      [page(2), BRAND, "a 10, b 10"],
      [page(2), { ...BRAND, maxFacetHits: 1 }, "a 10"],
      [only("facets"), BRAND, "403 parameter_not_allowed"],
      [only("facetName", "facetQuery"), BRAND, "a 10, b 10, c 10"],
      [only("facetName", "facetQuery"), { ...BRAND, maxFacetHits: 1 }, "403 parameter_not_allowed"],
      [{}, {}, "400 invalid_parameter"],
      [{}, { facetName: "tennant" }, "400 unknown_field"],
    ],
    similar: [
      [{}, { of: 3, hitsPerPage: 4, ...FEW }, "9: 0 1 2 4"],
      [{}, { of: 3, params: "hitsPerPage=4&filters=price%3C10" }, "9: 0 1 2 4"],
      [{}, { of: { like: ["3", 4], unlike: [5] }, ...FEW, hitsPerPage: 0 }, "7: "],
      [A, { of: 3 }, NEAR_3],
      [A, { of: 3, filters: "tenant:b" }, "0: "],
      [A, { of: 4 }, "404 record_not_found"],
      [A, { of: [3, 4] }, "404 record_not_found"],
      [A, { of: { like: [3], unlike: [4] } }, "404 record_not_found"],
      [page(2), { of: 3, ...FEW }, "9: 0 1"],
      [page(2), { of: 3, ...FEW, offset: 1, length: 9 }, "9: 1 2"],
      [only(), { of: 3 }, "403 parameter_not_allowed"],
      [only("of"), { of: 3, page: 9 }, "29: "],
      [only("of"), { of: 3, filters: "" }, "403 parameter_not_allowed"],
      [{}, { of: { like: [] } }, "400 invalid_id"],
      [{}, { of: 3, query: "lamp" }, "400 invalid_parameter"],
      [{}, { of: 3, params: "page=1", page: 1 }, "400 params_not_alone"],
    ],
    suggest: [
      [{}, { query: "la" }, "lamp 30"],
      [{}, { params: "query=la&hitsPerPage=1&filters=price%3C10&facet=tenant" }, "lamp 10 in 3"],
      [BROKEN, { query: "la" }, "500 internal_error"],
      [page(1), { query: "l", hitsPerPage: 9 }, "lamp 30"],
      [page(1), { query: "l", facet: "tenant" }, "lamp 30 in 1"],
      [only(), { query: "l" }, "lamp 30"],
      [only(), { query: "l", facet: "tenant" }, "403 parameter_not_allowed"],
      [{}, { query: "l", facetFilters: [] }, "400 unknown_parameter"],
    ],
    multiQuery: [],
  };

  /** The values, the suggestions, or the hits with their number; of a refusal its error. */
  const saidBy = ({ status, error, data, nbHits, ids }: Awaited<ReturnType<typeof ask>>): string => {
    if (status !== 200) return `${status} ${error}`;
    const { facetHits, suggestions } = data as unknown as {
      facetHits?: { value: string; count: number }[];
      suggestions?: { text: string; nbHits: number; in?: unknown[] }[];
    };
    if (facetHits !== undefined) return facetHits.map(({ value, count }) => `${value} ${count}`).join(", ");
    const [first] = suggestions ?? [];
    if (first !== undefined) return `${first.text} ${first.nbHits}${first.in ? ` in ${first.in.length}` : ""}`;
    return `${nbHits}: ${ids.join(" ")}`;
  };

  const rows = Object.entries(OPERATIONS).flatMap(([operation, all]) => all.map((row) => [operation, ...row] as const));
  it.each(rows)("%s, with a key of %j, of %j", async (operation, own, params, said) => {
    const answer = await askAs(own, params, { operation });
    expect(saidBy(answer)).toBe(said);
    expect(answer.event).toMatchObject({ operation, indexName: "shop", status: answer.status });
    expect(JSON.stringify(answer.data)).not.toContain("secret");
  });

  it.each([
    ["a large body", `{"requests":["${"x".repeat(65_536)}"]}`, "413 body_too_large"],
    ["a list", "[]", "400 invalid_request"],
  ])("is refused with %s", async (_, body, said) => {
    for (const operation of Object.keys(OPERATIONS))
      expect([operation, saidBy(await ask(body, { operation }))]).toEqual([operation, said]);
  });

  it("shows a key with a filter no explanation of similar records", async () => {
    const { data } = await askAs(A, { of: 3, explain: true }, { operation: "similar" });
    expect(data!.hits[0]).not.toHaveProperty("explanation");
  });

  it.each(["addRecords", "toString", "__proto__", "", "QUERY", "query/", 5, null])("%j is none", async (operation) => {
    expect(saidBy(await ask({ query: "lamp" }, { operation: operation as string }))).toBe("404 unknown_operation");
  });

  it("is named by the request, never by the body", async () => {
    const answer = await ask({ query: "lamp", facetName: "tenant", operation: "searchForFacetValues" });
    expect(answer.nbHits).toBe(30);
    expect(answer.event).not.toHaveProperty("operation");
  });
});

describe("several queries", () => {
  const operation = "multiQuery";
  const indexName = "*";
  beforeAll(async () => {
    const other = await engine.createIndex("other_shop");
    await other.addRecords([{ id: 1, title: "lamp", tenant: "a" }]);
    await (await engine.createIndex("bare")).addRecords([{ id: 1, title: "lamp" }]);
  });
  const resultsOf = ({ data }: Awaited<ReturnType<typeof ask>>) => (data as unknown as MultiAnswer["data"]).results;
  /** Without what differs between two calls of the same query. */
  const timeless = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll(/"\w+TimeMS":\d+/g, '"time":0'));

  const QUERIES: readonly unknown[] = [
    { indexName: "shop", query: "lamp 7", hitsPerPage: 3 },
    { indexName: "shop", params: "query=lamp&page=2&hitsPerPage=500" },
    { indexName: "shop", params: "query=lamp&facets=tenant" },
    { indexName: "shop", query: "", filters: "tenant:b", explain: true },
    { indexName: "shop", query: "lamp", facets: ["tenant"], facetFilters: [["tenant:b", "tenant:a"]] },
    { indexName: "shop", query: "", offset: 5, length: 20 },
    { indexName: "shop", query: "x", page: 0 },
    { indexName: "shop", query: "x", filters: "secret:1" },
    { indexName: "shop", query: "x", params: "query=y" },
    { indexName: "shop" },
    { indexName: "other_shop", query: "lamp" },
    { indexName: "bare", query: "lamp" },
    { indexName: "shops", query: "lamp" },
    { indexName: "__proto__", query: "lamp" },
    { indexName: "*", query: "lamp" },
    { indexName: "", query: "lamp" },
  ];
  const KEYS: Record<string, Partial<Credential>> = {
    all: {},
    "one index": { indexes: ["shop"] },
    "no index": { indexes: [] },
    "the beginning of a name": { indexes: ["other*"] },
    "a filter": { filters: { tenant: "a" } },
    "a filter that cannot be parsed": { filters: "tenant:secret OR" },
    "a small page": { maxHitsPerPage: 2 },
    "few parameters": { parameters: ["filters"] },
    "all of these": { indexes: ["shop", "bare"], filters: "tenant:a", maxHitsPerPage: 4, parameters: ["explain"] },
  };
  it.each(Object.entries(KEYS))("are each answered, or refused, as it would be alone: %s", async (_, own) => {
    const answer = await askAs(own, { requests: QUERIES }, { operation, indexName });
    expect([answer.status, answer.msg]).toEqual([200, "success"]);
    const events = answer.event.queries!;
    for (const [i, result] of resultsOf(answer).entries()) {
      const { indexName: name, ...params } = QUERIES[i] as { indexName: string };
      const events: ServiceEvent[] = [];
      const access = { credentials: [credential(own)], onRequest: (event: ServiceEvent) => events.push(event) };
      const request = { indexName: name, headers: HEADERS, body: JSON.stringify(params) };
      const alone = await answerRequest(engine, request, access);
      expect([QUERIES[i], timeless(result)]).toEqual([QUERIES[i], timeless(alone.body)]);
      const { applicationId: _id, credential: _name, milliseconds: _time, ...told } = events[0]!;
      expect(answer.event.queries![i]).toEqual(told);
    }
    expect(events).toHaveLength(QUERIES.length);
    expect(answer.event).toMatchObject({ operation, indexName, status: 200, applicationId: "app" });
  });

  it("put what is no query, and a query without an index, in its place", async () => {
    const requests = [5, null, [], "lamp", { query: "lamp" }, { indexName: 5, query: "lamp" }, QUERIES[0]];
    const codesOf = async (own: Partial<Credential>) =>
      resultsOf(await askAs(own, { requests }, { operation, indexName })).map((each) => each.code);
    expect(await codesOf({})).toEqual([400, 400, 400, 400, 404, 404, 200]);
    expect(await codesOf({ indexes: ["shop"] })).toEqual([400, 400, 400, 400, 403, 403, 200]);
  });

  it("are refused as a whole where there is no list of at most 50", async () => {
    const query = { indexName: "shop", query: "", hitsPerPage: 0 };
    const wrong = [
      {},
      { requests: "lamp" },
      { requests: query },
      { requests: [query], strategy: "stopIfEnoughMatches" },
    ];
    for (const body of [...wrong, { requests: Array(51).fill(query) }])
      expect((await ask(body, { operation, indexName })).error, Object.keys(body).join()).toBe("invalid_parameter");
    expect(resultsOf(await ask({ requests: Array(50).fill(query) }, { operation, indexName }))).toHaveLength(50);
    expect(resultsOf(await ask({ requests: [] }, { operation, indexName }))).toEqual([]);
    expect((await ask({ requests: [query] }, { operation, indexName: "shop" })).status).toBe(200);
  });

  it("leave __proto__ out, as a query alone does", async () => {
    const body = '{"requests":[{"indexName":"shop","__proto__":{"page":9},"query":"lamp"}]}';
    const [result] = resultsOf(await ask(body, { operation, indexName }));
    expect(result?.data).toMatchObject({ page: 1, nbHits: 30 });
  });

  it("have the time of one request, and end with its client", async () => {
    const slow = new SearchEngine({ embedder: { id: "slow", dimensions: 2, queryTimeoutMs: 60_000, embed: never } });
    await slow.createIndex("shop");
    await slow.addRecords("shop", []);
    const requests = [{ indexName: "shop", query: "lamp" }];
    const gone = new AbortController();
    const request = { indexName, operation, headers: HEADERS, body: JSON.stringify({ requests }), signal: gone.signal };
    const access = { credentials: [credential()], limits: { timeoutMs: 30 } };
    expect((await answerRequest(slow, request, access)).body).toMatchObject({
      code: 503,
      error: "timed_out",
      data: null,
    });
    const left = answerRequest(slow, request, { ...access, limits: { timeoutMs: 60_000 } });
    setTimeout(() => gone.abort(), 10);
    expect((await left).body).toMatchObject({ code: 499, error: "aborted", data: null });
    await slow.close();
  });
});
