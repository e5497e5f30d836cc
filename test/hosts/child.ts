// Programs of this folder in child processes: with what flags, and what they printed.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

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
}

/** Runs a program of this folder; one that hangs is killed, and has then no status 0. */
export async function runProgram({ file, flags = [], args = [] }: Program): Promise<Ended> {
  const script = fileURLToPath(new URL(file, import.meta.url));
  const options = { timeout: 120_000, maxBuffer: 1 << 26 };
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, script, ...args], options, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ status, lines: stdout.split("\n").filter((line) => line !== ""), stderr });
    });
  });
}

/** The permission model's flag by the name this Node gives it. */
export const PERMISSION: string = process.allowedNodeEnvironmentFlags.has("--permission")
  ? "--permission"
  : "--experimental-permission";
