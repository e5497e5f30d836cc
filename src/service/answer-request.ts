// One search request as data in, data out: method, operation, credentials, index, media type, body, parameters and query are decided
// in this order, and the first that is wrong answers. No sockets and no routes: a server brings its own.

import type { Engine } from "../api/engine.js";
import { type CallOptions, fromOutside } from "../input/call-options.js";
import { Checker } from "../input/kinds.js";
import { copyingOf, copyObject, copyProperties } from "../input/plain-data.js";
import { BoundsError, copyQueries, copyQuery } from "../input/read-params.js";
import type { SearchParams } from "../input/search-params.js";
import { createInstantSearchClient, type InstantSearchFacets } from "../instantsearch/search-client.js";
import { copyRequests, type InstantSearchOptions, namesAsked, readOptions } from "../instantsearch/search-request.js";
import type { InstantSearchResult } from "../instantsearch/search-result.js";
import type { FacetHits, FacetSearchParams } from "../query/facets/facet-search.js";
import type { SearchAnswer } from "../query/response.js";
import type { SimilarTo } from "../query/similar/similar.js";
import type { SuggestAnswer, SuggestParams } from "../query/suggest/suggest.js";
import { callQuietly } from "../util/contain.js";
import { type ErrorEnvelope, refusal, SearchError, show, throwValidationErrors } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { checkSignal, LONGEST_TIMEOUT_MS, onAbort, untilAborted } from "../util/tasks.js";
import {
  type CheckedCredential,
  type Credential,
  checkCredential,
  covers,
  findCredential,
  forbiddenParameter,
  isExpired,
  mayExplain,
  readCredential,
} from "./credentials.js";
import { ownCopy, type RequestBody, readBody } from "./request-body.js";
import { type ReadHeaders, type RequestHeaders, readHeaders } from "./request-headers.js";

/** A request, as the server's framework has it. */
export interface ServiceRequest {
  /** The decoded segment of the path. Of `multiQuery` it is `"*"`: each of its queries names an index. */
  readonly indexName: string;
  /** The last segment of the path, decoded: one of {@link ServiceOperation}. Any other text is refused. Default `"query"`. */
  readonly operation?: string | undefined;
  /** Default `"POST"`. */
  readonly method?: string | undefined;
  readonly headers?: RequestHeaders | undefined;
  /** Text, bytes, the request as a stream of either, or the object that a framework parsed. */
  readonly body?: RequestBody;
  /** Aborted when the client is gone. */
  readonly signal?: AbortSignal | undefined;
}

/** What can be asked for: verbs by their names. */
export type ServiceOperation =
  | "query"
  | "searchForFacetValues"
  | "similar"
  | "suggest"
  | "multiQuery"
  | "instantSearch";

/** Who may ask, and how much. An unknown name is refused. */
export interface ServiceAccess {
  /** All keys, or a function that finds those of an application. */
  readonly credentials:
    | readonly Credential[]
    | ((applicationId: string) => readonly Credential[] | Promise<readonly Credential[]>);
  readonly limits?:
    | {
        /** Bytes of a body; more: 413. Default 65,536. A body that a framework parsed has the framework's limit. */
        readonly bodyBytes?: number | undefined;
        /** Milliseconds from the call to the answer; more: 503. Default 5,000. */
        readonly timeoutMs?: number | undefined;
      }
    | undefined;
  /** What `createInstantSearchClient` takes, for the operation `instantSearch`. */
  readonly instantSearch?: InstantSearchOptions | undefined;
  /** Called once a request, when its answer is known. What it throws is ignored. */
  readonly onRequest?: ((event: ServiceEvent) => unknown) | undefined;
}

/** What became of a request. It never has a key. */
export interface ServiceEvent {
  /** As it was asked for. Missing if it is no text. */
  readonly indexName?: string;
  /** Missing for a query. */
  readonly operation?: ServiceOperation;
  readonly status: number;
  /** Missing at 200. */
  readonly error?: string;
  /** Of the key, when it was right. */
  readonly applicationId?: string;
  /** The name of the key's credential, when it was right. */
  readonly credential?: string;
  /** Of a query, at 200. */
  readonly query?: string;
  /** Of a query, at 200. */
  readonly nbHits?: number;
  /** Of `multiQuery`, at 200: what became of each of its queries, in their order. */
  readonly queries?: readonly QueryEvent[];
  readonly milliseconds: number;
  /** What failed, at 500. */
  readonly cause?: unknown;
}

