// What two processes do to an index at the same time, in every order that matters: one of them waits at a request while the other goes on.

import { afterAll, expect, it } from "vitest";
import type { OpenSearchEngine } from "../../src/opensearch.js";
import { clusterEngines, NODE } from "../support/cluster-engines.js";
import { FaultProxy, type Held } from "../support/fault-proxy.js";
import { Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";
import { expectAlike as expectSame } from "./two-engines.js";

const { open } = clusterEngines();
const proxies: FaultProxy[] = [];
const SYNONYMS = [{ type: "synonym", synonyms: ["sofa", "couch"] }] as const;
let made = 0;

afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
});

interface Two {
  readonly name: string;
  /** Waits at a request where it is told to. */
  readonly slow: OpenSearchEngine;
  readonly quick: OpenSearchEngine;
  /** Stands before the slow one. */
  readonly proxy: FaultProxy;
  readonly hold: (what: RegExp, part?: "request" | "answer") => Held;
}

/** Two engines of one index that look only when they are asked to. */
async function two(): Promise<Two> {
  const proxy = await FaultProxy.open(NODE, new Random(1));
  proxies.push(proxy);
  const name = `i${++made}`;
  const options = { refreshIntervalMs: 0, requestTimeoutMs: 2000 };
  const quick = await open(options);
  await quick.createIndex(name);
  await quick.addRecords(name, [{ id: "a", title: "first" }]);
  const slow = await open({ ...options, requestTimeoutMs: 20_000, nodes: [proxy.url] });
  return {
    name,
    slow,
    quick,
    proxy,
    hold: (what, part) => proxy.hold((method, url) => what.test(`${method} ${url}`), part),
  };
}

const expectAlike = ({ name, slow, quick }: Two) => expectSame(open, name, [slow, quick]);

/** Records are read otherwise, so another physical index takes the place. */
const REBUILD = { vectorAttribute: "vector", dimensions: 2 };

it("passes over no record after an index was made anew while it was looked for", async () => {
  const both = await two();
  const { name, slow, quick, hold } = both;
  const held = hold(/^POST \/_aliases/);
  const rebuilding = slow.updateSettings(name, REBUILD);
  await held.caught;
  for (let i = 0; i < 10; i++) await quick.addRecords(name, [{ id: "a", title: `written ${i}` }]);
  const looking = slow.refresh();
  await new Promise((resolve) => setTimeout(resolve, 500));
  held.release();
  await Promise.all([rebuilding, looking]);
  await quick.refresh();
  await quick.addRecords(name, [{ id: "b", title: "second" }]);
  await slow.refresh();
  expect(await slow.getRecords(name, ["b"])).toEqual([{ id: "b", title: "second" }]);
  await expectAlike(both);
});

it("replaces also what others wrote before, and this process has not seen", async () => {
  const both = await two();
  const { name, slow, quick } = both;
  await quick.addRecords(name, [{ id: "old", title: "old" }]);
  await slow.replaceAllRecords(name, [{ id: "new", title: "new" }]);
  expect(await slow.getRecords(name, ["old"])).toEqual([null]);
  await expectAlike(both);
});

it("leaves an index alone that another process gave another name while it replaced the records", async () => {
  const { name, slow, quick, hold } = await two();
  const held = hold(/^POST \/_aliases/);
  const replacing = slow.replaceAllRecords(name, [{ id: "new", title: "new" }]);
  await held.caught;
  await quick.moveIndex(name, `${name}-moved`);
  held.release();
  expect(await rejectionOf(replacing)).toMatchObject({ code: 409, error: "settings_changed" });
  await slow.refresh();
  expect(await slow.getRecords(`${name}-moved`, ["a"])).toEqual([{ id: "a", title: "first" }]);
});

it("shows settings that were changed right after its own", async () => {
  const both = await two();
  const { name, slow, quick, hold } = both;
  const held = hold(/^POST .*_bulk/, "answer");
  const changing = slow.updateSettings(name, { stopWords: ["of"] });
  await held.caught;
  await quick.updateSettings(name, { synonyms: SYNONYMS });
  held.release();
  await changing;
  await expectAlike(both);
});

