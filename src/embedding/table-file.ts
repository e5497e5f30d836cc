// The files of the word tables: beside the code, or where a URL says.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TableKind } from "./word-table.js";

/** Why the file beside the code cannot be read, as the middle of a sentence; undefined: it is there. */
export function packagedFileProblem(kind: TableKind): string | undefined {
  try {
    if (existsSync(packagedFile(kind))) return undefined;
  } catch {
    // A bundler left no address of the module.
  }
  return `the word table of ${kind.name} (${kind.file}) is not beside the code`;
}

/** The bytes of the file beside the code. */
export async function readPackagedFile(kind: TableKind): Promise<Uint8Array> {
  return readFile(packagedFile(kind));
}

/** The bytes of the file with a `file:` URL. */
export async function readFileAt(href: string): Promise<Uint8Array> {
  return readFile(new URL(href));
}

/** Bundlers that know the form of these lines take the files along. Others leave import.meta empty in CommonJS. */
function packagedFile({ name, file }: TableKind): URL {
  if (typeof import.meta.url !== "string") return pathToFileURL(join(dirname(__filename), file));
  return name === "static-en"
    ? new URL("./static-en-2-65k-192-int4.bin", import.meta.url)
    : new URL("./static-de-32k-192-int4.bin", import.meta.url);
}
