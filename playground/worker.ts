// The engine of the playground, in a worker: opens a catalogue, and answers the page.

import { FeedImport, type Source } from "../src/command/feed-import.js";
import { evaluate } from "../src/evaluation.js";
import {
  createStaticDeEmbedder,
  createStaticEnEmbedder,
  type Embedder,
  SearchEngine,
  SearchError,
  type SearchIndex,
  type SearchParams,
} from "../src/index.js";
import type { Asked, AssetName, Calls, Catalogue, GivenFile, Told } from "./calls.js";

const PAGE = globalThis as unknown as {
  onmessage: (message: {
    readonly data: Asked | { readonly asset: AssetName; readonly bytes: Blob | undefined };
  }) => void;
  postMessage(message: Told): void;
  importScripts(address: string): void;
};
const INDEX = /(\.(gz|csv|tsv|txt|json|jsonl|ndjson|xml|snapshot))+$/i;
/** How a snapshot begins. */
const SNAPSHOT = "tandem-search\0";
const EVERY_MS = 100;
/** Attributes that the page lists. Some catalogues have thousands, most of which a few records have. */
const MOST_ATTRIBUTES = 60;

/** The files beside the page that were asked for, by name. */
const assets = new Map<AssetName, { readonly bytes: Promise<Blob | undefined>; give(bytes: Blob | undefined): void }>();

/** A file beside the page; undefined: it is not there. */
function assetOf(name: AssetName): Promise<Blob | undefined> {
  let asset = assets.get(name);
  if (asset === undefined) {
    let give: (bytes: Blob | undefined) => void = () => {};
    const bytes = new Promise<Blob | undefined>((resolve) => {
      give = resolve;
    });
    asset = { bytes, give };
    assets.set(name, asset);
    PAGE.postMessage({ needs: name });
  }
  return asset.bytes;
}

let hasSentences = false;
/** Loads what reads sentences where a query is to be understood, unless it was loaded before: what looks for it earlier never finds it. */
async function loadSentences(queries: readonly SearchParams[]): Promise<void> {
  if (hasSentences || queries.every(({ understand = false }) => understand === false)) return;
  const script = await assetOf("sentences");
  if (script === undefined) return;
  // Another query waited for it, too.
  if (hasSentences) return;
  const address = URL.createObjectURL(script);
  PAGE.importScripts(address);
  URL.revokeObjectURL(address);
  hasSentences = true;
}

let engine: SearchEngine;
let index: SearchIndex;
let catalogue: Catalogue;

/** The embedders whose tables are beside the page. */
async function embedders(): Promise<readonly Embedder[]> {
  const tables = await Promise.all([assetOf("static-en"), assetOf("static-de")]);
  const [english, german] = await Promise.all(tables.map((table) => table?.arrayBuffer()));
  return [
    ...(english === undefined ? [] : [createStaticEnEmbedder(new Uint8Array(english))]),
    ...(german === undefined ? [] : [createStaticDeEmbedder(new Uint8Array(german))]),
  ];
}

async function isSnapshot({ bytes }: GivenFile): Promise<boolean> {
  return (await bytes.slice(0, SNAPSHOT.length).text()) === SNAPSHOT;
}

/** Tells how far a pass over the files has come, ten times a second. */
function startBar(title: string, total: number) {
  let told = 0;
  return {
    update(done: number, rows: number) {
      const now = Date.now();
      if (now - told < EVERY_MS) return;
      told = now;
      PAGE.postMessage({ title, done, total, rows });
    },
    stop() {},
  };
}

async function describe(name: string, report: Catalogue["report"]): Promise<Catalogue> {
  const { settings, effective } = await index.getSettings();
  const all = await index.getAttributes();
  const [{ records } = { records: 0 }] = await engine.listIndexes();
  const byMeaning = effective.embedder !== false && effective.embedder !== null;
  const attributes = all.slice(0, MOST_ATTRIBUTES);
  const attributesLeft = all.length - attributes.length;
  return {
    name,
    records,
    settings,
    effective,
    attributes,
    attributesLeft,
    byMeaning,
    ...(report !== undefined && { report }),
  };
}

const calls: Calls = {
  async open(files) {
    const made = new SearchEngine({ embedders: Object.fromEntries((await embedders()).map((one) => [one.id, one])) });
    const [first] = files as [GivenFile];
    const name = first.name.replace(INDEX, "").replace(/^.*\//, "") || "products";
    let report: Catalogue["report"];
    if (await isSnapshot(first)) {
      PAGE.postMessage({ title: "opening", done: 0, total: 1, rows: 0 });
      await made.readSnapshot("catalogue", new Uint8Array(await first.bytes.arrayBuffer()));
    } else {
      const sources = files.map(({ name, bytes }): Source => ({ name, file: bytes, size: bytes.size }));
      const plan = { index: "catalogue", names: new Map(), replace: false, add: false, skips: true };
      const { signal } = new AbortController();
      report = await new FeedImport(made, sources, { ...plan, signal, startBar }).run();
    }
    await engine?.close();
    engine = made;
    index = engine.index("catalogue");
    catalogue = await describe(name, report);
    return catalogue;
  },
  async query(params) {
    await loadSentences([params]);
    return (await index.query(params)).data as never;
  },
  suggest: async (query) => (await index.suggest({ query, hitsPerPage: 6 })).data.suggestions,
  async whyNot(params, id) {
    await loadSentences([params]);
    return index.whyNot(params, id);
  },
  similar: async (id) => (await index.similar(id, { hitsPerPage: 6 })).data,
  records: (ids) => index.getRecords(ids),
  async preview(settings, queries, judgements) {
    await loadSentences(queries);
    return index.previewSettings(settings, { queries, ...(judgements !== undefined && { judgements }) });
  },
  measure: async (judgements) => (await evaluate(index, judgements, { ways: ["both"] })).runs.both!.means,
  async apply(settings) {
    await index.updateSettings(settings);
    catalogue = await describe(catalogue.name, catalogue.report);
    return catalogue;
  },
};

PAGE.onmessage = async ({ data }) => {
  if ("asset" in data) return assets.get(data.asset)?.give(data.bytes);
  const { call, id, args } = data;
  try {
    PAGE.postMessage({ id, value: await (calls[call] as (...given: readonly unknown[]) => Promise<unknown>)(...args) });
  } catch (error) {
    const message = error instanceof SearchError ? error.msg : String((error as Error).message);
    PAGE.postMessage({ id, error: { message } });
  }
};
