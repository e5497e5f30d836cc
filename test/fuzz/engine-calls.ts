// Calls with good arguments, and what each must give: calls about whole indexes, reading calls and writing calls.

import {
  type Absence,
  type Embedder,
  type ErrorEnvelope,
  type FacetHits,
  type JsonRecord,
  type SearchAnswer,
  SearchError,
  type SearchIndex,
  type SearchParams,
  type SettingsPreview,
  type SuggestAnswer,
} from "../../src/index.js";
import {
  type Call as CallData,
  type Id,
  type Shares,
  take,
  type Write,
  withoutSentences,
  writeOf,
} from "../lives/calls.js";
import type { Effect, ModelIndex, Version } from "../lives/model.js";
import {
  type FuzzShop,
  fuzzShop,
  goodParams,
  goodsOf,
  otherSettings,
  randomFault,
  randomIds,
  usable,
} from "../lives/shop.js";
import { idOf } from "../oracle/build-index.js";
import { sentenceParams } from "../oracle/random-sentences.js";
import { encoded } from "../oracle/same-answer.js";
import { type NaiveAnswer, NaiveEngine } from "../support/naive-engine.js";
import type { Random } from "../support/random.js";
import { disguised } from "./bad-calls.js";
import {
  agree,
  answerDifference,
  type Call,
  type Difference,
  differ,
  type Judge,
  NAMES,
  type Outcome,
  type World,
} from "./world.js";

// Whole indexes.

/** A call about a whole index. */
export function goodNaming(world: World): Call {
  const make = world.random.pick([createCall, createCall, openCall, deleteIndexCall, copyCall, copyCall, moveCall]);
  return make(world);
}

/** Creates an index, or is refused because there is one. */
export function createCall(world: World): Call {
  const { random, engine } = world;
  const name = random.pick(NAMES);
  const shop = fuzzShop(random, world.declared);
  return {
    what: `createIndex ${name}`,
    run: () => engine.createIndex(name, shop.shop.settings),
    plan: () => {
      if (world.indexes.has(name)) return world.refused(["409 index_exists"]);
      const model = world.create(name, shop);
      return world.returned((handle) => {
        model.handle = handle as SearchIndex;
        if (model.handle.name !== name) throw new Error(`the handle is called ${model.handle.name}`);
      });
    },
  };
}

/** Opens an index that is there: with its own settings, with none, or with others, which is refused. */
function openCall(world: World): Call {
  const { random, engine } = world;
  const { name, model } = world.randomIndex(1);
  if (model === undefined) return createCall(world);
  const own = random.pick([undefined, {}, "own", "others"] as const);
  const settings = own === "own" ? model.last.given : own === "others" ? { bm25: { k1: 7.77 } } : own;
  return {
    what: `createIndex ${name}, opening it with ${JSON.stringify(own)} settings`,
    run: () => engine.createIndex(name, settings, { ifExists: "open" }),
    plan: () =>
      // Settings that are being changed may or may not be in force yet.
      world.together
        ? world.either()
        : own === "others"
          ? world.refused(["409 settings_differ"])
          : world.returned(() => undefined),
  };
}

/** Deletes an index: at once, so that whoever waits is refused. */
export function deleteIndexCall(world: World): Call {
  return indexCall(world, { verb: "deleteIndex", args: [world.randomIndex(0.8).name] });
}

/** Copies an index to a name, new or taken. */
export function copyCall(world: World): Call {
  return indexCall(world, { verb: "copyIndex", args: [world.randomIndex(0.9).name, world.random.pick(NAMES)] });
}

/** Moves an index to another name. */
export function moveCall(world: World): Call {
  return indexCall(world, { verb: "moveIndex", args: [world.randomIndex(0.9).name, world.random.pick(NAMES)] });
}

function indexCall(world: World, call: CallData<"deleteIndex" | "copyIndex" | "moveIndex">): Call {
  return {
    what: `${call.verb} ${call.args.join(" ")}`,
    run: () => take(world.engine, call),
    plan: () => made(world, world.effectOf(call)),
  };
}