/** What became of one of several queries. */
export type QueryEvent = Pick<ServiceEvent, "indexName" | "status" | "error" | "query" | "nbHits" | "cause">;

/** An answer to send: the status, the headers, and the body as JSON. */
export interface ServiceAnswer<A extends OperationAnswer = OperationAnswer> {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: A | ErrorEnvelope;
}

/** The answer of the operation `searchForFacetValues`. */
export interface FacetAnswer extends Omit<SearchAnswer, "data"> {
  readonly data: FacetHits;
}

/** The answer of the operation `multiQuery`. */
export interface MultiAnswer extends Omit<SearchAnswer, "data"> {
  /** In the order of the queries: the answer of each, or the envelope of its error. */
  readonly data: { readonly results: readonly (SearchAnswer | ErrorEnvelope)[] };
}

/** The answer of the operation `instantSearch`. */
export interface InstantSearchAnswer extends Omit<SearchAnswer, "data"> {
  /** What the client's function resolves with; the list of `searchForFacetValues` under `results`, too. */
  readonly data: { readonly results: readonly (InstantSearchResult | InstantSearchFacets)[] };
}

/** The answer of an operation. */
export type OperationAnswer = SearchAnswer | FacetAnswer | SuggestAnswer | MultiAnswer | InstantSearchAnswer;

/** What is asked of the engine. */
interface BoundedRequest {
  readonly params: object;
  /** Within the bounds of the key. */
  readonly options: CallOptions;
  readonly credential: CheckedCredential;
  readonly instantSearch: InstantSearchOptions | undefined;
  /** Learns what became of several queries. */
  readonly known: RequestEvent;
}

type Ask = (engine: Engine, indexName: string, asked: BoundedRequest) => Promise<OperationAnswer>;

const OPERATIONS: Readonly<Record<ServiceOperation, Ask>> = {
  query: (engine, indexName, { params, options }) => engine.query(indexName, params as SearchParams, options),
  searchForFacetValues: async (engine, indexName, { params, options }) =>
    answerOf(await engine.searchForFacetValues(indexName, params as FacetSearchParams<JsonRecord>, options)),
  similar: async (engine, indexName, { params, options }) => {
    const { of, ...others } = copyProperties(params, { what: "body", error: "invalid_request" });
    return engine.similar(indexName, of as SimilarTo, others, options);
  },
  suggest: (engine, indexName, { params, options }) => engine.suggest(indexName, params as SuggestParams, options),
  multiQuery: (engine, _, asked) => answerQueries(engine, asked),
  instantSearch: (engine, _, asked) => answerInterface(engine, asked),
};

function answerOf<D>(data: D): Omit<SearchAnswer, "data"> & { readonly data: D } {
  return { msg: "success", code: 200, data };
}

/** Operations whose requests name indexes of their own, and are checked one by one, as each would be alone. */
const OF_SEVERAL: ReadonlySet<ServiceOperation> = new Set(["multiQuery", "instantSearch"]);
/** In the path of these; no index is called so. */
const ANY_INDEX = "*";

function isOperation(operation: unknown): operation is ServiceOperation {
  return typeof operation === "string" && Object.hasOwn(OPERATIONS, operation);
}

const DEFAULT_LIMITS = { bodyBytes: 65_536, timeoutMs: 5_000 };
const JSON_HEADERS: Readonly<Record<string, string>> = { "content-type": "application/json; charset=utf-8" };
const CHALLENGE: Readonly<Record<string, string>> = { "www-authenticate": 'SearchApiKey realm="search"' };

/** A refusal with headers of its own. */
class Refusal extends SearchError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: number, error: string, msg: string, headers: Readonly<Record<string, string>> = {}) {
    super(code, error, msg);
    this.headers = headers;
  }
}

/** A fault of the server, which the client does not learn. The cause is told to `onRequest`. */
class ServerFault extends Error {
  constructor(cause: unknown) {
    super("The server failed.", { cause: cause ?? new Error(`${show(cause)} was thrown`) });
  }
}

/** What an event says of a request, as far as it is known. */
type RequestEvent = {
  -readonly [name in "indexName" | "operation" | "applicationId" | "credential" | "queries"]?: ServiceEvent[name];
};

/**
 * Answers one request, `POST /1/indexes/{indexName}/{operation}`.
 *
 * @returns the answer to send; refusals are answers, too
 * @throws SearchError 400 `invalid_option`: `access` is wrong, whatever the request is
 * @example
 * const { status, headers, body } = await answerRequest(engine, { indexName, headers: request.headers, body: request }, access);
 * response.writeHead(status, headers).end(JSON.stringify(body));
 */
