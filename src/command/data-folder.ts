// The data folder, or the cluster, that a command works on, and the index in it.

import { type OpenOptions, SearchEngine, type SearchIndex } from "../index.js";
import type { Arguments, Flag } from "./command-line.js";
import { CommandError, UsageError } from "./errors.js";
import { plain } from "./texts.js";

/** The flags that say where an index is. */
export const PLACE: Readonly<Record<string, Flag>> = {
  data: { value: "FOLDER", help: "the folder that keeps the index" },
  opensearch: { value: "URL", help: "a node of the cluster of OpenSearch nodes that keeps it, in place of a folder" },
  index: { value: "NAME", help: "the name of the index (default: the only one of the folder)" },
};

/** The folder or the node of a command; without one of them, the command is wrong. */
export function placeOf(args: Arguments): string {
  const [data, node] = [args.text("data") ?? "", args.text("opensearch") ?? ""];
  if (data !== "" && node !== "") throw new UsageError("--data and --opensearch exclude each other.");
  if (data === "" && node === "") throw new UsageError("--data FOLDER is missing: the folder that keeps the index.");
  return data === "" ? node : data;
}

/** Opens the folder or the cluster of a command. */
export async function openPlace(args: Arguments, options: Omit<OpenOptions, "dataDir">): Promise<SearchEngine> {
  const place = placeOf(args);
  if (args.text("opensearch") === undefined) return SearchEngine.open({ ...options, dataDir: place });
  const { OpenSearchEngine } = await import("../opensearch.js");
  const { strict, onWarning } = options;
  return OpenSearchEngine.open({ nodes: [place], strict, onWarning, warmUp: false, refreshIntervalMs: 0 });
}

/**
 * Opens the folder of a command, and closes it in any case. `readOnly`: beside a process that writes; the folder must be there in any case.
 * Warnings are said on stderr, each once.
 */
export async function withFolder<T>(
  args: Arguments,
  { readOnly }: { readonly readOnly: boolean },
  work: (engine: SearchEngine) => Promise<T>,
): Promise<T> {
  const told = new Set<string>();
  const onWarning = ({ code, message }: { readonly code: string; readonly message: string }): void => {
    if (!told.has(code)) process.stderr.write(`warning: ${code}: ${plain(message)}\n`);
    told.add(code);
  };
  const engine = await openPlace(args, { readOnly, strict: true, warmUp: false, onWarning });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** The index of a command: the one that is named, or the only one. */
export async function indexOf(engine: SearchEngine, args: Arguments): Promise<SearchIndex> {
  const given = args.text("index");
  if (given !== undefined) return engine.index(given);
  const names = (await engine.listIndexes()).map(({ name }) => name);
  if (names.length === 1) return engine.index(names[0]!);
  if (names.length === 0) throw new CommandError(`${placeOf(args)} has no index; make one with tandem-search import.`);
  throw new UsageError(`${placeOf(args)} has several indexes: ${names.join(", ")}. Name one with --index.`);
}
