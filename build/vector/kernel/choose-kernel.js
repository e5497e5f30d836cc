// Which kernel looks at rows: the compiled one where they lie in a WebAssembly memory, else the plain one. Kept with the rows.
import { PlainKernel } from "./plain-kernel.js";
import { WasmKernel } from "./wasm-kernel.js";
const kernels = new WeakMap();
/** The kernel for rows where they lie. */
export function kernelOf(rows) {
    let kernel = kernels.get(rows);
    if (kernel === undefined) {
        kernel = rows.linear === null ? new PlainKernel(rows) : new WasmKernel(rows.linear, rows);
        kernels.set(rows, kernel);
    }
    return kernel;
}
/** The kernel for a first look; null where the rows have no coarse ones. */
export function coarseKernelOf(rows) {
    const kernel = kernelOf(rows);
    return rows.coarse !== null && kernel instanceof WasmKernel ? kernel : null;
}
