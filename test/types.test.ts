// The public interface as a TypeScript user sees it. The checks are made by the type checker (npm run check); what would need
// an engine stands in functions that are never called.

import { createReadStream } from "node:fs";
import { describe, expectTypeOf, it } from "vitest";
import type { EvaluateOptions } from "../src/evaluation.js";
import * as lib from "../src/index.js";
import type { OpenSearchEngine, OpenSearchOptions } from "../src/opensearch.js";
import type { ServiceAccess, ServiceRequest } from "../src/service.js";

interface Product {
  readonly id: number;
  readonly title: string;
  readonly price?: number;
}

/** Its body is checked and never run. */
const checked = (_: () => unknown): void => {};
const engine = new lib.SearchEngine({ embedder: false });

describe("the record type", () => {
  it("goes from createIndex to the sources of hits and to records", () =>
    checked(async () => {
      const index = await lib.createIndex<Product>("products");
      expectTypeOf(index).toEqualTypeOf<lib.SearchIndex<Product>>();
      const answer = await index.query({ query: "drill" });
      expectTypeOf(answer).toEqualTypeOf<lib.SearchAnswer<Product>>();
      expectTypeOf(answer.data.hits[0]!.source).toEqualTypeOf<Product>();
      expectTypeOf(await index.getRecords([1, "2"])).toEqualTypeOf<(Product | null)[]>();
      for await (const record of index.browseRecords()) expectTypeOf(record).toEqualTypeOf<Product>();
    }));

  it("is asked of records that are added", () =>
    checked(async () => {
      const index = await lib.createIndex<Product>("products");
      expectTypeOf(await index.addRecords([{ id: 1, title: "Drill" }])).toEqualTypeOf<lib.AddResult>();
      // @ts-expect-error a product has a title
      await index.addRecords([{ id: 1 }]);
      // @ts-expect-error one record is no list
      await index.addRecords({ id: 1, title: "Drill" });
      // @ts-expect-error the price is a number
      await lib.addRecords<Product>("products", [{ id: 1, title: "Drill", price: "5" }]);
      // It may be given to each function of the default engine:
      expectTypeOf(await lib.query<Product>("p", { query: "x" })).toEqualTypeOf<lib.SearchAnswer<Product>>();
      expectTypeOf(await lib.getRecords<Product>("p", [1])).toEqualTypeOf<(Product | null)[]>();
      expectTypeOf(lib.browseRecords<Product>("p")).toEqualTypeOf<AsyncIterableIterator<Product>>();
      expectTypeOf(lib.addRecords<Product>)
        .parameter(1)
        .toEqualTypeOf<readonly Product[]>();
      // It may be given to each verb of an engine:
      expectTypeOf(engine.index<Product>("p")).toEqualTypeOf<lib.SearchIndex<Product>>();
      expectTypeOf(await engine.createIndex<Product>("p")).toEqualTypeOf<lib.SearchIndex<Product>>();
      expectTypeOf(await engine.query<Product>("p", { query: "x" })).toEqualTypeOf<lib.SearchAnswer<Product>>();
      expectTypeOf(await engine.getRecords<Product>("p", [1])).toEqualTypeOf<(Product | null)[]>();
      expectTypeOf(engine.browseRecords<Product>("p")).toEqualTypeOf<AsyncIterableIterator<Product>>();
      // It is JSON where none is given:
      expectTypeOf(await lib.createIndex("p")).toEqualTypeOf<lib.SearchIndex<lib.JsonRecord>>();
      expectTypeOf((await lib.query("p", { query: "x" })).data.hits[0]!.source).toEqualTypeOf<lib.JsonRecord>();
      // It is an object:
      // @ts-expect-error a text is no record
      engine.index<string>("p");
    }));
});

describe("parameters", () => {
  it("have two forms that do not mix", () =>
    checked(async () => {
      await lib.query("p", { query: "x", page: 1, hitsPerPage: 5, semanticWeight: 0.5, matching: "all", vector: [1] });
      await lib.query("p", { params: "query=x&page=2" });
      await lib.query("p", { query: "x", page: undefined }, { signal: new AbortController().signal });
      // @ts-expect-error the query is required
      await lib.query("p", { page: 1 });
      // @ts-expect-error a page is a number
      await lib.query("p", { query: "x", page: "2" });
      // @ts-expect-error there is no such way of matching
      await lib.query("p", { query: "x", matching: "most" });
      // @ts-expect-error a name that is misspelled
      await lib.query("p", { query: "x", pgae: 1 });
      // @ts-expect-error params is a text
      await lib.query("p", { params: { query: "x" } });
      // @ts-expect-error a signal is an AbortSignal
      await lib.query("p", { query: "x" }, { signal: true });
    }));

  it("may be frozen or read only", () => {
    expectTypeOf<Readonly<lib.SearchParams>>().toEqualTypeOf<lib.SearchParams>();
    expectTypeOf<Float32Array>().toExtend<lib.SearchParams["vector"]>();
  });
});

