// What is broken on purpose, by folder of src: the guards, checks and parsers (`mutate`), the unit tests that judge them first
// (`tests`), and the tables of bad input that judge what survives those (`tables`).

export const FOLDERS = {
  util: {
    mutate: ["src/util/{errors,limits,json,tasks}.ts"],
    tests: ["test/util/{errors,show,json,nearest-name,abort,tasks,write-queue}.test.ts"],
    tables: ["test/bad-input/*.test.ts"],
  },
  api: {
    mutate: ["src/api/name-rules.ts"],
    tests: ["test/name-rules.test.ts"],
    tables: ["test/bad-input/{verbs,indexes,settings,records,writes}.test.ts"],
  },
  input: {
    mutate: ["src/input/*.ts"],
    tests: ["test/input/*.test.ts", "test/bad-input/messages.test.ts"],
    tables: ["test/bad-input/{parameters,query,answers,params,filters,filter-answers,verbs,settings}.test.ts"],
  },
  docvalues: {
    mutate: ["src/docvalues/{parse-filter,filter}.ts"],
    tests: ["test/docvalues/parse-filter.test.ts", "test/bad-input/messages.test.ts"],
    tables: ["test/bad-input/{filters,filter-answers,verbs}.test.ts"],
  },
  write: {
    mutate: ["src/write/{write-record,read-batch,delete-by}.ts", "src/state/record-table.ts"],
    tests: ["test/{write,state}/*.test.ts", "test/bad-input/messages.test.ts"],
    tables: ["test/bad-input/{verbs,indexes,settings,records,writes}.test.ts"],
  },
  vectors: {
    mutate: ["src/vectors/unit-vector.ts", "src/vectors/hnsw/{hnsw-graph,node-table,graph-memory}.ts"],
    tests: ["test/vectors/{unit-vector,hnsw-graph}.test.ts"],
    tables: ["test/bad-input/{verbs,records,writes,vectors}.test.ts"],
  },
};
