// Checks of a server that answers requests by `answerRequest`: what has to arrive over the wire, whatever framework is between. They
// need no test runner and nothing of the engine, so they also check a server that runs elsewhere.

import type { JsonRecord, JsonValue } from "../util/json.js";

/** A request as it goes over the wire. */
export interface ContractRequest {
  readonly method: string;
  /** `/1/indexes/NAME/OPERATION`, encoded. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Record<string, string>;
  /** `""`: none. */
  readonly body: string;
}

/** A response as it came over the wire. */
export interface ContractResponse {
  readonly status: number;
  readonly headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Decoded as UTF-8. */
  readonly body: string;
}

/** The server to check. */
export interface ContractTarget {
  /** Sends a request to the server. */
  readonly send: (request: ContractRequest) => Promise<ContractResponse>;
  /** Of a credential whose only index is `contractIndex.name`, with `permissions: ["search"]`, and nothing else. */
  readonly applicationId: string;
  readonly apiKey: string;
  /** The operations that the server routes besides `query`, which are checked, too. Default: none. */
  readonly operations?: readonly ("searchForFacetValues" | "similar" | "suggest" | "multiQuery")[] | undefined;
}

/** One thing that has to be right. */
export interface ContractCheck {
  readonly name: string;
  /** Rejects with an Error that says what was found and what was expected. */
  readonly run: () => Promise<void>;
}

const COLORS = ["red", "blue", "green"];
const KINDS = ["lamp", "drill", "sofa", "crème kettle", "東京 teapot"];
const BRANDS = ["Hem", "Söndag", "Volt & Co"];

const records: readonly JsonRecord[] = Array.from({ length: 30 }, (_, i) => ({
  title: `${COLORS[i % 3]} ${KINDS[i % 5]} ${"with a long cable ".repeat(i % 4)}model ${i + 1}`,
  id: i + 1,
  brand: BRANDS[i % 3]!,
  price: 100 + i + i / 8,
  inStock: i % 2 === 0,
  note: i % 7 === 0 ? null : `“${"🫖".repeat(i % 3)}” <b>&amp;</b> \\ "${i}"`,
  sizes: i % 4 === 0 ? [] : [i, i + 0.5],
  maker: { name: BRANDS[i % 3]!, since: 1900 + i },
}));

/**
 * The index that the server under check serves: create it with these settings and add these records.
 *
 * @example
 * await engine.createIndex(contractIndex.name, contractIndex.settings);
 * await engine.addRecords(contractIndex.name, contractIndex.records);
 */
export const contractIndex: {
  readonly name: string;
  readonly settings: { readonly embedder: false; readonly searchableAttributes: string[] };
  readonly records: readonly JsonRecord[];
} = {
  name: "contract-index",
  settings: { embedder: false, searchableAttributes: ["title", "brand"] },
  records,
};

/**
 * The checks of a server. Run each; it is right when none rejects.
 *
 * @example
 * for (const { name, run } of contractChecks({ send, applicationId, apiKey })) test(name, run); // of any test runner
 */
export function contractChecks(target: ContractTarget): ContractCheck[] {
  const further = {
    searchForFacetValues: FACET_CHECKS,
    similar: SIMILAR_CHECKS,
    suggest: SUGGEST_CHECKS,
    multiQuery: MULTI_CHECKS,
  };
  const asked = Object.entries(further).filter(([name]) => target.operations?.some((each) => each === name));
  const checks = [CHECKS, ...asked.map(([, each]) => each)].flatMap((each) => Object.entries(each));
  return checks.map(([name, check]) => ({ name, run: async () => check(new Exchange(target)) }));
}

/** The data of an answer, as far as checks look at it. */
interface Answered {
  readonly query: JsonValue;
  readonly indexUse: JsonValue;
  readonly nbHits: JsonValue;
  readonly page: JsonValue;
  readonly hitsPerPage: JsonValue;
  readonly serverTimeMS: JsonValue;
  readonly processingTimeMS: JsonValue;
  readonly hits: readonly { readonly id: JsonValue; readonly score: JsonValue; readonly source: JsonValue }[];
  readonly facets?: JsonValue;
}

