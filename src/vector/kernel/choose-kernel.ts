// Which kernel looks at rows: the compiled one where they lie in a WebAssembly memory, else the plain one. Kept with the rows.

import { PlainKernel } from "./plain-kernel.js";
import type { CoarseKernel, RowKernel } from "./row-kernel.js";
import type { RowMemory } from "./row-memory.js";
import { WasmKernel } from "./wasm-kernel.js";

const kernels = new WeakMap<RowMemory, RowKernel>();

/** The kernel for rows where they lie. */
export function kernelOf(rows: RowMemory): RowKernel {
  let kernel = kernels.get(rows);
  if (kernel === undefined) {
    kernel = rows.linear === null ? new PlainKernel(rows) : new WasmKernel(rows.linear, rows);
    kernels.set(rows, kernel);
  }
  return kernel;
}

/** The kernel for a first look; null where the rows have no coarse ones. */
export function coarseKernelOf(rows: RowMemory): CoarseKernel | null {
  const kernel = kernelOf(rows);
  return rows.coarse !== null && kernel instanceof WasmKernel ? kernel : null;
}
