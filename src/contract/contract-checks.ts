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
  const isAsked = (name: string): boolean =>
    name === "query" || target.operations?.some((each) => each === name) === true;
  const asked = Object.entries(CHECKS).filter(([operation]) => isAsked(operation));
  return asked.flatMap(([operation, checks]) =>
    Object.entries(checks).map(([name, check]) => ({ name, run: () => check(new Exchange(target, operation)) })),
  );
}

/** Where a request differs from a right one. */
interface Changed extends Partial<Omit<ContractRequest, "headers" | "body">> {
  /** Makes headers of the right ones; undefined: left out. */
  readonly headers?: (right: Readonly<Record<string, string>>) => Readonly<Record<string, string | undefined>>;
  /** As it is sent, or parameters. */
  readonly body?: string | JsonRecord;
  /** What the answer has besides. */
  readonly header?: readonly [name: string, value: RegExp];
}

/** The data of a query, with its names, and the number and the ids of its hits. */
interface Answered extends JsonRecord {
  readonly hits: readonly { readonly id: JsonValue; readonly score: JsonValue; readonly source: JsonValue }[];
  readonly keys: readonly string[];
  readonly count: number;
  readonly ids: readonly JsonValue[];
}

const ENVELOPE = ["msg", "code", "data"];
const ERROR_ENVELOPE = ["msg", "code", "data", "error"];
const DATA = "query indexUse recallSource nbHits page hitsPerPage serverTimeMS processingTimeMS hits".split(" ");
const HIT = ["id", "score", "source"];
const JSON_TYPE = /^application\/json\s*;\s*charset="?utf-8"?$/i;
const LONGEST_SHOWN = 200;
const [APPLICATION, KEY, TYPE] = ["x-search-application-id", "x-search-api-key", "content-type"] as const;

/** Sends requests of an operation to a server and looks at its answers. What it throws never shows the key. */
class Exchange {
  private readonly target: ContractTarget;
  readonly path: string;

  constructor(target: ContractTarget, operation: string) {
    this.target = target;
    this.path = pathOf(operation === "multiQuery" ? "*" : contractIndex.name, operation);
  }

  /** Sends a request that is right in all that is not changed, and checks the status, the media type and the keys of the answer. */
  async send(changed: Changed, status: number): Promise<JsonRecord> {
    const { method = "POST", path = this.path, headers = (right) => right, body = { query: "" }, header } = changed;
    const { applicationId, apiKey } = this.target;
    const all = headers({ [APPLICATION]: applicationId, [KEY]: apiKey, [TYPE]: "application/json" });
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const request = { method, path, headers: Object.fromEntries(sent), body: text };
    const sending = Promise.resolve(request).then((one) => this.target.send(one));
    const response = await sending.catch((error: unknown) => {
      throw this.failure("the response", error instanceof Error ? error.message : String(error), "an HTTP response");
    });
    if (typeof response.status !== "number" || typeof response.body !== "string")
      throw this.failure("send", response, "status and body");
    this.equal("the status", response.status, status);
    this.matches(response, TYPE, JSON_TYPE);
    const answer: JsonValue | undefined = await sending.then(({ body }) => JSON.parse(body)).catch(() => undefined);
    if (typeof answer !== "object" || answer === null || Array.isArray(answer))
      throw this.failure("the body", response.body, "a JSON object");
    this.equal("the keys of the body", keysOf(answer), status === 200 ? ENVELOPE : ERROR_ENVELOPE);
    if (header !== undefined) this.matches(response, ...header);
    return answer as JsonRecord;
  }

  /** The data of an answer that has to succeed. */
  async data(body: string | JsonRecord, changed: Changed = {}): Promise<JsonRecord> {
    const { msg, code, data } = await this.send({ body, ...changed }, 200);
    this.equal("msg and code", [msg!, code!], ["success", 200]);
    return data as JsonRecord;
  }

  /** What stands under the last of the keys that data has. */
  async listed<T extends JsonValue>(params: JsonRecord, ...keys: string[]): Promise<T> {
    const data = await this.data(params);
    this.equal("the keys of data", keysOf(data), keys);
    return data[keys.at(-1)!] as T;
  }

