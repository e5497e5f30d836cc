// What an engine tells about itself: how many queries and writes there were, how long the queries took, and which were the slowest; and
// what it tells through node:diagnostics_channel, which no other file imports. Nothing is made for a channel that nobody listens to. What
// a listener throws does not reach the caller: Node hands it to the process.

import { channel } from "node:diagnostics_channel";
import type { CheckedEngineOptions } from "../input/engine-options.js";
import { isPlainObject, type PlainObject } from "../input/plain-data.js";
import { SearchError, show } from "../util/errors.js";
import type { JsonRecord, JsonValue } from "../util/json.js";
import { MemoryBudget } from "./memory-budget.js";

/** The options of an engine, and what all its indexes share. */
export interface EngineContext extends CheckedEngineOptions {
  /** Limits the memory of all indexes together. */
  readonly memory: MemoryBudget;
  /** Counts the queries and writes of all indexes. */
  readonly activity: EngineActivity;
}

/** What the indexes of a new engine share. */
export function engineContext<O extends CheckedEngineOptions>(options: O): O & EngineContext {
  const memory = new MemoryBudget(options.limits.maxMemory, options.cacheBytes);
  return { ...options, memory, activity: new EngineActivity() };
}

/** A message of `tandem-search:query`: one for each query, also for one that was refused. */
export interface QueryMessage {
  readonly indexName: string;
  /**
   * The text, where the parameters are right. It is not enumerable, because people type in what is nobody's business: a log that
   * writes whole messages does not have it.
   */
  readonly query?: string;
  /** From the call to its end. */
  readonly milliseconds: number;
  /** 0 for a query that failed. */
  readonly nbHits: number;
  /** `SearchError.error` of a query that failed. */
  readonly error?: string;
}

/** A message of `tandem-search:write`: one for each call that writes records, also for one that was refused. */
export interface WriteMessage {
  readonly indexName: string;
  readonly verb: WriteVerb;
  /** The records that were added, replaced or deleted; 0 for a call that failed. */
  readonly records: number;
  readonly milliseconds: number;
  readonly error?: string;
}

/** The verbs that write records. */
export type WriteVerb = "addRecords" | "updateRecords" | "replaceAllRecords" | "deleteRecords" | "deleteBy";

/** A message of `tandem-search:flush` or `tandem-search:merge`: one for each segment that got a file, or that others were merged into. */
export interface SegmentMessage {
  readonly indexName: string;
  readonly milliseconds: number;
  /** Of the segment; 0 if it failed. */
  readonly records: number;
  /** Of its file, or in memory; 0 if it failed. */
  readonly bytes: number;
  readonly error?: string;
}

/** Tells the listeners of a channel, if there are any; the message is made for them alone. */
export type Teller<M> = (message: () => M) => void;

export const publishQuery: Teller<QueryMessage> = teller("tandem-search:query");
export const publishWrite: Teller<WriteMessage> = teller("tandem-search:write");
export const publishFlush: Teller<SegmentMessage> = teller("tandem-search:flush");
export const publishMerge: Teller<SegmentMessage> = teller("tandem-search:merge");

/** The stable string of an error, for messages. */
export function errorName(error: unknown): string {
  return error instanceof SearchError ? error.error : "internal_error";
}

function teller<M>(name: string): Teller<M> {
  const told = channel(name);
  return (message) => {
    if (told.hasSubscribers) told.publish(message());
  };
}

/** The steps of a query whose time is measured: `parse` includes the checks, `embed` all waits for an embedder. */
type QueryPhase = "parse" | "embed" | "prepare" | "rank" | "facets" | "shape";

/** Measures the steps of one query. */
export class PhaseClock {
  /** `performance.now()` when the call came in. */
  readonly started: number = performance.now();
  private last = this.started;
  private readonly times: [QueryPhase, number][] = [];

  /** Ends a step, which began when the one before ended. Returns `performance.now()`. */
  end(phase: QueryPhase): number {
    const now = performance.now();
    this.times.push([phase, now - this.last]);
    this.last = now;
    return now;
  }

  /** Milliseconds by phase. */
  phases(): Partial<Record<QueryPhase, number>> {
    const sums = new Map<QueryPhase, number>();
    for (const [phase, time] of this.times) sums.set(phase, (sums.get(phase) ?? 0) + time);
    return Object.fromEntries(sums);
  }
}

