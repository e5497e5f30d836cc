// A data folder on a disk of the tests, and what an engine holds, as text that can be compared.

import { SearchEngine, SearchError, type SearchParams, type SearchWarning } from "../../src/index.js";
import type { OpenOptions } from "../../src/input/engine-options.js";
import type { FolderLock } from "../../src/storage/folder-lock.js";
import type { StoreSizes } from "../../src/storage/store.js";
import { AxisEmbedder } from "./axis-embedder.js";
import type { FakeDisk } from "./fake-disk.js";

export const FOLDER = "/data";

const held = new WeakSet<FakeDisk>();

async function lock(disk: FakeDisk): Promise<FolderLock> {
  if (held.has(disk)) throw new SearchError(409, "storage_locked", "Another engine of the test has this disk.");
  held.add(disk);
  return { release: async () => void held.delete(disk) };
}

/** Whether some engine has the folder of a disk open for writing. */
export const isLocked = (disk: FakeDisk): boolean => held.has(disk);

export type FolderOptions = Partial<
  Pick<OpenOptions, "durability" | "readOnly" | "follow" | "followIntervalMs" | "preload" | "embedder" | "limits">
> & {
  readonly warnings?: SearchWarning[];
  /** When files and checkpoints come; by default soon. */
  readonly sizes?: StoreSizes;
};

/** Small, so that files and checkpoints come soon. */
export const SIZES: StoreSizes = { inlineBytes: 2 ** 18, logBytes: 2 ** 24, graphNodes: 3 };
/** So small that a few small batches bring files and checkpoints. */
export const TINY_SIZES: StoreSizes = { inlineBytes: 700, logBytes: 2 ** 13, graphNodes: 0 };

/** Opens the folder of a disk, with an embedder of known axes as the default. */
export async function openFolder(
  disk: FakeDisk,
  { warnings = [], sizes = SIZES, ...options }: FolderOptions = {},
): Promise<SearchEngine> {
  const onWarning = (warning: SearchWarning) => void warnings.push(warning);
  const given = { embedder: new AxisEmbedder(), ...options, dataDir: FOLDER, onWarning };
  return SearchEngine.openOn({ files: disk, lock: () => lock(disk), sizes }, given);
}

export function openMemory(): SearchEngine {
  return new SearchEngine({ embedder: new AxisEmbedder(), onWarning: () => {} });
}

/** What an engine holds: for each index, by name, a text that differs when its content does. */
export type Content = ReadonlyMap<string, string>;

export async function contentOf(engine: SearchEngine): Promise<Content> {
  const content = new Map<string, string>();
  for (const { name, records } of await engine.listIndexes())
    content.set(name, `${records} ${await engine.digest(name)}`);
  return content;
}

export const asText = (content: Content): string => JSON.stringify([...content].sort());

const QUESTIONS: readonly SearchParams[] = [
  { query: "red lamp drill", matching: "any", explain: true, facets: ["brand", "step"], hitsPerPage: 50 },
  { query: "", filters: "step > 3", sort: ["step:desc"], hitsPerPage: 50 },
  { query: "lmap oak", filters: "note:red OR brand:Hem" },
];

/** What an engine answers, a line for each question; a refusal is an answer too. */
export async function answersOf(engine: SearchEngine): Promise<string> {
  const answers: string[] = [];
  for (const { name } of await engine.listIndexes())
    for (const question of QUESTIONS)
      try {
        const { serverTimeMS, processingTimeMS, ...data } = (await engine.query(name, question)).data;
        answers.push(`${name}: ${JSON.stringify(data)}`);
      } catch (error) {
        if (!(error instanceof SearchError)) throw error;
        answers.push(`${name}: ${error.error}`);
      }
  return answers.join("\n");
}
