// What is broken on purpose, room by room: the guards, checks and parsers (`mutate`), the unit tests that judge them first
// (`tests`), and the tables of bad input that judge what survives those (`tables`).

export const ROOMS = {
  base: {
    mutate: ["src/util/{checks,errors,limits,show,json,abort}.ts"],
    tests: ["test/util/{checks,checker,errors,limits,show,json,nearest-name,abort}.test.ts"],
    tables: ["test/bad-input/*.test.ts"],
  },
  doors: {
    mutate: ["src/api/name-rules.ts", "src/index/{engine-options,call-options}.ts"],
    tests: ["test/{name-rules,engine-options,call-options}.test.ts"],
    tables: ["test/bad-input/{indexes,settings,records,writes,unknown-ideas}.test.ts"],
  },
  query: {
    mutate: ["src/search/check-params.ts"],
    tests: [
      "test/search/{check-params,params-from-string,shape-and-sort-params,parameter-names,param-messages}.test.ts",
    ],
    tables: ["test/bad-input/{query,answers,params,unknown-ideas}.test.ts"],
  },
  attributes: {
    mutate: ["src/docvalues/{parse-filter,filter-object,facet-filters,filter}.ts"],
    tests: [
      "test/docvalues/{parse-filter,parse-filter-refusals,filter-object,filter-messages,facet-filters,quote-filter-value}.test.ts",
    ],
    tables: ["test/bad-input/{filters,filter-answers,unknown-ideas}.test.ts"],
  },
  settings: {
    mutate: ["src/settings/{check-settings,check-extensions,copy-settings}.ts"],
    tests: ["test/settings/*.test.ts"],
    tables: ["test/bad-input/{indexes,settings,unknown-ideas}.test.ts"],
  },
  records: {
    mutate: ["src/index/{write-record,packed-vector}.ts"],
    tests: ["test/index/{write-record,packed-vector,record-refusals}.test.ts"],
    tables: ["test/bad-input/{records,writes,unknown-ideas}.test.ts"],
  },
  writing: {
    mutate: ["src/index/{read-batch,delete-by}.ts"],
    tests: ["test/index/*.test.ts"],
    tables: ["test/bad-input/{records,writes,unknown-ideas}.test.ts"],
  },
  vector: {
    mutate: ["src/vectors/unit-vector.ts", "src/vectors/hnsw/{hnsw-graph,graph-memory}.ts"],
    tests: ["test/vectors/{unit-vector,vector-refusals,hnsw-graph}.test.ts"],
    tables: ["test/bad-input/{records,writes,unknown-ideas}.test.ts"],
  },
};
