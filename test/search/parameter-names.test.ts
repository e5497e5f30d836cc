// Names that are no parameters: which are warned of, which are refused, and what is said.

import { describe, expect, it } from "vitest";
import { checkNames } from "../../src/search/check-params.js";
import type { Complaint } from "../../src/util/errors.js";
import type { SearchWarning } from "../../src/util/extension-points.js";

const ALL =
  "query page hitsPerPage filters facetFilters facets maxValuesPerFacet sort distinct attributesToRetrieve " +
  "attributesToHighlight attributesToSnippet highlightPreTag highlightPostTag snippetEllipsisText " +
  "restrictSearchableAttributes typoTolerance queryType optionalWords advancedSyntax explain semanticWeight " +
  "semanticFloor semanticDepth matching vector";

function check(names: readonly string[], { strict = false, alsoKnown = [] as readonly string[] } = {}) {
  const warnings: SearchWarning[] = [];
  const complaints: Complaint[] = [];
  checkNames(names, complaints, { strict, alsoKnown, warn: (warning) => warnings.push(warning) });
  return { warnings, complaints };
}

describe("the names of parameters", () => {
  it("are the documented ones", () => {
    expect(check(ALL.split(" "), { strict: true })).toEqual({ warnings: [], complaints: [] });
  });

  it("are joined by those of the verb at hand", () => {
    expect(check(["facetQuery"], { alsoKnown: ["facetQuery"], strict: true }).complaints).toEqual([]);
    expect(check(["facetQuery"], { strict: true }).complaints).toHaveLength(1);
  });
});

describe("an unknown name", () => {
  it("is warned of, alone", () => {
    const message = 'parameter "pgae" is unknown; did you mean page? It was ignored.';
    expect(check(["pgae"])).toEqual({
      warnings: [{ code: "unknown_parameter", message, param: "pgae" }],
      complaints: [],
    });
  });

  it("is warned of with three more, and of others nothing is said", () => {
    const { warnings } = check(["pgae", "srot", "vectr", "explian", "mathcing"]);
    const unknown = (name: string, near: string) => `parameter "${name}" is unknown; did you mean ${near}?`;
    const told = [unknown("pgae", "page"), unknown("srot", "sort"), unknown("vectr", "vector")];
    const message = `${[...told, unknown("explian", "explain")].join(" ")} They were ignored.`;
    expect(warnings).toEqual([{ code: "unknown_parameter", message, param: "pgae" }]);
  });

  it("is refused under strict", () => {
    const msg = 'parameter "pgae" is unknown; did you mean page?';
    expect(check(["pgae"], { strict: true })).toEqual({
      warnings: [],
      complaints: [{ error: "unknown_parameter", param: "pgae", msg }],
    });
  });

  for (const [name, near] of [
    ["filter", "filters"],
    ["facetFilter", "facetFilters"],
  ] as const)
    it(`like ${name} is refused always, since it was meant to filter`, () => {
      const msg = `parameter "${name}" is unknown; did you mean ${near}? It cannot be ignored: it was meant to hide records.`;
      const complaints = [{ error: "unknown_parameter", param: name, msg }];
      expect(check([name, "query"])).toEqual({ warnings: [], complaints });
      expect(check([name], { strict: true })).toEqual({ warnings: [], complaints });
    });
});
