// MiniSearch: BM25+ over fields; with the prefix and fuzzy search of its guide, and without.

async function open({ title, fields, rows }, searchOptions) {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch({ fields });
  await index.addAllAsync(rows.map(({ id, texts }) => ({ id, ...texts })));
  const options = { boost: { [title]: 2 }, combineWith: "OR", ...searchOptions };
  return (query, depth) =>
    index
      .search(query, options)
      .slice(0, depth)
      .map(({ id }) => id);
}

export const minisearchExact = {
  label: "MiniSearch",
  settings: "fields as ours, title x 2, OR, its defaults: whole words, no fuzziness, no stems",
  open: (corpus) => open(corpus, {}),
};

export const minisearchFuzzy = {
  label: "MiniSearch fuzzy",
  settings: "the same with prefix: true, fuzzy: 0.2, as its guide shows",
  open: (corpus) => open(corpus, { prefix: true, fuzzy: 0.2 }),
};
