// Calls that query, with good arguments, and what they must give: query, searchForFacetValues, whyNot.

import type { Absence, FacetHits, SearchAnswer, SearchParams } from "../../src/index.js";
import { normalizeText } from "../../src/language/normalize-text.js";
import { encoded } from "../oracle/same-answer.js";
import { NaiveEngine } from "../support/naive-engine.js";
import { answerDifference, type Difference, differ } from "./engine-answer.js";
import type { ModelIndex, Version } from "./engine-model.js";
import { named, randomParams, reading } from "./engine-reading.js";
import type { Call, World } from "./engine-world.js";
import { type Id, randomFault, randomIds } from "./random-fuzz-shop.js";
import { disguised } from "./random-poison.js";

export function queryCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const expected = randomParams(world, model);
  const all = model.shop.declared && expected.facets !== undefined && random.chance(0.2);
  const facets = model.shop.shop.naive.attributesForFaceting;
  const params: SearchParams = all ? { ...expected, facets: ["*"] } : expected;
  const asTwin: SearchParams = all ? { ...expected, facets: facets! } : expected;
  const given = random.chance(0.3) ? encoded(params) : disguised(random, params);
  return reading(world, model, {
    what: `query ${name} ${JSON.stringify(params)}`,
    run: world.invoke(name, "query", [given]),
    vector: params.vector,
    differenceFrom: (value, version) =>
      answerDifference((value as SearchAnswer).data, version.naive.query(asTwin), asTwin, version),
  });
}

/** A query while the embedder fails is answered in words alone. */
export function mutedCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const { embedder } = model.shop;
  if (embedder === undefined || world.together) return queryCall(world, name, model);
  const { vector: _vector, ...params } = randomParams(world, model);
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

export function facetCall(world: World, name: string, model: ModelIndex): Call {
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
    random.pick(["", "b", "FÖR", "1", "dec", "tr"]),
    random.pick([0, 2, 1000]),
  ];
  const given = { ...params, facetName, facetQuery, maxFacetHits };
  const what = `searchForFacetValues ${name} ${JSON.stringify(given)}`;
  return reading(world, model, {
    what,
    run: world.invoke(name, "searchForFacetValues", [disguised(random, given)]),
    vector: params.vector,
    differenceFrom: (value, { naive }) => {
      const all = naive.query({ ...params, facets: [facetName], maxValuesPerFacet: 1e9 }).facets![facetName]!;
      const fitting = all.filter((one) => hasWordFrom(normalizeText(String(one.value)), normalizeText(facetQuery)));
      return differ("facetHits", (value as FacetHits).facetHits, fitting.slice(0, maxFacetHits));
    },
  });
}

/** One of its words, or all of it, begins so. */
function hasWordFrom(text: string, prefix: string): boolean {
  const places = Array.from({ length: text.length + 1 }, (_, at) => at);
  return places.some((at) => text.startsWith(prefix, at) && (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)));
}

export function whyNotCall(world: World, name: string, model: ModelIndex): Call {
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
  const { facetFilters, distinct: _distinct, ...rest } = params;
  const has = (asked: SearchParams): boolean => hitsOf(naive, asked).has(id);
  if (has(params)) return ["found"];
  if (!has({ ...rest, distinct: false })) return ["filters", "membership"];
  return has({ ...rest, ...(facetFilters === undefined ? {} : { facetFilters }), distinct: false })
    ? ["distinct"]
    : ["facetFilters"];
}

function hitsOf(naive: NaiveEngine, params: SearchParams): Set<string> {
  const { facets: _facets, sort: _sort, ...rest } = params;
  return new Set(naive.query(params.distinct === false ? rest : params).hits.map(({ id }) => id));
}