const ENVELOPE = ["msg", "code", "data"];
const ERROR_ENVELOPE = ["msg", "code", "data", "error"];
const DATA = "query indexUse recallSource nbHits page hitsPerPage serverTimeMS processingTimeMS hits".split(" ");
const HIT = ["id", "score", "source"];
const JSON_TYPE = /^application\/json\s*;\s*charset="?utf-8"?$/i;
const LONGEST_SHOWN = 200;

/** Sends requests to a server and looks at its answers. What it throws never shows the key. */
class Exchange {
  private readonly target: ContractTarget;

  constructor(target: ContractTarget) {
    this.target = target;
  }

  /** The headers of a right request, with some of them changed; undefined: left out. */
  headers(changed: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
    const { applicationId, apiKey } = this.target;
    const all = {
      "x-search-application-id": applicationId,
      "x-search-api-key": apiKey,
      "content-type": "application/json",
      ...changed,
    };
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  /** A key of the same length that is not the right one. */
  wrongKey(): string {
    const { apiKey } = this.target;
    return apiKey.slice(0, -1) + (apiKey.endsWith("0") ? "1" : "0");
  }

  /** Sends a request that is right in all that is not given. */
  async send(given: Partial<ContractRequest>): Promise<ContractResponse> {
    const request = { method: "POST", path: pathOf(contractIndex.name), headers: this.headers(), body: "{}", ...given };
    let response: ContractResponse;
    try {
      response = await this.target.send(request);
    } catch (error) {
      throw this.failure("the response", error instanceof Error ? error.message : String(error), "an HTTP response");
    }
    const { status, body } = response;
    if (typeof status !== "number" || typeof body !== "string") throw this.failure("send", response, "status and body");
    return response;
  }

  /** The data of an answer that has to succeed. */
  async data(params: JsonRecord, given: Partial<ContractRequest> = {}): Promise<JsonRecord> {
    const response = await this.send({ body: JSON.stringify(params), ...given });
    this.equal("the status", response.status, 200);
    const body = this.json(response);
    this.equal("the keys of the body", keysOf(body), ENVELOPE);
    const { msg, code, data } = body;
    this.equal("msg and code", [msg!, code!], ["success", 200]);
    return data as JsonRecord;
  }

  /** The data of a query that has to succeed. */
  async ask(params: JsonRecord, given: Partial<ContractRequest> = {}): Promise<Answered> {
    const data = await this.data(params, given);
    this.equal("the first keys of data", keysOf(data).slice(0, DATA.length), DATA);
    const { hits } = data;
    if (!Array.isArray(hits)) throw this.failure("data.hits", hits, "a list");
    for (const hit of hits as readonly JsonValue[]) this.equal("the keys of a hit", keysOf(hit), HIT);
    return data as JsonRecord & Answered;
  }

  /** Sends a request that has to be refused, and checks the envelope; it is right in all that is not given. */
  async refuses(given: Partial<ContractRequest>, status: number, error: string): Promise<ContractResponse> {
    const response = await this.send({ body: '{"query":""}', ...given });
    this.equal("the status", response.status, status);
    const body = this.json(response);
    this.equal("the keys of the body", keysOf(body), ERROR_ENVELOPE);
    const { msg, ...rest } = body;
    this.equal("the body besides msg", rest, { code: status, data: null, error });
    if (typeof msg !== "string" || !/^[\x20-\x7e…]{1,400}$/.test(msg))
      throw this.failure("msg", msg, "1 to 400 printable characters");
    return response;
  }

  /** Checks that an operation refuses what a query refuses, and each of these bodies. */
  async refusesAsQuery(
    path: string,
    body: string,
    wrong: readonly (readonly [body: string, status: number, error: string])[],
  ): Promise<void> {
    const headers = this.headers({ "x-search-api-key": this.wrongKey() });
    await this.refuses({ path, body, headers }, 401, "invalid_credentials");
    await this.refuses({ path, method: "GET", body: "" }, 405, "method_not_allowed");
    const elsewhere = path.replace(contractIndex.name, STRANGER);
    if (elsewhere !== path) await this.refuses({ path: elsewhere, body }, 403, "forbidden");
    for (const [each, status, error] of wrong) await this.refuses({ path, body: each }, status, error);
  }

  /** The value of a header; undefined if there is none. */
  header({ headers }: ContractResponse, name: string): string | undefined {
    if (typeof headers.get === "function") return headers.get(name) ?? undefined;
    const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
    return typeof value === "string" ? value : value?.join(", ");
  }

  json(response: ContractResponse): JsonRecord {
    this.matches("content-type", this.header(response, "content-type"), JSON_TYPE);
    try {
      const body = JSON.parse(response.body) as JsonValue;
      if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as JsonRecord;
    } catch {
      // Told below.
    }
    throw this.failure("the body", response.body, "a JSON object");
  }

  /** Compares the JSON texts, so the order of keys counts. */
  equal(what: string, found: JsonValue, expected: JsonValue): void {
    if (JSON.stringify(found) !== JSON.stringify(expected)) throw this.failure(what, found, expected);
  }

  matches(what: string, found: string | undefined, expected: RegExp): void {
    if (found === undefined || !expected.test(found)) throw this.failure(what, found, String(expected));
  }

  failure(what: string, found: unknown, expected: unknown): Error {
    return new Error(`${what}: found ${this.shown(found)}, expected ${this.shown(expected)}.`);
  }

  private shown(value: unknown): string {
    const text = (JSON.stringify(value) ?? String(value)).replaceAll(this.target.apiKey, "(the key)");
    return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
  }
}

function pathOf(encodedName: string, operation = "query"): string {
  return `/1/indexes/${encodedName}/${operation}`;
}

function keysOf(value: JsonValue | undefined): string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/** Parameters as the one text of form B. */
function formB(params: Readonly<Record<string, string | number>>): JsonRecord {
  const pairs = Object.entries(params).map((pair) => pair.map((part) => encodeURIComponent(String(part))).join("="));
  return { params: pairs.join("&") };
}

const byPrice = { query: "", sort: ["price:asc"] };
const idsOf = ({ hits }: Answered): JsonValue[] => hits.map(({ id }) => id);
/** The ids of some records, in the order of their prices. */
const idsFrom = (start: number, count: number): string[] =>
  records.slice(start, start + count).map(({ id }) => String(id));
const UTF8 = "crème brûlée 東京 🫖";
const TRICKY = `50% off & red+blue = ${UTF8}; a%20b`;
const STRANGER = "contract-indes";

/** The checks by name. */
const CHECKS: Readonly<Record<string, (exchange: Exchange) => Promise<void>>> = {
  "answers with the documented keys in the documented order, and no others": async (exchange) => {
    exchange.equal("the keys of data", Object.keys(await exchange.ask({ query: "red lamp" })), DATA);
  },

  "echoes the query and the index, with page 1 and 12 hits by default": async (exchange) => {
    const { query, indexUse, page, hitsPerPage, hits } = await exchange.ask({ query: "model" });
    exchange.equal("the echo", [query, indexUse, page, hitsPerPage], ["model", contractIndex.name, 1, 12]);
    exchange.equal("the number of hits", hits.length, 12);
  },

  "counts all matches, also when no hit is asked for": async (exchange) => {
    const { nbHits, hits, hitsPerPage } = await exchange.ask({ query: "", hitsPerPage: 0 });
    exchange.equal("nbHits, hits and hitsPerPage", [nbHits, hits.length, hitsPerPage], [records.length, 0, 0]);
  },

  "sends ids as texts": async (exchange) =>
    exchange.equal("ids", idsOf(await exchange.ask({ ...byPrice, hitsPerPage: 15 })), idsFrom(0, 15)),

  "sends scores as they are, with all decimals": async (exchange) => {
    const scores = (await exchange.ask({ query: "red lamp cable", hitsPerPage: 20 })).hits.map(({ score }) => score);
    const isScore = (score: JsonValue): boolean => typeof score === "number" && score > 0 && score <= 1;
    const isFine = (score: JsonValue): boolean => !Number.isInteger(Math.round(Number(score) * 1e6) / 100);
    if (!scores.every(isScore) || !scores.some(isFine))
      throw exchange.failure("scores", scores, "numbers from 0 to 1 with six decimals");
  },

  "sends records as they were added, with their keys in order": async (exchange) => {
    const { hits } = await exchange.ask({ ...byPrice, hitsPerPage: records.length });
    exchange.equal("the number of hits", hits.length, records.length);
    for (const [i, { source }] of hits.entries()) exchange.equal(`record ${i + 1}`, source, records[i]!);
  },

  "sends the times as integers": async (exchange) => {
    const { serverTimeMS, processingTimeMS } = await exchange.ask({ query: "drill" });
    for (const time of [serverTimeMS, processingTimeMS])
      if (!Number.isInteger(time) || Number(time) < 0) throw exchange.failure("a time", time, "an integer from 0");
  },

  "counts pages from 1, and all pages together are the whole list": async (exchange) => {
    const ids: JsonValue[] = [];
    for (let page = 1; page <= 5; page++) {
      const data = await exchange.ask({ ...byPrice, page, hitsPerPage: 7 });
      exchange.equal("page and nbHits", [data.page, data.nbHits], [page, records.length]);
      ids.push(...idsOf(data));
    }
    exchange.equal("the ids of all pages", ids, idsFrom(0, records.length));
  },

  "answers a page behind the last one without hits": async (exchange) => {
    const { page, nbHits, hits } = await exchange.ask({ query: "", page: 99 });
    exchange.equal("page, nbHits and hits", [page, nbHits, hits.length], [99, records.length, 0]);
  },

  "reads parameters as one URL-encoded string": async (exchange) => {
    const plain = await exchange.ask({ query: "blue drill", page: 2, hitsPerPage: 3 });
    const { query, page, hitsPerPage, nbHits, hits } = await exchange.ask({
      params: "query=blue+drill&page=2&hitsPerPage=3",
    });
    exchange.equal("the echo", [query, page, hitsPerPage], ["blue drill", 2, 3]);
    exchange.equal("nbHits and hits", [nbHits, hits], [plain.nbHits, plain.hits]);
  },

  "decodes the URL-encoded string once": async (exchange) =>
    exchange.equal("the query", (await exchange.ask(formB({ query: TRICKY }))).query, TRICKY),

  "keeps UTF-8 on the way there and back": async (exchange) => {
    const { query, nbHits } = await exchange.ask({ query: UTF8, matching: "any" });
    exchange.equal("the query", query, UTF8);
    const { hits } = await exchange.ask({ query: "東京", hitsPerPage: 1 });
    const title = (hits[0]?.source as JsonRecord | undefined)?.title;
    if (!String(title).includes("東京")) throw exchange.failure("a title", title, "one with 東京");
    if (!(Number(nbHits) > 0)) throw exchange.failure("nbHits", nbHits, "more than 0");
  },

  "reads a body of several thousand bytes to its end": async (exchange) => {
    const body = `{"query":"",${" ".repeat(9000)}"hitsPerPage":4,"page":2}`;
    const { page, hits } = await exchange.ask({}, { body });
    exchange.equal("page and hits", [page, hits.length], [2, 4]);
  },

  "passes all parameters on, filters and facets too": async (exchange) => {
    const params = { query: "", facets: ["brand"], filters: { brand: "Volt & Co", price: { lt: 120 } } };
    const { nbHits, facets = null } = await exchange.ask(params);
    const wanted = records.filter(({ brand, price }) => brand === "Volt & Co" && Number(price) < 120).length;
    exchange.equal("nbHits and facets", [nbHits, facets], [wanted, { brand: [{ value: "Volt & Co", count: wanted }] }]);
  },

  "answers requests at the same time, each with its own answer": async (exchange) => {
    const numbers = Array.from({ length: 12 }, (_, i) => i + 1);
    const answers = await Promise.all(numbers.map((page) => exchange.ask({ ...byPrice, page, hitsPerPage: 1 })));
    exchange.equal("the ids", answers.flatMap(idsOf), idsFrom(0, 12));
  },

  "decodes the name of the index in the path": async (exchange) => {
    const encoded = Array.from(contractIndex.name, (unit) => `%${unit.charCodeAt(0).toString(16)}`).join("");
    exchange.equal("nbHits", (await exchange.ask({ query: "" }, { path: pathOf(encoded) })).nbHits, records.length);
  },

  "takes header names in any case": async (exchange) => {
    const headers = Object.fromEntries(
      Object.entries(exchange.headers()).map(([name, value]) => [name.toUpperCase(), value]),
    );
    exchange.equal("nbHits", (await exchange.ask({ query: "" }, { headers })).nbHits, records.length);
  },

  "refuses GET, and names POST": async (exchange) => {
    const response = await exchange.refuses({ method: "GET", body: "" }, 405, "method_not_allowed");
    exchange.matches("allow", exchange.header(response, "allow"), /^POST$/);
  },

  "refuses PUT, PATCH and DELETE": async (exchange) => {
    for (const method of ["PUT", "PATCH", "DELETE"]) await exchange.refuses({ method }, 405, "method_not_allowed");
  },

  "refuses a request without an application or without a key": async (exchange) => {
    for (const name of ["x-search-application-id", "x-search-api-key"]) {
      const headers = exchange.headers({ [name]: undefined });
      const response = await exchange.refuses({ headers }, 401, "invalid_credentials");
      exchange.matches("www-authenticate", exchange.header(response, "www-authenticate"), /./);
    }
  },

  "refuses a wrong key": async (exchange) => {
    const headers = exchange.headers({ "x-search-api-key": exchange.wrongKey() });
    await exchange.refuses({ headers }, 401, "invalid_credentials");
  },

  "refuses another application": async (exchange) => {
    const headers = exchange.headers({ "x-search-application-id": "nobody" });
    await exchange.refuses({ headers }, 401, "invalid_credentials");
  },

  "refuses an index that the key does not cover": async (exchange) => {
    for (const name of [STRANGER, `${contractIndex.name}2`, "constructor"])
      await exchange.refuses({ path: pathOf(name) }, 403, "forbidden");
  },

  "refuses a body that is not declared as JSON": async (exchange) => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", undefined])
      await exchange.refuses({ headers: exchange.headers({ "content-type": type }) }, 415, "unsupported_media_type");
  },

