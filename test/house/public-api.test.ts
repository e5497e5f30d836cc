// What the entry point exports is a list. A name is added here on purpose, never by accident; a name that leaves is a breaking change.

import { expect, it } from "vitest";
import * as contract from "../../src/contract.js";
import * as evaluation from "../../src/evaluation.js";
import * as frontDoor from "../../src/index.js";
import * as instantsearch from "../../src/instantsearch.js";
import * as opensearch from "../../src/opensearch.js";
import * as service from "../../src/service.js";

it("exports exactly the documented names", () => {
  expect(Object.keys(frontDoor).sort()).toEqual([
    "DEFAULT_LIMITS",
    "SearchEngine",
    "SearchError",
    "SearchIndex",
    "addRecords",
    "browseRecords",
    "clearIndex",
    "comparePositions",
    "copyIndex",
    "createIndex",
    "createStaticDeEmbedder",
    "createStaticEnEmbedder",
    "deleteBy",
    "deleteIndex",
    "deleteRecords",
    "digest",
    "estimate",
    "exportIndex",
    "getAttributes",
    "getRecords",
    "getSettings",
    "importIndex",
    "listIndexes",
    "loadUnderstanding",
    "moveIndex",
    "multiQuery",
    "previewSettings",
    "query",
    "quoteFilterValue",
    "replaceAllRecords",
    "searchForFacetValues",
    "setDefaultEngine",
    "similar",
    "suggest",
    "understandQuery",
    "updateRecords",
    "updateSettings",
    "whyNot",
  ]);
});

it("exports exactly the documented names of tandem-search/evaluation", () => {
  expect(Object.keys(evaluation).sort()).toEqual(["auditRecall", "compareRuns", "evaluate", "measureRun", "sweep"]);
});

it("exports exactly the documented names of tandem-search/instantsearch", () => {
  expect(Object.keys(instantsearch)).toEqual(["createInstantSearchClient"]);
});

it("exports exactly the documented names of tandem-search/opensearch", () => {
  expect(Object.keys(opensearch)).toEqual(["OpenSearchEngine"]);
});

it("exports exactly the documented names of tandem-search/service and its contract", () => {
  expect(Object.keys(service).sort()).toEqual(["answerRequest", "hashKey", "instantSearchRequest"]);
  expect(Object.keys(contract).sort()).toEqual(["contractChecks", "contractIndex"]);
});
