// Random lives of three processes on one cluster: calls in flight at once, over a bad network, in processes that are killed. At each rest,
// all show the same, and it is what the calls since the last rest can have left.

import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { ClusterNode } from "../../scripts/opensearch/nodes.mjs";
import { type ChildOptions, ClusterChild, isUnknown, type Outcome } from "../support/cluster-child.js";
import { FAULTS, FaultProxy } from "../support/fault-proxy.js";
import { Random } from "../support/random.js";
import { type Contents, faultOf, type Item, LEDGER, type MadeCall, SWAPPED } from "./history.js";

/** Where a life is led. */
export interface Place {
  readonly seed: number;
  readonly calls: number;
  /** The folder of the bundle. */
  readonly bundle: string;
  readonly url: string;
  /** The folder of the process that keeps its indexes on disk. */
  readonly dataDir: string;
  /** It is killed now and then, where it is given. */
  readonly node?: ClusterNode;
}

/** What happened, by what it was. */
export type Tally = ReadonlyMap<string, number>;

/** A tally as a line. */
export function told(tally: Tally): string {
  return [...tally]
    .sort()
    .map(([what, count]) => `${what}: ${count}`)
    .join(", ");
}

const PROCESSES = [0, 1, 2];
const IN_FLIGHT = 4;
const TIMEOUT_MS = 5000;
const ROUND = { least: 20, most: 60 };
/** How often a fault happens at most. */
const MOST_FAULTS = 0.1;
const COUNTERS = ["c0", "c1", "c2", "c3"];
const WHOLE = ["w0", "w1", "w2"];
const GROUPS = ["g0", "g1", "g2"];
/** What a call may be refused with besides what the cluster is to blame for. */
const CONFLICTS = ["version_conflict", "settings_changed"];
const LINES_TOLD = 80;

/** What may be dealt, and how often beside the others. */
const SHARES = {
  ...{ fresh: 20, whole: 8, count: 22, remove: 5, removeBy: 3, settings: 5, look: 8 },
  ...{ fill: 14, replace: 3, create: 7, clear: 1, move: 3, copy: 2, drop: 1, import: 2 },
  ...{ kill: 1, network: 2, hold: 1, killNode: 0 },
};
type Deal = keyof typeof SHARES;

/** Lives one life; an error tells the seed, and the calls since the last rest. */
export async function live(place: Place): Promise<Tally> {
  const life = new Life(place, await FaultProxy.open(place.url, new Random(place.seed + 1)));
  try {
    return await life.lead();
  } catch (error) {
    if (error instanceof Error) error.message = `LIVES_SEED=${place.seed} fails: ${error.message}\n${life.story()}`;
    throw error;
  } finally {
    await life.leave();
  }
}

class Life {
  private readonly place: Place;
  private readonly random: Random;
  private readonly proxy: FaultProxy;
  private readonly options: ChildOptions;
  private readonly tally = new Map<string, number>();
  private readonly deals: readonly Deal[];
  private children: ClusterChild[] = [];
  private calls: MadeCall[] = [];
  private before: Contents = { indexes: new Map(), settings: {} };
  private faults: (readonly [moment: number, what: string])[] = [];
  private moment = 0;
  private made = 0;
  private node: Promise<void> = Promise.resolve();
  private failure: unknown;

  constructor(place: Place, proxy: FaultProxy) {
    this.place = place;
    this.proxy = proxy;
    this.random = new Random(place.seed);
    const indexPrefix = `lives-${place.seed}-${crypto.randomUUID().slice(0, 8)}-`;
    this.options = { nodes: [proxy.url], indexPrefix, embedder: false, requestTimeoutMs: TIMEOUT_MS };
    proxy.onFault = (fault, request) => {
      this.count(fault);
      this.faults.push([this.moment++, `${fault} ${request}`]);
    };
    const shares = Object.entries({ ...SHARES, killNode: place.node === undefined ? 0 : 1 });
    this.deals = shares.flatMap(([deal, share]) => new Array<Deal>(share).fill(deal as Deal));
  }