/** Makes of the model what a call makes of it, and tells what the call must give. */
function made(world: World, effect: Effect): Judge {
  if ("refusal" in effect) return world.refused([effect.refusal]);
  effect.publish();
  return world.returned((value) => {
    const difference = differ("the result", withoutSentences(value), effect.result);
    if (difference !== undefined) throw new Error(difference);
  });
}

// What reading calls share.

/** A reading call. */
interface Reading {
  readonly what: string;
  readonly run: () => unknown;
  readonly differenceFrom: (value: unknown, version: Version) => Difference;
  /** The query's own vector: it fits only versions whose vectors are as long. */
  readonly vector?: SearchParams["vector"];
}

/** A call whose result agrees with one of the versions of the index. */
function reading(world: World, model: ModelIndex, { what, run, differenceFrom, vector }: Reading): Call {
  const fits = ({ dimensions }: Version): boolean => vector === undefined || dimensions === vector.length;
  const judge: Judge = (outcome) => {
    const fitting = model.versions.filter(fits);
    if ("error" in outcome && fitting.length < model.versions.length)
      return world.refused(["400 invalid_vector", "400 vectors_disabled"])(outcome);
    world.returned((value) => {
      agree(fitting, (version) => differenceFrom(value, version));
      spoil(value);
    })(outcome);
  };
  return { what, run, plan: () => world.unlessGone(model, judge) };
}

/** What was given is the caller's: nobody else may see what becomes of it. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || isWorker(value)) return;
  for (const inner of Object.values(value)) spoil(inner);
  if (Array.isArray(value)) value.length = 0;
  else for (const name of Object.keys(value)) Reflect.set(value, name, "spoilt");
}

function randomParams(world: World, model: ModelIndex): SearchParams {
  return goodParams(world.random, model.shop, named(world, model));
}

/** What a query may name; of calls made together nobody knows which records it will see. */
export function named(world: World, model: ModelIndex): readonly string[] {
  return world.declared || !world.together ? usable(model.shop, model.last.naive.records) : [];
}

/** An embedder of the caller's own, which is shown by its id. */
function isWorker(value: unknown): value is Embedder {
  return typeof value === "object" && value !== null && "embed" in value;
}

// Queries.

function queryCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const expected = randomParams(world, model);
  const all = model.shop.declared && expected.facets !== undefined && random.chance(0.2);
  const params: SearchParams = all ? { ...expected, facets: [random.pick(["*", "category.*"])] } : expected;
  const given = random.chance(0.3) ? encoded(params) : disguised(random, params);
  const run = world.invoke(name, "query", [given]);
  return reading(world, model, { ...queryReading(params, `query ${name} ${JSON.stringify(params)}`), run });
}

/** How the answer of a query is looked at. */
function queryReading(params: SearchParams, what: string): Reading {
  return {
    what,
    run: () => undefined,
    vector: params.vector,
    differenceFrom: (value, version) =>
      answerDifference((value as SearchAnswer).data, version.naive.query(params), params, version),
  };
}

/** A sentence that is understood; without rules, so that what the answer tells was read in the caller's text. */
function sentenceCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const params = { ...sentenceParams(random, randomParams(world, model)), enableRules: false };
  const given = random.chance(0.3) ? encoded(params) : disguised(random, params);
  return reading(world, model, {
    what: `query ${name} ${JSON.stringify(params)}`,
    run: world.invoke(name, "query", [given]),
    vector: params.vector,
    differenceFrom: (value, version) => {
      const { data } = value as SearchAnswer;
      const intent = { isSentence: false, understood: data.understood! };
      return answerDifference(data, version.naive.query(params, undefined, intent), params, version);
    },
  });
}

