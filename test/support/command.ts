// The built command: many calls in one process, or a process for one call.

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { ROOT } from "./source-tree.js";

/** The exit code of the command, and what it printed. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command, one call after the other, in a process that is ended after the tests of a file. */
export function commands(): (...args: readonly string[]) => Promise<Ran> {
  let child: ChildProcess;
  let last: Promise<unknown> = Promise.resolve();
  beforeAll(() => {
    child = fork(fileURLToPath(new URL("command-child.mjs", import.meta.url)));
  });
  afterAll(() => void child.kill());
  return (...args) => {
    const ran = last.then(() => {
      child.send(args);
      return new Promise<Ran>((resolve) => child.once("message", resolve));
    });
    last = ran;
    return ran;
  };
}

/** Starts the command in a process of its own. */
export function startCommand(args: readonly string[], input?: Buffer): { child: ChildProcess; ran: Promise<Ran> } {
  const child = spawn(process.execPath, [join(ROOT, "dist/command.js"), ...args]);
  const texts = { out: "", err: "" };
  for (const [name, stream] of [["out", child.stdout] as const, ["err", child.stderr] as const])
    stream.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  child.stdin.end(input);
  return { child, ran: once(child, "close").then(([code]) => ({ code, ...texts })) };
}
