// Who may ask what: keys as SHA-256 digests, each with what it allows. No function here shows a key or a digest.

import { createHash, timingSafeEqual } from "node:crypto";
import { copyItems } from "../input/plain-data.js";
import { refusal, SearchError, show, unknownName } from "../util/errors.js";
import { instantOf } from "../util/instant.js";

/**
 * What one key allows. Any other field, own or inherited, makes the credential malformed, and then it lets nobody in. A field that is
 * undefined counts as missing.
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
  /**
   * The parameters that may be sent besides `query`, `page`, `hitsPerPage`, `offset`, `length`, `cursor` and `params`. Default: all. With
   * `filters`, hits are explained only if `explain` is among these.
   */
  readonly parameters?: readonly string[] | undefined;
  /** A greater `hitsPerPage` or `length` is clamped, also the default of 12. Default: the limit of the engine. */
  readonly maxHitsPerPage?: number | undefined;
  /**
   * The end of its validity: an ISO instant that exists, with a zone (`"2027-01-01T00:00:00Z"`), or milliseconds since 1970.
   * Default: none.
   */
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
  throw refusal("invalid_key", "key", msg);
}

function digestOf(key: string): string {
  return `sha256:${createHash("sha256").update(key, "utf8").digest("hex")}`;
}

const KEY_HASH = /^sha256:[0-9a-f]{64}$/;

/**
 * The credential of an application with this key; compares all digests in constant time. Malformed ones match nothing. Throws what
 * reading one threw, if no other matches.
 */
export function findCredential(
  credentials: readonly unknown[],
  applicationId: string,
  apiKey: string,
): object | undefined {
  const digest = Buffer.from(digestOf(apiKey));
  let found: object | undefined;
  let failure: { readonly cause: unknown } | undefined;
  for (const credential of credentials) {
    try {
      const keyHash = keyHashOf(credential, applicationId);
      if (keyHash !== undefined && timingSafeEqual(Buffer.from(keyHash), digest)) found ??= credential as object;
    } catch (cause) {
      failure ??= { cause };
    }
  }
  if (found === undefined && failure !== undefined) throw unreadable(failure.cause);
  return found;
}

/** The digest of a credential of this application; undefined if it is another's, or malformed. */
function keyHashOf(value: unknown, applicationId: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const credential: Partial<Credential> = value;
  if (credential.applicationId !== applicationId) return undefined;
  const { keyHash } = credential;
  return typeof keyHash === "string" && KEY_HASH.test(keyHash) ? keyHash : undefined;
}

/** The fields of a credential; leaving one out does not compile. */
const FIELDS: readonly string[] = Object.keys({
  applicationId: true,
  keyHash: true,
  permissions: true,
  name: true,
  indexes: true,
  filters: true,
  parameters: true,
  maxHitsPerPage: true,
  validUntil: true,
} satisfies Record<keyof Credential, true>);

/** Those that were read to find the credential. */
const FOUND_BY: readonly string[] = ["applicationId", "keyHash"];

/** The other fields of a credential that was found, known or not. Throws 500 `invalid_credential`. */
export function readCredential(credential: object): ReadonlyMap<string, unknown> {
  try {
    const names = new Set([...FIELDS, ...fieldNames(credential)]);
    for (const name of FOUND_BY) names.delete(name);
    const read = Array.from(names, (name) => [name, (credential as Readonly<Record<string, unknown>>)[name]] as const);
    return new Map(read.filter(([, value]) => value !== undefined));
  } catch (cause) {
    throw unreadable(cause);
  }
}

/**
 * Whatever somebody may have meant as a field: all properties of the object itself, and of its prototypes what is enumerable or has
 * a getter. Methods are none, and nobody means what every object has.
 */
function fieldNames(credential: object): Set<string> {
  const names = new Set(Object.getOwnPropertyNames(credential));
  for (let from = prototypeOf(credential); from !== null && !isOfEveryObject(from); from = prototypeOf(from))
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(from)))
      if (descriptor.enumerable || Object.hasOwn(descriptor, "get")) names.add(name);
  return names;
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

/** `Object.prototype`, also that of another realm. */
function isOfEveryObject(value: object): boolean {
  return prototypeOf(value) === null && Object.hasOwn(value, "hasOwnProperty");
}

function unreadable(cause: unknown): SearchError {
  const msg = "A credential could not be read (see cause); pass a plain object.";
  return new SearchError(500, "invalid_credential", msg, { cause });
}

/** What a key allows, checked. */
export interface CheckedCredential extends Omit<Credential, "applicationId" | "keyHash" | "validUntil"> {
  /** Milliseconds since 1970. */
  readonly validUntil: number | undefined;
}

