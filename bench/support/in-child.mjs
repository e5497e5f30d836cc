// Runs one task in a fresh process, and waits for its one answer.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = new URL("../child.mjs", import.meta.url);

/** `heapMB`: the most that V8's heap may hold; `mostMs`: after that the process is ended; `program`: what answers the task. */
export function inChild(task, { heapMB, mostMs, program = PROGRAM } = {}) {
  const heap = heapMB === undefined ? [] : [`--max-old-space-size=${heapMB}`];
  const child = fork(fileURLToPath(program), { execArgv: ["--expose-gc", ...heap] });
  const timer = mostMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), mostMs);
  return new Promise((resolve, reject) => {
    let result;
    child.once("message", (message) => {
      result = message;
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      if (result !== undefined) return resolve(result);
      const end = `ended with ${signal ?? code}, without a result`;
      reject(new Error(`The process of ${task.engine} (${task.kind}) ${end}.`));
    });
    child.send(task);
  });
}
