// What is broken on purpose, room by room: the guards, checks and parsers (`mutate`), the unit tests that judge them first
// (`tests`), and the tables of bad input that judge what survives those (`tables`, the letters of test/bad-input).

export const ROOMS = {
  base: {
    mutate: ["src/base/{checks,errors,limits,show,json,abort}.ts"],
    tests: ["test/base/{checks,checker,errors,limits,show,json,nearest-name,abort}.test.ts"],
    tables: "CAQPF",
  },
  doors: {
    mutate: ["src/{name-rules,engine-options,call-options}.ts"],
    tests: ["test/{name-rules,engine-options,call-options}.test.ts"],
    tables: "CA",
  },
  query: {
    mutate: ["src/query/check-params.ts"],
    tests: [
      "test/query/{check-params,params-from-string,shape-and-sort-params,parameter-names,param-messages}.test.ts",
    ],
    tables: "QP",
  },
  attributes: {
    mutate: ["src/attributes/{parse-filter,filter-object,facet-filters,filter}.ts"],
    tests: [
      "test/attributes/{parse-filter,parse-filter-refusals,filter-object,filter-messages,facet-filters,quote-filter-value}.test.ts",
    ],
    tables: "F",
  },
  settings: {
    mutate: ["src/settings/{check-settings,check-extensions,copy-settings}.ts"],
    tests: ["test/settings/*.test.ts"],
    tables: "C",
  },
  records: {
    mutate: ["src/records/{write-record,json-parts,packed-vector,record-id}.ts"],
    tests: ["test/records/{write-record,packed-vector,record-id,record-refusals}.test.ts"],
    tables: "A",
  },
  writing: {
    mutate: ["src/writing/{read-batch,read-ids,delete-by}.ts"],
    tests: ["test/writing/*.test.ts"],
    tables: "A",
  },
  vector: {
    mutate: ["src/vector/unit-vector.ts", "src/vector/graph/{hnsw-graph,graph-memory}.ts"],
    tests: ["test/vector/{unit-vector,vector-refusals,hnsw-graph}.test.ts"],
    tables: "A",
  },
};