/** A copy of what was read of a credential. Throws 500 `invalid_credential` when it is malformed: then it lets nobody in. */
export function checkCredential(fields: ReadonlyMap<string, unknown>): CheckedCredential {
  for (const name of fields.keys())
    if (!FIELDS.includes(name)) {
      const msg = `${unknownName("credential field", name, FIELDS)} It is an error, because ignoring it might allow the key too much.`;
      throw refusal("invalid_credential", name, msg, 500);
    }
  /** The value of a field; undefined from `readAs`: it is wrong. */
  const read = <T>(field: keyof Credential, expected: string, readAs: (value: unknown) => T | undefined): T => {
    const value = fields.get(field);
    const found = readAs(value);
    if (found !== undefined) return found;
    throw refusal("invalid_credential", field, `credential.${field} is ${show(value)}; expected ${expected}.`, 500);
  };
  const optional = <T>(...[field, ...how]: Parameters<typeof read<T>>): T | undefined =>
    fields.has(field) ? read(field, ...how) : undefined;
  return {
    permissions: read("permissions", TEXTS, textsOf),
    name: optional("name", "a text", (value) => (typeof value === "string" ? value : undefined)),
    indexes: optional("indexes", TEXTS, textsOf),
    filters: fields.get("filters") as Credential["filters"],
    parameters: optional("parameters", TEXTS, textsOf),
    maxHitsPerPage: optional("maxHitsPerPage", "an integer from 0", sizeOf),
    validUntil: optional("validUntil", "an ISO instant that exists, with a zone, or milliseconds", endOf),
  };
}

/** A credential that no key was compared with, checked and copied. Throws as {@link checkCredential}. */
export function checkWholeCredential(value: unknown): CheckedCredential {
  const malformed = (msg: string): SearchError => refusal("invalid_credential", "credential", msg, 500);
  if (typeof value !== "object" || value === null) throw malformed(`The credential is ${show(value)}; pass an object.`);
  const checked = checkCredential(readCredential(value));
  const { applicationId }: Partial<Credential> = value;
  if (typeof applicationId !== "string" || keyHashOf(value, applicationId) === undefined)
    throw malformed("The credential has no applicationId, or no keyHash that hashKey gave; pass both.");
  try {
    return { ...checked, filters: structuredClone(checked.filters) };
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** So that a list of four billion holes is not copied. */
const MOST_TEXTS = 100_000;
const TEXTS = `a list of at most ${MOST_TEXTS} texts`;

function textsOf(value: unknown): readonly string[] | undefined {
  const texts = copyItems(value, MOST_TEXTS);
  return texts?.every((text) => typeof text === "string") ? texts : undefined;
}

function sizeOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

function endOf(value: unknown): number | undefined {
  // A date alone has no zone.
  const isText = typeof value === "string" && value.includes("T");
  const instant = isText ? instantOf(value.replace(/([+-]\d\d)(\d\d)$/, "$1:$2")) : value;
  return typeof instant === "number" && Number.isFinite(instant) ? instant : undefined;
}

/** Whether the validity is over. */
export function isExpired({ validUntil }: Pick<CheckedCredential, "validUntil">): boolean {
  return validUntil !== undefined && Date.now() > validUntil;
}

/** Whether the indexes of a key include a name. */
export function covers({ indexes }: Pick<Credential, "indexes">, indexName: unknown): boolean {
  if (indexes === undefined) return true;
  if (typeof indexName !== "string") return false;
  return indexes.some((each) => (each.endsWith("*") ? indexName.startsWith(each.slice(0, -1)) : each === indexName));
}

const ALWAYS_ALLOWED: readonly string[] = ["query", "page", "hitsPerPage", "offset", "length", "cursor", "params"];

/** A parameter that the key does not allow, of an object or of the text in its `params`; undefined: there is none. */
export function forbiddenParameter({ parameters }: Pick<Credential, "parameters">, params: object): string | undefined {
  if (parameters === undefined) return undefined;
  const encoded: unknown = (params as { readonly params?: unknown }).params;
  const names = [...Object.keys(params), ...(typeof encoded === "string" ? new URLSearchParams(encoded).keys() : [])];
  return names.find((name) => !ALWAYS_ALLOWED.includes(name) && !parameters.includes(name));
}

/**
 * Whether hits may be explained. Explanations count all records, also those that the key's filter hides, so a key with a filter has
 * to allow them by name.
 */
export function mayExplain({ filters, parameters }: Pick<Credential, "filters" | "parameters">): boolean {
  return filters === undefined || parameters?.includes("explain") === true;
}
