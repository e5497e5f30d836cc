// Who may ask what: keys as SHA-256 digests, each with what it allows. No function here shows a key or a digest.

import { createHash, timingSafeEqual } from "node:crypto";
import { SearchError } from "../util/errors.js";
import { show } from "../util/show.js";

/**
 * What one key allows.
 *
 * @example
 * const credential: Credential = {
 *   applicationId: "shop",
 *   keyHash: hashKey(process.env.SEARCH_KEY),
 *   permissions: ["search"],
 *   indexes: ["products_*"],
 *   filters: { tenant: "acme" },
 * };
 */
export interface Credential {
  /** What `x-search-application-id` must be, without a comma. */
  readonly applicationId: string;
  /** `hashKey(key)`: the key itself is not kept. */
  readonly keyHash: string;
  /** Searching needs `"search"`. */
  readonly permissions: readonly string[];
  /** Names the key in events, for people. */
  readonly name?: string | undefined;
  /** The indexes: names, and beginnings of names with a star behind them (`"shop_*"`). Default: all. */
  readonly indexes?: readonly string[] | undefined;
  /** Which records exist for this key, as the parameter `filters` says it; the caller's filters only narrow them. Default: all. */
  readonly filters?: string | object | undefined;
  /** The parameters that may be sent besides `query`, `page`, `hitsPerPage` and `params`. Default: all. */
  readonly parameters?: readonly string[] | undefined;
  /** A greater `hitsPerPage` is clamped, also the default of 12. Default: the limit of the engine. */
  readonly maxHitsPerPage?: number | undefined;
  /** The end of its validity: an ISO instant with a zone (`"2027-01-01T00:00:00Z"`), or milliseconds since 1970. Default: none. */
  readonly validUntil?: string | number | undefined;
}

const SHORTEST_KEY = 16;

/**
 * The digest of a key, for `Credential.keyHash`: `sha256:` and 64 hexadecimal digits. Digests are not salted, so a key must be
 * random: 16 characters or more, without a comma.
 *
 * @throws SearchError 400 `invalid_key`: no text, or shorter
 * @example
 * const key = randomBytes(24).toString("base64url"); // of node:crypto; for the client
 * const keyHash = hashKey(key); // for the server
 */
export function hashKey(key: string): string {
  if (typeof key === "string" && key.length >= SHORTEST_KEY) return digestOf(key);
  const found = typeof key === "string" ? `a text of ${key.length} characters` : show(key);
  const msg = `The key is ${found}; pass a random text of ${SHORTEST_KEY} characters or more.`;
  throw new SearchError(400, "invalid_key", msg, { param: "key" });
}

function digestOf(key: string): string {
  return `sha256:${createHash("sha256").update(key, "utf8").digest("hex")}`;
}

const KEY_HASH = /^sha256:[0-9a-f]{64}$/;

/** The credential of an application with this key; compares all digests in constant time. Malformed ones match nothing. */
export function findCredential(
  credentials: readonly unknown[],
  applicationId: string,
  apiKey: string,
): Credential | undefined {
  const digest = Buffer.from(digestOf(apiKey));
  let found: Credential | undefined;
  for (const credential of credentials) {
    if (!isCredentialOf(credential, applicationId)) continue;
    if (timingSafeEqual(Buffer.from(credential.keyHash), digest)) found ??= credential;
  }
  return found;
}

function isCredentialOf(value: unknown, applicationId: string): value is Credential {
  if (typeof value !== "object" || value === null) return false;
  const { applicationId: own, keyHash } = value as Partial<Credential>;
  return own === applicationId && typeof keyHash === "string" && KEY_HASH.test(keyHash);
}

/** A copy of a credential that opens nothing when it is wrong: then this throws 500 `invalid_credential`. */
export function checkCredential(credential: Credential): Omit<Credential, "keyHash"> {
  const { applicationId, permissions, name, indexes, filters, parameters, maxHitsPerPage, validUntil } = credential;
  check("permissions", permissions, isTexts(permissions), "a list of texts");
  check("name", name, name === undefined || typeof name === "string", "a text");
  check("indexes", indexes, indexes === undefined || isTexts(indexes), "a list of texts");
  check("parameters", parameters, parameters === undefined || isTexts(parameters), "a list of texts");
  const isSize = maxHitsPerPage === undefined || (Number.isSafeInteger(maxHitsPerPage) && maxHitsPerPage >= 0);
  check("maxHitsPerPage", maxHitsPerPage, isSize, "an integer from 0");
  const isInstant = validUntil === undefined || Number.isFinite(instantOf(validUntil));
  check("validUntil", validUntil, isInstant, "an ISO instant with a zone, or milliseconds");
  return { applicationId, permissions, name, indexes, filters, parameters, maxHitsPerPage, validUntil };
}

function check(field: string, value: unknown, isRight: boolean, expected: string): void {
  if (isRight) return;
  const msg = `credential.${field} is ${show(value)}; expected ${expected}.`;
  throw new SearchError(500, "invalid_credential", msg, { param: field });
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Milliseconds since 1970; NaN if that cannot be read. */
function instantOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && INSTANT.test(value) ? Date.parse(value) : Number.NaN;
}

/** Whether the validity is over. */
export function isExpired({ validUntil }: Pick<Credential, "validUntil">): boolean {
  return validUntil !== undefined && Date.now() > instantOf(validUntil);
}

/** Whether the indexes of a key include a name. */
export function covers({ indexes }: Pick<Credential, "indexes">, indexName: unknown): boolean {
  if (indexes === undefined) return true;
  if (typeof indexName !== "string") return false;
  return indexes.some((each) => (each.endsWith("*") ? indexName.startsWith(each.slice(0, -1)) : each === indexName));
}

const ALWAYS_ALLOWED: readonly string[] = ["query", "page", "hitsPerPage", "params"];

/** A parameter that the key does not allow, of an object or of the text in its `params`; undefined: there is none. */
export function forbiddenParameter({ parameters }: Pick<Credential, "parameters">, params: object): string | undefined {
  if (parameters === undefined) return undefined;
  const encoded: unknown = (params as { readonly params?: unknown }).params;
  const names = [...Object.keys(params), ...(typeof encoded === "string" ? new URLSearchParams(encoded).keys() : [])];
  return names.find((name) => !ALWAYS_ALLOWED.includes(name) && !parameters.includes(name));
}
