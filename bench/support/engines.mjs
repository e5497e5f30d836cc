// The engines as one shape: open an index, fill it, ask it. Each is imported only where it is measured.

const PAGE = 12;

/** @typedef {{ title: string, attributes: string[] }} Fields what both sides search, the title counting twice */

/** tandem-search: the words alone, or with the default embedder. */
function tandem(label, settings, params) {
  return {
    label,
    isOurs: true,
    async load() {
      const { SearchEngine } = await import("../../dist/index.js");
      const engine = new SearchEngine();
      return {
        /** @param {Fields} fields */
        async open({ attributes }) {
          const index = await engine.createIndex("bench", { ...settings, searchableAttributes: attributes });
          return {
            fill: (records) => index.addRecords(records),
            settle: () => index.whenIdle(),
            ask: async (query) => (await index.query({ ...params, query, hitsPerPage: PAGE })).data.nbHits,
            drop: () => engine.deleteIndex("bench"),
          };
        },
      };
    },
  };
}

/** MiniSearch as its own guide sets it up; it stores the records too, so that a hit can be shown. */
const minisearch = {
  label: "MiniSearch",
  isOurs: false,
  async load() {
    const { default: MiniSearch } = await import("minisearch");
    return {
      /** @param {Fields} fields */
      async open({ title, attributes }, storeFields) {
        const index = new MiniSearch({
          fields: attributes,
          storeFields,
          processTerm: (term) => term.toLowerCase(),
          searchOptions: { boost: { [title]: 2 }, combineWith: "OR" },
        });
        return {
          fill: async (records) => index.addAll(records),
          fillPolitely: (records) => index.addAllAsync(records),
          settle: async () => {},
          ask: async (query) => {
            const hits = index.search(query);
            hits.slice(0, PAGE);
            return hits.length;
          },
          drop: async () => index.removeAll(),
        };
      },
    };
  },
};

/** By the name that --only takes; those with `byNameOnly` are measured only then. */
export const ENGINES = {
  words: tandem("tandem words", { embedder: false }, { semanticWeight: 0, matching: "any" }),
  hybrid: tandem("tandem default", {}, {}),
  minisearch,
  // No stems and no stop words: what MiniSearch does, and no more.
  plain: {
    ...tandem("tandem plain", { embedder: false, analyzer: "plain" }, { semanticWeight: 0, matching: "any" }),
    byNameOnly: true,
  },
};
