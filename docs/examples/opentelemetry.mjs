// Queries and writes as metrics of OpenTelemetry, through the channels: for all engines of the process.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { metrics } from "@opentelemetry/api";

/** Records each query and each write, until the function that it returns is called. */
export function observeSearch() {
  const meter = metrics.getMeter("tandem-search");
  const queries = meter.createHistogram("search.query.duration", { unit: "ms" });
  const writes = meter.createHistogram("search.write.duration", { unit: "ms" });
  const records = meter.createCounter("search.written_records");

  const onQuery = ({ indexName, milliseconds, error }) =>
    queries.record(milliseconds, { "search.index": indexName, ...(error && { "error.type": error }) });
  const onWrite = ({ indexName, verb, milliseconds, records: count, error }) => {
    const attributes = { "search.index": indexName, "search.verb": verb };
    writes.record(milliseconds, { ...attributes, ...(error && { "error.type": error }) });
    records.add(count, attributes);
  };
  subscribe("tandem-search:query", onQuery);
  subscribe("tandem-search:write", onWrite);
  return () => {
    unsubscribe("tandem-search:query", onQuery);
    unsubscribe("tandem-search:write", onWrite);
  };
}
