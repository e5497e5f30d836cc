// The metrics of an engine in the text format of Prometheus. Answer GET /metrics with it, as `text/plain; version=0.0.4`.

/** The text of one scrape. Times are in seconds, as Prometheus has them. */
export function prometheusText(engine) {
  const { queries, writes, indexes } = engine.metrics();
  const { bounds, counts, sum } = queries.durations;
  const upTo = counts.map((_, i) => counts.slice(0, i + 1).reduce((total, count) => total + count));
  const le = [...bounds.map((bound) => bound / 1000), "+Inf"];
  // An index's name is of A-Z a-z 0-9 . _ - and needs no escapes.
  const ofIndexes = (field) => indexes.map((index) => [`{index="${index.name}"}`, index[field]]);
  return [
    "# TYPE tandem_query_seconds histogram",
    ...upTo.map((count, i) => `tandem_query_seconds_bucket{le="${le[i]}"} ${count}`),
    `tandem_query_seconds_sum ${sum / 1000}`,
    `tandem_query_seconds_count ${queries.total}`,
    ...family("tandem_query_failures_total", "counter", [["", queries.failed]]),
    ...family("tandem_writes_total", "counter", [["", writes.total]]),
    ...family("tandem_write_failures_total", "counter", [["", writes.failed]]),
    ...family("tandem_written_records_total", "counter", [["", writes.records]]),
    ...family("tandem_index_records", "gauge", ofIndexes("records")),
    ...family("tandem_index_bytes", "gauge", ofIndexes("bytes")),
    "",
  ].join("\n");
}

function family(name, type, samples) {
  return [`# TYPE ${name} ${type}`, ...samples.map(([labels, value]) => `${name}${labels} ${value}`)];
}
