// The file of the word table: beside the code, or where a URL says.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Why the file beside the code cannot be read, as the middle of a sentence; undefined: it is there. */
export function packagedFileProblem(): string | undefined {
  try {
    if (existsSync(packagedFile())) return undefined;
  } catch {
    // A bundler left no address of the module.
  }
  return "the word table of static-en (static-en-2-65k-192-int4.bin) is not beside the code";
}

/** The bytes of the file beside the code. */
export async function readPackagedFile(): Promise<Uint8Array> {
  return readFile(packagedFile());
}

/** The bytes of the file with a `file:` URL. */
export async function readFileAt(href: string): Promise<Uint8Array> {
  return readFile(new URL(href));
}

/** Bundlers that know the form of the first line take the file along. Others leave import.meta empty in CommonJS. */
function packagedFile(): URL {
  if (typeof import.meta.url === "string") return new URL("./static-en-2-65k-192-int4.bin", import.meta.url);
  return pathToFileURL(join(dirname(__filename), "static-en-2-65k-192-int4.bin"));
}