describe("settings", () => {
  it("take what is documented", () => {
    const settings: lib.IndexSettings = {
      idAttribute: "sku",
      searchableAttributes: ["title", { attribute: "body", weight: 0.5 }],
      analyzer: { id: "own-1", analyze: (text) => text.split(" ") },
      embedder: lib.createStaticEnEmbedder(),
      vectorIndex: { kind: "hnsw", m: 16 },
      fusion: { method: "rrf", rankConstant: 60 },
      bm25: { k1: 1 },
    };
    expectTypeOf(settings).toEqualTypeOf<lib.IndexSettings>();
  });

  it("know the modifiers of attributes to count", () => {
    type Shop = { id: string; brand: string; size: { eu: number } };
    checked(() =>
      lib.createIndex<Shop>("p", { attributesForFaceting: ["brand", "searchable(brand)", "filterOnly(size.eu)"] }),
    );
    checked(() => lib.createIndex<Shop>("p", { attributesForFaceting: ["afterDistinct(searchable(brand))"] }));
    checked(() => lib.createIndex("p", { attributesForFaceting: ["searchable(anything)"], semanticWeight: 0.3 }));
    // @ts-expect-error a name that is misspelled
    checked(() => lib.createIndex<Shop>("p", { attributesForFaceting: ["searchable(brnad)"] }));
    // @ts-expect-error there is no such modifier
    checked(() => lib.createIndex<Shop>("p", { attributesForFaceting: ["countable(brand)"] }));
  });

  it("refuse wrong values", () => {
    // @ts-expect-error false is no analyzer
    checked(() => lib.createIndex("p", { analyzer: false }));
    // @ts-expect-error true is no embedder
    checked(() => lib.createIndex("p", { embedder: true }));
    // @ts-expect-error a weight is a number
    checked(() => lib.createIndex("p", { searchableAttributes: [{ attribute: "a", weight: "2" }] }));
    // @ts-expect-error reciprocal ranks have no weight
    checked(() => lib.createIndex("p", { fusion: { method: "rrf", semanticWeight: 0.5 } }));
    // @ts-expect-error there is no such kind
    checked(() => lib.createIndex("p", { vectorIndex: { kind: "flat" } }));
    // @ts-expect-error a name that is misspelled
    checked(() => lib.createIndex("p", { serchableAttributes: ["a"] }));
    // @ts-expect-error what to do with an index that exists
    checked(() => lib.createIndex("p", {}, { ifExists: "replace" }));
  });

  it("in force have no holes", () => {
    expectTypeOf(lib.getSettings).returns.resolves.toHaveProperty("effective");
    type Effective = Awaited<ReturnType<typeof lib.getSettings>>["effective"];
    expectTypeOf<Effective["matchingRatio"]>().toEqualTypeOf<number>();
    expectTypeOf<undefined extends Effective[keyof Effective] ? "hole" : "whole">().toEqualTypeOf<"whole">();
  });
});

