// Requests to a cluster of OpenSearch nodes: JSON over HTTP by the fetch of the platform. Each has a time-out, and each answer is looked at
// whole. A read that fails is asked once more, of another node; a write is sent once, because nobody knows whether it was done. What a
// cluster says, and where it is, stands in the `cause` of an error alone: its message may reach a stranger.

import { SearchError } from "../util/errors.js";
import { at, objectIn } from "../util/json.js";
import { pauseFor, throwIfAborted } from "../util/tasks.js";

/** How to reach a cluster. */
export interface ClusterAddress {
  /** URLs of nodes, asked in turn. */
  readonly nodes: readonly string[];
  /** Sent with each request; undefined: none are. */
  readonly authorization: string | undefined;
  readonly requestTimeoutMs: number;
}

/** A request, and what its answer tells. */
export interface ClusterRequest<T> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With the query; of names that are encoded. */
  readonly path: string;
  /** One value as JSON, or lines of JSON. */
  readonly body?: object | undefined;
  readonly lines?: readonly string[] | undefined;
  /** It changes nothing, so that it may be asked again. */
  readonly isRead: boolean;
  /** In place of the time-out of the cluster, for what takes long. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait for the answer; then the request throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** What the cluster may answer besides success, for `read` to understand. */
  readonly mayAnswer?: readonly number[];
  /** What the answer tells; undefined: it is not whole. */
  readonly read: (body: unknown, status: number) => T | undefined;
}

/** The statuses of a node, or of what stands before it, that cannot answer at the moment. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
const TOO_MANY = 429;
const MOST_SAID = 200;
/** A busy cluster is asked again after so many milliseconds, and then after twice as many each time. */
const PATIENCE_MS: readonly number[] = [50, 100, 200, 400, 800, 1600];

/** A cluster. */
export class Cluster {
  private readonly address: ClusterAddress;
  private next = 0;

  constructor(address: ClusterAddress) {
    this.address = address;
  }

  /** Sends a request. Throws 503 `cluster_unavailable`, 502 `cluster_refused`, 507 `storage_full`. */
  async send<T>(request: ClusterRequest<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.ask(request, attempt);
      if (answer !== undefined) return answer;
    }
  }

  /** One attempt; undefined: another one may succeed. */
  private async ask<T>(request: ClusterRequest<T>, attempt: number): Promise<T | undefined> {
    const { isRead, mayAnswer = [], read } = request;
    const mayRetry = isRead && attempt === 0;
    let status: number;
    let body: unknown;
    try {
      ({ status, body } = await this.fetch(request));
    } catch (cause) {
      throwIfAborted(request.signal);
      if (mayRetry) return undefined;
      throw unavailable(cause);
    }
    // A page of what stands before the cluster says nothing of the cluster.
    if ((status >= 200 && status < 300) || (mayAnswer.includes(status) && at(body, "status") === status)) {
      const told = read(body, status);
      if (told !== undefined || mayRetry) return told;
      throw unavailable(new Error(`The answer is not whole: ${String(JSON.stringify(body)).slice(0, MOST_SAID)}`));
    }
    if (AWAY.has(status) && mayRetry) return undefined;
    if (status === TOO_MANY && !isFull(body) && attempt < PATIENCE_MS.length) {
      await pauseFor(PATIENCE_MS[attempt]!, []);
      return undefined;
    }
    throw refused(status, body);
  }

  private async fetch<T>(request: ClusterRequest<T>): Promise<{ readonly status: number; readonly body: unknown }> {
    const { method, path, body, lines, timeoutMs, signal } = request;
    const { nodes, authorization, requestTimeoutMs } = this.address;
    const node = nodes[this.next++ % nodes.length]!;
    const sent = lines === undefined ? body && JSON.stringify(body) : `${lines.join("\n")}\n`;
    const kind = lines === undefined ? "application/json" : "application/x-ndjson";
    const response = await fetch(`${node}${path}`, {
      method,
      signal: AbortSignal.any([
        AbortSignal.timeout(timeoutMs ?? requestTimeoutMs),
        ...(signal === undefined ? [] : [signal]),
      ]),
      redirect: "error",
      headers: {
        accept: "application/json",
        ...(sent !== undefined && { "content-type": kind }),
        ...(authorization !== undefined && { authorization }),
      },
      ...(sent !== undefined && { body: sent }),
    });
    const { status } = response;
    const text = await response.text();
    try {
      return { status, body: JSON.parse(text) };
    } catch {
      // What stands before the cluster may answer by a page; an answer of success that is no JSON is not whole.
      return { status, body: undefined };
    }
  }
}

/** What a cluster says of an error, as `type: reason`. */
function saidIn(body: unknown): string {
  const error = at(body, "error");
  return objectIn(error) === undefined ? String(error) : `${String(at(error, "type"))}: ${String(at(error, "reason"))}`;
}

/** Whether an index takes no writes because a disk is full. */
export function isFull(body: unknown): boolean {
  return /^cluster_block_exception.*(flood|read-only.*allow.*delete)/s.test(saidIn(body));
}

/** 503: no node answered, or not in time, or not whole. */
export function unavailable(cause: unknown): SearchError {
  const msg = "The cluster did not answer, or not whole (see cause); call again, and check that its nodes are up.";
  return new SearchError(503, "cluster_unavailable", msg, { cause });
}

/** The error of an answer that tells of none that a caller can mend by other arguments. */
export function refused(status: number, body: unknown): SearchError {
  const cause = new Error(`The cluster answered ${status}: ${saidIn(body)}`);
  if (isFull(body)) {
    const msg = "A disk of the cluster is full; free some, and lift its block of writes.";
    return new SearchError(507, "storage_full", msg, { cause });
  }
  if (AWAY.has(status) || status === TOO_MANY) return unavailable(cause);
  const hint = status === 401 || status === 403 ? "; check auth, and what that user may do" : "";
  const msg = `The cluster refused a request (see cause)${hint}.`;
  return new SearchError(502, "cluster_refused", msg, { cause });
}