  async lead(): Promise<Tally> {
    this.children = PROCESSES.map((i) => this.start(i));
    const [first] = this.children;
    for (const name of [LEDGER, ...SWAPPED]) await first!.gives("createIndex", name);
    const counters = COUNTERS.map((id) => ({ id, title: "counter", group: "kept", n: 0, words: [] }));
    await first!.gives("addRecords", LEDGER, counters);
    this.before = await this.rest();
    while (this.made < this.place.calls) {
      const { random } = this;
      const rates = FAULTS.map((fault) => [fault, random.chance(0.5) ? random.next() * MOST_FAULTS : 0] as const);
      await this.round(Math.min(random.between(ROUND.least, ROUND.most), this.place.calls - this.made), () => {
        this.proxy.rates = random.chance(0.7) ? Object.fromEntries(rates) : {};
      });
      const after = await this.rest();
      const fault = faultOf(this.before, this.calls, after);
      if (fault !== undefined) throw new Error(fault);
      this.before = after;
      this.calls = [];
      this.faults = [];
    }
    return this.tally;
  }

  /** What was called since the last rest, one line for each. */
  story(): string {
    const shown = (outcome: Outcome | undefined): string =>
      outcome === undefined ? "…" : JSON.stringify(outcome).slice(0, 200);
    const calls = this.calls.map(({ child, verb, args, began, ended, outcome }) => {
      const line = `${began}–${ended} process ${child}: ${verb} ${JSON.stringify(args)} → ${shown(outcome)}`;
      return [began, line] as const;
    });
    const faults = this.faults.map(([moment, what]) => [moment, `${moment} the network: ${what}`] as const);
    const lines = [...calls, ...faults].sort(([a], [b]) => a - b).map(([, line]) => `  ${line}`);
    return lines.slice(-LINES_TOLD).join("\n");
  }

  async leave(): Promise<void> {
    await Promise.all(this.children.map((child) => child.kill()));
    await this.proxy.close();
    await this.node;
    await (await fetch(`${this.place.url}/${this.options.indexPrefix}*`, { method: "DELETE" })).text();
  }

  private start(i: number): ClusterChild {
    const { dataDir, bundle } = this.place;
    return new ClusterChild(bundle, i === 0 ? { ...this.options, dataDir } : this.options);
  }