/** Several queries in one call, each of which is answered, or refused, as it would be alone; one is of an index that is not there. */
function multiCall(world: World, name: string, model: ModelIndex): Call {
  const { random, engine } = world;
  const asked = random.list(1, 4, () => randomParams(world, model));
  const queries = asked.map((params) => ({ ...(random.chance(0.3) ? encoded(params) : params), indexName: name }));
  const nowhere = { indexName: "nowhere", query: "" };
  const plan: Call["plan"] = () => {
    const judges = asked.map((params) => reading(world, model, queryReading(params, "")).plan());
    judges.push(world.refused(["404 index_not_found"]));
    return world.returned((answers) => {
      const list = answers as (SearchAnswer | ErrorEnvelope)[];
      if (list.length !== judges.length) throw new Error(`${list.length} answers to ${judges.length} queries`);
      for (const [i, answer] of list.entries())
        (world.isClosing && answer.code === 503 ? world.either() : judges[i]!)(outcomeOf(answer));
    });
  };
  const what = `multiQuery ${name} ${JSON.stringify(asked)}`;
  return { what, plan, run: () => engine.multiQuery([...queries, nowhere]) };
}

/** The outcome of a query that is in the place of its answer. */
function outcomeOf(answer: SearchAnswer | ErrorEnvelope): Outcome {
  if (answer.data !== null) return { value: answer };
  // An envelope does not say what it is about.
  return { error: new SearchError(answer.code, answer.error, answer.msg, { param: "query" }) };
}

/** What a change of settings would change in the page of a query. */
function previewCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const params = randomParams(world, model);
  const settings = random.chance(0.15) ? {} : otherSettings(random);
  const given = random.chance(0.3) ? encoded(params) : params;
  return reading(world, model, {
    what: `previewSettings ${name} ${JSON.stringify(settings)} ${JSON.stringify(params)}`,
    run: world.invoke(name, "previewSettings", [disguised(random, settings), { queries: [given] }]),
    vector: params.vector,
    differenceFrom: (value, { naive }) => {
      const changed = new NaiveEngine();
      changed.copyFrom(naive);
      changed.updateSettings(settings);
      const [before, after] = [naive, changed].map((one) => one.query(params)) as [NaiveAnswer, NaiveAnswer];
      const [page] = (value as SettingsPreview).queries;
      const told = { before: pageOf(before, params), after: pageOf(after, params) };
      return (
        differ("nbHits", page?.nbHits, { before: before.nbHits, after: after.nbHits }) ??
        differ("the pages", { before: page?.before, after: page?.after }, told)
      );
    },
  });
}

function pageOf({ hits }: NaiveAnswer, { page = 1, hitsPerPage = 12 }: SearchParams): string[] {
  return hits.slice((page - 1) * hitsPerPage, page * hitsPerPage).map(({ id }) => id);
}

/** A query while the embedder fails is answered in words alone. */
function mutedCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const { embedder } = model.shop;
  if (embedder === undefined || world.together) return queryCall(world, name, model);
  const { vector: _vector, query: asked, ...rest } = randomParams(world, model);
  // A text of its own, because the vectors of queries are remembered.
  const params = { ...rest, query: `${asked} muted${random.between(0, 1e9)}` };
  const fault = randomFault(random);
  const query = world.invoke(name, "query", [params]);
  const call = reading(world, model, {
    what: `query ${name} ${JSON.stringify(params)}, with a failing embedder`,
    run: () => {
      embedder.fault = fault;
      return query();
    },
    differenceFrom: (value, version) => {
      const muted = new NaiveEngine();
      muted.copyFrom(version.naive);
      muted.updateSettings({ embedder: () => null, embedParts: () => null });
      return answerDifference((value as SearchAnswer).data, muted.query(params), params, version);
    },
  });
  const after = (): void => {
    embedder.fault = undefined;
  };
  return { ...call, after };
}

function facetCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const held = named(world, model);
  if (held.length === 0) return queryCall(world, name, model);
  const {
    facets: _facets,
    maxValuesPerFacet: _most,
    page: _page,
    hitsPerPage: _hits,
    ...params
  } = randomParams(world, model);
  const [facetName, facetQuery, maxFacetHits] = [
    random.pick(held),
    random.pick(["", "b", "FÖR", "1", "dec", "tr", "blck", "black an", "-", "a:b"]),
    random.pick([0, 2, 1000]),
  ];
  const given = { ...params, facetName, facetQuery, maxFacetHits };
  const what = `searchForFacetValues ${name} ${JSON.stringify(given)}`;
  return reading(world, model, {
    what,
    run: world.invoke(name, "searchForFacetValues", [disguised(random, given)]),
    vector: params.vector,
    differenceFrom: (value, { naive }) => {
      const found = naive.findValues(params, facetName, facetQuery);
      return differ("facetHits", (value as FacetHits).facetHits, found.slice(0, maxFacetHits));
    },
  });
}

function suggestCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const { query, filters } = randomParams(world, model);
  const narrow = filters === undefined ? {} : { filters };
  const given = { query: query.slice(0, random.between(0, 12)), ...narrow, hitsPerPage: random.pick([0, 1, 8]) };
  return reading(world, model, {
    what: `suggest ${name} ${JSON.stringify(given)}`,
    run: world.invoke(name, "suggest", [random.chance(0.3) ? encoded(given) : disguised(random, given)]),
    differenceFrom: (value, { naive }) => {
      const { suggestions } = (value as SuggestAnswer).data;
      const counts = suggestions.map(({ text }) => naive.query({ query: text, matching: "all", ...narrow }).nbHits);
      return differ(
        "the counts of suggestions",
        suggestions.map(({ nbHits }) => nbHits),
        counts,
      );
    },
  });
}

function whyNotCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const params = randomParams(world, model);
  const id: Id = randomIds(random, model.shop, 3)[0] ?? "nobody";
  const given = random.chance(0.3) ? encoded(params) : params;
  const run = world.invoke(name, "whyNot", [given, id]);
  const what = `whyNot ${name} ${JSON.stringify(id)} ${JSON.stringify(params)}`;
  const differenceFrom = (value: unknown, version: Version): Difference =>
    absenceDifference(value as Absence, params, String(id), model, version);
  return reading(world, model, { what, run, vector: params.vector, differenceFrom });
}

/** Of calls made together nobody knows which records they see. */
function similarCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const { records } = model.last.naive;
  if (world.together || records.length === 0) return queryCall(world, name, model);
  const some = (): Id[] => random.list(1, 3, () => idOf(random.pick(records)));
  const of = { like: some(), ...(random.chance(0.5) ? { unlike: some() } : {}) };
  const params = { ...randomParams(world, model), query: "" };
  const given = random.chance(0.3) ? encoded(params) : disguised(random, params);
  return reading(world, model, {
    what: `similar ${name} ${JSON.stringify(of)} ${JSON.stringify(params)}`,
    run: world.invoke(name, "similar", [of, given]),
    vector: params.vector,
    differenceFrom: (value, version) =>
      answerDifference((value as SearchAnswer).data, version.naive.similar(of, params), params, version),
  });
}

function absenceDifference(
  absence: Absence,
  params: SearchParams,
  id: string,
  model: ModelIndex,
  version: Version,
): Difference {
  const { found, reason = "found" } = absence;
  const must = reasonsFor(params, id, model, version);
  if (found !== (reason === "found")) return `found is ${found} and the reason ${reason}`;
  return must.includes(reason) ? undefined : `the reason is ${reason} and must be ${must.join(" or ")}`;
}

function reasonsFor(params: SearchParams, id: string, model: ModelIndex, { naive, ids }: Version): string[] {
  if (!ids.has(id)) {
    if (!model.everHeld.has(id)) return ["unknown"];
    return model.deleted.has(id) && model.versions.length === 1 ? ["deleted"] : ["unknown", "deleted"];
  }
  const { facetFilters = [], numericFilters = [], distinct: _distinct, ...rest } = params;
  const has = (asked: SearchParams): boolean => hitsOf(naive, asked).has(id);
  if (has(params)) return ["found"];
  if (!has({ ...rest, relevancyStrictness: 0, minScore: 0, distinct: false })) return ["filters", "membership"];
  if (!has({ ...rest, minScore: 0, distinct: false })) return ["relevancyStrictness"];
  if (!has({ ...rest, distinct: false })) return ["minScore"];
  if (!has({ ...rest, facetFilters, distinct: false })) return ["facetFilters"];
  return has({ ...rest, facetFilters, numericFilters, distinct: false }) ? ["distinct"] : ["numericFilters"];
}