  "refuses a body of more than 65,536 bytes": async (exchange) => {
    await exchange.refuses({ body: JSON.stringify({ query: "x".repeat(70_000) }) }, 413, "body_too_large");
  },

  "refuses broken JSON, and shows nothing of the program": async (exchange) => {
    for (const body of ['{"query":"lamp"', '{"query":"lamp",}', "query=lamp"]) {
      const { msg } = exchange.json(await exchange.refuses({ body }, 400, "invalid_json"));
      if (/\.m?js\b|\bat .*:\d+/.test(String(msg))) throw exchange.failure("msg", msg!, "no stack");
    }
  },

  "refuses an empty body": async (exchange) => {
    await exchange.refuses({ body: "" }, 400, "invalid_json");
  },

  "refuses JSON that is no object": async (exchange) => {
    for (const body of ["[]", "null", "3", '"query"']) await exchange.refuses({ body }, 400, "invalid_request");
  },

  "refuses an object without a query": async (exchange) => {
    await exchange.refuses({ body: '{"page":1}' }, 400, "missing_query");
  },

  "refuses a page in quotes, and page 0": async (exchange) => {
    for (const page of ["2", 0])
      await exchange.refuses({ body: JSON.stringify({ query: "", page }) }, 400, "invalid_page");
  },
};