  /** The data of a query that has to succeed. */
  async ask(body: string | JsonRecord, changed: Changed = {}): Promise<Answered> {
    const data = await this.data(body, changed);
    this.equal("the first keys of data", keysOf(data).slice(0, DATA.length), DATA);
    if (!Array.isArray(data.hits)) throw this.failure("data.hits", data.hits, "a list");
    const hits = data.hits as Answered["hits"];
    for (const hit of hits) this.equal("the keys of a hit", keysOf(hit), HIT);
    return { ...data, hits, keys: keysOf(data), count: hits.length, ids: hits.map(({ id }) => id) };
  }

  /** Compares the JSON texts, so the order of keys counts. */
  equal(what: string, found: JsonValue, expected: JsonValue): void {
    if (JSON.stringify(found) !== JSON.stringify(expected)) throw this.failure(what, found, expected);
  }

  /** Compares a header. */
  private matches({ headers }: ContractResponse, name: string, expected: RegExp): void {
    const given =
      typeof headers.get === "function" ? [[name, headers.get(name) ?? undefined]] : Object.entries(headers);
    const found = [given.find(([each]) => String(each).toLowerCase() === name)?.[1] ?? []].flat();
    if (found.length === 0 || !expected.test(found.join(", "))) throw this.failure(name, found[0], String(expected));
  }

