// The options of an engine that its cluster needs, checked, with their defaults.

import { copyingOf, copyObject, type PlainObject } from "../input/plain-data.js";
import { refusal, type SearchError, show } from "../util/errors.js";
import type { ClusterAddress } from "./cluster.js";

/**
 * Who searches an index: `"replica"`, each process, which has all of its records in memory; or `"remote"`, the cluster, so that it may be
 * larger than a process holds.
 */
export type SearchForm = "replica" | "remote";

/** The option of a new index besides those of every engine. */
export interface FormOption {
  /** Who searches the index. Default: the option `search` of the engine. One that is there in the other form is 409 `settings_differ`. */
  readonly search?: SearchForm | undefined;
}

/** Where the cluster is, and how indexes are kept in it. */
export interface ClusterOptions {
  /** Who searches new indexes. Default `"replica"`. */
  readonly search?: SearchForm | undefined;
  /** Of each new index that the cluster searches: how many primary shards, 1 to 1000. Default 1. */
  readonly shards?: number | undefined;
  /** URLs of nodes, such as `"https://search-1.example:9200"`, asked in turn. */
  readonly nodes: readonly string[];
  /** Who asks: a user with a password, or the whole value of the `Authorization` header. Default: nobody in particular. */
  readonly auth?: { readonly username: string; readonly password: string } | string | undefined;
  /** What the names of its indexes in the cluster begin with: engines with another one have other indexes. Default `"tandem"`. */
  readonly indexPrefix?: string | undefined;
  /** Of each new index: how many more copies. Default: one, as soon as there is a second node. */
  readonly replicas?: number | undefined;
  /** A folder that keeps a copy of the indexes, of this engine alone: then opening reads only what changed since. Default: none. */
  readonly dataDir?: string | undefined;
  /** How often the engine looks for what others wrote, in milliseconds: 10 or more. Default 1000; 0: only when `refresh` asks. */
  readonly refreshIntervalMs?: number | undefined;
  /**
   * For so many milliseconds at least the cluster keeps what tells other engines of a deleted record; one that was away longer loads the
   * index anew. Default: seven days.
   */
  readonly tombstoneMs?: number | undefined;
  /**
   * Milliseconds for a request; more: 503. Default 30,000. Writes of many records have longer. `updateRecords` tries again for as
   * long where other processes change the same records, and then throws 409 `version_conflict`.
   */
  readonly requestTimeoutMs?: number | undefined;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const PREFIX = /^[a-z0-9][a-z0-9.-]{0,39}$/;
const MOST_NODES = 100;

/** The options of a cluster with their defaults, and those left for every engine. */
export interface ReadClusterOptions extends Pick<ClusterOptions, "replicas" | "dataDir"> {
  readonly shards: number;
  readonly refreshIntervalMs: number;
  readonly tombstoneMs: number;
  readonly address: ClusterAddress;
  readonly prefix: string;
  readonly search: SearchForm;
  readonly rest: object;
}

const COPYING = copyingOf({
  what: "options",
  error: "invalid_options",
  asTheyAre: ["embedder", "embedders", "analyzers", "onWarning"],
});

/** Reads the options of a cluster. Throws 400. */
export function readClusterOptions(options: unknown): ReadClusterOptions {
  const given = copyObject(options, COPYING);
  const { nodes, auth, indexPrefix = "tandem", replicas, requestTimeoutMs = 30_000, ...others } = given;
  const { dataDir, refreshIntervalMs = 1000, tombstoneMs = WEEK_MS, search, shards = 1, ...rest } = others;
  if (typeof indexPrefix !== "string" || !PREFIX.test(indexPrefix))
    throw invalid("indexPrefix", indexPrefix, "1 to 40 of a-z 0-9 . - that begin with a letter or a digit");
  if (dataDir !== undefined && (typeof dataDir !== "string" || dataDir === "" || dataDir.includes("\0")))
    throw invalid("dataDir", dataDir, "the path of a folder");
  return {
    address: {
      nodes: readNodes(nodes),
      authorization: readAuth(auth),
      requestTimeoutMs: readCount("requestTimeoutMs", requestTimeoutMs, 1, 600_000),
    },
    prefix: indexPrefix,
    search: readForm("search", search) ?? "replica",
    shards: readCount("shards", shards, 1, 1000),
    replicas: replicas === undefined ? undefined : readCount("replicas", replicas, 0, 100),
    dataDir,
    refreshIntervalMs: refreshIntervalMs === 0 ? 0 : readCount("refreshIntervalMs", refreshIntervalMs, 10, 86_400_000),
    tombstoneMs: readCount("tombstoneMs", tombstoneMs, 0, Number.MAX_SAFE_INTEGER),
    rest,
  };
}

/** Who is to search an index; undefined: it is not said. */
export function readForm(name: string, value: unknown): SearchForm | undefined {
  if (value === undefined || value === "replica" || value === "remote") return value;
  throw invalid(name, value, '"replica" or "remote"');
}

function readNodes(given: unknown): readonly string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_NODES)
    throw invalid("nodes", given, 'a list of URLs, such as ["http://127.0.0.1:9200"]');
  return given.map((node: unknown, i) => {
    const url = typeof node === "string" && URL.canParse(node) ? new URL(node) : undefined;
    const hasUser = url !== undefined && (url.username !== "" || url.password !== "");
    if (url === undefined || !/^https?:$/.test(url.protocol) || hasUser || url.search !== "") {
      // A password is for no log.
      const found = hasUser ? `${url.protocol}//...@${url.host}` : node;
      throw invalid(`nodes[${i}]`, found, "a URL of http or https, without a user, such as http://127.0.0.1:9200");
    }
    return url.href.replace(/\/+$/, "");
  });
}

function readAuth(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === "string" && /^[\x20-\x7e]+$/.test(given)) return given;
  const { username, password } = given as PlainObject;
  if (typeof username === "string" && typeof password === "string" && !username.includes(":"))
    return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const msg = "auth is no user; pass { username, password }, or the value of the Authorization header as a text.";
  throw refusal("invalid_option", "auth", msg);
}

function readCount(name: string, value: unknown, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw invalid(name, value, `an integer from ${least} to ${most}`);
}

function invalid(name: string, value: unknown, expected: string): SearchError {
  return refusal("invalid_option", name, `${name} is ${show(value)}; pass ${expected}.`);
}