const FACET_PATH = pathOf(contractIndex.name, "searchForFacetValues");

async function facetHits(exchange: Exchange, params: JsonRecord): Promise<JsonValue> {
  const data = await exchange.data(params, { path: FACET_PATH });
  exchange.equal("the keys of data", keysOf(data), ["facetHits"]);
  return data.facetHits!;
}

/** The checks of the operation `searchForFacetValues`. */
const FACET_CHECKS: typeof CHECKS = {
  "answers the values of a facet that begin with a text": async (exchange) => {
    const count = records.filter(({ brand }) => brand === "Söndag").length;
    const found = await facetHits(exchange, { facetName: "brand", facetQuery: "SON" });
    exchange.equal("facetHits", found, [{ value: "Söndag", count }]);
  },

  "counts the values of a facet among the hits, with parameters as one string": async (exchange) => {
    const count = records.filter(({ brand, price }) => brand === "Volt & Co" && Number(price) < 120).length;
    const found = await facetHits(exchange, formB({ facetName: "brand", facetQuery: "co", filters: "price < 120" }));
    exchange.equal("facetHits", found, [{ value: "Volt & Co", count }]);
  },

  "refuses the values of a facet as it refuses a query": (exchange) =>
    exchange.refusesAsQuery(FACET_PATH, '{"facetName":"brand"}', [["{}", 400, "invalid_parameter"]]),

  "refuses an operation that there is not": async (exchange) => {
    for (const operation of ["deleteIndex", "toString"])
      await exchange.refuses({ path: pathOf(contractIndex.name, operation) }, 404, "unknown_operation");
  },
};

