// Reading calls with good arguments, and what they must give.

import { type Difference, differ } from "./engine-answer.js";
import type { ModelIndex, Version } from "./engine-model.js";
import { facetCall, mutedCall, queryCall, whyNotCall } from "./engine-queries.js";
import { isWorker, reading } from "./engine-reading.js";
import type { Call, World } from "./engine-world.js";
import { randomIds } from "./random-fuzz-shop.js";

/** A reading call of an index that is there. */
export function goodRead(world: World, name: string, model: ModelIndex): Call {
  const makers = [queryCall, queryCall, queryCall, queryCall, mutedCall, facetCall, whyNotCall, getCall, browseCall];
  return world.random.pick([...makers, settingsCall])(world, name, model);
}

function getCall(world: World, name: string, model: ModelIndex): Call {
  const ids = randomIds(world.random, model.shop, 6);
  return reading(world, model, {
    what: `getRecords ${name} ${JSON.stringify(ids)}`,
    run: world.invoke(name, "getRecords", [ids]),
    differenceFrom: (value, { naive }) => {
      const byId = new Map(naive.records.map((record) => [String(record.id), record]));
      const expected = ids.map((id) => byId.get(String(id)) ?? null);
      return differ("the records", value, expected);
    },
  });
}

export function browseCall(world: World, name: string, model: ModelIndex): Call {
  const most = world.random.chance(0.2) ? world.random.between(0, 3) : Number.POSITIVE_INFINITY;
  const browse = world.invoke(name, "browseRecords", []);
  return reading(world, model, {
    what: `browseRecords ${name}, the first ${most}`,
    run: async () => take(browse() as AsyncIterable<unknown>, most),
    differenceFrom: (value, { naive }) => differ("the records", value, naive.records.slice(0, most)),
  });
}

async function take(records: AsyncIterable<unknown>, most: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  if (most === 0) return taken;
  for await (const record of records) if (taken.push(record) === most) break;
  return taken;
}

export function settingsCall(world: World, name: string, model: ModelIndex): Call {
  return reading(world, model, {
    what: `getSettings ${name}`,
    run: world.invoke(name, "getSettings", []),
    differenceFrom: (value, { given }) => settingsDifference(value as SettingsAnswer, given),
  });
}

interface SettingsAnswer {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly effective: Readonly<Record<string, unknown>>;
}

/** In force they stand as they were given, but for those that get defaults within or are shown by their ids. */
const SHOWN_OTHERWISE = ["embedder", "fusion", "vectorIndex"];

function settingsDifference({ settings, effective }: SettingsAnswer, given: Version["given"]): Difference {
  for (const [name, value] of Object.entries(given)) {
    if (isWorker(value) && settings[name] !== value) return `the ${name} is another`;
    const shown = SHOWN_OTHERWISE.includes(name) ? value : effective[name];
    const difference = differ(`the setting ${name}`, settings[name], value) ?? differ(`${name} in force`, shown, value);
    if (difference !== undefined) return difference;
  }
  return differ("the names of settings", Object.keys(settings).sort(), Object.keys(given).sort());
}

/** The names and counts of all indexes; only while no other call is at hand. */
export function listCall(world: World): Call {
  const { engine } = world;
  const plan: Call["plan"] = () =>
    world.returned((value) => {
      if (world.together) return;
      const lines = [...world.indexes].map(([name, { last }]) => ({ name, records: last.ids.size }));
      const difference = differ(
        "listIndexes",
        value,
        lines.sort((a, b) => (a.name < b.name ? -1 : 1)),
      );
      if (difference !== undefined) throw new Error(difference);
    });
  return { what: "listIndexes", run: () => engine.listIndexes(), plan };
}

/** Reads what a call may have changed and must not have. */
export function probe(world: World): Call {
  const { name, model } = world.randomIndex(1);
  if (model === undefined || world.random.chance(0.5)) return listCall(world);
  return world.random.pick([browseCall, browseCall, queryCall, settingsCall])(world, name, model);
}
