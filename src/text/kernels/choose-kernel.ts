// Which kernel works on the lists of a segment: the compiled one where there is much to do, else the plain one.

import { type CompiledLists, loadCompiledLists } from "./compiled-lists.js";
import type { ListKernel } from "./list-kernel.js";
import { PlainLists } from "./plain-lists.js";

/** With fewer entries, copying and calling cost more than they spare. */
const LEAST_COMPILED = 1000;

const plain = new PlainLists();
let compiled: CompiledLists | null | undefined;

/** The kernel in plain JavaScript, which is always there. */
export function plainKernel(): PlainLists {
  return plain;
}

/** The kernel for lists with so many entries. */
export function kernelFor(entries: number): ListKernel {
  return entries < LEAST_COMPILED ? plain : (loadOnce() ?? plain);
}

/** True when the compiled kernel can be used; the first call loads it. */
export function wasmAvailable(): boolean {
  return loadOnce() !== null;
}

function loadOnce(): CompiledLists | null {
  if (compiled === undefined) compiled = loadCompiledLists();
  return compiled;
}
