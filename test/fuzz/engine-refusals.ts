// Calls that must be refused, whatever the indexes hold; and wild ones, which may be refused or not but change nothing.

import type { Random } from "../support/random.js";
import type { ModelIndex } from "./engine-model.js";
import { preview } from "./engine-preview.js";
import { type Call, NAMES, type World } from "./engine-world.js";
import { badFilter, badRequest, wildRequest } from "./random-bad-queries.js";
import { badId, badList, badOptions, badRecord } from "./random-bad-records.js";
import { badIndexName, badSettings } from "./random-bad-settings.js";
import { goodParams, otherSettings, randomIds, usable } from "./random-fuzz-shop.js";
import { anything, INHERITED, noNames, noObject, noText } from "./random-poison.js";

const RECORD_VERBS = ["addRecords", "updateRecords", "replaceAllRecords"];
const PARAMETERS =
  "query page hitsPerPage filters facetFilters facets maxValuesPerFacet sort distinct attributesToRetrieve attributesToHighlight attributesToSnippet highlightPreTag highlightPostTag snippetEllipsisText restrictSearchableAttributes typoTolerance queryType optionalWords advancedSyntax explain semanticWeight semanticFloor semanticDepth matching vector".split(
    " ",
  );

/** A call that must be refused. */
export function badCall(world: World): Call {
  const { name, model } = world.randomIndex(1);
  const { random } = world;
  if (model === undefined || random.chance(0.2)) return random.pick([strangerCall, staleCall, namingCall])(world);
  const call = random.pick([
    recordsCall,
    recordsCall,
    recordsCall,
    idsCall,
    deleteByCall,
    optionsCall,
    requestCall,
    requestCall,
    requestCall,
    facetCall,
    whyNotCall,
    settingsCall,
    settingsCall,
    wildCall,
    wildCall,
  ])(world, name, model);
  // Who waits when the index goes is told that, and not what is wrong.
  return { ...call, plan: () => world.unlessGone(model, call.plan()) };
}

function refusedCall(world: World, what: string, run: () => unknown, kinds: readonly string[] = ["400", "413"]): Call {
  return { what: `bad ${what}`, run, plan: () => world.refused(kinds) };
}

function recordsCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const verb = random.pick(RECORD_VERBS);
  const good = randomIds(random, shop, random.pick([0, 3, 10])).map((id) => shop.shop.other(id));
  const rules = { dimensions: shop.ownDimensions };
  const records = badList(random, good, () => badRecord(random, rules));
  return refusedCall(world, `${verb} ${name} ${preview(records)}`, world.invoke(name, verb, [records]));
}

function idsCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const ids = badList(random, randomIds(random, shop, 3), () => badId(random));
  const verb = random.pick(["deleteRecords", "getRecords"]);
  return refusedCall(world, `${verb} ${name} ${preview(ids)}`, world.invoke(name, verb, [ids]));
}

function deleteByCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const all = [{}, "", " ", { AND: [] }, { NOT: { OR: [] } }, { NOT: { brand: [] } }, undefined];
  const params = random.pick<() => unknown>([
    () => noObject(random),
    () => ({}),
    () => ({ filters: random.pick(all) }),
    () => ({ filters: badFilter(random, shop) }),
    () => ({ filters: badFilter(random, shop) }),
    () => ({ filters: "brand:Forge", [random.pick(["query", "facetFilters", "__proto__x", "filter"])]: "a" }),
  ])();
  return refusedCall(world, `deleteBy ${name} ${preview(params)}`, world.invoke(name, "deleteBy", [params]));
}

/** Good arguments and bad options. */
function optionsCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const records = [shop.shop.other(1)];
  const [verb, first] = random.pick<readonly [string, unknown]>([
    ...RECORD_VERBS.map((each) => [each, records] as const),
    ["deleteRecords", [1, 2, 3]],
    ["deleteBy", { filters: "brand:Forge" }],
    ["updateSettings", { matching: "all" }],
    ["query", { query: "drill" }],
    ["searchForFacetValues", { facetName: "brand" }],
  ]);
  const options = badOptions(random, noObject);
  return refusedCall(world, `options of ${verb} ${name}`, world.invoke(name, verb, [first, options]), ["400", "499"]);
}

function requestCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const { shop } = model;
  const params = badRequest(random, goodParams(random, shop, usable(shop, model.last.naive.records)), shop);
  return refusedCall(world, `query ${name} ${preview(params)}`, world.invoke(name, "query", [params]), ["400"]);
}

function facetCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const params = random.pick<() => unknown>([
    () => noObject(random),
    () => ({}),
    () => ({
      facetName: random.pick(["", "*", "a\u0000", noText(random), ...(shop.declared ? ["nowhere", "__proto__"] : [])]),
    }),
    () => ({ facetName: "brand", facetQuery: random.pick([noText(random), "ü".repeat(2049)]) }),
    () => ({ facetName: "brand", maxFacetHits: random.pick([-1, 1.5, "1", null]) }),
    () => ({ facetName: "brand", filters: badFilter(random, shop) }),
    () => ({ facetName: "brand", attributesToRetrieve: noNames(random) }),
  ])();
  return refusedCall(world, `searchForFacetValues ${name}`, world.invoke(name, "searchForFacetValues", [params]), [
    "400",
  ]);
}

function whyNotCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const args = random.pick<() => unknown[]>([
    () => [{ query: "drill" }, badId(random)],
    () => [{ query: "drill", filters: badFilter(random, shop) }, 1],
    () => [noObject(random), 1],
  ])();
  return refusedCall(world, `whyNot ${name} ${preview(args)}`, world.invoke(name, "whyNot", args), ["400"]);
}

function settingsCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const { ids } = model.last;
  const fits = world.together || ids.size === 0;
  const settings = fits || random.chance(0.8) ? badSettings(random, world.strict) : misfit(random);
  return refusedCall(
    world,
    `updateSettings ${name} ${preview(settings)}`,
    world.invoke(name, "updateSettings", [settings]),
    ["400"],
  );
}

/** Settings that are good, but not for records without such an id. */
function misfit(random: Random): object {
  return { ...otherSettings(random), idAttribute: random.pick(["nowhere", "__proto__", "constructor"]) };
}

/** Reads with anything, which must change nothing. */
function wildCall(world: World, name: string): Call {
  const { random } = world;
  const request = random.chance(0.9) ? wildRequest(random, PARAMETERS) : anything(random);
  const [verb, args] = random.pick<readonly [string, readonly unknown[]]>([
    ["query", [request]],
    ["query", [request, random.chance(0.3) ? anything(random) : undefined]],
    ["searchForFacetValues", [{ ...guarded(request), facetName: "brand" }]],
    ["whyNot", [request, 1]],
    ["getRecords", [anything(random)]],
    ["getSettings", [anything(random)]],
  ]);
  return {
    what: `wild ${verb} ${name} ${preview(args)}`,
    run: world.invoke(name, verb, args),
    plan: () => world.either(),
  };
}

/** Own properties, where they can be read. */
function guarded(value: unknown): object {
  try {
    return { ...(value as object) };
  } catch {
    return {};
  }
}

/** Any verb of an index that is not there. */
function strangerCall(world: World): Call {
  const { random, engine } = world;
  const free = [...NAMES, "shpo", ...INHERITED, "", "x"].filter((name) => !world.indexes.has(name));
  const name: unknown = random.chance(0.7) ? random.pick(free) : noText(random);
  const [verb, ...args] = randomArguments(world);
  const run = (): unknown => Reflect.apply(Reflect.get(engine, verb) as () => unknown, engine, [name, ...args]);
  return refusedCall(world, `${verb} of no index`, run, ["404 index_not_found"]);
}

/** Any verb of a handle whose index is gone. */
function staleCall(world: World): Call {
  const { random } = world;
  if (world.stale.length === 0) return strangerCall(world);
  const handle = random.pick(world.stale);
  const [verb, ...args] = randomArguments(world, ["deleteIndex", "copyIndex", "moveIndex"]);
  const run = (): unknown => Reflect.apply(Reflect.get(handle, verb) as () => unknown, handle, args);
  return refusedCall(world, `${verb} of an index that is gone`, run, ["404 index_not_found"]);
}

/** A verb and what it takes after the name. */
export function randomArguments({ random }: World, without: readonly string[] = []): readonly [string, ...unknown[]] {
  const calls: readonly (readonly [string, ...unknown[]])[] = [
    ...RECORD_VERBS.map((verb) => [verb, [{ id: 1 }]] as const),
    ["deleteRecords", [1]],
    ["deleteBy", { filters: "brand:Forge" }],
    ["clearIndex"],
    ["getRecords", [1]],
    ["browseRecords"],
    ["getSettings"],
    ["updateSettings", {}],
    ["query", { query: "drill" }],
    ["searchForFacetValues", { facetName: "brand" }],
    ["whyNot", { query: "drill" }, 1],
    ["deleteIndex"],
    ["copyIndex", "other"],
    ["moveIndex", "other"],
  ];
  return random.pick(calls.filter(([verb]) => !without.includes(verb)));
}

/** Bad names, bad settings and bad options of creating; bad destinations. */
function namingCall(world: World): Call {
  const { random, engine } = world;
  const settings = badSettings(random, world.strict);
  const [taken] = [...world.indexes.keys()];
  const calls: readonly (() => Call)[] = [
    () =>
      refusedCall(world, "createIndex by name", () =>
        Reflect.apply(engine.createIndex, engine, [badIndexName(random)]),
      ),
    () =>
      refusedCall(world, "createIndex by settings", () => Reflect.apply(engine.createIndex, engine, ["new", settings])),
    () => {
      const options = random.pick([noObject(random), { ifExists: random.pick(["OPEN", null, true, noText(random)]) }]);
      return refusedCall(world, "createIndex by options", () =>
        Reflect.apply(engine.createIndex, engine, ["new", {}, options]),
      );
    },
    () => {
      if (taken === undefined) return strangerCall(world);
      const name = badIndexName(random);
      const verb = random.pick(["copyIndex", "moveIndex"] as const);
      return refusedCall(world, `${verb} to a bad name`, () => Reflect.apply(engine[verb], engine, [taken, name]));
    },
  ];
  return random.pick(calls)();
}
