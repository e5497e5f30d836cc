// The samples of docs/embedders.md and docs/other-languages.md, taken from the pages and run. Four of them speak to a real server on
// loopback that fails, stalls and limits rates. Those of transformers run against a small stand-in module of the same shape, because the
// package is no dependency of ours: what is tested is the sample, not the package.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Embedder, SearchEngine } from "../src/index.js";
import { rejectionOf } from "./support/refusal.js";
import { ROOT } from "./support/source-tree.js";

const DIMENSIONS = 26;

/** Counts the letters of a text. */
function lettersOf(text: string): number[] {
  const counts = new Array<number>(DIMENSIONS).fill(0);
  for (const letter of text.toLowerCase()) if (letter >= "a" && letter <= "z") counts[letter.charCodeAt(0) - 97]!++;
  return counts;
}

const words = "cordless drill velvet sofa brass lamp copper kettle folding tent walnut table".split(" ");
const RECORDS = Array.from({ length: 500 }, (_, i) => ({
  id: `r${i}`,
  title: [i % 12, (i * 5 + 1) % 12, Math.floor(i / 12) % 12, -1].map((at) => words[at] ?? i).join(" "),
  sku: `N-${i}`,
}));
const SETTINGS = { embeddedAttributes: ["title"], semanticFloor: 0.5 };

/** What the server does with a call, before it answers. */
type Mood = "answers" | "fails" | "stalls" | "limits" | "refuses";

interface Asked {
  readonly path: string;
  readonly texts: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly authorization: string | undefined;
  readonly mood: Mood;
}

let server: Server;
let url: string;
let asked: Asked[] = [];
/** The mood of each next call; then it answers. */
let moods: Mood[] = [];
/** Connections that the client gave up. */
let givenUp = 0;
let underWay = 0;
let mostUnderWay = 0;

async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString()) as Readonly<Record<string, unknown>>;
}

/** The three interfaces, as far as the samples use them. */
function answerTo(path: string, body: Readonly<Record<string, unknown>>, texts: readonly string[]): unknown {
  if (path === "/v1/embeddings") {
    const data = texts.map((text, index) => ({ object: "embedding", index, embedding: lettersOf(text) }));
    return { object: "list", data: data.reverse(), model: body.model, usage: { prompt_tokens: 1, total_tokens: 1 } };
  }
  if (path === "/v2/embed") return { id: "x", embeddings: { float: texts.map(lettersOf) }, texts };
  return { model: body.model, embeddings: texts.map(lettersOf), total_duration: 1 };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  const path = request.url!;
  const texts = (body.input ?? body.texts) as readonly string[];
  const mood = moods.shift() ?? "answers";
  asked.push({ path, texts, body, authorization: request.headers.authorization, mood });
  mostUnderWay = Math.max(mostUnderWay, ++underWay);
  response.on("close", () => {
    underWay--;
    if (!response.writableFinished) givenUp++;
  });
  const send = (status: number, answer: unknown, headers: Readonly<Record<string, string>> = {}): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(answer));
  };
  if (mood === "stalls") return;
  await new Promise((resolve) => setTimeout(resolve, 5));
  if (mood === "fails") send(503, { error: { message: "The server is overloaded" } });
  else if (mood === "limits") send(429, { error: { message: "Rate limit reached" } }, { "retry-after": "1" });
  else if (mood === "refuses") send(401, { error: { message: "Incorrect API key" } });
  else send(200, answerTo(path, body, texts));
}

/** The functions that the page's samples export. */
interface Samples {
  readonly openAiLike: (url: string, apiKey: string, model: string, dimensions: number) => Embedder;
  readonly cohereLike: Samples["openAiLike"];
  readonly ollamaLike: (url: string, model: string, dimensions: number) => Embedder;
  readonly transformers: (model: string, dimensions: number) => Promise<Embedder>;
  readonly e5: Samples["ollamaLike"];
  readonly e5InProcess: (folder: string, model: string, dimensions: number) => Promise<Embedder>;
}