  failure(what: string, found: unknown, expected: unknown): Error {
    const [one, other] = [found, expected].map((value) => {
      const text = (JSON.stringify(value) ?? String(value)).replaceAll(this.target.apiKey, "(the key)");
      return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
    });
    return new Error(`${what}: found ${one}, expected ${other}.`);
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

type Check = (exchange: Exchange) => Promise<void>;

/** Some of the data of a query have to be these. */
function shows(body: string | JsonRecord, expected: JsonRecord, changed?: Changed): Check {
  return async (exchange) => {
    const data = await exchange.ask(body, changed);
    exchange.equal("data", Object.fromEntries(Object.keys(expected).map((name) => [name, data[name]!])), expected);
  };
}

/** These requests have to be refused with a status and an error. */
function refuses(how: string, ...requests: readonly Changed[]): Check {
  const [status = "", error = ""] = how.split(" ");
  const code = Number(status);
  return async (exchange) => {
    for (const changed of requests) {
      const { msg, ...rest } = await exchange.send(changed, code);
      exchange.equal("the body besides msg", rest, { code, data: null, error });
      if (typeof msg !== "string" || !/^[\x20-\x7e…]{1,400}$/.test(msg))
        throw exchange.failure("msg", msg, "1 to 400 printable characters");
      if (error === "invalid_json" && /\.m?js\b|\bat .*:\d+/.test(msg)) throw exchange.failure("msg", msg, "no stack");
    }
  };
}

/** An operation refuses what a query refuses, and each of these bodies. */
function refusesAsQuery(body: string, wrong: Readonly<Record<string, string>>): Check {
  return async (exchange) => {
    await refuses("401 invalid_credentials", { ...WRONG_KEY, body })(exchange);
    await refuses("405 method_not_allowed", { method: "GET", body: "" })(exchange);
    const path = exchange.path.replace(contractIndex.name, STRANGER);
    if (path !== exchange.path) await refuses("403 forbidden", { path, body })(exchange);
    for (const [each, how] of Object.entries(wrong)) await refuses(how, { body: each })(exchange);
  };
}

/** The results of several queries that have to succeed as a whole. */
async function resultsOf(exchange: Exchange, requests: readonly JsonRecord[]): Promise<readonly JsonRecord[]> {
  const results = await exchange.listed<readonly JsonRecord[]>({ requests }, "results");
  if (!Array.isArray(results)) throw exchange.failure("data.results", results, "a list");
  exchange.equal("the number of results", results.length, requests.length);
  return results;
}

const COUNT = records.length;
const byPrice = { query: "", sort: ["price:asc"] };
/** The ids of some records, in the order of their prices. */
const idsFrom = (start: number, end: number): string[] => records.slice(start, end).map(({ id }) => String(id));
/** How many records have a text at an attribute, and a price below this one. */
const countOf = (name: string, part: string, below = Number.POSITIVE_INFINITY): number =>
  records.filter((record) => String(record[name]).includes(part) && Number(record.price) < below).length;
const UTF8 = "crème brûlée 東京 🫖";
const TRICKY = `50% off & red+blue = ${UTF8}; a%20b`;
const STRANGER = "contract-indes";
const VOLT = { value: "Volt & Co", count: countOf("brand", "Volt & Co", 120) };
const LAMP = { indexName: contractIndex.name, query: "lamp" };
const WRONG_KEY: Changed = {
  headers: (right) => ({ ...right, [KEY]: right[KEY]!.replace(/.$/s, (last) => (last === "0" ? "1" : "0")) }),
};
const withHeader = (name: string, value?: string): Changed => ({ headers: (right) => ({ ...right, [name]: value }) });
const ENCODED = Array.from(contractIndex.name, (unit) => `%${unit.charCodeAt(0).toString(16)}`).join("");

const QUERY_CHECKS: Readonly<Record<string, Check>> = {
  "answers with the documented keys in the documented order, and no others": shows(
    { query: "red lamp" },
    { keys: DATA },
  ),
  "echoes the query and the index, with page 1 and 12 hits by default": shows(
    { query: "model" },
    { query: "model", indexUse: contractIndex.name, page: 1, hitsPerPage: 12, count: 12 },
  ),
  "counts all matches, also when no hit is asked for": shows(
    { query: "", hitsPerPage: 0 },
    { nbHits: COUNT, count: 0, hitsPerPage: 0 },
  ),
  "sends ids as texts": shows({ ...byPrice, hitsPerPage: 15 }, { ids: idsFrom(0, 15) }),
  "sends scores as they are, with all decimals": async (exchange) => {
    const scores = (await exchange.ask({ query: "red lamp cable", hitsPerPage: 20 })).hits.map(({ score }) => score);
    const isScore = (score: JsonValue): boolean => typeof score === "number" && score > 0 && score <= 1;
    const isFine = (score: JsonValue): boolean => !Number.isInteger(Math.round(Number(score) * 1e6) / 100);
    if (!scores.every(isScore) || !scores.some(isFine))
      throw exchange.failure("scores", scores, "numbers from 0 to 1 with six decimals");
  },
  "sends records as they were added, with their keys in order": async (exchange) => {
    const { hits, count } = await exchange.ask({ ...byPrice, hitsPerPage: COUNT });
    exchange.equal("the number of hits", count, COUNT);
    for (const [i, { source }] of hits.entries()) exchange.equal(`record ${i + 1}`, source, records[i]!);
  },
  "sends the times as integers": async (exchange) => {
    const { serverTimeMS, processingTimeMS } = await exchange.ask({ query: "drill" });
    for (const time of [serverTimeMS, processingTimeMS])
      if (!Number.isInteger(time) || Number(time) < 0) throw exchange.failure("a time", time, "an integer from 0");
  },
  "counts pages from 1, and all pages together are the whole list": async (exchange) => {
    for (const page of [1, 2, 3, 4, 5]) {
      const expected = { page, nbHits: COUNT, ids: idsFrom(7 * page - 7, 7 * page) };
      await shows({ ...byPrice, page, hitsPerPage: 7 }, expected)(exchange);
    }
  },
  "answers a page behind the last one without hits": shows(
    { query: "", page: 99 },
    { page: 99, nbHits: COUNT, count: 0 },
  ),
  "reads parameters as one URL-encoded string": async (exchange) => {
    const given = { query: "blue drill", page: 2, hitsPerPage: 3 };
    const { nbHits, hits } = await exchange.ask(given);
    const params = "query=blue+drill&page=2&hitsPerPage=3";
    await shows({ params }, { ...given, nbHits: nbHits!, hits })(exchange);
  },
  "decodes the URL-encoded string once": shows(formB({ query: TRICKY }), { query: TRICKY }),
  "keeps UTF-8 on the way there and back": async (exchange) => {
    const { query, nbHits } = await exchange.ask({ query: UTF8, matching: "any" });
    exchange.equal("the query", query!, UTF8);
    const { hits } = await exchange.ask({ query: "東京", hitsPerPage: 1 });
    const title = (hits[0]?.source as JsonRecord | undefined)?.title;
    if (!String(title).includes("東京")) throw exchange.failure("a title", title, "one with 東京");
    if (!(Number(nbHits) > 0)) throw exchange.failure("nbHits", nbHits, "more than 0");
  },
  "reads a body of several thousand bytes to its end": shows(
    `{"query":"",${" ".repeat(9000)}"hitsPerPage":4,"page":2}`,
    { page: 2, count: 4 },
  ),
  "passes all parameters on, filters and facets too": shows(
    { query: "", facets: ["brand"], filters: { brand: "Volt & Co", price: { lt: 120 } } },
    { nbHits: VOLT.count, facets: { brand: [VOLT] } },
  ),
  "answers requests at the same time, each with its own answer": async (exchange) => {
    const ofPage = (id: string, i: number): Check => shows({ ...byPrice, page: i + 1, hitsPerPage: 1 }, { ids: [id] });
    await Promise.all(idsFrom(0, 12).map((id, i) => ofPage(id, i)(exchange)));
  },
  "decodes the name of the index in the path": shows({ query: "" }, { nbHits: COUNT }, { path: pathOf(ENCODED) }),
  "takes header names in any case": shows(
    { query: "" },
    { nbHits: COUNT },
    {
      headers: (right) => Object.fromEntries(Object.entries(right).map(([name, value]) => [name.toUpperCase(), value])),
    },
  ),
  "refuses GET, and names POST": refuses("405 method_not_allowed", {
    ...{ method: "GET", body: "" },
    header: ["allow", /^POST$/],
  }),
  "refuses PUT, PATCH and DELETE": refuses(
    "405 method_not_allowed",
    ...["PUT", "PATCH", "DELETE"].map((method) => ({ method })),
  ),
  "refuses a request without an application or without a key": refuses(
    "401 invalid_credentials",
    ...[APPLICATION, KEY].map((name): Changed => ({ ...withHeader(name), header: ["www-authenticate", /./] })),
  ),
  "refuses a wrong key": refuses("401 invalid_credentials", WRONG_KEY),
  "refuses another application": refuses("401 invalid_credentials", withHeader(APPLICATION, "nobody")),
  "refuses an index that the key does not cover": refuses(
    "403 forbidden",
    ...[STRANGER, `${contractIndex.name}2`, "constructor"].map((name) => ({ path: pathOf(name) })),
  ),
  "refuses a body that is not declared as JSON": refuses(
    "415 unsupported_media_type",
    ...["text/plain", "application/x-www-form-urlencoded", undefined].map((type) => withHeader(TYPE, type)),
  ),
  "refuses a body of more than 65,536 bytes": refuses("413 body_too_large", { body: { query: "x".repeat(70_000) } }),
  "refuses broken JSON, and shows nothing of the program": refuses(
    "400 invalid_json",
    ...['{"query":"lamp"', '{"query":"lamp",}', "query=lamp"].map((body) => ({ body })),
  ),
  "refuses an empty body": refuses("400 invalid_json", { body: "" }),
  "refuses JSON that is no object": refuses(
    "400 invalid_request",
    ...["[]", "null", "3", '"query"'].map((body) => ({ body })),
  ),
  "refuses an object without a query": refuses("400 missing_query", { body: '{"page":1}' }),
  "refuses a page in quotes, and page 0": refuses(
    "400 invalid_page",
    ...["2", 0].map((page) => ({ body: { query: "", page } })),
  ),
};

/** What each operation has to do, by names. */
const CHECKS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  query: QUERY_CHECKS,
  searchForFacetValues: {
    "answers the values of a facet that begin with a text": async (exchange) => {
      const found = await exchange.listed({ facetName: "brand", facetQuery: "SON" }, "facetHits");
      exchange.equal("facetHits", found, [{ value: "Söndag", count: countOf("brand", "Söndag") }]);
    },
    "counts the values of a facet among the hits, with parameters as one string": async (exchange) => {
      const params = formB({ facetName: "brand", facetQuery: "co", filters: "price < 120" });
      exchange.equal("facetHits", await exchange.listed(params, "facetHits"), [VOLT]);
    },
    "refuses the values of a facet as it refuses a query": refusesAsQuery('{"facetName":"brand"}', {
      "{}": "400 invalid_parameter",
    }),
    "refuses an operation that there is not": refuses(
      "404 unknown_operation",
      ...["deleteIndex", "toString"].map((operation) => ({ path: pathOf(contractIndex.name, operation) })),
    ),
  },
  similar: {
    "answers records like another, in the envelope of a query": async (exchange) => {
      const given = { of: 1, hitsPerPage: 5 };
      await shows(given, { keys: DATA, query: "", page: 1, hitsPerPage: 5, count: 5 })(exchange);
      const { ids } = await exchange.ask(given);
      if (ids.includes("1")) throw exchange.failure("ids", ids, "none that was named");
    },
    "takes several ids, and parameters as one string": async (exchange) => {
      const of = { like: [1, "2"], unlike: [3] };
      const given = { filters: "price < 120", page: 2, hitsPerPage: 3 };
      const { nbHits, hits } = await exchange.ask({ of, ...given });
      await shows({ of, ...formB(given) }, { nbHits: nbHits!, hits })(exchange);
    },
    "refuses similar records as it refuses a query": refusesAsQuery('{"of":1}', {
      "{}": "400 invalid_id",
      '{"of":"nobody"}': "404 record_not_found",
      '{"of":1,"page":0}': "400 invalid_page",
    }),
  },
  suggest: {
    "completes what is being typed": async (exchange) => {
      const found = await exchange.listed({ query: "CREM", hitsPerPage: 1 }, "query", "suggestions");
      exchange.equal("suggestions", found, [{ text: "crème", nbHits: countOf("title", "crème kettle") }]);
    },
    "counts the hits of suggestions among the records that pass filters, with parameters as one string": async (
      exchange,
    ) => {
      const params = formB({ query: "sof", filters: "price < 120", hitsPerPage: "1", facet: "brand" });
      const [found] = await exchange.listed<readonly JsonRecord[]>(params, "query", "suggestions");
      exchange.equal("the keys", keysOf(found), ["text", "nbHits", "in"]);
      exchange.equal("text and nbHits", [found!.text!, found!.nbHits!], ["sofa", countOf("title", "sofa", 120)]);
    },
    "refuses to suggest as it refuses a query": refusesAsQuery('{"query":"so"}', { "{}": "400 missing_query" }),
  },
  multiQuery: {
    "answers several queries in their order, each as it would be alone": async (exchange) => {
      const queries = [{ ...byPrice, page: 2, hitsPerPage: 3 }, formB({ query: TRICKY }), { query: "lamp" }];
      const named = queries.map((query) => ({ indexName: contractIndex.name, ...query }));
      const untimed = ({ serverTimeMS: _all, processingTimeMS: _own, ...data }: JsonRecord): JsonRecord => data;
      for (const [i, result] of (await resultsOf(exchange, named)).entries()) {
        const alone = await exchange.data(queries[i]!, { path: pathOf(contractIndex.name) });
        exchange.equal(`the keys of result ${i}`, keysOf(result), ENVELOPE);
        exchange.equal(`the data of result ${i}`, untimed(result.data as JsonRecord), untimed(alone));
      }
    },
    "puts the refusal of a query in its place": async (exchange) => {
      const results = await resultsOf(exchange, [{ ...LAMP, page: 0 }, { ...LAMP, indexName: STRANGER }, LAMP]);
      const short = results.map(({ code, data, error }) => [code!, data === null, error ?? "none"].join());
      const expected = ["400,true,invalid_page", "403,true,forbidden", "200,false,none"];
      exchange.equal("code, data and error of the results", short, expected);
      exchange.equal("the keys of a refusal", keysOf(results[0]), ERROR_ENVELOPE);
    },
    "refuses several queries as it refuses one": refusesAsQuery(JSON.stringify({ requests: [LAMP] }), {
      "{}": "400 invalid_parameter",
    }),
  },
};