export function answerRequest(
  engine: Engine,
  request: ServiceRequest & { readonly operation?: "query" | undefined },
  access: ServiceAccess,
): Promise<ServiceAnswer<SearchAnswer>>;
export function answerRequest(engine: Engine, request: ServiceRequest, access: ServiceAccess): Promise<ServiceAnswer>;
export async function answerRequest(
  engine: Engine,
  request: ServiceRequest,
  access: ServiceAccess,
): Promise<ServiceAnswer> {
  const started = performance.now();
  const checked = readAccess(access);
  const known: RequestEvent = {};
  /** Aborted at the end of the time that a request may take, and of the client's patience. */
  const stop = new AbortController();
  const msg = "The search took longer than the server allows; try again.";
  const late = (): Refusal => new Refusal(503, "timed_out", msg, { "retry-after": "1" });
  const timer = setTimeout(() => stop.abort(late()), checked.timeoutMs);
  let stopListening = (): void => {};
  let event: Partial<ServiceEvent> = {};
  let answer: ServiceAnswer;
  try {
    const { indexName, operation = "query", method = "POST", headers, body, signal } = request;
    if (typeof indexName === "string") known.indexName = indexName;
    if (isOperation(operation) && operation !== "query") known.operation = operation;
    const client = signal === null ? undefined : ofServer(() => checkSignal(signal));
    const gone = (): Refusal => new Refusal(499, "aborted", "The request was aborted by its client.");
    if (client !== undefined) stopListening = onAbort(client, () => stop.abort(gone()));
    const found = await decide(engine, { indexName, operation, method, headers, body }, checked, stop.signal, known);
    answer = { status: 200, headers: JSON_HEADERS, body: found };
    if ("nbHits" in found.data) event = { query: found.data.query, nbHits: found.data.nbHits };
  } catch (error) {
    // What was thrown because the request was given up is not why it failed.
    const isDecided = error instanceof SearchError && error.code !== 499;
    const thrown = stop.signal.aborted && !isDecided ? stop.signal.reason : error;
    const refusal = refusalFor(thrown);
    const headers = { ...JSON_HEADERS, ...refusal.headers };
    answer = { status: refusal.code, headers, body: refusal.toEnvelope() };
    event = refusalEvent(refusal, thrown);
  } finally {
    clearTimeout(timer);
    stopListening();
  }
  const milliseconds = performance.now() - started;
  callQuietly(checked.onRequest, { ...known, status: answer.status, ...event, milliseconds });
  return answer;
}

/**
 * Answers what InstantSearch and other interfaces made for Algolia ask of a server: `POST` with `{ method, requests }`, where `method` is the
 * function of the search client that was called, `"search"` by default.
 *
 * @returns the answer to send: `data` of its body is what the function of the client resolves with; refusals are answers, too
 * @throws SearchError 400 `invalid_option`: `access` is wrong, whatever the request is
 * @example
 * const { status, headers, body } = await instantSearchRequest(engine, { headers: request.headers, body: request }, access);
 * response.writeHead(status, headers).end(JSON.stringify(body));
 */
export function instantSearchRequest(
  engine: Engine,
  request: Omit<ServiceRequest, "indexName" | "operation">,
  access: ServiceAccess,
): Promise<ServiceAnswer<InstantSearchAnswer>> {
  const asked: ServiceRequest = { ...request, indexName: ANY_INDEX, operation: "instantSearch" };
  return answerRequest(engine, asked, access) as Promise<ServiceAnswer<InstantSearchAnswer>>;
}

/** The access, checked. */
interface ReadAccess extends Omit<ServiceAccess, "limits"> {
  readonly bodyBytes: number;
  readonly timeoutMs: number;
}

const COPYING = copyingOf({
  what: "access",
  error: "invalid_option",
  asTheyAre: ["credentials", "instantSearch", "onRequest"],
});

