// The examples of the pages that scripts/reference.mjs writes: for each name the lines that show what it does. What they print stands below
// them. `value` says in words what may be given, where no message of the library says it; `see` is a page that explains more; `how` stands for an
// example where a disk, a network or a race is needed.

/** The lines of a template, without the indentation that they share here. */
const code = (strings) => strings.raw[0].replaceAll("\n  ", "\n").trim();

/** For settings of `createIndex`. */
export const SETTINGS = {
  idAttribute: code`
  const index = await shop({ idAttribute: "sku" });
  const [record] = await index.getRecords(["RJ-5"]);
  console.log(record.title);`,
  searchableAttributes: {
    value: 'a list of 1 to 1,000 names of attributes, or of `{ attribute, weight, language }`',
    code: code`
  console.log(await titles(await shop(), { query: "lumo" }));
  const index = await shop({ searchableAttributes: ["title", { attribute: "text", weight: 0.5 }] });
  console.log(await titles(index, { query: "lumo" })); // the brand is not searched`,
  },
  identifierAttributes: code`
  const index = await shop({ identifierAttributes: ["model"] });
  const { data } = await index.query({ query: "vd18" });
  console.log(data.hits.map((hit) => [hit.source.model, hit.score]));`,
  analyzer: code`
  for (const analyzer of ["english", "plain"]) {
    const index = await shop({ analyzer, typoTolerance: false, embedder: false });
    console.log(analyzer, await titles(index, { query: "concretes" })); // a text has "concrete"
  }`,
  matching: code`
  for (const matching of ["all", "auto", "any"]) {
    const index = await shop({ matching, embedder: false });
    console.log(matching, await titles(index, { query: "brass floor lamp red" }));
  }`,
  matchingRatio: code`
  for (const matchingRatio of [0.4, 0.9]) {
    const index = await shop({ matchingRatio, embedder: false });
    console.log(matchingRatio, await titles(index, { query: "red lamp" }));
  }`,
  embedder: code`
  for (const embedder of ["static-en", false])
    console.log(embedder, await titles(await shop({ embedder }), { query: "coat" }));`,
  embeddedAttributes: code`
  console.log(await titles(await shop(), { query: "coat" }));
  console.log(await titles(await shop({ embeddedAttributes: ["brand"] }), { query: "coat" })); // brands alone have a vector`,
  vectorAttribute: code`
  const index = await engine.createIndex("colors", { vectorAttribute: "rgb", dimensions: 3 });
  await index.addRecords([{ id: 1, title: "Red", rgb: [255, 0, 0] }, { id: 2, title: "Blue", rgb: [0, 0, 255] }]);
  console.log(await titles(index, { query: "", vector: [200, 50, 50] }));`,
  dimensions: code`
  const index = await engine.createIndex("points", { vectorAttribute: "point", dimensions: 2 });
  await index.addRecords([{ id: 1, point: [1, 0] }]); // two numbers in each record
  console.log((await index.getSettings()).effective.dimensions);`,
  vectorIndex: {
    value: '`{ kind, m, efConstruction, efSearch }`: `kind` is "auto", "exact", "hnsw" or "hnswlib"; `m` an integer from 2 to 256, ' +
      "`efConstruction` from 4 to 10,000, `efSearch` from 1 to 10,000",
    code: code`
  const index = await shop({ vectorIndex: { kind: "hnsw", efSearch: 500 } });
  console.log((await index.getSettings()).effective.vectorIndex);
  console.log(await titles(index, { query: "coat" }));`,
  },
  fusion: {
    value: '`{ method: "convex", semanticWeight }`, where `semanticWeight` is a number from 0 to 1; or `{ method: "rrf", rankConstant }`, ' +
      "where `rankConstant` is a number from 1 to 10,000",
    code: code`
  for (const method of ["convex", "rrf"]) {
    const { data } = await (await shop({ fusion: { method } })).query({ query: "hammer" });
    console.log(method, data.hits.map((hit) => [hit.source.title, hit.score.toFixed(3)]));
  }`,
  },
  semanticWeight: code`
  for (const semanticWeight of [0, 0.1, 1])
    console.log(semanticWeight, await titles(await shop({ semanticWeight }), { query: "light" }));`,
  titleEvidence: code`
  for (const titleEvidence of [true, false]) {
    const { data } = await (await shop({ titleEvidence })).query({ query: "hammer", explain: true });
    const [{ source, explanation }] = data.hits;
    console.log(source.title, explanation.title?.parts.map((part) => part.text));
  }`,
  semanticFloor: code`
  for (const semanticFloor of [0, "auto", 0.5])
    console.log(semanticFloor, await titles(await shop({ semanticFloor, semanticDepth: 3 }), { query: "couch" }));`,
  semanticDepth: code`
  for (const semanticDepth of [100, 1])
    console.log(semanticDepth, await titles(await shop({ semanticDepth }), { query: "power tool" }));`,
  rankWindow: code`
  const index = await shop({ rankWindow: 1, embedder: false });
  const { data } = await index.query({ query: "drill", explain: true });
  console.log(data.hits.map((hit) => [hit.source.title, hit.explanation.beyondRankWindow ?? false]));`,
  relevancyStrictness: code`
  for (const relevancyStrictness of [0, 50])
    console.log(relevancyStrictness, await titles(await shop({ relevancyStrictness }), { query: "hammer" }));`,
  bm25: {
    value: "`{ k1, b }`: `k1` is a number from 0 to 1,000, `b` from 0 to 1",
    code: code`
  for (const b of [0, 1]) {
    const index = await shop({ bm25: { b }, embedder: false, titleEvidence: false });
    console.log(b, await titles(index, { query: "drill" })); // with 1, the shortest title comes first
  }`,
  },
  attributesForFaceting: code`
  const index = await shop({ attributesForFaceting: ["brand", "price", "filterOnly(stock)"] });
  const { data } = await index.query({ query: "lamp", filters: "stock > 5", facets: ["*"] });
  console.log(data.facets);`,
  customRanking: code`
  console.log(await titles(await shop(), { query: "", hitsPerPage: 3 }));
  const index = await shop({ customRanking: ["desc(sold)"] });
  console.log(await titles(index, { query: "", hitsPerPage: 3 }));`,
  boosts: code`
  console.log(await titles(await shop(), { query: "drill" }));
  const index = await shop({ boosts: [{ attribute: "sold", weight: 0.1 }] });
  console.log(await titles(index, { query: "drill" }));`,
  rules: code`
  const conditions = [{ pattern: "lamp", anchoring: "contains" }];
  const index = await shop({ rules: [{ id: "jackets-too", conditions, consequence: { promote: [{ id: 8, position: 0 }] } }] });
  console.log(await titles(index, { query: "lamp" }));`,
  attributeForDistinct: code`
  const index = await shop({ attributeForDistinct: "model" });
  console.log(await titles(index, { query: "cordless drill", distinct: true }));`,
  distinct: code`
  for (const distinct of [false, true]) {
    const index = await shop({ distinct, attributeForDistinct: "model" });
    console.log(distinct, await titles(index, { query: "cordless drill" }));
  }`,
  synonyms: {
    value: 'a list of at most 10,000 of `{ type: "synonym", synonyms }` and `{ type: "oneWaySynonym", input, synonyms }`',
    code: code`
  const index = await shop({ synonyms: [{ type: "oneWaySynonym", input: "luminaire", synonyms: ["lamp"] }], embedder: false });
  console.log(await titles(index, { query: "luminaire" }));
  console.log(await titles(await shop({ embedder: false }), { query: "luminaire" }));`,
  },
  builtInSynonyms: code`
  for (const builtInSynonyms of [true, false])
    console.log(builtInSynonyms, await titles(await shop({ builtInSynonyms, embedder: false }), { query: "raincoat" }));`,
  stopWords: {
    value: "`false`, or a list of at most 10,000 texts of at most 256 characters",
    code: code`
  const settings = { matching: "all", embedder: false };
  console.log(await titles(await shop(settings), { query: "cheap lamp" }));
  console.log(await titles(await shop({ ...settings, stopWords: ["cheap"] }), { query: "cheap lamp" }));`,
  },
  optionalWords: code`
  const settings = { matching: "all", embedder: false };
  console.log(await titles(await shop(settings), { query: "yellow lamp" }));
  console.log(await titles(await shop({ ...settings, optionalWords: ["yellow"] }), { query: "yellow lamp" }));`,
  typoTolerance: code`
  for (const typoTolerance of [true, false])
    console.log(typoTolerance, await titles(await shop({ typoTolerance, embedder: false }), { query: "jakcet" }));`,
  disableTypoToleranceOnWords: code`
  const index = await shop({ disableTypoToleranceOnWords: ["lumen"], embedder: false });
  console.log(await titles(index, { query: "lumen" }), await titles(index, { query: "lumoo" }));`,
  disableTypoToleranceOnAttributes: code`
  const index = await shop({ disableTypoToleranceOnAttributes: ["brand"], embedder: false });
  console.log(await titles(index, { query: "lumoo" }), await titles(index, { query: "jakcet" }));`,
  queryType: code`
  for (const queryType of ["prefixAuto", "prefixLast", "prefixAll", "prefixNone"]) {
    const index = await shop({ queryType, matching: "all", embedder: false });
    const found = [];
    for (const query of ["red lam", "lam re", "hammer for"]) found.push((await titles(index, { query })).length);
    console.log(queryType, found);
  }`,
  suggestions: {
    value: "a list of at most 100,000 of `{ text, weight }`: `text` has 1 to 4,096 bytes, `weight` is above 0",
    code: code`
  const index = await shop({ suggestions: [{ text: "Lamps for reading", weight: 80 }] });
  const { data } = await index.suggest({ query: "lam" });
  console.log(data.suggestions);`,
  },
  language: {
    value: "a tag such as `\"de-AT\"` of a [known language](../languages.md)",
    code: code`
  for (const language of ["en", "de"]) {
    const index = await engine.createIndex("lampen-" + language, { language, embedder: false });
    await index.addRecords([{ id: 1, title: "Schreibtischlampe" }]);
    console.log(language, await titles(index, { query: "Lampen" }));
  }`,
  },
  understanding: {
    value: "`{ price, rating, newest }`: each the name of an attribute",
    code: code`
  for (const understanding of [{}, { rating: "sold" }]) {
    const { query, order } = await (await shop({ understanding })).understandQuery("best rated drill");
    console.log(query, order);
  }`,
  },
};
