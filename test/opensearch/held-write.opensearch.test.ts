// A write is on its way while others are written and read: no reader that was there meanwhile passes over it when it is done.

import { afterAll, describe, expect, it } from "vitest";
import { ClusterChild, type Outcome } from "../support/cluster-child.js";
import { NODE } from "../support/cluster-engines.js";
import { FaultProxy } from "../support/fault-proxy.js";
import { Random } from "../support/random.js";
import { storageBundle } from "../support/storage-bundle.js";

const bundle = storageBundle("held-write", { opensearch: "src/opensearch.ts" });
const indexPrefix = `held-${crypto.randomUUID().slice(0, 18)}-`;
const WRITES = 5;
const ended: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const end of ended) await end();
  await (await fetch(`${NODE}/${indexPrefix}*`, { method: "DELETE" })).text();
});

/** A process whose engine asks this URL. */
function start(url: string): ClusterChild {
  const child = new ClusterChild(bundle, { nodes: [url], indexPrefix, embedder: false });
  ended.push(() => child.kill());
  return child;
}

/** Writes to an index, the first of which is held back in a part while another process writes, and a third looks. */
async function held(part: "request" | "answer", name: string, first: (writer: ClusterChild) => Promise<Outcome>) {
  const proxy = await FaultProxy.open(NODE, new Random(1));
  ended.push(() => proxy.close());
  const [slow, quick, reader] = [start(proxy.url), start(NODE), start(NODE)];
  await quick.gives("createIndex", name);
  await quick.gives("addRecords", name, [{ id: "counter", n: 0 }]);
  for (const each of [slow, reader]) await each.gives("refresh");
  const hold = proxy.hold((method, url) => method !== "GET" && /_bulk|_doc|_create|_update/.test(url), part);
  const outcome = first(slow);
  await hold.caught;
  for (let i = 0; i < WRITES; i++) {
    await quick.gives("addRecords", name, [{ id: `quick${i}`, n: i }]);
    await reader.gives("refresh");
    expect(await reader.gives("getRecords", name, [`quick${i}`])).toEqual([{ id: `quick${i}`, n: i }]);
  }
  await quick.gives("updateRecords", name, [{ id: "counter", n: { _operation: "Increment", value: 10 } }]);
  await reader.gives("refresh");
  hold.release();
  return { outcome: await outcome, all: [slow, quick, reader, start(NODE)] };
}

const QUICK = Array.from({ length: WRITES }, (_, i) => ({ id: `quick${i}`, n: i }));

describe.each(["request", "answer"] as const)("the %s of a write is held back", (part) => {
  it.each([
    [
      "records",
      [
        { id: "slow0", n: 0 },
        { id: "slow1", n: 1 },
      ],
      10,
    ],
    ["operations", [], 11],
  ] as const)("of %s", async (what, added, count) => {
    const name = `${part}-${what}`;
    const increment = [{ id: "counter", n: { _operation: "Increment", value: 1 } }];
    const { outcome, all } = await held(part, name, (writer) =>
      what === "records" ? writer.make("addRecords", name, added) : writer.make("updateRecords", name, increment),
    );
    expect(outcome).toHaveProperty("ok");
    const positions = new Set<string>();
    for (const child of all) {
      await child.gives("refresh");
      const records = await child.gives<{ id: string }[]>("browseRecords", name);
      expect(records).toEqual([{ id: "counter", n: count }, ...QUICK, ...added]);
      positions.add(await child.gives("position"));
    }
    expect(positions.size).toBe(1);
  });
});