describe("an engine", () => {
  it("takes options, and refuses wrong ones", () => {
    expectTypeOf(lib.SearchEngine).toBeConstructibleWith();
    expectTypeOf(lib.SearchEngine).toBeConstructibleWith({} as lib.EngineOptions);
    checked(() => new lib.SearchEngine({ strict: true, limits: { idBytes: 9 }, onWarning: ({ code }) => code.length }));
    // @ts-expect-error there is no such limit
    checked(() => new lib.SearchEngine({ limits: { ids: 9 } }));
    // @ts-expect-error a handler is a function
    checked(() => new lib.SearchEngine({ onWarning: "console" }));
  });

  it("may become the default one, and gives the previous back", () => {
    expectTypeOf(lib.setDefaultEngine).toEqualTypeOf<(next: lib.Engine) => lib.Engine>();
  });

  it("is of one of two kinds, and what has its verbs is none", () => {
    expectTypeOf<lib.SearchEngine>().toExtend<lib.Engine>();
    expectTypeOf<OpenSearchEngine>().toExtend<lib.Engine>();
    expectTypeOf<lib.SearchEngine>().not.toExtend<OpenSearchEngine>();
    expectTypeOf<Pick<lib.SearchEngine, keyof lib.SearchEngine>>().not.toExtend<lib.Engine>();
    checked(async () => {
      const either: lib.Engine = engine;
      expectTypeOf((await either.query<Product>("p", { query: "x" })).data.hits[0]!.source).toEqualTypeOf<Product>();
      // @ts-expect-error an engine has it for itself
      either.checkOpen();
    });
  });

  it("of a cluster needs to know its nodes", () => {
    type Opening = Parameters<typeof OpenSearchEngine.open>[0];
    expectTypeOf<Opening>().toEqualTypeOf<OpenSearchOptions>();
    expectTypeOf<{ nodes: string[]; auth: { username: string; password: string } }>().toExtend<Opening>();
    expectTypeOf<lib.EngineOptions>().not.toExtend<Opening>();
    expectTypeOf<{ nodes: string }>().not.toExtend<Opening>();
  });

  it("takes functions by id, and settings name them", () => {
    type Embedders = Readonly<Record<string, lib.Embedder>>;
    expectTypeOf<lib.EngineOptions["embedders"]>().toEqualTypeOf<Embedders | undefined>();
    type Analyzers = Readonly<Record<string, lib.Analyzer>>;
    expectTypeOf<lib.EngineOptions["analyzers"]>().toEqualTypeOf<Analyzers | undefined>();
    checked(() => lib.createIndex("p", { embedder: "my-model-1", analyzer: "my-words-1" }));
  });

  it("exports text, and imports text or bytes from a list, a stream or another export", () => {
    expectTypeOf(lib.exportIndex).returns.toEqualTypeOf<AsyncIterableIterator<string>>();
    checked(async () => {
      expectTypeOf(await lib.importIndex("p", "")).toEqualTypeOf<{ records: number }>();
      expectTypeOf(await lib.importIndex("p", "", { onInvalid: "skip" })).toEqualTypeOf<lib.ImportSkipResult>();
    });
    expectTypeOf<AsyncIterable<string>>().toExtend<lib.ImportSource>();
    expectTypeOf<(string | Uint8Array)[]>().toExtend<lib.ImportSource>();
    checked(() => {
      lib.importIndex("p", createReadStream("file"), { ifExists: "replace", signal: AbortSignal.timeout(1) });
      lib.importIndex("p", new Response().body!, { onProgress: ({ done }) => done });
      // @ts-expect-error numbers are no text
      lib.importIndex("p", [1]);
      // @ts-expect-error an import replaces an index, or makes one
      lib.importIndex("p", "", { ifExists: "open" });
    });
  });

  it("answers in promises alone", () => {
    expectTypeOf(engine.capabilities()).toEqualTypeOf<lib.Capabilities>();
    expectTypeOf(lib.listIndexes).returns.resolves.toEqualTypeOf<lib.IndexInfo[]>();
    expectTypeOf(lib.deleteRecords).returns.resolves.toEqualTypeOf<{ deleted: number }>();
    for (const verb of [lib.clearIndex, lib.deleteIndex, engine.close])
      expectTypeOf(verb).returns.resolves.toEqualTypeOf<void>();
    expectTypeOf<lib.AddResult>().toEqualTypeOf<{ readonly added: number; readonly replaced: number }>();
  });

  it("tells of skipped records where they are asked for", () =>
    checked(async () => {
      const skip = { onInvalid: "skip" } as const;
      expectTypeOf(await lib.addRecords("p", [])).toEqualTypeOf<lib.AddResult>();
      expectTypeOf(await lib.addRecords("p", [], skip)).toEqualTypeOf<lib.SkipResult>();
      const handle = engine.index<Product>("p");
      expectTypeOf(
        await handle.updateRecords([], { ...skip, createIfNotExists: false }),
      ).toEqualTypeOf<lib.SkipResult>();
      expectTypeOf(await handle.replaceAllRecords([], {})).toEqualTypeOf<lib.AddResult>();
      expectTypeOf(await handle.replaceAllRecords([], skip)).toEqualTypeOf<lib.SkipResult>();
      // @ts-expect-error there is one way of it
      await handle.addRecords([], { onInvalid: "ignore" });
      // @ts-expect-error the price is a number
      await lib.addRecords<Product>("p", [{ id: 1, title: "Drill", price: "5" }], skip);
      // @ts-expect-error settings are no records
      await handle.updateSettings({}, skip);
    }));
});

