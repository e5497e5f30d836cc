// What two engines of one cluster do at the same time: one of them is held at a request, and at rest all show the same.

import { expect } from "vitest";
import type { OpenSearchEngine } from "../../src/opensearch.js";
import { type ClusterEngines, NODE } from "../support/cluster-engines.js";
import { countingProxy } from "../support/counting-proxy.js";

type Open = ClusterEngines["open"];

/** An engine whose requests stop before the first that matches, until `work` was done. */
export async function heldAt(
  open: Open,
  pattern: RegExp,
  work: () => Promise<unknown>,
  options: object = {},
): Promise<OpenSearchEngine> {
  let isDone = false;
  const proxy = await countingProxy(NODE, async (url) => {
    if (isDone || !pattern.test(url)) return;
    isDone = true;
    await work();
  });
  return open({ ...options, nodes: [proxy.url] });
}

/** At rest all engines show the same of an index, and so does one that is opened then. */
export async function expectAlike(
  open: Open,
  name: string,
  engines: readonly OpenSearchEngine[],
  options: object = {},
): Promise<void> {
  const all = [...engines, await open(options)];
  for (const engine of all) await engine.refresh();
  const told = await Promise.all(
    all.map(async (engine) => [
      engine.position(),
      await engine.digest(name),
      (await engine.getSettings(name)).settings,
    ]),
  );
  for (const each of told) expect(each).toEqual(told[0]);
}
