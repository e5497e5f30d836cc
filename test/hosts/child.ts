// Programs of this folder in child processes: with what flags, and what they printed.

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../support/source-tree.js";

/** How a child process ended. */
export interface Ended {
  readonly status: number;
  readonly lines: readonly string[];
  readonly stderr: string;
}

/** What to run, and where. */
export interface Program {
  readonly file: string;
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program of this folder; one that hangs is killed, and has then no status 0. */
export async function runProgram({ file, flags = [], args = [], env = {} }: Program): Promise<Ended> {
  const script = fileURLToPath(new URL(file, import.meta.url));
  const options = { env: { ...process.env, ...env }, timeout: 120_000, maxBuffer: 1 << 26 };
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, script, ...args], options, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ status, lines: stdout.split("\n").filter((line) => line !== ""), stderr });
    });
  });
}

/** The built library in a folder of its own, which can import only the packages named; called to be given up. */
export function copyLibrary(packages: readonly string[]): { readonly entry: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "tandem-search-copy-"));
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
  for (const name of packages) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  return { entry: join(folder, "dist", "index.js"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The permission model's flag by the name this Node gives it. */
export const PERMISSION: string = process.allowedNodeEnvironmentFlags.has("--permission")
  ? "--permission"
  : "--experimental-permission";