let folder: string;
let samples: Samples;

/** Has the shape of @huggingface/transformers, as far as the sample uses it: the tensor of a pipeline has `tolist`. */
const STAND_IN = `
export const env = { localModelPath: "/models/", allowRemoteModels: true };
export async function pipeline(task, model) {
  if (task !== "feature-extraction" || typeof model !== "string") throw new Error("unknown task or model");
  return async (texts, { pooling, normalize }) => {
    if (!Array.isArray(texts) || pooling !== "mean" || normalize !== true) throw new Error("another call");
    return { dims: [texts.length, ${DIMENSIONS}], tolist: () => texts.map(lettersOf) };
  };
}
const DIMENSIONS = ${DIMENSIONS};
${lettersOf.toString()}
`;

beforeAll(async () => {
  server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cache = join(ROOT, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "embedders-guide-"));
  const pages = ["embedders.md", "other-languages.md"].map((page) => readFileSync(join(ROOT, "docs", page), "utf8"));
  const code = [...pages.join("\n").matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]).join("\n");
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
  writeFileSync(join(folder, "samples.mjs"), ts.transpileModule(code, { compilerOptions }).outputText);
  const standIn = join(folder, "node_modules", "@huggingface", "transformers");
  mkdirSync(standIn, { recursive: true });
  writeFileSync(join(standIn, "package.json"), '{"type":"module","exports":"./index.js"}');
  writeFileSync(join(standIn, "index.js"), STAND_IN);
  samples = (await import(pathToFileURL(join(folder, "samples.mjs")).href)) as Samples;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  asked = [];
  moods = [];
  givenUp = 0;
  mostUnderWay = 0;
});

/** How each sample asks, and what the server then sees. */
const KINDS = [
  {
    name: "openAiLike",
    call: { path: "/v1/embeddings", authorization: "Bearer secret" },
    batch: 128,
    concurrency: 4,
    make: () => samples.openAiLike(url, "secret", "letters", DIMENSIONS),
    says: () => ({ model: "letters", dimensions: DIMENSIONS }),
    sent: (text: string) => text,
  },
  {
    name: "cohereLike",
    call: { path: "/v2/embed", authorization: "Bearer secret" },
    batch: 96,
    concurrency: 2,
    make: () => samples.cohereLike(url, "secret", "letters", DIMENSIONS),
    says: (purpose: string) => ({ input_type: purpose === "query" ? "search_query" : "search_document" }),
    sent: (text: string) => text,
  },
  {
    name: "ollamaLike",
    call: { path: "/api/embed", authorization: undefined },
    batch: 32,
    concurrency: 1,
    make: () => samples.ollamaLike(url, "letters", DIMENSIONS),
    says: () => ({ model: "letters", truncate: true }),
    sent: (text: string, purpose: string) => `${purpose === "query" ? "search_query: " : "search_document: "}${text}`,
  },
  {
    name: "e5",
    call: { path: "/v1/embeddings", authorization: undefined },
    batch: 32,
    concurrency: 1,
    make: () => samples.e5(url, "letters", DIMENSIONS),
    says: () => ({ model: "letters" }),
    sent: (text: string, purpose: string) => `${purpose === "query" ? "query: " : "passage: "}${text}`,
  },
] as const;

const shop = (embedder: Embedder) => new SearchEngine().createIndex("a", { ...SETTINGS, embedder });

/** The index of the records that are embedded by what the server would answer, without the server. */
async function twinOf(own: Embedder, sent: (text: string, purpose: string) => string): Promise<string> {
  const index = await shop({
    ...own,
    embed: async (texts, { purpose }) => texts.map((text) => lettersOf(sent(text, purpose))),
  });
  await index.addRecords(RECORDS);
  return index.digest();
}

const answered = () => asked.filter(({ mood }) => mood === "answers").flatMap(({ texts }) => texts);