const SIMILAR_PATH = pathOf(contractIndex.name, "similar");

/** The checks of the operation `similar`. */
const SIMILAR_CHECKS: typeof CHECKS = {
  "answers records like another, in the envelope of a query": async (exchange) => {
    const data = await exchange.ask({ of: 1, hitsPerPage: 5 }, { path: SIMILAR_PATH });
    exchange.equal("the keys of data", Object.keys(data), DATA);
    exchange.equal(
      "query, page, hitsPerPage and hits",
      [data.query, data.page, data.hitsPerPage, data.hits.length],
      ["", 1, 5, 5],
    );
    if (idsOf(data).includes("1")) throw exchange.failure("ids", idsOf(data), "none that was named");
  },

  "takes several ids, and parameters as one string": async (exchange) => {
    const of = { like: [1, "2"], unlike: [3] };
    const plain = await exchange.ask({ of, filters: "price < 120", page: 2, hitsPerPage: 3 }, { path: SIMILAR_PATH });
    const params = "filters=price%20%3C%20120&page=2&hitsPerPage=3";
    const { nbHits, hits } = await exchange.ask({ of, params }, { path: SIMILAR_PATH });
    exchange.equal("nbHits and hits", [nbHits, hits], [plain.nbHits, plain.hits]);
  },

  "refuses similar records as it refuses a query": (exchange) =>
    exchange.refusesAsQuery(SIMILAR_PATH, '{"of":1}', [
      ["{}", 400, "invalid_id"],
      ['{"of":"nobody"}', 404, "record_not_found"],
      ['{"of":1,"page":0}', 400, "invalid_page"],
    ]),
};