function hitsOf(naive: NaiveEngine, params: SearchParams): Set<string> {
  const { facets: _facets, sort: _sort, ...rest } = params;
  return new Set(naive.query(params.distinct === false ? rest : params).hits.map(({ id }) => id));
}

// Other reading calls.

/** A reading call of an index that is there. */
export function goodRead(world: World, name: string, model: ModelIndex): Call {
  const makers = [
    queryCall,
    queryCall,
    queryCall,
    queryCall,
    mutedCall,
    facetCall,
    suggestCall,
    whyNotCall,
    getCall,
    browseCall,
  ];
  const rare = [sentenceCall, similarCall, settingsCall, attributesCall, multiCall, previewCall];
  return world.random.pick([...makers, ...rare])(world, name, model);
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

function browseCall(world: World, name: string, model: ModelIndex): Call {
  const most = world.random.chance(0.2) ? world.random.between(0, 3) : Number.POSITIVE_INFINITY;
  const browse = world.invoke(name, "browseRecords", []);
  return reading(world, model, {
    what: `browseRecords ${name}, the first ${most}`,
    run: async () => first(browse() as AsyncIterable<unknown>, most),
    differenceFrom: (value, { naive }) => differ("the records", value, naive.records.slice(0, most)),
  });
}

async function first(records: AsyncIterable<unknown>, most: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  if (most === 0) return taken;
  for await (const record of records) if (taken.push(record) === most) break;
  return taken;
}

function settingsCall(world: World, name: string, model: ModelIndex): Call {
  return reading(world, model, {
    what: `getSettings ${name}`,
    run: world.invoke(name, "getSettings", []),
    differenceFrom: (value, { given }) => settingsDifference(value as SettingsAnswer, given),
  });
}

function attributesCall(world: World, name: string, model: ModelIndex): Call {
  return reading(world, model, {
    what: `getAttributes ${name}`,
    run: world.invoke(name, "getAttributes", []),
    differenceFrom: (value, { naive }) => differ("attributes", value, naive.attributes()),
  });
}

interface SettingsAnswer {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly effective: Readonly<Record<string, unknown>>;
}

/** In force they stand as they were given, but for those that get defaults within or are shown by their ids. */
const SHOWN_OTHERWISE = ["embedder", "fusion", "semanticWeight", "vectorIndex"];

function settingsDifference({ settings, effective }: SettingsAnswer, given: Version["given"]): Difference {
  const expected = Object.entries(given).map(([name, value]) => [name, isWorker(value) ? value.id : value] as const);
  // The engine has no embedder, which is shown where an index depends on it.
  if (!("embedder" in given || "vectorAttribute" in given)) expected.push(["embedder", false]);
  for (const [name, value] of expected) {
    const shown = SHOWN_OTHERWISE.includes(name) ? value : effective[name];
    const difference = differ(`the setting ${name}`, settings[name], value) ?? differ(`${name} in force`, shown, value);
    if (difference !== undefined) return difference;
  }
  return differ("the names of settings", Object.keys(settings).sort(), expected.map(([name]) => name).sort());
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
  return world.random.pick([browseCall, browseCall, queryCall, settingsCall, attributesCall])(world, name, model);
}

// Writing calls.

const SHARES: Shares = {
  addRecords: 3,
  updateRecords: 2,
  replaceAllRecords: 1,
  deleteRecords: 2,
  deleteBy: 1,
  clearIndex: 1,
  updateSettings: 2,
};

/** A writing call of an index that is there: it makes the next version, or is refused and makes none. */
export function goodWrite(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const held = usable(model.shop, model.last.naive.records);
  const shares = {
    ...SHARES,
    ...(held.length > 0 ? {} : { deleteRecords: 3, deleteBy: 0 }),
    // What is written beside a replacement is answered by the old records, if these are still there by then: test/lives tries it.
    ...(world.together ? { replaceAllRecords: 0 } : {}),
  };
  const write = writeOf(random, name, goodsOf(random, model.shop, held), shares);
  const { verb, args } = write;
  const what = `${verb} ${name} ${args.slice(1).map(asText).join(" ")}`;
  const given = dressed(random, model.shop, write);
  const late = !world.together && random.chance(0.06);
  const fault = !world.together && model.shop.embedder !== undefined && random.chance(0.06);
  if (late || fault)
    return uncertain(world, { what, write, given }, late ? lateAbort(random) : faulty(random, model.shop));
  const aborted = random.chance(0.03) && verb !== "clearIndex";
  const control = new AbortController();
  const run = world.invoke(name, verb, aborted ? [given[0], { signal: control.signal }] : given);
  return {
    what: aborted ? `${what}, aborted at once` : what,
    plan: () => world.unlessGone(model, aborted ? world.refused(["499 aborted"]) : made(world, world.effectOf(write))),
    run: () => {
      const running = run();
      if (aborted) control.abort();
      // What the caller does with a list after the call is nobody's business.
      if (Array.isArray(given[0])) given[0].length = 0;
      return running;
    },
  };
}

const asText = (value: unknown): string => JSON.stringify(value);

/** The arguments after the name as a call gets them: in other dress, with vectors as typed arrays, with a handler. */
function dressed(random: Random, { ownDimensions }: FuzzShop, { verb, args: [, first, ...rest] }: Write): unknown[] {
  if (verb === "clearIndex") return [];
  if (verb === "deleteBy" || verb === "updateSettings") return [disguised(random, first as object)];
  if (verb === "deleteRecords") return [[...(first as unknown[])]];
  const typed = ownDimensions > 0 && random.chance(0.3);
  const records = (first as readonly JsonRecord[]).map((record) => {
    const { vec } = record;
    const own = typed && Array.isArray(vec) ? { ...record, vec: Float64Array.from(vec as number[]) } : record;
    return disguised(random, own);
  });
  const onProgress = (): never => {
    throw new Error("a handler that throws");
  };
  const options = verb !== "updateRecords" && random.chance(0.2) ? [{ ...(rest[0] as object), onProgress }] : rest;
  return [records, ...options];
}

/** Something that may or may not make a write fail. */
interface Hindrance {
  readonly what: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly start: () => void;
  readonly end: () => void;
  readonly kind: string;
}

function lateAbort(random: Random): Hindrance {
  const control = new AbortController();
  const turns = random.between(1, 40);
  const start = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) await undefined;
    control.abort(random);
  };
  return {
    what: "aborted late",
    options: { signal: control.signal },
    start: () => void start(),
    end: () => {},
    kind: "499 aborted",
  };
}

function faulty(random: Random, { embedder }: FuzzShop): Hindrance {
  const fault = randomFault(random);
  return {
    what: "with a failing embedder",
    options: {},
    start: () => {
      embedder!.fault = fault;
    },
    end: () => {
      embedder!.fault = undefined;
    },
    kind: "502 embedder_failed",
  };
}

/** A write that is either done whole or refused and not done at all. */
function uncertain(
  world: World,
  { what, write, given }: { readonly what: string; readonly write: Write; readonly given: readonly unknown[] },
  hindrance: Hindrance,
): Call {
  const { verb, args } = write;
  const [first, options] = given;
  const run = world.invoke(
    args[0],
    verb,
    verb === "clearIndex" ? [] : [first, { ...(options as object | undefined), ...hindrance.options }],
  );
  return {
    what: `${what}, ${hindrance.what}`,
    plan: () => (outcome) => {
      const effect = world.effectOf(write);
      if (!("error" in outcome)) made(world, effect)(outcome);
      else world.refused([hindrance.kind, ...("refusal" in effect ? [effect.refusal] : [])])(outcome);
    },
    run: () => {
      hindrance.start();
      return run();
    },
    after: hindrance.end,
  };
}