it.each(
  KINDS,
)("$name asks as often and as much at a time as the page says, and the vectors stand in their places", async (kind) => {
  const { call, batch, concurrency, make, says, sent } = kind;
  const index = await shop(make());
  await index.addRecords(RECORDS);
  const calls = Math.ceil(RECORDS.length / batch);
  const sizes = asked.map(({ texts }) => texts.length).sort((a, b) => b - a);
  expect(sizes).toEqual([...new Array<number>(calls - 1).fill(batch), RECORDS.length - (calls - 1) * batch]);
  expect(mostUnderWay).toBe(concurrency);
  for (const each of asked) expect(each).toMatchObject({ ...call, body: says("record") });
  expect(await index.digest()).toBe(await twinOf(make(), sent));
  asked = [];
  expect((await index.query({ query: "brass lamp" })).data.recallSource).toContain("semanticSearch");
  expect(asked).toMatchObject([{ ...call, texts: [sent("brass lamp", "query")], body: says("query") }]);
});

// All samples ask by the same function.
describe("the server", () => {
  const make = () => samples.openAiLike(url, "secret", "letters", DIMENSIONS);
  const same = (text: string) => text;

  it("may fail, stall and limit rates: the index is the same", async () => {
    moods = ["fails", "answers", "limits", "answers", "stalls"];
    const index = await shop({ ...make(), timeoutMs: 300 });
    await index.addRecords(RECORDS);
    expect([asked.length, givenUp]).toEqual([4 + 3, 1]);
    expect(answered().sort()).toEqual(RECORDS.map(({ title }) => title).sort());
    expect(await index.digest()).toBe(await twinOf(make(), same));
  });

  it("refuses a wrong key at once, which changes nothing, and is asked for the rest with the right one", async () => {
    const index = await shop({ ...make(), concurrency: 1 });
    moods = ["answers", "answers", "refuses"];
    const error = await rejectionOf(index.addRecords(RECORDS));
    expect(error).toMatchObject({ code: 502, error: "embedder_failed", cause: { status: 401 } });
    expect(error.msg).toContain(
      'threw "401 {\\"error\\":{\\"message\\":\\"Incorrect API key\\"}}"; nothing was changed.',
    );
    expect([asked.length, index.recordCount]).toEqual([3, 0]);
    await index.addRecords(RECORDS);
    expect(answered()).toHaveLength(RECORDS.length);
    expect(await index.digest()).toBe(await twinOf(make(), same));
  });
});

describe("transformers, with a stand-in for the package", () => {
  it("answers as the letters do", async () => {
    const own = await samples.transformers("letters", DIMENSIONS);
    const index = await shop(own);
    await index.addRecords(RECORDS);
    expect(await index.digest()).toBe(await twinOf(own, (text) => text));
    expect((await index.query({ query: "brass lamp" })).data.recallSource).toContain("semanticSearch");
  });

  it("reads a model from a folder alone, and says by a prefix what a text is for", async () => {
    const own = await samples.e5InProcess("./models", "letters", DIMENSIONS);
    const { env } = await import(pathToFileURL(join(folder, "node_modules/@huggingface/transformers/index.js")).href);
    expect(env).toEqual({ localModelPath: "./models", allowRemoteModels: false });
    const signal = new AbortController().signal;
    expect(await own.embed(["xx"], { purpose: "query", signal })).toEqual([lettersOf("query: xx")]);
    expect(await own.embed(["xx"], { purpose: "record", signal })).toEqual([lettersOf("passage: xx")]);
  });
});

it("the figures of the page are right", () => {
  const page = readFileSync(join(ROOT, "docs", "embedders.md"), "utf8");
  const openAi = Math.ceil(20_000 / samples.openAiLike("", "", "", 1).maxBatchSize!);
  expect(page).toContain(
    `20,000 titles are ${openAi} calls, which four at a time make in the time of ${openAi / 4 + 0.75}.`,
  );
  expect(page).toContain(`20,000 titles are ${Math.ceil(20_000 / 96)} calls.`);
});