describe("what a shop asks for", () => {
  type Shoe = {
    id: string;
    title: string;
    price: number;
    released: Date;
    sizes: { eu: number; color: string }[];
  };

  it("names attributes of the record", () =>
    checked(async () => {
      const shoes = await lib.createIndex<Shoe>("shoes", {
        boosts: [{ attribute: "released", halfLifeDays: 30, weight: 0.1 }],
      });
      const answer = await shoes.query({
        query: "boot",
        boosts: [
          { attribute: "price", weight: 0.05, pivot: 80, order: "asc" },
          { filters: { "sizes.eu": { gte: 42 } }, weight: -0.1 },
          { aroundLatLng: "48.1,11.5", pivotMetres: 1000, weight: 0.1 },
        ],
        optionalFilters: ["sizes.color:red<score=3>", ["price:80", "price:90"]],
        numericFilters: ["price>=10", ["sizes.eu:42 TO 43", "price<5"]],
        facets: [
          "sizes.color",
          { attribute: "price", histogram: 10 },
          { attribute: "sizes.eu", sort: "alpha", limit: 5 },
        ],
        filters: { released: { gte: new Date(0) } },
        sort: ["price:asc", "_score:desc", "_geoPoint(48.1,11.5):asc"],
        getParsedQuery: true,
        getMatchInfo: true,
      });
      expectTypeOf(answer.data.matchInfo?.allWords).toEqualTypeOf<boolean | undefined>();
      expectTypeOf(answer.data.parsedQuery?.corrected[0]?.to).toEqualTypeOf<readonly string[] | undefined>();
      expectTypeOf(answer.data.hits[0]!._geoDistance).toEqualTypeOf<number | undefined>();
      // @ts-expect-error a filter misspelt
      await shoes.query({ query: "boot", boosts: [{ filters: { titel: "Boot" }, weight: 0.1 }] });
      // @ts-expect-error a boost has one kind of signal
      await shoes.query({ query: "boot", boosts: [{ aroundLatLng: "48.1,11.5", weight: 0.1 }] });
      // @ts-expect-error a bound is a number or null
      await shoes.query({ query: "boot", facets: [{ attribute: "price", ranges: [["0", 10]] }] });
      // @ts-expect-error a setting misspelt
      await lib.createIndex<Shoe>("shoes", { boosts: [{ attribute: "prize", weight: 0.1 }] });
    }));
});

describe("several queries", () => {
  it("give answers or error envelopes", () =>
    checked(async () => {
      const [first] = await lib.multiQuery([
        { indexName: "p", query: "x" },
        { indexName: "q", params: "query=x" },
      ]);
      expectTypeOf(first).toEqualTypeOf<lib.SearchAnswer | lib.ErrorEnvelope>();
      const [typed] = await lib.multiQuery<Product>([{ indexName: "p", query: "x", filters: { price: { lt: 5 } } }]);
      if (typed?.data) expectTypeOf(typed.data.hits[0]!.source).toEqualTypeOf<Product>();
      else expectTypeOf(typed).toEqualTypeOf<lib.ErrorEnvelope>();
      const some = await engine.multiQuery<Product>([{ indexName: "p", query: "x", attributesToRetrieve: ["id"] }]);
      expectTypeOf(some).toEqualTypeOf<(lib.SearchAnswer<Partial<Product>> | lib.ErrorEnvelope)[]>();
      // @ts-expect-error which index?
      await lib.multiQuery([{ query: "x" }]);
      // @ts-expect-error misspelt
      await lib.multiQuery<Product>([{ indexName: "p", query: "x", filters: { pirce: 5 } }]);
    }));
});

