// The recipes of docs/examples for Prometheus and OpenTelemetry, in a process of their own, with the built package.

import { execFileSync } from "node:child_process";
import { beforeAll, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

/** What each recipe told of the same use of an engine: a meter keeps what it is given, as an exporter would get it. */
const PROGRAM = `import { SearchEngine } from "tandem-search";
  import { metrics } from "@opentelemetry/api";
  import { prometheusText } from "./docs/examples/prometheus.mjs";
  import { observeSearch } from "./docs/examples/opentelemetry.mjs";
  const recorded = [];
  const keep = (name) => (value, attributes) => recorded.push([name, value, attributes]);
  const createHistogram = (name) => ({ record: keep(name) });
  const createCounter = (name) => ({ add: keep(name) });
  metrics.setGlobalMeterProvider({ getMeter: () => ({ createHistogram, createCounter }) });
  const engine = new SearchEngine({ embedder: false });
  await engine.createIndex("shop");
  const stop = observeSearch();
  await engine.addRecords("shop", [{ id: 1, title: "drill" }, { id: 2, title: "lamp" }]);
  await engine.query("shop", { query: "drill" });
  await engine.query("shop", { query: "lamp" });
  await engine.query("shop", { query: "lamp", page: 0 }).catch(() => {});
  const text = prometheusText(engine);
  stop();
  await engine.query("shop", { query: "drill" });
  console.log(JSON.stringify({ text, recorded }));`;

let told: { readonly text: string; readonly recorded: readonly [name: string, value: number, attributes: object][] };
beforeAll(() => {
  const args = ["--input-type=module", "--eval", PROGRAM];
  told = JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" }));
});

it("Prometheus reads counters, gauges and a histogram whose buckets add up", () => {
  const { text } = told;
  expect(text.endsWith("\n")).toBe(true);
  const lines = text.trimEnd().split("\n");
  const sampled = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of lines) {
    const [, typed, type] = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (typed !== undefined) types.set(typed, type!);
    else {
      const [, name, value] = /^([a-z_]+(?:\{[a-z]+="[^"\\\n]*"\})?) (\S+)$/.exec(line) ?? [];
      expect(Number.isFinite(Number(value)), line).toBe(true);
      sampled.set(name!, Number(value));
    }
  }
  expect([...types.values()].sort().join(" ")).toBe("counter counter counter counter gauge gauge histogram");
  const buckets = [...sampled].filter(([name]) => name.startsWith("tandem_query_seconds_bucket"));
  expect(buckets.at(-1)).toEqual(['tandem_query_seconds_bucket{le="+Inf"}', 3]);
  const counts = buckets.map(([, count]) => count);
  expect([...counts].sort((a, b) => a - b)).toEqual(counts);
  expect(sampled.get("tandem_query_seconds_count")).toBe(3);
  expect(sampled.get("tandem_query_failures_total")).toBe(1);
  expect(sampled.get("tandem_written_records_total")).toBe(2);
  expect(sampled.get('tandem_index_records{index="shop"}')).toBe(2);
  expect(sampled.get('tandem_index_bytes{index="shop"}')).toBeGreaterThan(0);
});

it("OpenTelemetry gets each query and each write, until it stops", () => {
  const seen = told.recorded.map(([name, value, attributes]) => [
    name,
    name.endsWith("duration") ? value >= 0 : value,
    attributes,
  ]);
  const write = { "search.index": "shop", "search.verb": "addRecords" };
  expect(seen).toEqual([
    ["search.write.duration", true, write],
    ["search.written_records", 2, write],
    ["search.query.duration", true, { "search.index": "shop" }],
    ["search.query.duration", true, { "search.index": "shop" }],
    ["search.query.duration", true, { "search.index": "shop", "error.type": "invalid_page" }],
  ]);
});