const MULTI_PATH = pathOf("*", "multiQuery");

/** The results of several queries that have to succeed as a whole. */
async function resultsOf(exchange: Exchange, requests: readonly JsonValue[]): Promise<readonly JsonRecord[]> {
  const data = await exchange.data({ requests }, { path: MULTI_PATH });
  exchange.equal("the keys of data", keysOf(data), ["results"]);
  const { results } = data;
  if (!Array.isArray(results)) throw exchange.failure("data.results", results, "a list");
  exchange.equal("the number of results", results.length, requests.length);
  return results as readonly JsonRecord[];
}

/** The checks of the operation `multiQuery`. */
const MULTI_CHECKS: typeof CHECKS = {
  "answers several queries in their order, each as it would be alone": async (exchange) => {
    const queries: readonly JsonRecord[] = [
      { ...byPrice, page: 2, hitsPerPage: 3 },
      formB({ query: TRICKY }),
      { query: "lamp" },
    ];
    const named = queries.map((query) => ({ indexName: contractIndex.name, ...query }));
    for (const [i, result] of (await resultsOf(exchange, named)).entries()) {
      const { serverTimeMS: _all, processingTimeMS: _own, ...alone } = await exchange.ask(queries[i]!);
      exchange.equal(`the keys of result ${i}`, keysOf(result), ENVELOPE);
      const { serverTimeMS: _allToo, processingTimeMS: _ownToo, ...data } = result.data as JsonRecord;
      exchange.equal(`the data of result ${i}`, data, alone as JsonRecord);
    }
  },

  "puts the refusal of a query in its place": async (exchange) => {
    const asked = [
      { indexName: contractIndex.name, query: "lamp", page: 0 },
      { indexName: STRANGER, query: "lamp" },
      { indexName: contractIndex.name, query: "lamp" },
    ];
    const results = await resultsOf(exchange, asked);
    const short = results.map(({ code, data, error }) => [code!, data === null, error ?? "none"]);
    const expected = [
      [400, true, "invalid_page"],
      [403, true, "forbidden"],
      [200, false, "none"],
    ];
    exchange.equal("code, data and error of the results", short, expected);
    exchange.equal("the keys of a refusal", keysOf(results[0]), ERROR_ENVELOPE);
  },

  "refuses several queries as it refuses one": (exchange) => {
    const body = JSON.stringify({ requests: [{ indexName: contractIndex.name, query: "lamp" }] });
    return exchange.refusesAsQuery(MULTI_PATH, body, [["{}", 400, "invalid_parameter"]]);
  },
};