function readAccess(access: ServiceAccess): ReadAccess {
  const { credentials, onRequest, limits: ownLimits, instantSearch, ...others } = copyObject(access, COPYING);
  if (instantSearch !== undefined) readOptions(instantSearch);
  const check = new Checker("invalid_option", "access");
  // A misspelt limit protects nothing, so it is not ignored.
  check.refuseOthers(Object.keys(others), ["credentials", "instantSearch", "limits", "onRequest"], "option of access");
  if (!Array.isArray(credentials) && typeof credentials !== "function")
    check.complain("credentials", credentials, "a list of credentials, or a function");
  if (onRequest !== undefined && typeof onRequest !== "function") check.complain("onRequest", onRequest, "a function");
  const limits = check.entries("limits", ownLimits ?? {});
  const known = Object.keys(DEFAULT_LIMITS);
  check.refuseOthers(limits.keys(), known, "option of access.limits", "invalid_option", "limits.");
  const limit = (name: keyof typeof DEFAULT_LIMITS, low: number, high: number): number =>
    check.integer(`limits.${name}`, limits.get(name), low, high, DEFAULT_LIMITS[name]);
  const bodyBytes = limit("bodyBytes", 0, Number.MAX_SAFE_INTEGER);
  const timeoutMs = limit("timeoutMs", 1, LONGEST_TIMEOUT_MS);
  throwValidationErrors(check.complaints);
  return { credentials, onRequest, instantSearch, bodyBytes, timeoutMs } as ReadAccess;
}

/** The answer of the engine; throws everything else. `known` learns the key. */
async function decide(
  engine: Engine,
  { indexName, operation, method, headers, body }: Omit<ServiceRequest, "signal">,
  { credentials, bodyBytes, instantSearch }: ReadAccess,
  stop: AbortSignal,
  known: RequestEvent,
): Promise<OperationAnswer> {
  if (method !== "POST")
    throw new Refusal(405, "method_not_allowed", "Only the method POST is answered here.", { allow: "POST" });
  if (!isOperation(operation)) {
    const msg = `The operation is ${show(operation)}; expected one of ${Object.keys(OPERATIONS).join(", ")}.`;
    throw new Refusal(404, "unknown_operation", msg);
  }
  const { isJson, ...from } = readHeaders(headers);
  const credential = await authenticate(from, credentials, stop, known);
  if (isExpired(credential))
    throw new Refusal(401, "key_expired", "The key is not valid any more; ask for a new one.", CHALLENGE);
  const isSeveral = OF_SEVERAL.has(operation);
  const isCovered = (isSeveral && indexName === ANY_INDEX) || covers(credential, indexName);
  if (!credential.permissions.includes("search") || !isCovered) throw forbidden();
  if (!isJson) {
    const msg = "The body is not declared as JSON; send content-type: application/json, in UTF-8.";
    throw new Refusal(415, "unsupported_media_type", msg);
  }
  const params = await readBody(body, bodyBytes, stop);
  if (!isSeveral) checkAllowed(credential, params);
  const { filters, maxHitsPerPage } = credential;
  const bounds = { filters, maxHitsPerPage, mayExplain: mayExplain(credential) };
  const options = fromOutside({ signal: stop }, bounds);
  const asked = { params, options, credential, instantSearch, known };
  return untilAborted(OPERATIONS[operation](engine, indexName, asked), stop);
}

/** Throws 403 for a parameter that the key does not allow. */
function checkAllowed(credential: CheckedCredential, params: object): void {
  const name = forbiddenParameter(credential, params);
  if (name === undefined) return;
  const msg = `The key does not allow the parameter ${show(name)}; leave it out.`;
  throw new Refusal(403, "parameter_not_allowed", msg);
}

/** Throws 400 for a property of the body that its form does not have. */
function refuseOthers(others: object, form: string): void {
  const [other] = Object.keys(others);
  if (other === undefined) return;
  throw new SearchError(400, "invalid_parameter", `The body has ${show(other)}; ${form} and nothing else.`);
}

/** Answers several queries, each as it would be alone: a refusal, with its status, stands in the place of the answer. */
async function answerQueries(
  engine: Engine,
  { params, options, credential, known }: BoundedRequest,
): Promise<MultiAnswer> {
  const { requests, ...others } = params as Readonly<Record<string, unknown>>;
  refuseOthers(others, "multiQuery takes { requests: [{ indexName, query, … }] }");
  const events: QueryEvent[] = [];
  const answerOne = async (given: unknown, i: number): Promise<SearchAnswer | ErrorEnvelope> => {
    let about = {};
    try {
      const { indexName, params: own } = copyQuery(given, i, "requests");
      if (typeof indexName === "string") about = { indexName };
      if (!covers(credential, indexName)) throw forbidden();
      const query = ownCopy(own);
      checkAllowed(credential, query);
      const answer = await engine.query(indexName as string, query as SearchParams, options);
      events[i] = { ...about, status: 200, query: answer.data.query, nbHits: answer.data.nbHits };
      return answer;
    } catch (error) {
      const refused = refusalFor(error);
      events[i] = { ...about, ...refusalEvent(refused, error) };
      return refused.toEnvelope();
    }
  };
  const results = await Promise.all(copyQueries(requests, "requests").map(answerOne));
  known.queries = events;
  return answerOf({ results });
}

