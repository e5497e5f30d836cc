// Engines on the cluster whose tests run: those of a file have indexes of their own, which are gone after its tests.

import { afterAll } from "vitest";
import type { Engine } from "../../src/api/engine.js";
import { SearchEngine, SearchError, SearchIndex } from "../../src/index.js";
import { OpenSearchEngine, type OpenSearchOptions } from "../../src/opensearch.js";

export const NODE: string = process.env.OPENSEARCH_URL ?? "http://127.0.0.1:9200";

export interface ClusterEngines {
  /** What the names of its indexes begin with; not those of pairs. */
  readonly prefix: string;
  /** Opens an engine; all have the same indexes. */
  readonly open: (options?: Partial<OpenSearchOptions>) => Promise<OpenSearchEngine>;
  /** Makes two engines with the same options, and with no index yet. */
  readonly pair: (options?: Partial<OpenSearchOptions>) => Promise<EnginePair>;
}

/** What others write is shown by `refresh` alone. */
const QUIET = { embedder: false, onWarning: () => {}, refreshIntervalMs: 0 } as const;

/** Asks the node itself, as an operator may. */
export async function askNode(method: string, path: string, body?: object): Promise<unknown> {
  const json = { "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: json };
  return (await fetch(NODE + path, { method, ...sent })).json();
}

/** The physical indexes of an engine's index of any name that is written in the cluster as this one. */
export async function physicalsOf(prefix: string, name: string): Promise<string[]> {
  const all = (await askNode("GET", `/_cat/indices/${prefix}_-${name}~*?format=json`)) as { index: string }[];
  return all.map(({ index }) => index);
}

export function clusterEngines(): ClusterEngines {
  const base = `test-${crypto.randomUUID().slice(0, 18)}`;
  const engines: OpenSearchEngine[] = [];
  afterAll(async () => {
    for (const engine of engines) await engine.close();
    const left = await fetch(`${NODE}/${base}*`, { method: "DELETE" });
    await left.text();
  });
  const prefix = `${base}-`;
  const open = async (options: Partial<OpenSearchOptions> = {}): Promise<OpenSearchEngine> => {
    const engine = await OpenSearchEngine.open({ ...QUIET, nodes: [NODE], indexPrefix: prefix, ...options });
    engines.push(engine);
    return engine;
  };
  const pair = async (options: Partial<OpenSearchOptions> = {}): Promise<EnginePair> => {
    const cluster = await open({ ...options, indexPrefix: `${base}.${engines.length}-` });
    return new EnginePair(new SearchEngine({ embedder: false, onWarning: () => {}, ...options }), cluster);
  };
  return { prefix, open, pair };
}

/** What a call gave, or how it was refused, without what differs from run to run. */
export async function outcomeOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return timeless(await call());
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    return timeless({ refused: error.toEnvelope() });
  }
}

const CLOCKS = new Set(["serverTimeMS", "processingTimeMS"]);

function timeless(value: unknown): unknown {
  if (value instanceof SearchIndex) return `the index ${value.name}`;
  if (Array.isArray(value)) return value.map(timeless);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (CLOCKS.has(name) ? [] : [[name, timeless(inner)]])),
  );
}

export class EnginePair {
  readonly embedded: SearchEngine;
  readonly cluster: OpenSearchEngine;

  constructor(embedded: SearchEngine, cluster: OpenSearchEngine) {
    this.embedded = embedded;
    this.cluster = cluster;
  }

  async both(call: (engine: Engine) => Promise<unknown>): Promise<readonly [embedded: unknown, cluster: unknown]> {
    return [await outcomeOf(() => call(this.embedded)), await outcomeOf(() => call(this.cluster))];
  }
}
