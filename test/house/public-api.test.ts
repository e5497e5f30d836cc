// What the entry point exports is a list. A name is added here on purpose, never by accident; a name that leaves is a breaking change.

import { expect, it } from "vitest";
import * as contract from "../../src/contract.js";
import * as evaluation from "../../src/evaluation.js";
import * as frontDoor from "../../src/index.js";
import * as instantsearch from "../../src/instantsearch.js";
import * as medusa from "../../src/medusa.js";
import * as opensearch from "../../src/opensearch.js";
import * as service from "../../src/service.js";
import * as tools from "../../src/tools.js";

const NAMES: Readonly<Record<string, readonly [entry: object, names: string]>> = {
  "tandem-search": [
    frontDoor,
    `DEFAULT_LIMITS Engine SearchEngine SearchError SearchIndex addRecords browseRecords clearIndex comparePositions copyIndex createIndex
      createStaticDeEmbedder createStaticEnEmbedder deleteBy deleteIndex deleteRecords digest estimate exportIndex getAttributes getRecords
      getSettings importIndex listIndexes loadUnderstanding moveIndex multiQuery previewSettings query quoteFilterValue replaceAllRecords
      searchForFacetValues setDefaultEngine similar suggest understandQuery updateRecords updateSettings whyNot`,
  ],
  "tandem-search/evaluation": [evaluation, "auditRecall compareRuns evaluate measureRun sweep"],
  "tandem-search/instantsearch": [instantsearch, "createInstantSearchClient"],
  "tandem-search/medusa": [medusa, "TandemSearchProvider createMedusaSearchProvider default"],
  "tandem-search/opensearch": [opensearch, "OpenSearchEngine"],
  "tandem-search/service": [service, "answerRequest hashKey instantSearchRequest"],
  "tandem-search/tools": [tools, "searchTools"],
  "tandem-search/service/contract": [contract, "contractChecks contractIndex"],
};

it.each(Object.entries(NAMES))("exports exactly the documented names of %s", (_, [entry, names]) => {
  expect(Object.keys(entry).sort()).toEqual(names.split(/\s+/));
});
