// The same records by different ways: in random order and batches, with detours, replacements and deletions.

import { type JsonRecord, SearchEngine, type SearchIndex } from "../../src/index.js";
import type { Random } from "../support/random.js";
import type { Shop } from "../support/random-shop.js";

type Step = { readonly add: JsonRecord } | { readonly remove: string | number };

export const idOf = (record: JsonRecord): string | number => record.id as string | number;

/** Brings the shop's records into a new index, in batches of at most `largest`; at the end it sometimes waits for the merges. */
export async function withShop(
  shop: Omit<Shop, "naive" | "queries">,
  random: Random,
  largest: number,
  use: (index: SearchIndex) => Promise<void>,
): Promise<void> {
  const engine = new SearchEngine({ strict: true, onWarning: () => {} });
  const index = await engine.createIndex("shop", shop.settings);
  await take(index, detours(shop, random), random, largest);
  if (random.chance(0.5)) await index.whenIdle();
  await use(index);
  await engine.close();
}

/** Steps that end with the shop's records, by detours: other content first, strangers that come and go, ids that come back. */
function detours(shop: Omit<Shop, "settings" | "naive" | "queries">, random: Random): Step[] {
  const lives: Step[][] = shop.records.map((record) => {
    const steps: Step[] = [{ add: record }];
    if (random.chance(0.2)) steps.unshift({ add: shop.other(idOf(record)) });
    if (random.chance(0.1)) steps.unshift({ add: shop.other(idOf(record)) }, { remove: idOf(record) });
    return steps;
  });
  for (const record of shop.strangers) lives.push([{ add: record }, { remove: idOf(record) }]);
  const order = random.shuffle(lives.flatMap((steps, life) => steps.map(() => life)));
  return order.map((life) => lives[life]!.shift()!);
}

/** Takes the steps in batches of at most `largest`; some batches wait for the merges, most do not. */
async function take(index: SearchIndex, steps: readonly Step[], random: Random, largest: number): Promise<void> {
  const waits = random.pick([0, 0.1, 1]);
  for (let at = 0; at < steps.length; ) {
    const adds = "add" in steps[at]!;
    const end = Math.min(steps.length, at + random.between(1, largest));
    const batch: Step[] = [];
    for (; at < end && "add" in steps[at]! === adds; at++) batch.push(steps[at]!);
    if (adds) await index.addRecords(batch.flatMap((step) => ("add" in step ? [step.add] : [])));
    else await index.deleteRecords(batch.flatMap((step) => ("remove" in step ? [step.remove] : [])));
    if (random.chance(waits)) await index.whenIdle();
  }
}
