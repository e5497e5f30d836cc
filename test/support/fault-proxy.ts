// Stands between an engine and a node, as a network does on a bad day: by chance it loses requests or answers, delays, repeats and
// truncates them. It can also hold one back until it is released.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "./random.js";

/** What may happen to a request: it does not arrive; its answer does not; either comes late; it arrives twice; the answer is damaged. */
export const FAULTS = ["refuse", "cut", "delayRequest", "delayAnswer", "repeat", "truncate"] as const;
export type Fault = (typeof FAULTS)[number];

export interface Held {
  readonly caught: Promise<void>;
  readonly release: () => void;
  /** Releases it, and loses the answer. */
  readonly lose: () => void;
}

class Gate {
  open!: () => void;
  readonly opened: Promise<void> = new Promise((resolve) => {
    this.open = resolve;
  });
}

interface Hold {
  readonly isIt: (method: string, url: string) => boolean;
  readonly part: "request" | "answer";
  readonly caught: Gate;
  readonly released: Gate;
  isLost: boolean;
}

type Answer = { readonly status: number; readonly type: string; readonly text: string };

const LATE_MS = { least: 50, most: 400 };

export class FaultProxy {
  /** How often each fault happens, 0 … 1. None does where it is not given. */
  rates: Partial<Record<Fault, number>> = {};
  onFault: (fault: Fault | "hold", request: string) => void = () => {};
  private readonly random: Random;
  private readonly node: string;
  private readonly pending = new Set<Promise<void>>();
  private readonly holds: Hold[] = [];
  private readonly server = createServer((request, response) => this.take(request, response));

  private constructor(node: string, random: Random) {
    this.node = node;
    this.random = random;
  }

  static async open(node: string, random: Random): Promise<FaultProxy> {
    const proxy = new FaultProxy(node, random);
    await new Promise<void>((resolve) => proxy.server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Holds back the next such request, or its answer. */
  hold(isIt: Hold["isIt"], part: Hold["part"] = "request"): Held {
    const [caught, released] = [new Gate(), new Gate()];
    const hold: Hold = { isIt, part, caught, released, isLost: false };
    this.holds.push(hold);
    const release = (): void => {
      this.forget(hold);
      released.open();
    };
    const lose = (): void => {
      hold.isLost = true;
      release();
    };
    return { caught: caught.opened, release, lose };
  }

  /** Resolves when the requests that have come so far are over: none will arrive at the node any more. */
  async rest(): Promise<void> {
    await Promise.all(this.pending);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private forget(hold: Hold): void {
    if (this.holds.includes(hold)) this.holds.splice(this.holds.indexOf(hold), 1);
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const passing = this.pass(request, response)
      .catch(() => void response.destroy())
      .finally(() => this.pending.delete(passing));
    this.pending.add(passing);
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = "GET", url = "/" } = request;
    const body = Buffer.concat(parts);
    const hold = this.holds.find((each) => each.isIt(method, url));
    if (hold !== undefined) this.forget(hold);
    // A second one that makes or blocks an index is refused, and who asked would not know which answer is its own.
    const isRepeatable = !(method === "PUT" && /^\/[^/]+(\/_block\/.*)?$/.test(url.split("?")[0]!));
    const faults = FAULTS.filter((fault) => this.random.chance(this.rates[fault] ?? 0));
    const has = (fault: Fault): boolean => faults.includes(fault) && (fault !== "repeat" || isRepeatable);
    const happening = [...(hold === undefined ? [] : (["hold"] as const)), ...faults.filter(has)];
    for (const fault of happening) this.onFault(fault, `${method} ${url}`);
    if (has("delayRequest")) await this.late();
    if (hold?.part === "request") await until(hold);
    if (has("refuse")) return void response.destroy();
    let answer = await this.forward(method, url, request.headers, body);
    if (has("repeat")) {
      const second = await this.forward(method, url, request.headers, body);
      if (this.random.chance(0.5)) answer = second;
    }
    if (hold?.part === "answer") await until(hold);
    if (has("delayAnswer")) await this.late();
    if (has("cut") || hold?.isLost === true) return void response.destroy();
    const text = has("truncate") ? this.truncated(answer.text) : answer.text;
    const length = Buffer.byteLength(text);
    response.writeHead(answer.status, { "content-type": answer.type, "content-length": length }).end(text);
  }

  private late(): Promise<void> {
    return pause(this.random.between(LATE_MS.least, LATE_MS.most));
  }

  /** What the node answers; rejects where it is away. */
  private async forward(
    method: string,
    url: string,
    headers: IncomingMessage["headers"],
    body: Buffer,
  ): Promise<Answer> {
    const type = headers["content-type"];
    const response = await fetch(this.node + url, {
      method,
      headers: type === undefined ? {} : { "content-type": type },
      ...(body.length > 0 && { body }),
    });
    const { status } = response;
    return { status, type: response.headers.get("content-type") ?? "application/json", text: await response.text() };
  }

  /** The first half of an answer, or one of several writes without what became of one of them. */
  private truncated(text: string): string {
    const { items, ...rest } = (text.startsWith('{"') ? JSON.parse(text) : {}) as { readonly items?: unknown[] };
    if (items === undefined || items.length === 0 || this.random.chance(0.5))
      return text.slice(0, Math.floor(text.length / 2));
    const left = this.random.between(0, items.length - 1);
    return JSON.stringify({ ...rest, items: items.filter((_, i) => i !== left) });
  }
}

async function until(hold: Hold): Promise<void> {
  hold.caught.open();
  await hold.released.opened;
}
