// Lives of three processes on one node that is killed now and then. LIVES_CALLS=n makes so many calls in all; LIVES_SEED=n lives one life.

import { afterAll, beforeAll, expect, it } from "vitest";
import { type StartedNodes, startNodes } from "../../scripts/opensearch/nodes.mjs";
import { PATIENCE } from "../support/patience.js";
import { storageBundle } from "../support/storage-bundle.js";
import { tempPaths } from "../support/temp-folder.js";
import { live, told } from "./life.js";

const CALLS = Number(process.env.LIVES_CALLS ?? 2000);
const LIFE = 500;
const SEEDS =
  process.env.LIVES_SEED === undefined
    ? Array.from({ length: Math.ceil(CALLS / LIFE) }, (_, i) => 1001 + i)
    : [Number(process.env.LIVES_SEED)];
const bundle = storageBundle("long-lives", { opensearch: "src/opensearch.ts" });
const paths = tempPaths();
let cluster: StartedNodes;

beforeAll(async () => {
  cluster = await startNodes(1);
}, PATIENCE * 600_000);

afterAll(async () => {
  await cluster?.stop();
}, PATIENCE * 60_000);

it.for(SEEDS)(
  "shows in three processes what their calls can have left: seed %i",
  {
    timeout: PATIENCE * LIFE * 2000,
  },
  async (seed, { annotate }) => {
    const [node] = cluster.nodes;
    const tally = await live({ seed, calls: LIFE, bundle, url: node!.url, dataDir: paths(), node: node! });
    await annotate(told(tally));
    expect(tally.get("addRecords done")).toBeGreaterThan(0);
  },
);
