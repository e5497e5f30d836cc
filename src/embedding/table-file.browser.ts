// The word table in a browser: only what `fetch` brings. Nothing here names the file, or bundlers would put its 7.0 MB beside every page.

export function packagedFileProblem(): string | undefined {
  return "in a browser there is no word table of static-en beside the code";
}

export async function readPackagedFile(): Promise<Uint8Array> {
  throw noFiles();
}

export async function readFileAt(_href: string): Promise<Uint8Array> {
  throw noFiles();
}

function noFiles(): Error {
  return new Error("A browser reads no files.");
}
