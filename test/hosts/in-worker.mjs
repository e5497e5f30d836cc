// The scenario in a worker thread with a stack of 1 MB; the worker's exit status becomes the process's.

import { Worker } from "node:worker_threads";

const worker = new Worker(new URL("./scenario.mjs", import.meta.url), { resourceLimits: { stackSizeMb: 1 } });
worker.on("exit", (status) => {
  process.exitCode = status;
});