describe("a preview of settings", () => {
  it("takes typed settings and queries", () =>
    checked(async () => {
      const handle = engine.index<Product>("p");
      const queries = ["drill", { query: "x", weight: 2 }, { params: "query=x", weight: 0.5 }];
      const { total, queries: pages } = await lib.previewSettings("p", { customRanking: ["asc(price)"] }, { queries });
      expectTypeOf(total?.changed).toEqualTypeOf<number | undefined>();
      expectTypeOf(pages[0]!.entered[0]!.id).toEqualTypeOf<string>();
      await handle.previewSettings({}, { queries: [{ query: "x", filters: { price: { lt: 5 } } }] });
      // @ts-expect-error misspelt
      await handle.previewSettings({}, { queries: [{ query: "x", filters: { pirce: 5 } }] });
      // @ts-expect-error a list
      await handle.previewSettings({}, { queries: "x" });
      // @ts-expect-error an attribute of the settings is misspelt
      await handle.previewSettings({ attributeForDistinct: "titel" }, { queries });
    }));
});

describe("similar records", () => {
  it("are typed by the record, whatever names them", () =>
    checked(async () => {
      const handle = engine.index<Product>("p");
      const { data } = await handle.similar(1, { filters: { price: { lt: 5 } }, minScore: 0.2 });
      expectTypeOf(data.hits[0]!.source).toEqualTypeOf<Product>();
      const some = await handle.similar({ like: [1, "2"], unlike: [3] }, { attributesToRetrieve: ["id"] });
      expectTypeOf(some.data.hits[0]!.source).toEqualTypeOf<Partial<Product>>();
      const byName = await engine.similar<Product>(
        "p",
        ["1"],
        { params: "page=2" },
        { signal: AbortSignal.timeout(5) },
      );
      expectTypeOf(byName).toEqualTypeOf<lib.SearchAnswer<Product>>();
      expectTypeOf(await lib.similar("p", 1)).toEqualTypeOf<lib.SearchAnswer>();
      // @ts-expect-error there is no text
      await handle.similar(1, { query: "drill" });
      // @ts-expect-error misspelt
      await handle.similar(1, { filters: { pirce: 5 } });
      // @ts-expect-error something must be liked
      await handle.similar({ unlike: [1] });
    }));
});

describe("an answer", () => {
  it("has the documented members", () => {
    type Data = lib.SearchAnswer<Product>["data"];
    expectTypeOf<lib.SearchAnswer["code"]>().toEqualTypeOf<200>();
    expectTypeOf<Data["recallSource"]>().toEqualTypeOf<lib.RecallSource[]>();
    expectTypeOf<lib.RecallSource>().toEqualTypeOf<"fullTextSearch" | "semanticSearch">();
    expectTypeOf<Data["hits"][number]["id"]>().toEqualTypeOf<string>();
    expectTypeOf<Data["hits"][number]["score"]>().toEqualTypeOf<number>();
    expectTypeOf<Data["nbHits"]>().toEqualTypeOf<number>();
  });
});

