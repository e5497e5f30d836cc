import type { ChildProcess } from "node:child_process";

/** A node; it may be ended and started again. */
export interface ClusterNode {
  readonly name: string;
  readonly url: string;
  readonly process: ChildProcess;
  start(): void;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface StartedNodes {
  readonly nodes: readonly ClusterNode[];
  readonly urls: readonly string[];
  readonly stop: () => Promise<void>;
}

export function missing(): string | undefined;
export function startNodes(count?: number, firstPort?: number): Promise<StartedNodes>;
export function whenJoined(nodes: readonly ClusterNode[], timeoutMs?: number): Promise<void>;
