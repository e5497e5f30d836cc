// A process with an engine on a cluster, which makes calls, and may be killed.

import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ErrorEnvelope } from "../../src/index.js";
import { ROOT } from "./source-tree.js";

export type ChildOptions = Readonly<Record<string, unknown>> & { readonly nodes: readonly string[] };

export type Refused = ErrorEnvelope & { readonly details?: Readonly<Record<string, unknown>> };

/** What a call gave, how it was refused, or that the process ended before it said. */
export type Outcome = { readonly ok: unknown } | { readonly refused: Refused } | { readonly ended: true };

type Answer = Outcome | { readonly failed: string };

/** Codes of what the cluster, and not the call, is to blame for: of a write, nobody knows whether it was done. */
const UNKNOWN: ReadonlySet<number> = new Set([502, 503, 507]);

export function isUnknown(outcome: Outcome): boolean {
  return "ended" in outcome || ("refused" in outcome && UNKNOWN.has(outcome.refused.code));
}

export class ClusterChild {
  /** Resolves when the engine is open; the cluster may be out of reach for a while. */
  readonly opened: Promise<void>;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private readonly over: Promise<void>;
  private next = 0;
  private isOver = false;

  /** `bundle`: the folder that has the bundle of src/opensearch.ts. */
  constructor(bundle: string, options: ChildOptions) {
    const program = join(ROOT, "test/support/cluster-child.mjs");
    this.child = fork(program, [bundle, JSON.stringify(options)], { execArgv: [] });
    this.child.on("message", ({ number, ...answer }: Answer & { number: number }) => this.settle(number, answer));
    this.over = new Promise((resolve) => {
      this.child.once("close", () => {
        this.isOver = true;
        for (const number of [...this.waiting.keys()]) this.settle(number, { ended: true });
        resolve();
      });
    });
    this.opened = this.open();
  }

  private async open(): Promise<void> {
    for (;;) {
      const outcome = await this.make("open");
      if ("ok" in outcome || "ended" in outcome) return;
      if (!isUnknown(outcome)) throw new Error(`open is refused: ${JSON.stringify(outcome)}`);
      await pause(100);
    }
  }

  private settle(number: number, answer: Answer): void {
    this.waiting.get(number)?.(answer);
    this.waiting.delete(number);
  }

  /** Makes a call; rejects where the engine throws what is no SearchError. */
  async make(verb: string, ...args: readonly unknown[]): Promise<Outcome> {
    if (this.isOver) return { ended: true };
    const number = this.next++;
    const answer = await new Promise<Answer>((resolve) => {
      this.waiting.set(number, resolve);
      this.child.send({ number, verb, args }, () => {});
    });
    if ("failed" in answer) throw new Error(`${verb} threw ${answer.failed}`);
    return answer;
  }

  /** What a call gives; rejects where it is refused. */
  async gives<T>(verb: string, ...args: readonly unknown[]): Promise<T> {
    await this.opened;
    const outcome = await this.make(verb, ...args);
    if ("ok" in outcome) return outcome.ok as T;
    throw new Error(`${verb} ${JSON.stringify(args)} was refused: ${JSON.stringify(outcome)}`);
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.over;
  }
}
