// Short lives of three processes on one cluster. LIVES_SEED=n lives one of them alone, LIVES_CALLS=n with so many calls.

import { expect, it } from "vitest";
import { NODE } from "../support/cluster-engines.js";
import { PATIENCE } from "../support/patience.js";
import { storageBundle } from "../support/storage-bundle.js";
import { tempPaths } from "../support/temp-folder.js";
import { live, told } from "./life.js";

const SEEDS = process.env.LIVES_SEED === undefined ? [1, 2] : [Number(process.env.LIVES_SEED)];
const CALLS = Number(process.env.LIVES_CALLS ?? 250);
const bundle = storageBundle("lives", { opensearch: "src/opensearch.ts" });
const paths = tempPaths();

it.for(SEEDS)(
  "shows in three processes what their calls can have left: seed %i",
  {
    timeout: PATIENCE * CALLS * 1000,
  },
  async (seed, { annotate }) => {
    const tally = await live({ seed, calls: CALLS, bundle, url: NODE, dataDir: paths() });
    await annotate(told(tally));
    expect(tally.get("addRecords done")).toBeGreaterThan(0);
  },
);
