// The word tables in a browser: only what `fetch` brings. Nothing here names the files, or bundlers would put their megabytes beside
// every page.

import type { TableKind } from "./word-table.js";

export function packagedFileProblem({ name }: TableKind): string | undefined {
  return `in a browser there is no word table of ${name} beside the code`;
}

export async function readPackagedFile(_kind: TableKind): Promise<Uint8Array> {
  throw noFiles();
}

export async function readFileAt(_href: string): Promise<Uint8Array> {
  throw noFiles();
}

function noFiles(): Error {
  return new Error("A browser reads no files.");
}