  private count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }

  private async round(count: number, setNetwork: () => void): Promise<void> {
    setNetwork();
    const flying = new Set<Promise<unknown>>();
    const most = this.random.between(1, IN_FLIGHT);
    for (let i = 0; i < count; i++) {
      while (flying.size >= most) await Promise.race(flying);
      if (this.failure !== undefined) break;
      const number = this.made++;
      const deal = this.random.pick(this.deals);
      if (deal === "network") setNetwork();
      const flight: Promise<unknown> = this.deal(deal, number, this.random.pick(PROCESSES))
        .catch((error) => {
          this.failure ??= error;
        })
        .finally(() => flying.delete(flight));
      flying.add(flight);
    }
    await Promise.all(flying);
    if (this.failure !== undefined) throw this.failure;
  }

  /** Makes a call and what belongs to it; whatever is drawn is drawn before it waits. */
  private async deal(deal: Deal, number: number, i: number): Promise<unknown> {
    const { random } = this;
    const swapped = random.chance(0.7) ? "swap" : "side";
    const freshOf = (group: string, most: number): Item[] =>
      random.list(1, most, (at) => ({ id: `f${number}.${at}`, title: `kept ${number}`, group }));
    switch (deal) {
      case "fresh":
        return this.addFresh(i, freshOf(random.chance(0.5) ? "kept" : random.pick(GROUPS), 4), random.chance(0.3));
      case "whole":
        return this.make(i, "addRecords", LEDGER, [{ id: random.pick(WHOLE), title: `whole ${number}`, by: i }]);
      case "count":
        return this.make(i, "updateRecords", LEDGER, this.patches(number, i));
      case "remove": {
        const known = this.calls.flatMap(({ verb, args }) => (verb === "addRecords" ? (args[1] as Item[]) : []));
        const ids = known.filter(({ id, group }) => group !== "kept" && id.startsWith("f")).map(({ id }) => id);
        return this.make(i, "deleteRecords", LEDGER, [random.pick([...WHOLE, ...ids])]);
      }
      case "removeBy":
        return this.makeAfterRefresh(i, "deleteBy", LEDGER, { filters: `group:"${random.pick(GROUPS)}"` });
      case "settings":
        return this.make(i, "updateSettings", LEDGER, this.settings(number, i));
      case "look":
        return this.look(i);
      case "fill":
        return this.make(i, "addRecords", swapped, freshOf("filled", 2));
      case "replace":
        return this.make(i, "replaceAllRecords", swapped, freshOf("replaced", 3));
      case "create":
        return this.make(i, "createIndex", swapped, {}, { ifExists: "open" });
      case "clear":
        return this.make(i, "clearIndex", swapped);
      case "move":
        return this.make(i, "moveIndex", "side", "swap");
      case "copy":
        return this.makeAfterRefresh(i, "copyIndex", "swap", "side");
      case "drop":
        return this.make(i, "deleteIndex", swapped);
      case "import": {
        const lines = freshOf("imported", 3).map((item) => `${JSON.stringify(item)}\n`);
        return this.make(i, "importIndex", swapped, lines, { format: "records", ifExists: "replace" });
      }
      case "kill":
        return this.kill(i);
      case "killNode":
        return this.killNode();
      case "hold": {
        const held = this.proxy.hold((method, url) => method !== "GET" && !/_search|_mget|_refresh|_pit/.test(url));
        // After the time-out of a request it does arrive, though nobody waits for it.
        setTimeout(held.release, random.chance(0.1) ? TIMEOUT_MS + 1000 : random.between(200, 1500));
        return undefined;
      }
      case "network":
        return undefined;
    }
  }

  private patches(number: number, i: number): Item[] {
    const { random } = this;
    const ids = random.chance(0.3) ? random.shuffle(COUNTERS).slice(0, 2) : [random.pick(COUNTERS)];
    return ids.map((id) => ({
      id,
      n: { _operation: random.pick(["Increment", "Decrement"]), value: random.between(1, 9) },
      words: { _operation: random.pick(["Add", "AddUnique"]), value: `t${number}` },
      ...(random.chance(0.4) && { [`of${i}`]: number }),
    }));
  }

  /** Each process has settings of its own. */
  private settings(number: number, i: number): object {
    const word = `word${number}`;
    if (i === 0) return { rules: [{ id: word, conditions: [{ pattern: word }], consequence: { hide: [word] } }] };
    if (i === 1) return { synonyms: [{ type: "synonym", synonyms: [word, `other${number}`] }] };
    return number % 2 === 0 ? { stopWords: [word] } : { searchableAttributes: ["title", word] };
  }

  private async make(i: number, verb: string, ...args: MadeCall["args"]): Promise<MadeCall> {
    const child = this.children[i]!;
    await child.opened;
    const call: MadeCall = { child: i, verb, args, began: this.moment++, ended: Number.NaN, outcome: undefined };
    this.calls.push(call);
    call.outcome = await child.make(verb, ...args);
    call.ended = this.moment++;
    this.count(`${verb} ${this.checked(call)}`);
    return call;
  }

  /** Says how a call ended; throws where it may not end so. */
  private checked({ verb, args: [name], outcome }: MadeCall): string {
    if (outcome === undefined || "ended" in outcome) return "ended";
    if (!("refused" in outcome)) return "done";
    const { code, error } = outcome.refused;
    const isAway = name !== LEDGER && code === 404;
    if (!isUnknown(outcome) && !isAway && !CONFLICTS.includes(error))
      throw new Error(`${verb} ${name} was refused: ${JSON.stringify(outcome.refused)}`);
    return `${code} ${error}`;
  }

  /** What a process reads may be old otherwise. */
  private async makeAfterRefresh(i: number, verb: string, ...args: MadeCall["args"]): Promise<void> {
    await this.children[i]!.opened;
    if ("ok" in (await this.children[i]!.make("refresh"))) await this.make(i, verb, ...args);
  }

  private async addFresh(i: number, items: readonly Item[], isReadAgain: boolean): Promise<void> {
    const child = this.children[i]!;
    await child.opened;
    const call = await this.make(i, "addRecords", LEDGER, items);
    if (!isReadAgain || items[0]!.group !== "kept" || !("ok" in call.outcome!) || child !== this.children[i]) return;
    const outcome = await child.make(
      "getRecords",
      LEDGER,
      items.map(({ id }) => id),
    );
    if ("ok" in outcome) expect(outcome.ok, `what process ${i} has just written`).toEqual(items);
  }

  /** What was acknowledged before a process refreshes shows in it. */
  private async look(i: number): Promise<void> {
    const isKept = ({ verb, args: [name, items], outcome }: MadeCall): boolean =>
      verb === "addRecords" &&
      name === LEDGER &&
      (items as Item[])[0]!.group === "kept" &&
      !!outcome &&
      "ok" in outcome;
    const child = this.children[i]!;
    await child.opened;
    const items = this.calls.filter(isKept).flatMap(({ args }) => args[1] as Item[]);
    if (!("ok" in (await child.make("refresh")))) return;
    const outcome = await child.make(
      "getRecords",
      LEDGER,
      items.map(({ id }) => id),
    );
    if ("ok" in outcome) expect(outcome.ok, `what process ${i} shows after a refresh`).toEqual(items);
    const answer = await child.make("query", LEDGER, { query: "kept", matching: "all" });
    if (!("ok" in answer)) return;
    const { nbHits } = (answer.ok as { data: { nbHits: number } }).data;
    expect(nbHits).toBeGreaterThanOrEqual(items.length);
    this.count("look");
  }

  private async kill(i: number): Promise<void> {
    this.count("kill");
    const child = this.children[i]!;
    this.children[i] = this.start(i);
    await child.kill();
  }

  private killNode(): void {
    this.count("killNode");
    const { node, url } = this.place;
    this.node = this.node.then(async () => {
      await node!.stop("SIGKILL");
      await pause(1000);
      node!.start();
      for (;;) {
        const health = await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=10s`).catch(() => undefined);
        if (health?.ok && !((await health.json()) as { timed_out: boolean }).timed_out) return;
        await pause(250);
      }
    });
  }

  /** Waits until nothing goes on and the network is well; what all processes show then, and one that has just begun. */
  private async rest(): Promise<Contents> {
    await this.node;
    this.proxy.rates = {};
    await this.proxy.rest();
    const fresh = new ClusterChild(this.place.bundle, this.options);
    try {
      for (const child of this.children) await child.gives("refresh");
      const shown = await Promise.all([...this.children, fresh].map((child) => this.shown(child)));
      for (const [i, each] of shown.entries()) expect(each, `process ${i} and process 0, at rest`).toEqual(shown[0]);
      const { records, settings } = shown[0]!;
      const mapOf = (items: readonly Item[]): Map<string, Item> => new Map(items.map((item) => [item.id, item]));
      return { indexes: new Map(records.map(([name, items]) => [name, mapOf(items)])), settings };
    } finally {
      await fresh.kill();
    }
  }

  private async shown(child: ClusterChild) {
    const names = (await child.gives<{ name: string; records: number }[]>("listIndexes"))
      .map(({ name }) => name)
      .sort();
    const records: [name: string, Item[]][] = [];
    const digests: string[] = [];
    for (const name of names) {
      records.push([name, await child.gives<Item[]>("browseRecords", name)]);
      digests.push(await child.gives("digest", name));
    }
    const { settings } = await child.gives<{ settings: Record<string, unknown> }>("getSettings", LEDGER);
    return { records, digests, settings, position: await child.gives<string>("position") };
  }
}
