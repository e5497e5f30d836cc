// What the library tells through node:diagnostics_channel: the one file that imports it. Nothing is made for a channel that nobody
// listens to. What a listener throws does not reach the caller: Node hands it to the process.

import { channel } from "node:diagnostics_channel";
import { SearchError } from "./errors.js";

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

/** A message with the text of the query. */
export function queryMessage(query: string | undefined, message: Omit<QueryMessage, "query">): QueryMessage {
  return Object.defineProperty(message, "query", { value: query });
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
