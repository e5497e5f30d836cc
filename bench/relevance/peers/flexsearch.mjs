// FlexSearch: a document index of fields, the title first, with suggestions (records that contain only some of the words).

export const flexsearch = {
  label: "FlexSearch",
  settings: "fields as ours, title first (it has no weights), English preset (stems, stop words), suggest, no prefixes",
  async open({ fields, rows }) {
    const { default: flexsearchModule } = await import("flexsearch");
    const { default: english } = await import("flexsearch/lang/en");
    const { Document, Encoder, Charset } = flexsearchModule;
    const encoder = new Encoder(Charset.Normalize, english);
    const index = new Document({
      document: { id: "id", index: fields.map((field) => ({ field, tokenize: "strict", encoder })) },
    });
    for (const { id, texts } of rows) index.add({ id, ...texts });
    return (query, depth) =>
      index.search(query, { limit: depth, suggest: true, merge: true }).map(({ id }) => String(id));
  },
};