/** The functions of the client that a user interface calls. */
const FUNCTIONS = ["search", "searchForFacetValues", "getRecommendations"] as const;

/** Answers what the client of a user interface is asked, within the bounds of the key. */
async function answerInterface(
  engine: Engine,
  { params, options, credential, instantSearch }: BoundedRequest,
): Promise<InstantSearchAnswer> {
  const { method = "search", requests, ...others } = params as Readonly<Record<string, unknown>>;
  refuseOthers(others, "instantSearch takes { method, requests: [{ indexName, params }] }");
  const called = FUNCTIONS.find((name) => name === method);
  if (called === undefined)
    throw refusal("invalid_parameter", "method", `method is ${show(method)}; expected one of ${FUNCTIONS.join(", ")}.`);
  const list = copyRequests({ requests });
  for (const request of list)
    checkAllowed(credential, Object.fromEntries(namesAsked(request).map((name) => [name, 0])));
  const within = <T>(indexName: string, ask: () => Promise<T>): Promise<T> => {
    if (!covers(credential, indexName)) throw forbidden();
    return ask();
  };
  const client = createInstantSearchClient(
    {
      query: async (name, query) => within(name, () => engine.query(name, query, options)),
      searchForFacetValues: async (name, query) =>
        within(name, () => engine.searchForFacetValues(name, query, options)),
      similar: async (name, of, query) => within(name, () => engine.similar(name, of, query, options)),
    },
    instantSearch,
  );
  // Each function checks its requests.
  const found = await client[called](list as never);
  return answerOf(Array.isArray(found) ? { results: found } : found);
}

/** Finds the credential of a key. The error of a server's function may be of any kind, also one of ours: none of them is the client's. */
async function authenticate(
  { applicationId, apiKey }: Pick<ReadHeaders, "applicationId" | "apiKey">,
  credentials: ServiceAccess["credentials"],
  stop: AbortSignal,
  known: RequestEvent,
): Promise<CheckedCredential> {
  if (applicationId === undefined || apiKey === undefined) throw invalidCredentials();
  const failed = (cause: unknown): never => {
    throw new ServerFault(cause);
  };
  const isFunction = typeof credentials === "function";
  const asking = isFunction && Promise.resolve(applicationId).then(credentials).catch(failed);
  const list: unknown = asking === false ? credentials : await untilAborted(asking, stop);
  if (!Array.isArray(list))
    throw new ServerFault(new TypeError(`access.credentials answered ${show(list)}; expected a list.`));
  const found = ofServer(() => findCredential(list, applicationId, apiKey));
  if (found === undefined) throw invalidCredentials();
  known.applicationId = applicationId;
  const fields = ofServer(() => readCredential(found));
  const name = fields.get("name");
  if (typeof name === "string") known.credential = name;
  return ofServer(() => checkCredential(fields));
}

/** What `work` throws is the server's fault. */
function ofServer<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new ServerFault(cause);
  }
}

/** The refusal that a client sees. */
function refusalFor(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof SearchError) return new Refusal(thrown.code, thrown.error, thrown.msg);
  return new Refusal(500, "internal_error", "The search failed on the server; try again later.");
}

/** What an event says of a refusal. */
function refusalEvent({ code, error }: Refusal, thrown: unknown): Pick<ServiceEvent, "status" | "error" | "cause"> {
  if (code !== 500) return { status: code, error };
  const isWrapped = thrown instanceof ServerFault || thrown instanceof BoundsError;
  return { status: code, error, cause: isWrapped ? thrown.cause : (thrown ?? new ServerFault(thrown).cause) };
}

/** The same for all that may be wrong, so that nobody learns which part was right. */
function invalidCredentials(): Refusal {
  const msg = "The credentials are missing or wrong; send x-search-application-id and x-search-api-key, each once.";
  return new Refusal(401, "invalid_credentials", msg, CHALLENGE);
}

function forbidden(): Refusal {
  return new Refusal(403, "forbidden", "The key does not allow searching this index.");
}
