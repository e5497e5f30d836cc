// The verbs beside queries, each as a row: what is done, and between how much of it the event loop must turn.

/** D8 of the goals: one slice of a long work; and a call that answers at once. */
const SLICE_MS = 10;
const ANSWER_MS = 50;
/** Most ids of one call. */
const MANY = 10_000;

/**
 * Rows in the order in which they must run: those at the end destroy. Each works on the index "bench" or on a copy of it.
 * `reindexes` false leaves out what would build a large graph anew.
 */
export function verbRows(engine, { records, absentQuery, calls, reindexes = true }) {
  const index = engine.index("bench");
  const some = records.slice(0, Math.min(MANY, Math.ceil(records.length / 3)));
  const ids = some.map((record) => record.id);
  const row = (what, run, goal = SLICE_MS, count = 1) => ({ what, goal, calls: count, run });
  const answers = (what, run) => row(what, run, ANSWER_MS, calls);
  const copy = () => engine.index("copy");
  const settled = async (which, task) => {
    await task();
    await which().whenIdle();
  };
  const bench = () => index;
  const rows = [
    answers(`getRecords of ${ids.length} ids`, () => index.getRecords(ids)),
    answers("searchForFacetValues, all groups", () =>
      index.searchForFacetValues({ facetName: "bench_group", facetQuery: "g" }),
    ),
    answers("searchForFacetValues, a nearly unique number", () =>
      index.searchForFacetValues({ facetName: "bench_rank", facetQuery: "1" }),
    ),
    answers("whyNot", (i) => index.whyNot({ query: absentQuery }, ids[i % ids.length])),
    row("browseRecords, all", async () => {
      let count = 0;
      for await (const _ of index.browseRecords()) count++;
      return count;
    }),
    row("100 records, one a call", () =>
      settled(bench, async () => {
        for (const record of records.slice(0, 100)) await index.addRecords([record]);
      }),
    ),
    row(`addRecords of ${some.length} that are there`, () => settled(bench, () => index.addRecords(some))),
    row(`updateRecords of ${some.length}`, () =>
      settled(bench, () => index.updateRecords(some.map(({ id, bench_rank }) => ({ id, bench_rank: bench_rank + 1 })))),
    ),
    row("copyIndex", () => engine.copyIndex("bench", "copy")),
    row("updateSettings that index nothing again", () => copy().updateSettings({ bm25: { k1: 1.1, b: 0.5 } })),
    row("updateSettings, 5,000 synonyms", () => copy().updateSettings({ synonyms: synonyms(5000) })),
  ];
  const reindexing = [
    row("updateSettings that index all again", () =>
      settled(copy, () => copy().updateSettings({ identifierAttributes: ["bench_group"] })),
    ),
    row("replaceAllRecords by a half", () =>
      settled(copy, () => copy().replaceAllRecords(records.slice(0, Math.ceil(records.length / 2)))),
    ),
  ];
  const destroying = [
    row("deleteBy, 5 %", () =>
      settled(bench, () => index.deleteBy({ filters: `bench_rank < ${Math.ceil(records.length / 20)}` })),
    ),
    row(`deleteRecords of ${ids.length}`, () => settled(bench, () => index.deleteRecords(ids))),
    row("deleteBy, 50 %, and the merge", () =>
      settled(bench, () => index.deleteBy({ filters: `bench_rank < ${Math.ceil(records.length / 2)}` })),
    ),
    row("deleteIndex", () => engine.deleteIndex("copy")),
    row("clearIndex", () => index.clearIndex()),
    row("close", () => engine.close()),
  ];
  return [...rows, ...(reindexes ? reindexing : []), ...destroying];
}

function synonyms(count) {
  return Array.from({ length: count }, (_, i) => ({
    type: "synonym",
    synonyms: [`benchword${i}`, `benchterm${i}`, `bench phrase ${i}`],
  }));
}
