// Requests to a cluster of OpenSearch nodes: JSON over HTTP by the fetch of the platform. Each has a time-out; a read that fails
// is asked once more, of another node. What a cluster refuses, or does not answer, becomes a SearchError.

import { pauseFor, throwIfAborted } from "../util/abort.js";
import { SearchError } from "../util/errors.js";
import { show, showCause } from "../util/show.js";

/** How to reach a cluster. */
export interface ClusterAddress {
  /** URLs of nodes, asked in turn. */
  readonly nodes: readonly string[];
  /** Sent with each request; undefined: none are. */
  readonly authorization: string | undefined;
  readonly requestTimeoutMs: number;
}

/** A request. */
export interface ClusterRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With the query; of names that are encoded. */
  readonly path: string;
  /** One value as JSON, or a list of them as lines of JSON. */
  readonly body?: object | undefined;
  readonly lines?: readonly (object | string)[] | undefined;
  /** It changes nothing, so that it may be asked again. */
  readonly isRead: boolean;
  readonly signal?: AbortSignal | undefined;
  /** In place of the time-out of the cluster, for what takes long. */
  readonly timeoutMs?: number | undefined;
  /** What cluster may answer besides success, for the caller to understand. */
  readonly mayAnswer?: readonly number[];
}

/** What a cluster answered. */
export interface ClusterAnswer<T> {
  readonly status: number;
  readonly body: T;
}

/** The statuses of a node, or of what stands before it, that cannot answer at the moment. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
const TOO_MANY = 429;
/** A busy cluster is asked again after so many milliseconds, and then after twice as many each time. */
const PATIENCE_MS: readonly number[] = [50, 100, 200, 400, 800, 1600];
/** Characters of what a cluster says that a message passes on. */
const MOST_SAID = 200;

/** A cluster, with the number of requests that it was sent. */
export class Cluster {
  /** How many requests were sent. */
  requests = 0;
  private readonly address: ClusterAddress;
  private next = 0;

  constructor(address: ClusterAddress) {
    this.address = address;
  }

  get requestTimeoutMs(): number {
    return this.address.requestTimeoutMs;
  }

  /** Sends a request, and returns the answer as it came. Throws 503 `cluster_unavailable`, 502 `cluster_refused`, 499, 507. */
  async send<T>(request: ClusterRequest): Promise<ClusterAnswer<T>> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.ask<T>(request, attempt);
      if (answer !== undefined) return answer;
    }
  }

  /** As {@link send}, where nothing but success is an answer. */
  async call<T>(request: ClusterRequest): Promise<T> {
    return (await this.send<T>(request)).body;
  }

  /** One attempt; undefined: another one may succeed. */
  private async ask<T>(request: ClusterRequest, attempt: number): Promise<ClusterAnswer<T> | undefined> {
    const { signal, isRead, mayAnswer = [] } = request;
    throwIfAborted(signal);
    const mayRetry = isRead && attempt === 0;
    let answer: ClusterAnswer<T>;
    try {
      answer = await this.fetch<T>(request);
    } catch (cause) {
      throwIfAborted(signal);
      if (mayRetry) return undefined;
      throw unavailable(showCause(cause), cause);
    }
    const { status, body } = answer;
    if ((status >= 200 && status < 300) || mayAnswer.includes(status)) return answer;
    if (AWAY.has(status) && mayRetry) return undefined;
    if (status === TOO_MANY && !isBlocked(body) && attempt < PATIENCE_MS.length) {
      await pauseFor(PATIENCE_MS[attempt]!, signal === undefined ? [] : [signal]);
      return undefined;
    }
    throw refused(status, body);
  }

  private async fetch<T>({ method, path, body, lines, signal, timeoutMs }: ClusterRequest): Promise<ClusterAnswer<T>> {
    const { nodes, authorization, requestTimeoutMs } = this.address;
    const node = nodes[this.next++ % nodes.length]!;
    const late = AbortSignal.timeout(timeoutMs ?? requestTimeoutMs);
    const stop = signal === undefined ? late : AbortSignal.any([signal, late]);
    this.requests++;
    const sent = lines === undefined ? body && JSON.stringify(body) : textOf(lines);
    const response = await fetch(`${node}${path}`, {
      method,
      signal: stop,
      redirect: "error",
      headers: {
        accept: "application/json",
        ...(sent !== undefined && {
          "content-type": lines === undefined ? "application/json" : "application/x-ndjson",
        }),
        ...(authorization !== undefined && { authorization }),
      },
      ...(sent !== undefined && { body: sent }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? {} : parsed(text, response.status)) as T };
  }
}

/** Lines of JSON; texts are lines as they are. */
function textOf(lines: readonly (object | string)[]): string {
  return `${lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")}\n`;
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // What stands before the cluster may answer by a page.
    if (status >= 200 && status < 300) throw cause;
    return text;
  }
}

/** What a cluster says of an error. */
interface Refusal {
  readonly error?: { readonly type?: string; readonly reason?: string } | string;
}

function reasonIn(body: unknown): { readonly type: string; readonly reason: string } {
  const { error } = (typeof body === "object" && body !== null ? body : {}) as Refusal;
  if (typeof error === "object" && error !== null) return { type: String(error.type), reason: String(error.reason) };
  return { type: "unknown", reason: typeof error === "string" ? error : String(body) };
}

/** Whether an index takes no writes because its disk is full. */
export function isBlocked(body: unknown): boolean {
  const { type, reason } = reasonIn(body);
  return type === "cluster_block_exception" && /flood|read-only-allow-delete/.test(reason);
}

/** 503: no node answered, or not in time. */
export function unavailable(why: string, cause?: unknown): SearchError {
  const msg = `The cluster cannot be reached: ${why}; check nodes, and whether the cluster is up.`;
  return new SearchError(503, "cluster_unavailable", msg, { cause });
}

/** The error of an answer that tells of none that a caller can mend by other arguments. */
export function refused(status: number, body: unknown): SearchError {
  if (isBlocked(body))
    return new SearchError(
      507,
      "storage_full",
      "The disk of the cluster is full; free some, and lift its block of writes.",
    );
  if (AWAY.has(status) || status === TOO_MANY) return unavailable(`it answered ${status}`);
  const { type, reason } = reasonIn(body);
  const hint = status === 401 || status === 403 ? " check auth, and what that user may do." : "";
  const msg = `The cluster refused a request: ${status} ${show(type)}, ${show(reason.slice(0, MOST_SAID))};${hint}`;
  return new SearchError(502, "cluster_refused", msg, { details: { status, type } });
}
