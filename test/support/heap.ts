import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Heap in use after a collection, in bytes. */
export function heapInUse(): number {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