const SUGGEST_PATH = pathOf(contractIndex.name, "suggest");

async function suggested(exchange: Exchange, params: JsonRecord): Promise<readonly JsonRecord[]> {
  const data = await exchange.data(params, { path: SUGGEST_PATH });
  exchange.equal("the keys of data", keysOf(data), ["query", "suggestions"]);
  return data.suggestions as readonly JsonRecord[];
}

/** The checks of the operation `suggest`. */
const SUGGEST_CHECKS: typeof CHECKS = {
  "completes what is being typed": async (exchange) => {
    const count = records.filter(({ title }) => String(title).includes("crème kettle")).length;
    const found = await suggested(exchange, { query: "CREM", hitsPerPage: 1 });
    exchange.equal("suggestions", found as JsonValue, [{ text: "crème", nbHits: count }]);
  },

  "counts the hits of suggestions among the records that pass filters, with parameters as one string": async (
    exchange,
  ) => {
    const passing = records.filter(({ title, price }) => String(title).includes("sofa") && Number(price) < 120);
    const found = await suggested(
      exchange,
      formB({ query: "sof", filters: "price < 120", hitsPerPage: "1", facet: "brand" }),
    );
    exchange.equal("the keys", keysOf(found[0]!), ["text", "nbHits", "in"]);
    exchange.equal("the text", found[0]!.text!, "sofa");
    exchange.equal("nbHits", found[0]!.nbHits!, passing.length);
  },

  "refuses to suggest as it refuses a query": (exchange) =>
    exchange.refusesAsQuery(SUGGEST_PATH, '{"query":"so"}', [["{}", 400, "missing_query"]]),
};