describe("an error", () => {
  it("is an Error with a code and an envelope", () => {
    expectTypeOf<lib.SearchError>().toExtend<Error>();
    expectTypeOf<lib.SearchError["code"]>().toEqualTypeOf<number>();
    expectTypeOf<lib.SearchError["param"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf(lib.SearchError.prototype.toEnvelope).returns.toEqualTypeOf<lib.ErrorEnvelope>();
    expectTypeOf<lib.ErrorEnvelope>().toEqualTypeOf<{
      readonly msg: string;
      readonly code: number;
      readonly data: null;
      readonly error: string;
    }>();
    expectTypeOf<lib.Complaint["param"]>().toEqualTypeOf<string>();
  });
});

describe("an embedder", () => {
  it("is any object of the right form", () => {
    expectTypeOf({
      id: "x",
      dimensions: 2,
      embed: async (texts: readonly string[]) => texts.map(() => [1, 2]),
    }).toExtend<lib.Embedder>();
    expectTypeOf({ id: "x", dimensions: 2, embed: async () => [null, new Float32Array(2)] }).toExtend<lib.Embedder>();
    expectTypeOf({ id: "x", embed: async () => [] }).not.toExtend<lib.Embedder>();
    expectTypeOf({ id: "x", dimensions: 2, embed: () => [[1, 2]] }).not.toExtend<lib.Embedder>();
    expectTypeOf(lib.createStaticEnEmbedder).toEqualTypeOf<(table?: Uint8Array | lib.Address) => lib.Embedder>();
  });
});

describe("the lines of a shop", () => {
  interface Shown {
    readonly id: number;
    readonly title: string;
    readonly price?: number;
    readonly offers: readonly { readonly shop: string }[];
  }
  const shown = engine.index<Shown>;

  it("read highlights and snippets, nested as the record is", () =>
    checked(async () => {
      const hit = (await shown("p").query({ query: "x" })).data.hits[0]!;
      expectTypeOf(hit._highlightResult?.title?.value).toEqualTypeOf<string | undefined>();
      expectTypeOf(hit._highlightResult?.offers?.[0]?.shop?.matchLevel).toEqualTypeOf<lib.MatchLevel | undefined>();
      expectTypeOf(hit._snippetResult?.title?.value).toEqualTypeOf<string | undefined>();
      // It know that attributesToRetrieve leaves attributes out:
      const few = await shown("p").query({ query: "x", attributesToRetrieve: ["id"] });
      expectTypeOf(few.data.hits[0]!.source).toEqualTypeOf<Partial<Shown>>();
      const params = { query: "x", attributesToRetrieve: ["id"] };
      expectTypeOf((await shown("p").query(params)).data.hits[0]!.source).toEqualTypeOf<Partial<Shown>>();
      const any: lib.SearchParams<Shown> = params;
      expectTypeOf((await shown("p").query(any)).data.hits[0]!.source).toEqualTypeOf<Shown>();
      expectTypeOf((await engine.query("p", params)).data.hits[0]!.source).toEqualTypeOf<lib.JsonRecord>();
    }));

  it("are what a function by name is told that is shown", () =>
    checked(async () => {
      const params = { query: "x", attributesToRetrieve: ["id"] };
      type Few = Pick<Shown, "id">;
      expectTypeOf((await lib.query<Few>("p", params)).data.hits[0]!.source).toEqualTypeOf<Few>();
      // It name attributes that records have in settings:
      const settings: lib.IndexSettings<Shown> = {
        searchableAttributes: ["title", { attribute: "offers.shop", weight: 2 }, "offers.a.b.c"],
        customRanking: ["desc(price)"],
      };
      await lib.createIndex<Shown>("p", settings);
      // @ts-expect-error misspelt
      await lib.createIndex<Shown>("p", { searchableAttributes: ["titel"] });
      // @ts-expect-error misspelt
      await shown("p").updateSettings({ customRanking: ["desc(pirce)"] });
      await lib.createIndex("p", { searchableAttributes: ["anything"] });
      // It name them in rules, too:
      const consequence = { params: { filters: { price: { lt: 5 } }, hitsPerPage: 5 }, hide: [1], userData: new Map() };
      const rules: lib.Rule<Shown>[] = [{ id: "a", conditions: [{ pattern: "x", filters: { id: "1" } }], consequence }];
      await lib.createIndex<Shown>("p", { rules });
      // @ts-expect-error misspelt
      await lib.createIndex<Shown>("p", { rules: [{ id: "a", conditions: [{ filters: { pirce: 1 } }], consequence }] });
      // @ts-expect-error misspelt
      await lib.createIndex<Shown>("p", { rules: [{ id: "a", consequence: { params: { filters: { pirce: 1 } } } }] });
      // @ts-expect-error neither a place nor a list of places
      await lib.createIndex("p", { rules: [{ id: "a", consequence: { promote: [{ id: 1 }] } }] });
      const { data } = await lib.query("p", { query: "x", ruleContexts: ["mobile"], enableRules: true });
      expectTypeOf(data.appliedRules).toEqualTypeOf<readonly string[] | undefined>();
      // It take names from elsewhere in parameters:
      const fromUrl: string = "price:asc";
      const facets: string[] = ["price"];
      await shown("p").query({ query: "x", facets, sort: [fromUrl], attributesToHighlight: facets });
    }));

  it("see a Date as one value", () => {
    type Dated = Shown & { readonly when: Date };
    expectTypeOf<Extract<lib.AttributePath<Dated>, `when${string}`>>().toEqualTypeOf<"when">();
  });

  it("write a Date, which is stored as its ISO text", () =>
    checked(async () => {
      interface Dated {
        readonly id: number;
        readonly when: Date | string;
        readonly deep?: readonly { readonly at: Date | null }[];
      }
      const dated = await lib.createIndex<Dated>("p");
      const when = new Date();
      await dated.addRecords([{ id: 1, when, deep: [{ at: when }, { at: null }] }]);
      await dated.updateRecords([{ id: 1, when }]);
      await lib.addRecords("p", [{ id: 1, when, deep: [{ at: when }] }]);
    }));

  it("may pass undefined for what is not set", () => {
    type Undefined<T> = { readonly [K in keyof T as object extends Pick<T, K> ? K : never]?: undefined };
    expectTypeOf<Undefined<lib.IndexSettings>>().toExtend<lib.IndexSettings>();
    expectTypeOf<Undefined<lib.EngineOptions>>().toExtend<lib.EngineOptions>();
    expectTypeOf<Undefined<Partial<lib.Limits>>>().toExtend<NonNullable<lib.EngineOptions["limits"]>>();
    expectTypeOf<Undefined<lib.SearchParams> & { query: "x" }>().toExtend<lib.SearchParams>();
    expectTypeOf<
      Undefined<lib.Embedder> & Pick<lib.Embedder, "id" | "dimensions" | "embed">
    >().toExtend<lib.Embedder>();
    expectTypeOf<Undefined<ServiceRequest> & { indexName: "p" }>().toExtend<ServiceRequest>();
    expectTypeOf<Undefined<ServiceAccess> & { credentials: [] }>().toExtend<ServiceAccess>();
    expectTypeOf<Undefined<EvaluateOptions>>().toExtend<EvaluateOptions>();
    expectTypeOf<Undefined<OpenSearchOptions> & { nodes: [] }>().toExtend<OpenSearchOptions>();
    expectTypeOf({ embedder: undefined, vectorIndex: { m: undefined } }).toExtend<lib.IndexSettings>();
  });

  it("hand an index of known records to a function for any index", () => {
    expectTypeOf<lib.SearchIndex<Shown>>().toExtend<lib.SearchIndex<object>>();
    expectTypeOf<lib.SearchAnswer<Shown>>().toExtend<lib.SearchAnswer<object>>();
    type Plain = { readonly id: number; readonly title: string; readonly offers?: { readonly shop: string }[] };
    expectTypeOf<lib.SearchIndex<Plain>>().toExtend<lib.SearchIndex>();
    expectTypeOf<lib.SearchAnswer<Plain>>().toExtend<lib.SearchAnswer>();
    // An interface may be extended, so it is no lib.JsonRecord.
    expectTypeOf<lib.SearchIndex<Shown>>().not.toExtend<lib.SearchIndex>();
    expectTypeOf<lib.SearchIndex<Shown>>().not.toExtend<lib.SearchIndex<{ readonly sku: string }>>();
  });

  it("hand parameters and settings for known records to a function for any, and parameters back", () => {
    expectTypeOf<lib.SearchParams<Shown>>().toExtend<lib.SearchParams>();
    expectTypeOf<lib.IndexSettings<Shown>>().toExtend<lib.IndexSettings>();
    expectTypeOf<lib.SearchParams>().toExtend<lib.SearchParams<Shown>>();
    expectTypeOf<lib.IndexSettings<Shown>>().not.toExtend<lib.IndexSettings<{ readonly sku: string }>>();
  });

  it("update records by their id", () =>
    checked(async () => {
      await shown("p").updateRecords([{ id: 1, price: 3 }]);
      // @ts-expect-error which record?
      await shown("p").updateRecords([{ price: 3 }]);
      await engine.updateRecords("p", [{ sku: "a", price: 3 }]);
      await shown("p").updateRecords([{ id: 1, price: null }]);
      // @ts-expect-error an id is never null
      await shown("p").updateRecords([{ id: null }]);
      // @ts-expect-error misspelt
      await shown("p").updateRecords([{ id: 1, prize: 3 }]);
      // It change values by operations that fit them:
      interface Stocked {
        readonly id: number;
        readonly title: string;
        readonly stock?: number | null;
        readonly tags: readonly string[];
        readonly sizes: (number | string)[];
        readonly offers: readonly { readonly shop: string }[];
      }
      const index = await lib.createIndex<Stocked>("p");
      await index.updateRecords([{ id: 1, stock: { _operation: "Increment", value: 2 } }]);
      await index.updateRecords([{ id: 1, tags: { _operation: "AddUnique", value: "new" }, title: "Drill" }]);
      await index.updateRecords([{ id: 1, sizes: { _operation: "Remove", value: 42 } }]);
      await engine.updateRecords("p", [{ sku: "a", stock: { _operation: "Decrement", value: 1 } }]);
      // @ts-expect-error the operation has another name
      await index.updateRecords([{ id: 1, stock: { _operation: "increment", value: 1 } }]);
      // @ts-expect-error the stock is a number
      await index.updateRecords([{ id: 1, stock: { _operation: "Increment", value: "1" } }]);
      // @ts-expect-error a number is no list
      await index.updateRecords([{ id: 1, stock: { _operation: "Add", value: 1 } }]);
      // @ts-expect-error tags are texts
      await index.updateRecords([{ id: 1, tags: { _operation: "Add", value: 1 } }]);
      // @ts-expect-error a text is replaced as a whole
      await index.updateRecords([{ id: 1, title: { _operation: "Add", value: "x" } }]);
      // @ts-expect-error a list of objects is replaced as a whole
      await index.updateRecords([{ id: 1, offers: { _operation: "Add", value: "x" } }]);
      // @ts-expect-error an operation needs a record's id
      await index.updateRecords([{ id: { _operation: "Increment", value: 1 } }]);
      const whole = { id: 1, title: "x", tags: [], sizes: [], offers: [] };
      // @ts-expect-error records are whole
      await index.addRecords([{ ...whole, stock: { _operation: "Increment", value: 1 } }]);
    }));
});

describe("a function for records of any type", () => {
  it("adds, updates and finds them", () => {
    class Repository<T extends { readonly id: string; readonly title: string }> {
      readonly index: lib.SearchIndex<T>;
      constructor(index: lib.SearchIndex<T>) {
        this.index = index;
      }
      static async open<T extends { readonly id: string; readonly title: string }>(): Promise<Repository<T>> {
        return new Repository<T>(await lib.createIndex<T>("p", {}));
      }
      async save(records: readonly T[], one: T): Promise<void> {
        await this.index.addRecords(records);
        await this.index.addRecords([one]);
        await this.index.replaceAllRecords([...records, one]);
      }
      async patch(id: T["id"], changes: Partial<T>): Promise<void> {
        await this.index.updateRecords([{ ...changes, id }]);
      }
      async find(params: lib.SearchParams<T>): Promise<T[]> {
        return (await this.index.query(params)).data.hits.map(({ source }) => source);
      }
    }
    checked(() => new Repository(engine.index<{ readonly id: string; readonly title: string }>("p")));
  });
});

describe("what no record may hold", () => {
  it("does not compile", () =>
    checked(async () => {
      // @ts-expect-error a bigint, even if only an update says so
      await engine.index<{ id: 1; size: bigint | number }>("p").updateRecords([{ id: 1 }]);
      // @ts-expect-error a function
      await engine.index<{ show(): string }>("p").addRecords([]);
      // @ts-expect-error a Map
      await engine.index<{ prices: Map<string, number> }>("p").addRecords([]);
      // @ts-expect-error a Set, three names deep
      await engine.index<{ a: { b: { c: Set<string> } } }>("p").addRecords([]);
      // @ts-expect-error a promise that was not awaited
      await lib.addRecords<{ title: Promise<string> }>("p", []);
      // @ts-expect-error a symbol
      await lib.addRecords<{ title: symbol }>("p", []);
    }));

  it("is named with its place and what to store instead", () => {
    type Given<R extends object> = Parameters<lib.SearchIndex<R>["addRecords"]>[0];
    expectTypeOf<
      Given<{ id: 1; at: { size: bigint }[] }>
    >().toEqualTypeOf<"at.size is a bigint; store a number or a text">();
    expectTypeOf<Given<{ price: bigint; show(): string }>>().toEqualTypeOf<
      "price is a bigint; store a number or a text" | "show is a function; records are plain objects"
    >();
  });

  it("leaves alone what may be held or is not known", () => {
    type Given<R extends object> = Parameters<lib.SearchIndex<R>["addRecords"]>[0];
    interface Known {
      id: 1 | "a";
      vector?: Float32Array;
      tags: readonly string[];
      more: unknown;
      // biome-ignore lint/suspicious/noExplicitAny: a record type of a caller may have it
      any: any;
      object: object;
      json: lib.JsonRecord;
      children?: Known[];
      none: null | undefined;
    }
    expectTypeOf<Given<Known>>().toEqualTypeOf<readonly Known[]>();
    type Written = { readonly [name: string]: lib.WrittenValue };
    expectTypeOf<Given<object>>().toEqualTypeOf<readonly (object | Written)[]>();
    expectTypeOf<Given<lib.JsonRecord>>().toEqualTypeOf<readonly (lib.JsonRecord | Written)[]>();
  });
});