/** One of the slowest queries. */
export interface SlowQuery {
  readonly indexName: string;
  /**
   * The parameters as they were passed, with 200 values and 8,192 characters at most. Longer lists, texts of more than 1,024
   * characters, and what is no plain data are described by a text that begins with `…`.
   */
  readonly params: JsonRecord;
  /** From the call to its end; also of a query that was aborted. */
  readonly milliseconds: number;
  /** The steps that ended, in milliseconds. `embed`: all waits for an embedder. */
  readonly phases: Readonly<Partial<Record<QueryPhase, number>>>;
}

/** What `metrics()` says of queries: counts since the engine was made. */
export interface QueryMetrics {
  readonly total: number;
  /** Of `total`: those that threw. */
  readonly failed: number;
  /** A histogram in milliseconds: `counts[i]` queries took at most `bounds[i]` and more than the bound before; the last count is of the rest. */
  readonly durations: { readonly bounds: number[]; readonly counts: number[]; readonly sum: number };
}

/** What `metrics()` says of the calls that write records: counts since the engine was made. */
export interface WriteMetrics {
  readonly total: number;
  readonly failed: number;
  /** Records that were added, replaced or deleted. */
  readonly records: number;
}

const BOUNDS: readonly number[] = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

/** A query that runs: what is told about it when it ends. */
export class QueryTrack extends PhaseClock {
  /** Undefined as long as they are not checked. */
  params: PlainObject | undefined = undefined;
  /** The text, as soon as the parameters are checked. */
  query: string | undefined = undefined;
}

/** What a call that writes records returns. */
type Written = { readonly added: number; readonly replaced: number } | { readonly deleted: number };

/** Counts and times of one engine. */
export class EngineActivity {
  private readonly queries = { total: 0, failed: 0, milliseconds: 0 };
  private readonly counts: number[] = new Array<number>(BOUNDS.length + 1).fill(0);
  private readonly writes = { total: 0, failed: 0, records: 0 };
  readonly slow: SlowQueries = new SlowQueries();

  /** Runs a query, counts it, and tells about it when it ends. */
  async query<T extends { readonly data: { readonly nbHits: number } }>(
    indexName: string,
    run: (track: QueryTrack) => Promise<T>,
  ): Promise<T> {
    const track = new QueryTrack();
    try {
      const answer = await run(track);
      this.endQuery(indexName, track, answer.data);
      return answer;
    } catch (error) {
      this.endQuery(indexName, track, { thrown: error });
      throw error;
    }
  }

  /** `end`: how many hits it has, or what it threw. */
  private endQuery(
    indexName: string,
    track: QueryTrack,
    end: { readonly nbHits: number } | { readonly thrown: unknown },
  ): void {
    const { params, query } = track;
    const now = performance.now();
    const milliseconds = now - track.started;
    const outcome = "nbHits" in end ? { nbHits: end.nbHits } : { nbHits: 0, error: errorName(end.thrown) };
    this.queries.total++;
    if ("thrown" in end) this.queries.failed++;
    this.queries.milliseconds += milliseconds;
    let at = 0;
    while (at < BOUNDS.length && milliseconds > BOUNDS[at]!) at++;
    this.counts[at]!++;
    if (params !== undefined) this.slow.add(now, { indexName, params, milliseconds, clock: track });
    publishQuery(() => Object.defineProperty({ indexName, milliseconds, ...outcome }, "query", { value: query }));
  }

  /** Counts a call that writes records, and tells about it when it ends. `started`: `performance.now()` when it came in. */
  async write<T extends Written>(indexName: string, verb: WriteVerb, started: number, running: Promise<T>): Promise<T> {
    try {
      const result = await running;
      const records = "deleted" in result ? result.deleted : result.added + result.replaced;
      this.endWrite(indexName, verb, { started, records });
      return result;
    } catch (error) {
      this.endWrite(indexName, verb, { started, records: 0, error: errorName(error) });
      throw error;
    }
  }