it.each([
  "updateSettings",
  "replaceAllRecords",
] as const)("keeps settings that were changed during %s", async (verb) => {
  const both = await two();
  const { name, slow, quick, hold } = both;
  const held = hold(/^PUT \/[^/]+~/);
  const rebuilding =
    verb === "updateSettings" ? slow.updateSettings(name, REBUILD) : slow.replaceAllRecords(name, [{ id: "b" }]);
  await held.caught;
  await quick.updateSettings(name, { synonyms: SYNONYMS });
  held.release();
  await rebuilding;
  await expectAlike(both);
  expect((await quick.getSettings(name)).settings).toMatchObject({ synonyms: SYNONYMS });
});

it.each([
  /^PUT .*_block/,
  /^POST \/_aliases/,
  /^PUT .*_settings/,
])("can be written to after the answer to %s was lost", async (what) => {
  const both = await two();
  const { name, slow, quick, hold } = both;
  const held = hold(what, "answer");
  const rebuilding = slow.updateSettings(name, REBUILD).catch(() => {});
  await Promise.race([held.caught, rebuilding]);
  held.lose();
  await rebuilding;
  await quick.refresh();
  await quick.addRecords(name, [{ id: "b", title: "second" }]);
  await expectAlike(both);
  expect(await slow.getRecords(name, ["b"])).toEqual([{ id: "b", title: "second" }]);
});

it("opens an index that another process makes at the same time, and never replaces it", async () => {
  const [quick, slow] = [await open({ refreshIntervalMs: 0 }), await open({ refreshIntervalMs: 10 })];
  const record = { id: "a", title: "first" };
  for (let i = 0; i < 12; i++) {
    const name = `made${i}`;
    const isThere = quick.createIndex(name, {}, { ifExists: "open" }).then((index) => index.addRecords([record]));
    await new Promise((resolve) => setTimeout(resolve, 15 * i));
    await slow.createIndex(name, {}, { ifExists: "open" });
    const isAdded = await isThere.then(
      () => true,
      () => false,
    );
    await slow.refresh();
    if (isAdded) expect(await slow.getRecords(name, ["a"]), name).toEqual([record]);
    await slow.deleteIndex(name);
    await quick.refresh();
  }
});

it("keeps what is written while one process replaces an index, and another gives up", async () => {
  const both = await two();
  const { name, slow, quick, hold } = both;
  const proxy = await FaultProxy.open(NODE, new Random(1));
  proxies.push(proxy);
  const third = await open({ refreshIntervalMs: 0, requestTimeoutMs: 20_000, nodes: [proxy.url] });
  /** Waits at the request that gives the name to what was made, with the lock held. */
  const atSwap = async (on: (what: RegExp, part?: "answer") => Held): Promise<Held> => {
    const locked = on(/^PUT .*_block/, "answer");
    await locked.caught;
    const swap = on(/^POST \/_aliases/);
    locked.release();
    await swap.caught;
    return swap;
  };
  const [rebuilding, first] = [slow.updateSettings(name, REBUILD).catch((error) => error), await atSwap(hold)];
  // The lock is taken from a process that keeps it too long.
  await quick.addRecords(name, [{ id: "b", title: "second" }]);
  await third.refresh();
  const replacing = third.replaceAllRecords(name, [{ id: "c", title: "third" }]);
  replacing.catch(() => {});
  const second = await atSwap((what, part) => proxy.hold((method, url) => what.test(`${method} ${url}`), part));
  const unlocking = hold(/^PUT .*_settings/, "answer");
  first.release();
  await Promise.race([unlocking.caught, rebuilding, new Promise((resolve) => setTimeout(resolve, 1000))]);
  unlocking.release();
  const written = await Promise.race([
    quick.addRecords(name, [{ id: "d", title: "fourth" }]).then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, 1000, false)),
  ]);
  second.release();
  await Promise.allSettled([replacing, rebuilding]);
  if (!written) return;
  await quick.refresh();
  expect(await quick.getRecords(name, ["d"])).toEqual([{ id: "d", title: "fourth" }]);
  await expectAlike(both);
});

it("changes names once by requests that arrive twice", async () => {
  for (let i = 0; i < 3; i++) {
    const both = await two();
    const { name, slow, quick, proxy } = both;
    const [record, other] = [{ id: "a", title: "first" }, `${name}-other`];
    proxy.rates = { repeat: 1 };
    await slow.updateSettings(name, REBUILD);
    await quick.refresh();
    expect(await quick.getRecords(name, ["a"])).toEqual([record]);
    await slow.copyIndex(name, other);
    await slow.moveIndex(other, name);
    await slow.createIndex(other);
    await slow.deleteIndex(other);
    await expectAlike(both);
    expect(await quick.getRecords(name, ["a"])).toEqual([record]);
  }
});
