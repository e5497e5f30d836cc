// A stand-in for the native package of vector graphs: what a broken guard lets through ends no process here.

import { vi } from "vitest";
import type { HnswOptions } from "../../src/vector/hnsw-addon.js";

/** The module that guards the native package. */
export type Addon = typeof import("../../src/vector/hnsw-addon.js");

/** Options of a small graph. */
export const OPTIONS: HnswOptions = { dimensions: 2, m: 16, efConstruction: 100, efSearch: 64 };

/** Stands in for a native graph: notes the calls, and fails at the one that is named. */
export class StandIn {
  static calls: unknown[][] = [];
  static failing = "";
  constructor(...args: unknown[]) {
    this.note("new", args);
  }
  note(name: string, args: unknown[]): void {
    StandIn.calls.push([name, ...args]);
    if (StandIn.failing === name) throw new Error("native");
  }
  initIndex = (...args: unknown[]): void => this.note("initIndex", args);
  resizeIndex = (...args: unknown[]): void => this.note("resizeIndex", args);
  addPoint = (...args: unknown[]): void => this.note("addPoint", args.slice(1));
  markDelete = (...args: unknown[]): void => this.note("markDelete", args);
  unmarkDelete = (...args: unknown[]): void => this.note("unmarkDelete", args);
  setEf = (...args: unknown[]): void => this.note("setEf", args);
  searchKnn = (...args: unknown[]): { neighbors: number[] } => {
    this.note("searchKnn", args.slice(1));
    return { neighbors: [7] };
  };
}

/** The module over a native package, on a machine with so much memory; and what it asked the loader for. */
export async function withNative(
  native: unknown,
  memory: number = 2 ** 40,
): Promise<{ addon: Addon; loads: string[] }> {
  const loads: string[] = [];
  vi.resetModules();
  vi.doMock("node:module", () => ({
    createRequire: () => (name: string) => {
      loads.push(name);
      return native;
    },
  }));
  vi.doMock("node:os", () => ({ totalmem: () => memory }));
  vi.spyOn(process, "constrainedMemory").mockReturnValue(0);
  try {
    return { addon: await import("../../src/vector/hnsw-addon.js"), loads };
  } finally {
    vi.doUnmock("node:module");
    vi.doUnmock("node:os");
  }
}

/** The package as the guard finds it. */
export const NATIVE: { readonly HierarchicalNSW: typeof StandIn } = { HierarchicalNSW: StandIn };

/** Forgets the calls, and what was to fail. */
export function resetStandIn(): void {
  StandIn.calls = [];
  StandIn.failing = "";
  vi.restoreAllMocks();
}