  private endWrite(
    indexName: string,
    verb: WriteVerb,
    { started, records, error }: { readonly started: number; readonly records: number; readonly error?: string },
  ): void {
    this.writes.total++;
    this.writes.records += records;
    if (error !== undefined) this.writes.failed++;
    const milliseconds = performance.now() - started;
    publishWrite(() => ({ indexName, verb, records, milliseconds, ...(error !== undefined && { error }) }));
  }

  /** Counts a call for an index that is not there. */
  refused(indexName: string, verb: WriteVerb | "query", error: unknown): void {
    if (verb === "query") this.endQuery(indexName, new QueryTrack(), { thrown: error });
    else this.endWrite(indexName, verb, { started: performance.now(), records: 0, error: errorName(error) });
  }

  metrics(): { readonly queries: QueryMetrics; readonly writes: WriteMetrics } {
    const { total, failed, milliseconds } = this.queries;
    const durations = { bounds: [...BOUNDS], counts: [...this.counts], sum: milliseconds };
    return { queries: { total, failed, durations }, writes: { ...this.writes } };
  }
}

/** A query that may be among the slowest. */
interface EndedQuery extends Pick<SlowQuery, "indexName" | "milliseconds"> {
  readonly params: PlainObject;
  readonly clock: PhaseClock;
}

const MOST_SLOW = 20;
const HOUR_MS = 3_600_000;
/** The slowest of each five minutes are kept, so that those of the last hour are known without keeping all. */
const SPAN_MS = 300_000;

interface Span {
  readonly number: number;
  /** At most 20, the slowest first. */
  readonly queries: (SlowQuery & { readonly ended: number })[];
}

/** The slowest queries of the last hour. Times are those of `performance.now()`. */
export class SlowQueries {
  private spans: Span[] = [];

  add(now: number, { indexName, params, milliseconds, clock }: EndedQuery): void {
    const number = Math.floor(now / SPAN_MS);
    let span = this.spans.at(-1);
    if (span?.number !== number) {
      span = { number, queries: [] };
      this.spans = [...this.spans.filter((each) => (number - each.number - 1) * SPAN_MS <= HOUR_MS), span];
    }
    const { queries } = span;
    if (queries.length === MOST_SLOW && milliseconds <= queries.at(-1)!.milliseconds) return;
    queries.push({ indexName, params: shown(params), milliseconds, phases: clock.phases(), ended: now });
    queries.sort(slowestFirst).splice(MOST_SLOW);
  }

  /** The slowest of the hour before `now`, the slowest first, as copies. */
  list(now: number): SlowQuery[] {
    return this.spans
      .flatMap(({ queries }) => queries)
      .filter(({ ended }) => now - ended <= HOUR_MS)
      .sort(slowestFirst)
      .slice(0, MOST_SLOW)
      .map(({ ended, ...query }) => structuredClone(query));
  }
}

function slowestFirst(a: SlowQuery, b: SlowQuery): number {
  return b.milliseconds - a.milliseconds;
}

const LONGEST_TEXT = 1024;

/** What a copy may still take; the characters are those of texts and names. */
type CopyBudget = { values: number; characters: number };

/** Parameters as a record of bounded size. */
function shown(params: PlainObject): JsonRecord {
  return Object.fromEntries(copyEntries(Object.entries(params), { values: 200, characters: 8192 }));
}

function copyData(value: unknown, budget: CopyBudget): JsonValue {
  if (typeof value === "string") {
    if (value.length > Math.min(LONGEST_TEXT, budget.characters)) return `… (a text of ${value.length} characters)`;
    budget.characters -= value.length;
    return value;
  }
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (Array.isArray(value) && value.length <= budget.values)
    return copyEntries(Object.entries(value), budget).map(([, item]) => item);
  if (isPlainObject(value)) return Object.fromEntries(copyEntries(Object.entries(value), budget));
  return Array.isArray(value) ? `… (a list of ${value.length})` : `… (${show(value)})`;
}

/** The entries that the budget affords. */
function copyEntries(entries: Iterable<readonly [string, unknown]>, budget: CopyBudget): [string, JsonValue][] {
  const copies: [string, JsonValue][] = [];
  for (const [name, value] of entries) {
    if (--budget.values < 0 || name.length > budget.characters) break;
    budget.characters -= name.length;
    if (value !== undefined) copies.push([name, copyData(value, budget)]);
  }
  return copies;
}
