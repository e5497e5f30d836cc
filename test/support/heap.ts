import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

function collect(): void {
  setFlagsFromString("--expose_gc");
  (runInNewContext("gc") as () => void)();
}

/** Heap in use after a collection, in bytes. */
export function heapInUse(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Memory of typed arrays in use after a collection, in bytes. */
export function buffersInUse(): number {
  // It is freed in the background; the second waits for what the first began.
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}
