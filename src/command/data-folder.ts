// The data folder that a command works on, and the index in it.

import { SearchEngine, type SearchIndex } from "../index.js";
import { type Arguments, CommandError, type Flag, UsageError } from "./command-line.js";
import { plain } from "./terminal.js";

/** The flags that say where an index is. */
export const PLACE: Readonly<Record<string, Flag>> = {
  data: { value: "FOLDER", help: "the folder that keeps the index" },
  index: { value: "NAME", help: "the name of the index (default: the only one of the folder)" },
};

/** The folder of a command; without it, the command is wrong. */
export function folderOf(args: Arguments): string {
  const data = args.text("data");
  if (data === undefined || data === "")
    throw new UsageError("--data FOLDER is missing: the folder that keeps the index.");
  return data;
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
  const dataDir = folderOf(args);
  const told = new Set<string>();
  const onWarning = ({ code, message }: { readonly code: string; readonly message: string }): void => {
    if (!told.has(code)) process.stderr.write(`warning: ${code}: ${plain(message)}\n`);
    told.add(code);
  };
  const engine = await SearchEngine.open({ dataDir, readOnly, strict: true, warmUp: false, onWarning });
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
  if (names.length === 0) throw new CommandError(`${folderOf(args)} has no index; make one with tandem-search import.`);
  throw new UsageError(`${folderOf(args)} has several indexes: ${names.join(", ")}. Name one with --index.`);
}
