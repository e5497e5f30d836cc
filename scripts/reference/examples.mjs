// The examples of the pages that scripts/reference.mjs writes: for each name the lines that show what it does. What they print stands below
// them. `value` says in words what may be given, where no message of the library says it; `see` is a page that explains more; `how` stands for an
// example where a disk, a network or a race is needed.

/** The lines of a template, without the indentation that they share here. */
const code = (strings) => strings.raw[0].replaceAll("\n  ", "\n").trim();

/** For settings of `createIndex`. */
const SETTINGS = {
  idAttribute: code`
  const index = await shop({ idAttribute: "sku" });
  const [record] = await index.getRecords(["RJ-5"]);
  console.log(record.title);`,
  searchableAttributes: {
    value: "a list of at most 1,000 names of attributes, or of `{ attribute, weight, language }`",
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
  matching: {
    says: 'Which records match by words: `"all"`, each word; `"any"`, one of them; `"auto"`, each word or a good part of the best score.',
    code: code`
  for (const matching of ["all", "auto", "any"]) {
    const index = await shop({ matching, embedder: false });
    console.log(matching, await titles(index, { query: "brass floor lamp red" }));
  }`,
  },
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
    value:
      '`{ kind, m, efConstruction, efSearch }`: `kind` is `"auto"`, `"exact"`, `"hnsw"` or `"hnswlib"`; `m` an integer from 2 to 256, ' +
      "`efConstruction` from 4 to 10,000, `efSearch` from 1 to 10,000",
    code: code`
  const index = await shop({ vectorIndex: { kind: "hnsw", efSearch: 500 } });
  console.log((await index.getSettings()).effective.vectorIndex);
  console.log(await titles(index, { query: "coat" }));`,
  },
  fusion: {
    value:
      '`{ method: "convex", semanticWeight }`, where `semanticWeight` is a number from 0 to 1; or `{ method: "rrf", rankConstant }`, ' +
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
    value:
      'a list of at most 10,000 of `{ type: "synonym", synonyms }` and `{ type: "oneWaySynonym", input, synonyms }`',
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
  queryType: {
    says: "Which words are completed: the last one where no record contains it (`prefixAuto`), always the last one (`prefixLast`), each (`prefixAll`), or none (`prefixNone`).",
    code: code`
  for (const queryType of ["prefixAuto", "prefixLast", "prefixAll", "prefixNone"]) {
    const index = await shop({ queryType, matching: "all", embedder: false });
    const found = []; // "lam" goes on to lamp, "re" to red, and "for", which some texts hold, to the brand Forge
    for (const query of ["lam", "lam re", "for"]) found.push((await titles(index, { query })).length);
    console.log(queryType, found);
  }`,
  },
  suggestions: {
    value: "a list of at most 100,000 of `{ text, weight }`: `text` has 1 to 4,096 bytes, `weight` is above 0",
    code: code`
  const index = await shop({ suggestions: [{ text: "Lamps for reading", weight: 80 }] });
  const { data } = await index.suggest({ query: "lam" });
  console.log(data.suggestions);`,
  },
  language: {
    value: 'a tag such as `"de-AT"` of a [known language](../languages.md)',
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

/** For the parameters of `query`: `index` is a new index of the shop. */
const PARAMETERS = {
  query: code`
  console.log(await titles(index, { query: "red lamp" }));
  console.log((await titles(index, { query: "" })).length); // blank: all records`,
  page: {
    says: "Which page of the hits, counted from 1. Past the end there are no hits, and `nbHits` is the same.",
    code: code`
  for (const page of [1, 2]) console.log(page, await titles(index, { query: "drill", hitsPerPage: 2, page }));`,
  },
  hitsPerPage: {
    says: "How many hits a page has; 0: the counts alone.",
    value: "an integer, 0 or more; above 1,000 it counts as 1,000",
    code: code`
  const { data } = await index.query({ query: "drill", hitsPerPage: 1 });
  console.log(data.hits.length, data.nbHits);`,
  },
  offset: {
    value: "an integer, 0 or more",
    code: code`
  console.log(await titles(index, { query: "drill", offset: 1, length: 2 })); // the second and the third hit`,
  },
  length: code`
  console.log(await titles(index, { query: "drill", offset: 0, length: 1 }));`,
  cursor: {
    value: '`"start"`, or the `nextCursor` of an answer',
    code: code`
  for (let cursor = "start"; cursor !== null; ) {
    const { data } = await index.query({ query: "drill", hitsPerPage: 2, cursor });
    console.log(data.page, data.hits.map((hit) => hit.source.title));
    cursor = data.nextCursor;
  }`,
  },
  filters: {
    value: "a text or an object, see [filters](../filters.md)",
    code: code`
  console.log(await titles(index, { query: "drill", filters: "price < 100 AND stock > 0" }));
  console.log(await titles(index, { query: "drill", filters: { price: { lt: 100 }, stock: { gt: 0 } } }));
  console.log(await titles(index, { query: "", filters: "variants{size:M AND stock > 0}" })); // one item of a list
  console.log(await titles(index, { query: "", filters: "variants.stock{> 5 AND < 10}" })); // one value of a list`,
  },
  facetFilters: {
    value:
      'a list such as `[["brand:Forge", "brand:Volt"], "color:black"]`, or an object such as `{ brand: ["Forge", "Volt"] }`',
    code: code`
  const facetFilters = [["brand:Forge"]];
  const { data } = await index.query({ query: "drill", facetFilters, facets: ["brand", "color"] });
  console.log(data.nbHits, data.facets); // brands are counted as if none were chosen, colors among the chosen brand`,
  },
  numericFilters: {
    value: 'a list such as `["price>=10", "price<50", ["rating:4 TO 5", "sales>100"]]`',
    code: code`
  console.log(await titles(index, { query: "drill", numericFilters: ["price>=50", "price<120"] }));`,
  },
  facets: {
    value:
      'a list of at most 20 names, `"*"`, `"path.*"`, `{ attribute, sort, limit }`, `{ attribute, ranges }` or `{ attribute, histogram }`',
    code: code`
  const { data } = await index.query({ query: "drill", facets: ["brand", { attribute: "price", ranges: [[0, 100], [100, null]] }] });
  console.log(data.facets, data.facetStats);`,
  },
  maxValuesPerFacet: {
    value: "an integer, 0 or more; above 1,000 it counts as 1,000",
    code: code`
  const { data } = await index.query({ query: "", facets: ["brand"], maxValuesPerFacet: 2 });
  console.log(data.facets.brand);`,
  },
  aroundLatLng: code`
  const { data } = await index.query({ query: "lamp", aroundLatLng: "52.5,13.4" });
  console.log(data.hits.map((hit) => [hit.source.title, hit._geoDistance])); // in metres; the second lamp has no place`,
  aroundRadius: code`
  const near = { aroundLatLng: "52.5,13.4", aroundRadius: 10_000 };
  console.log(await titles(index, { query: "drill" }));
  console.log(await titles(index, { query: "drill", ...near }));`,
  insideBoundingBox: code`
  const box = [47, 11, 49, 12]; // from 47° to 49° north, from 11° to 12° east
  console.log(await titles(index, { query: "drill", insideBoundingBox: [box] }));`,
  sort: {
    value:
      'a list of at most 16 of `"attribute:asc"`, `"attribute:desc"`, `"_geoPoint(latitude,longitude):asc"` (or `:desc`), `"_score:desc"` (or `:asc`)',
    code: code`
  const { data } = await index.query({ query: "drill", sort: ["price:asc"] });
  console.log(data.hits.map((hit) => [hit.source.title, hit.source.price]));`,
  },
  distinct: code`
  const models = await shop({ attributeForDistinct: "model" });
  console.log(await titles(models, { query: "cordless drill" }));
  console.log(await titles(models, { query: "cordless drill", distinct: true }));
  const { data } = await models.query({ query: "cordless drill", distinct: 2 });
  console.log(data.hits.map(({ id, group }) => [id, group.nbRecords, group.hits.map((hit) => hit.id)]));`,
  attributesToRetrieve: code`
  for (const attributesToRetrieve of [["title", "price"], ["*", "-text", "-_geoloc"]]) {
    const { data } = await index.query({ query: "desk lamp", hitsPerPage: 1, attributesToRetrieve });
    console.log(data.hits[0].source);
  }`,
  attributesToHighlight: code`
  const { data } = await index.query({ query: "lamps", attributesToHighlight: ["title"] });
  console.log(data.hits[0]._highlightResult);`,
  attributesToSnippet: code`
  const { data } = await index.query({ query: "concrete", attributesToSnippet: ["text:4"] });
  console.log(data.hits[0]._snippetResult);`,
  highlightPreTag: {
    says: "What stands before a mark in highlights and snippets; it is not escaped.",
    code: code`
  const marks = { highlightPreTag: "<b>", highlightPostTag: "</b>" };
  const { data } = await index.query({ query: "lamp", attributesToHighlight: ["title"], ...marks });
  console.log(data.hits[0]._highlightResult.title.value);`,
  },
  highlightPostTag: {
    says: "What stands behind a mark in highlights and snippets; it is not escaped.",
    code: code`
  const marks = { highlightPreTag: "[", highlightPostTag: "]" };
  const { data } = await index.query({ query: "lamp", attributesToHighlight: ["title"], ...marks });
  console.log(data.hits[0]._highlightResult.title.value);`,
  },
  snippetEllipsisText: {
    says: "What marks where a snippet was cut; it is not escaped.",
    code: code`
  const { data } = await index.query({ query: "reading", attributesToSnippet: ["text:3"], snippetEllipsisText: " [more] " });
  console.log(data.hits[0]._snippetResult.text.value);`,
  },
  escapeHTML: code`
  for (const escapeHTML of [true, false]) {
    const { data } = await index.query({ query: "case", attributesToHighlight: ["text"], escapeHTML });
    console.log(data.hits[0]._highlightResult.text.value);
  }`,
  matchedPositions: code`
  const { data } = await index.query({ query: "lamp", attributesToHighlight: ["title"], matchedPositions: true });
  console.log(data.hits[0]._highlightResult.title.matchedPositions); // in "Desk lamp"`,
  restrictSearchableAttributes: code`
  const words = await shop({ embedder: false });
  console.log(await titles(words, { query: "wood" }));
  console.log(await titles(words, { query: "wood", restrictSearchableAttributes: ["title"] }));`,
  queryLanguages: code`
  const settings = { embedder: false, searchableAttributes: ["en", { attribute: "de", language: "de" }] };
  const words = await engine.createIndex("two-languages", settings);
  await words.addRecords([{ id: 1, title: "Lamp", en: "Desk lamp", de: "Schreibtischlampe" }]);
  for (const queryLanguages of [["de"], ["en"]]) // in German, Lampen is a form of a part of Schreibtischlampe
    console.log(queryLanguages, await titles(words, { query: "Lampen", queryLanguages, typoTolerance: false }));`,
  typoTolerance: code`
  const words = await shop({ embedder: false });
  for (const typoTolerance of [true, false])
    console.log(typoTolerance, await titles(words, { query: "hamer", typoTolerance }));`,
  queryType: {
    says: "Which words are completed: the last one where no record contains it (`prefixAuto`), always the last one (`prefixLast`), each (`prefixAll`), or none (`prefixNone`).",
    code: code`
  for (const queryType of ["prefixAuto", "prefixNone"])
    console.log(queryType, await titles(index, { query: "lam", queryType, typoTolerance: false }));`,
  },
  optionalWords: code`
  const words = await shop({ matching: "all", embedder: false });
  console.log(await titles(words, { query: "yellow lamp" }));
  console.log(await titles(words, { query: "yellow lamp", optionalWords: ["yellow"] }));`,
  advancedSyntax: code`
  const words = await shop({ embedder: false });
  for (const advancedSyntax of [false, true])
    console.log(advancedSyntax, await titles(words, { query: 'drill -"hammer drill" -bits', advancedSyntax }));`,
  explain: code`
  const { data } = await index.query({ query: "lamp", explain: true });
  const [{ score, explanation }] = data.hits;
  for (const part of ["lexical", "title", "semantic"]) console.log(part, explanation[part].contribution.toFixed(3));
  console.log("score", score.toFixed(3), explanation.title.parts[0].text);`,
  getParsedQuery: code`
  const { data } = await index.query({ query: "hamer xyz", getParsedQuery: true });
  const { text, corrected, unknown } = data.parsedQuery;
  console.log(text, corrected[0], unknown);`,
  getMatchInfo: code`
  for (const query of ["lamp", "coat"]) {
    const { data } = await index.query({ query, getMatchInfo: true });
    console.log(query, data.nbHits, data.matchInfo); // no record has the word coat: the hit is near in meaning
  }`,
  understand: code`
  const { data } = await index.query({ query: "cheapest drill over $100", understand: true });
  console.log(data.hits.map((hit) => hit.source.title), data.understood.parts.map((part) => part.became));`,
  semanticWeight: code`
  for (const semanticWeight of [0, 1]) console.log(semanticWeight, await titles(index, { query: "light", semanticWeight }));`,
  semanticFloor: code`
  for (const semanticFloor of [0.1, 0.3, 0.6]) console.log(semanticFloor, await titles(index, { query: "couch", semanticFloor }));`,
  semanticDepth: code`
  for (const semanticDepth of [1, 3]) console.log(semanticDepth, await titles(index, { query: "power tool", semanticDepth }));`,
  relevancyStrictness: code`
  for (const relevancyStrictness of [0, 50])
    console.log(relevancyStrictness, await titles(index, { query: "hammer", relevancyStrictness, sort: ["price:asc"] }));`,
  minScore: code`
  const { data } = await index.query({ query: "hammer" });
  console.log(data.hits.map((hit) => [hit.source.title, hit.score.toFixed(2)]));
  console.log(await titles(index, { query: "hammer", minScore: 0.3 }));`,
  boosts: code`
  console.log(await titles(index, { query: "drill" }));
  console.log(await titles(index, { query: "drill", boosts: [{ filters: "stock > 0", weight: 0.2 }] }));`,
  optionalFilters: {
    value: 'a list such as `["brand:Forge", "brand:-Volt<score=4>"]`; of an inner list, one must hold',
    code: code`
  console.log(await titles(index, { query: "drill" }));
  console.log(await titles(index, { query: "drill", optionalFilters: ["brand:Forge"] }));`,
  },
  ruleContexts: code`
  const rules = [{ id: "no-red", conditions: [{ context: "mobile" }], consequence: { hide: [2] } }];
  const ruled = await shop({ rules });
  console.log(await titles(ruled, { query: "cordless drill" }));
  console.log(await titles(ruled, { query: "cordless drill", ruleContexts: ["mobile"] }));`,
  enableRules: code`
  const ruled = await shop({ rules: [{ id: "jacket-first", consequence: { promote: [{ id: 8, position: 0 }] } }] });
  for (const enableRules of [true, false]) console.log(enableRules, await titles(ruled, { query: "lamp", enableRules }));`,
  matching: {
    says: 'Which records match by words: `"all"`, each word; `"any"`, one of them; `"auto"`, each word or a good part of the best score.',
    code: code`
  for (const matching of ["all", "auto", "any"])
    console.log(matching, await titles(index, { query: "brass floor lamp red", matching, semanticWeight: 0 }));`,
  },
  vector: {
    value: "a list of as many numbers as the vectors of the index have, or a `Float32Array` or `Float64Array`",
    code: code`
  const colors = await engine.createIndex("rgb", { vectorAttribute: "rgb", dimensions: 3 });
  await colors.addRecords([{ id: 1, title: "Red", rgb: [255, 0, 0] }, { id: 2, title: "Blue", rgb: [0, 0, 255] }]);
  for (const vector of [[200, 50, 50], [0, 40, 90]]) console.log(await titles(colors, { query: "", vector }));`,
  },
};

/** For the own parameters of `searchForFacetValues`. */
const FACET_PARAMETERS = {
  facetName: {
    says: "The attribute whose values are searched.",
    code: code`
  console.log((await index.searchForFacetValues({ facetName: "brand" })).facetHits);`,
  },
  facetQuery: code`
  console.log((await index.searchForFacetValues({ facetName: "category", facetQuery: "dri" })).facetHits);`,
  maxFacetHits: {
    says: "How many values are listed at most.",
    value: "an integer, 0 or more; above 1,000 it counts as 1,000",
    code: code`
  console.log((await index.searchForFacetValues({ facetName: "color", maxFacetHits: 1 })).facetHits);`,
  },
};

/** For the parameters of `suggest`. */
const SUGGEST_PARAMETERS = {
  query: code`
  const words = await shop({ embedder: false });
  console.log((await words.suggest({ query: "cord" })).data.suggestions);`,
  hitsPerPage: {
    value: "an integer, 0 or more; above 1,000 it counts as 1,000",
    code: code`
  const { data } = await index.suggest({ query: "d", hitsPerPage: 2 });
  console.log(data.suggestions);`,
  },
  filters: {
    value: "a text or an object, see [filters](../filters.md)",
    code: code`
  for (const filters of ["", "brand:Lumo"])
    console.log(filters, (await index.suggest({ query: "d", filters, hitsPerPage: 2 })).data.suggestions);`,
  },
  facet: code`
  const [first] = (await index.suggest({ query: "drill", facet: "brand" })).data.suggestions;
  console.log(first);`,
};

/** For the options of `new SearchEngine` and `SearchEngine.open`. */
const ENGINE_OPTIONS = {
  embedder: code`
  for (const embedder of ["static-en", false]) {
    const index = await new SearchEngine({ embedder }).createIndex("jackets");
    await index.addRecords([{ id: 1, title: "Rain jacket" }]);
    console.log(embedder, await titles(index, { query: "coat" }));
  }`,
  embedders: {
    value: "an object of embedders by their ids",
    code: code`
  const letters = { id: "letters", dimensions: 2, embed: async (texts) => texts.map((text) => [text.length, 1]) };
  const own = new SearchEngine({ embedders: { letters } });
  const index = await own.createIndex("jackets", { embedder: "letters" });
  console.log((await index.getSettings()).effective.embedder);`,
  },
  analyzers: {
    value: "an object of analyzers by their ids",
    code: code`
  const commas = { id: "commas", analyze: (text) => text.toLowerCase().split(/\s*,\s*/) };
  const own = new SearchEngine({ analyzers: { commas }, embedder: false });
  const index = await own.createIndex("jackets", { analyzer: "commas", typoTolerance: false });
  await index.addRecords([{ id: 1, title: "Rain jacket, blue" }]);
  console.log(await titles(index, { query: "rain jacket" }), await titles(index, { query: "jacket" }));`,
  },
  onWarning: code`
  const own = new SearchEngine({ onWarning: ({ code, message }) => console.log(code, message) });
  await own.createIndex("jackets", { searchableAttribute: ["title"] });`,
  strict: {
    fallback: "`false`",
    code: code`
  const own = new SearchEngine({ strict: true });
  const error = await own.createIndex("jackets", { searchableAttribute: ["title"] }).catch((error) => error);
  console.log(error.code, error.error, error.msg);`,
  },
  limits: {
    value: "an object of [limits](../errors.md#limits), each a positive integer",
    code: code`
  const own = new SearchEngine({ limits: { hitsPerPage: 2 } });
  const index = await own.createIndex("shop");
  await index.addRecords(products);
  console.log((await titles(index, { query: "drill", hitsPerPage: 10 })).length);`,
  },
  cacheBytes: code`
  const own = new SearchEngine({ cacheBytes: 64_000_000 }); // no answer depends on it`,
  warmUp: code`
  const own = new SearchEngine({ warmUp: false }); // no query runs in the background; no answer depends on it`,
  dataDir: code`
  const first = await SearchEngine.open({ dataDir: "./shop-1" });
  await (await first.createIndex("shop")).addRecords(products);
  await first.close();
  const next = await SearchEngine.open({ dataDir: "./shop-1" });
  console.log(await next.listIndexes());
  await next.close();`,
  durability: code`
  const bulk = await SearchEngine.open({ dataDir: "./shop-2", durability: "interval" });
  await (await bulk.createIndex("shop")).addRecords(products);
  await bulk.flush(); // now safe from a power cut, too
  await bulk.close();`,
  readOnly: code`
  const writer = await SearchEngine.open({ dataDir: "./shop-3" });
  await writer.createIndex("shop");
  const reader = await SearchEngine.open({ dataDir: "./shop-3", readOnly: true });
  const error = await reader.deleteIndex("shop").catch((error) => error);
  console.log(await reader.listIndexes(), error.error);
  await Promise.all([reader.close(), writer.close()]);`,
  follow: code`
  const writer = await SearchEngine.open({ dataDir: "./shop-4" });
  const reader = await SearchEngine.open({ dataDir: "./shop-4", readOnly: true, follow: true });
  await writer.createIndex("shop");
  while ((await reader.listIndexes()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  console.log(await reader.listIndexes()); // shown without a refresh
  await Promise.all([reader.close(), writer.close()]);`,
  followIntervalMs: code`
  const writer = await SearchEngine.open({ dataDir: "./shop-5" });
  const reader = await SearchEngine.open({ dataDir: "./shop-5", readOnly: true, follow: true, followIntervalMs: 1000 });
  await Promise.all([reader.close(), writer.close()]);`,
  preload: code`
  const ready = await SearchEngine.open({ dataDir: "./shop-6", preload: true }); // no answer depends on it
  await ready.close();`,
};

/** For the options of calls. */
const OPTIONS = {
  ifExists: {
    says: 'What happens when the name exists. Of `createIndex`: `"error"` (409), `"open"` the index that is there, which must have these settings, or `"update"` its settings with these first. Of `importIndex` and `readSnapshot`: `"error"`, or `"replace"` the index.',
    value: '`"error"`, `"open"` or `"update"`; of `importIndex` and `readSnapshot` `"error"` or `"replace"`',
    fallback: '`"error"`',
    code: code`
  await engine.createIndex("lamps", { matching: "all" });
  const lamps = await engine.createIndex("lamps", { matching: "any" }, { ifExists: "update" });
  console.log((await lamps.getSettings()).settings);`,
  },
  onProgress: {
    value: "a function",
    code: code`
  const onProgress = ({ phase, done, total }) => console.log(phase, done, "of", total);
  await index.addRecords([{ id: 9, title: "Hat" }, { id: 10, title: "Scarf" }], { onProgress });`,
  },
  createIfNotExists: {
    value: "true or false",
    code: code`
  console.log(await index.updateRecords([{ id: 99, stock: 1 }], { createIfNotExists: false }));
  console.log(await index.updateRecords([{ id: 99, stock: 1 }])); // a new record that has only a stock`,
  },
  onInvalid: {
    value: '`"skip"`',
    code: code`
  const { added, skipped } = await index.addRecords([{ id: 9, title: "Hat" }, { title: "Scarf" }], { onInvalid: "skip" });
  console.log(added, skipped);`,
  },
  signal: {
    value: "an `AbortSignal`",
    code: code`
  const signal = AbortSignal.timeout(5000); // ends a call that takes longer, with 499 aborted
  console.log((await index.query({ query: "lamp" }, { signal })).data.nbHits);`,
  },
  format: {
    value: '`"records"`',
    code: code`
  console.log(await engine.importIndex("hats", '{"id": 1, "title": "Hat"}', { format: "records" }));`,
  },
  settings: {
    value: "[settings](settings.md)",
    code: code`
  const lines = '{"sku": "A-1", "title": "Hat"}';
  await engine.importIndex("hats-by-sku", lines, { format: "records", settings: { idAttribute: "sku" } });
  console.log(await engine.getRecords("hats-by-sku", ["A-1"]));`,
  },
  atLeast: {
    value: "a text that `position()` gave",
    code: code`
  const writer = await SearchEngine.open({ dataDir: "./shop-7" });
  const reader = await SearchEngine.open({ dataDir: "./shop-7", readOnly: true });
  await writer.createIndex("shop");
  await reader.refresh({ atLeast: writer.position() });
  console.log(await reader.listIndexes());
  await Promise.all([reader.close(), writer.close()]);`,
  },
  timeoutMs: {
    value: "an integer from 1 to 2,147,483,647",
    code: code`
  await engine.refresh({ timeoutMs: 1000 }); // an engine in memory has nothing to wait for`,
  },
};

/** For the verbs of an index, whose handle is `index`, and of an engine. */
const VERBS = {
  name: code`
  console.log((await engine.createIndex("hats")).name);`,
  recordCount: {
    says: "How many records the index has.",
    code: code`
  console.log(index.recordCount);`,
  },
  addRecords: code`
  console.log(await index.addRecords([{ id: 8, title: "Rain jacket, new" }, { id: 9, title: "Hat" }]));`,
  updateRecords: code`
  await index.updateRecords([{ id: 6, price: 39, stock: { _operation: "Decrement", value: 1 } }]);
  const [lamp] = await index.getRecords([6]);
  console.log(lamp.title, lamp.price, lamp.stock);`,
  replaceAllRecords: code`
  console.log(await index.replaceAllRecords([{ id: 20, title: "Umbrella" }]));
  console.log(await titles(index, { query: "" }));`,
  deleteRecords: code`
  console.log(await index.deleteRecords([1, 2, 99]), index.recordCount);`,
  deleteBy: code`
  console.log(await index.deleteBy({ filters: "stock < 3" }), index.recordCount);`,
  getRecords: code`
  const [hammer, unknown] = await index.getRecords([4, 99]);
  console.log(hammer.title, unknown);`,
  browseRecords: code`
  for await (const record of index.browseRecords()) console.log(record.id, record.title);`,
  clearIndex: code`
  await index.clearIndex();
  console.log(index.recordCount);`,
  getSettings: code`
  const { settings, effective } = await (await shop({ matching: "all" })).getSettings();
  console.log(settings, effective.matching, effective.semanticDepth);`,
  updateSettings: code`
  await index.updateSettings({ customRanking: ["desc(sold)"] });
  console.log(await titles(index, { query: "", hitsPerPage: 2 }));`,
  previewSettings: code`
  const settings = { boosts: [{ attribute: "sold", weight: 0.1 }] };
  const { queries } = await index.previewSettings(settings, { queries: ["drill"] });
  for (const { id, from, to } of queries[0].moved) console.log("record", id, "from place", from, "to", to);`,
  query: {
    says: "Answers a query: `{ msg, code, data }`, with one page of hits in `data.hits`. The parameters are an object, or `{ params }` with a URL-encoded text. With `attributesToRetrieve`, any attribute may be missing in `source`.",
    code: code`
  const { msg, code, data } = await index.query({ query: "lamp", hitsPerPage: 1, attributesToRetrieve: ["title", "price"] });
  console.log(msg, code, Object.keys(data));
  const [{ id, score, source }] = data.hits;
  console.log(data.nbHits, id, score.toFixed(2), source);`,
  },
  searchForFacetValues: code`
  const { facetHits } = await index.searchForFacetValues({ facetName: "brand", facetQuery: "f", query: "drill" });
  console.log(facetHits);`,
  suggest: code`
  console.log((await index.suggest({ query: "la" })).data.suggestions);`,
  similar: code`
  const { data } = await index.similar(1, { hitsPerPage: 2 });
  console.log(data.hits.map((hit) => hit.source.title));`,
  understandQuery: code`
  const { query, filters, order } = await index.understandQuery("cheapest lamp under $100");
  console.log(query, "|", filters, "|", order.sort);`,
  whyNot: code`
  const params = { query: "drill", filters: "stock > 0" };
  const [red, jacket] = [await index.whyNot(params, 2), await index.whyNot(params, 8)];
  console.log(red.reason, jacket.reason, jacket.words.missing);`,
  digest: code`
  const other = await shop();
  console.log((await index.digest()) === (await other.digest())); // the same content
  await other.deleteRecords([8]);
  console.log((await index.digest()) === (await other.digest()));`,
  getAttributes: code`
  console.log((await index.getAttributes()).slice(0, 2));`,
  estimate: code`
  const bytes = await index.estimate();
  console.log(Object.keys(bytes), bytes.total > 1000);`,
  whenIdle: code`
  await index.whenIdle(); // nothing is built or merged behind any more`,
  createIndex: code`
  const hats = await engine.createIndex("new-hats", { searchableAttributes: ["title"] });
  console.log(hats.name, hats.recordCount);`,
  index: code`
  await engine.createIndex("scarves");
  console.log(engine.index("scarves").recordCount);`,
  copyIndex: code`
  await engine.copyIndex(index.name, "copy");
  console.log(engine.index("copy").recordCount, index.recordCount);`,
  moveIndex: code`
  await engine.moveIndex(index.name, "moved");
  console.log(engine.index("moved").recordCount);`,
  deleteIndex: code`
  await engine.deleteIndex(index.name);
  const error = await index.query({ query: "lamp" }).catch((error) => error);
  console.log(error.code, error.error);`,
  listIndexes: code`
  const own = new SearchEngine();
  await own.createIndex("hats");
  console.log(await own.listIndexes());`,
  exportIndex: code`
  const few = await engine.createIndex("few", { embedder: false });
  await few.addRecords([{ id: 1, title: "Hat" }]);
  for await (const text of engine.exportIndex("few")) console.log(text);`,
  importIndex: code`
  console.log(await engine.importIndex("imported", engine.exportIndex(index.name)));
  console.log(await engine.importIndex("lines", '{"id": 1, "title": "Hat"}', { format: "records" }));`,
  multiQuery: code`
  const indexName = index.name;
  const answers = await engine.multiQuery([{ indexName, query: "lamp" }, { indexName, query: "drill" }, { indexName: "none", query: "" }]);
  console.log(answers.map(({ data, error }) => data?.nbHits ?? error));`,
  loadUnderstanding: code`
  await engine.loadUnderstanding(); // at the start, so that no shopper waits for it`,
  close: code`
  const own = new SearchEngine();
  await own.close();`,
  open: code`
  const own = await SearchEngine.open({ dataDir: "./data" });
  await own.createIndex("hats", {}, { ifExists: "open" });
  console.log(await own.listIndexes());
  await own.close();`,
  writeSnapshot: code`
  const { records, bytes } = await engine.writeSnapshot(index.name, "shop.snapshot");
  console.log(records, bytes > 1000);`,
  readSnapshot: code`
  await engine.writeSnapshot(index.name, "shop.snapshot");
  console.log(await engine.readSnapshot("restored", "shop.snapshot"));`,
  capabilities: code`
  const { hnsw, wasm } = engine.capabilities();
  console.log(hnsw, wasm);`,
  metrics: code`
  const own = new SearchEngine();
  await own.createIndex("hats");
  await own.query("hats", { query: "cap" });
  const { queries, indexes } = own.metrics();
  console.log(queries.total, indexes[0].name, indexes[0].records);`,
  slowQueries: code`
  await index.query({ query: "a query that is among the slowest" });
  console.log(Object.keys(engine.slowQueries()[0]));`,
  recovery: code`
  console.log(engine.recovery());`,
  refresh: code`
  const writer = await SearchEngine.open({ dataDir: "./data-3" });
  const reader = await SearchEngine.open({ dataDir: "./data-3", readOnly: true });
  await writer.createIndex("hats");
  console.log(await reader.listIndexes());
  await reader.refresh();
  console.log(await reader.listIndexes());
  await Promise.all([reader.close(), writer.close()]);`,
  position: code`
  const own = await SearchEngine.open({ dataDir: "./data-4" });
  const before = own.position();
  await own.createIndex("hats");
  console.log(comparePositions(before, own.position()) < 0);
  await own.close();`,
  flush: code`
  const own = await SearchEngine.open({ dataDir: "./data-5", durability: "interval" });
  await own.createIndex("hats");
  await own.flush(); // safe from a power cut from here on
  await own.close();`,
  checkStorage: code`
  const own = await SearchEngine.open({ dataDir: "./data-6" });
  console.log(await own.checkStorage());
  await own.close();`,
};

/** For functions that are no verbs. */
const FUNCTIONS = {
  quoteFilterValue: code`
  const brand = 'O"Neil';
  console.log("brand:" + quoteFilterValue(brand));`,
  comparePositions: code`
  const own = await SearchEngine.open({ dataDir: "./data-7" });
  const before = own.position();
  await own.createIndex("hats");
  console.log(comparePositions(before, own.position()) < 0, comparePositions(before, before));
  await own.close();`,
  setDefaultEngine: code`
  const previous = setDefaultEngine(engine); // now createIndex("…") and the other functions mean this engine
  setDefaultEngine(previous);`,
  createStaticEnEmbedder: code`
  const embedder = createStaticEnEmbedder();
  const [sofa, couch, unknown] = await embedder.embed(["sofa", "couch", "xqzt"], { purpose: "record" });
  const cosine = sofa.reduce((sum, x, i) => sum + x * couch[i], 0);
  console.log(sofa.length, cosine.toFixed(2), unknown);`,
  createStaticDeEmbedder: code`
  const embedder = createStaticDeEmbedder();
  const [sofa, couch, lampe] = await embedder.embed(["Sofa", "Couch", "Lampe"], { purpose: "record" });
  const cosine = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0).toFixed(2);
  console.log(cosine(sofa, couch), cosine(sofa, lampe));`,
};

/** For the codes of errors: the last line of each fails. */
const ERRORS = {
  missing_query: code`
  await index.query({ filters: "price < 100" });`,
  invalid_query: code`
  await index.query({ query: 42 });`,
  query_too_long: code`
  await index.query({ query: "drill ".repeat(1000) });`,
  invalid_cursor: code`
  await index.query({ query: "lamp", cursor: "page-2" });`,
  invalid_page: code`
  await index.query({ query: "drill", page: 0 });`,
  invalid_hits_per_page: code`
  await index.query({ query: "drill", hitsPerPage: "10" });`,
  invalid_parameter: code`
  await index.query({ query: "drill", semanticWeight: 2 });`,
  unknown_parameter: code`
  await index.query({ query: "drill", filter: "price < 100" });`,
  invalid_filter: code`
  await index.query({ query: "drill", filters: "price <" });`,
  filter_too_complex: code`
  await index.query({ query: "drill", filters: "(".repeat(40) + "price < 100" + ")".repeat(40) });`,
  invalid_facet_filters: code`
  await index.query({ query: "drill", facetFilters: ["Forge"] });`,
  unknown_filter_field: code`
  await index.query({ query: "drill", filters: "prize < 100" });`,
  unknown_field: code`
  await index.query({ query: "drill", sort: ["prize:asc"] });`,
  not_filterable: code`
  const declared = await shop({ attributesForFaceting: ["brand"] });
  await declared.query({ query: "drill", filters: "price < 100" });`,
  not_sortable: {
    says: "an attribute in `sort` has long texts, or is not declared in `attributesForFaceting`",
    code: code`
  const declared = await shop({ attributesForFaceting: ["brand"] });
  await declared.query({ query: "drill", sort: ["price:asc"] });`,
  },
  invalid_request: code`
  await index.query("drill");`,
  invalid_params: code`
  await index.query({ params: 42 });`,
  params_not_alone: code`
  await index.query({ params: "query=drill", page: 2 });`,
  params_too_long: code`
  await index.query({ params: "query=drill&".repeat(100) });`,
  invalid_vector: code`
  await index.query({ query: "drill", vector: [1, 0, 0] });`,
  vectors_disabled: code`
  const words = await shop({ embedder: false });
  await words.query({ query: "drill", vector: [1, 0, 0] });`,
  invalid_index_name: code`
  await engine.createIndex("my shop");`,
  invalid_settings: code`
  await engine.createIndex("new", ["title"]);`,
  invalid_setting: code`
  await engine.createIndex("new", { matching: "some" });`,
  unknown_setting: code`
  const strict = new SearchEngine({ strict: true });
  await strict.createIndex("new", { searchableAttribute: ["title"] });`,
  invalid_dimensions: code`
  await engine.createIndex("new", { vectorAttribute: "vector" });`,
  invalid_analyzer: code`
  await engine.createIndex("new", { analyzer: 42 });`,
  invalid_embedder: code`
  await engine.createIndex("new", { embedder: true });`,
  settings_too_large: code`
  await engine.createIndex("new", { stopWords: Array(90_000).fill("a".repeat(100)) });`,
  settings_do_not_fit: code`
  await index.updateSettings({ idAttribute: "model" });`,
  invalid_options: code`
  await index.addRecords(products, "skip");`,
  invalid_option: code`
  await engine.createIndex("new", {}, { ifExists: "replace" });`,
  unknown_option: code`
  new SearchEngine({ strict: true, cacheSize: 1000 });`,
  invalid_position: code`
  comparePositions("yesterday", "today");`,
  invalid_signal: code`
  await index.query({ query: "drill" }, { signal: true });`,
  invalid_engine: code`
  setDefaultEngine(index);`,
  invalid_source: code`
  await engine.importIndex("new", 42);`,
  invalid_line: code`
  await engine.importIndex("new", '{"id": 1}\n{"id": 2', { format: "records" });`,
  invalid_records: code`
  await index.addRecords({ id: 9, title: "Hat" });`,
  invalid_record: code`
  await index.updateRecords([{ id: 1, stock: { _operation: "Double", value: 2 } }]);`,
  missing_id: code`
  await index.addRecords([{ title: "Hat" }]);`,
  invalid_id: code`
  await index.addRecords([{ id: 1.5, title: "Hat" }]);`,
  invalid_ids: code`
  await index.deleteRecords(1);`,
  invalid_field_value: code`
  await index.addRecords([{ id: 9, title: "Hat", sizes: new Map() }]);`,
  record_cyclic: code`
  const hat = { id: 9, title: "Hat" };
  hat.related = [hat];
  await index.addRecords([hat]);`,
  invalid_judgements: code`
  await index.previewSettings({ matching: "all" }, { queries: ["drill"], judgements: { drill: [1] } });`,
  invalid_path: code`
  await engine.writeSnapshot(index.name, "");`,
  storage_read_only: code`
  const writer = await SearchEngine.open({ dataDir: "./data-1" });
  const reader = await SearchEngine.open({ dataDir: "./data-1", readOnly: true });
  await reader.createIndex("new");`,
  storage_not_found: code`
  await SearchEngine.open({ dataDir: "./no-such-folder", readOnly: true });`,
  index_not_found: code`
  await engine.query("shpo", { query: "drill" });`,
  record_not_found: code`
  await index.similar(99);`,
  index_exists: code`
  await engine.createIndex("taken");
  await engine.createIndex("taken");`,
  settings_differ: code`
  await engine.createIndex("lamps", { matching: "all" });
  await engine.createIndex("lamps", { matching: "any" }, { ifExists: "open" });`,
  settings_changed: code`
  const coats = await engine.createIndex("coats");
  const changing = coats.updateSettings({ idAttribute: "sku" });
  const adding = coats.addRecords([{ id: 9, title: "Coat" }]); // begun before the new settings held
  await Promise.all([changing, adding]);`,
  version_conflict: {
    how: "Several processes change the same records of a [cluster](../scaling.md#a-cluster) at the same time.",
  },
  storage_locked: code`
  const first = await SearchEngine.open({ dataDir: "./data-2" });
  const second = await SearchEngine.open({ dataDir: "./data-2" });`,
  storage_version: {
    how:
      "The files were written by a newer version of the library, or before its first release; 409 is of an index in a cluster. Install " +
      "the version that wrote them, or a newer one.",
  },
  embedder_missing: code`
  const exported = '{"tandem-search":1,"settings":{"embedder":"my-model"}}';
  await engine.importIndex("new", exported);`,
  analyzer_missing: {
    says: "settings name an analyzer by an id that the engine was not given",
    code: code`
  const exported = '{"tandem-search":1,"settings":{"analyzer":"my-words"}}';
  await engine.importIndex("new", exported);`,
  },
  record_too_large: code`
  await index.addRecords([{ id: 9, title: "Hat", text: "a long text ".repeat(10_000) }]);`,
  batch_too_large: code`
  const small = new SearchEngine({ limits: { batchRecords: 5 } });
  const hats = await small.createIndex("hats");
  await hats.addRecords(products);`,
  aborted: code`
  await index.query({ query: "drill" }, { signal: AbortSignal.abort() });`,
  invalid_credential: {
    how: "A [server](../server.md#what-a-key-allows) was given a credential that cannot be read; its `onRequest` is told.",
  },
  storage_corrupt: code`
  await engine.readSnapshot("new", new TextEncoder().encode("no snapshot"));`,
  storage_failed: code`
  await engine.writeSnapshot(index.name, "./no-such-folder/shop.snapshot");`,
  not_implemented: {
    how:
      "An index [that the cluster searches](../scaling.md#an-index-larger-than-a-process) was asked for something that only an index in " +
      "the process does.",
  },
  source_failed: code`
  async function* lines() {
    yield '{"id": 1, "title": "Hat"}\n';
    throw new Error("the connection broke");
  }
  await engine.importIndex("new", lines(), { format: "records" });`,
  embedder_failed: code`
  const embed = async () => {
    throw Object.assign(new Error("wrong key"), { status: 401 });
  };
  await shop({ embedder: { id: "my-model", dimensions: 3, embed } });`,
  cluster_refused: { how: "The [cluster](../scaling.md#a-cluster) does not accept `auth`, or its user lacks a right." },
  analyzer_failed: code`
  const analyze = (text) => text.split(" ").length;
  await shop({ analyzer: { id: "my-words", analyze }, embedder: false });`,
  closed: code`
  const closing = new SearchEngine();
  await closing.close();
  await closing.createIndex("new");`,
  cluster_unavailable: { how: "No node of the [cluster](../scaling.md#a-cluster) answers in time." },
  timeout: {
    how:
      "A reader of a data folder waits with `refresh({ atLeast, timeoutMs })` for a position that the engine that writes has not " +
      "reached in that time.",
  },
  storage_full: { how: "The disk has no room left for what was to be written." },
  index_full: code`
  const small = new SearchEngine({ limits: { indexRecords: 5 } });
  const hats = await small.createIndex("hats");
  await hats.addRecords(products);`,
  memory_limit: code`
  const small = new SearchEngine({ limits: { maxMemory: 1000 } });
  const hats = await small.createIndex("hats");
  await hats.addRecords(products);`,
};

/** All of them, by the names of the tables. */
export const EXAMPLES = {
  SETTINGS,
  PARAMETERS,
  FACET_PARAMETERS,
  SUGGEST_PARAMETERS,
  ENGINE_OPTIONS,
  OPTIONS,
  VERBS,
  FUNCTIONS,
  ERRORS,
};

/** Pages that explain more, where the row of the name in a table of docs links to none, or to a worse one. */
export const SEE = {
  "scoring.md#matches": "SETTINGS.matchingRatio PARAMETERS.matching",
  "scoring.md#bm25f": "SETTINGS.bm25",
  "embedding-model.md":
    "SETTINGS.embeddedAttributes SETTINGS.vectorAttribute SETTINGS.dimensions PARAMETERS.vector ENGINE_OPTIONS.embedder FUNCTIONS.createStaticEnEmbedder FUNCTIONS.createStaticDeEmbedder",
  "embedders.md": "ENGINE_OPTIONS.embedders",
  "relevance.md#the-weight": "SETTINGS.semanticWeight PARAMETERS.semanticWeight",
  "relevance.md#the-floor-and-the-depth": "SETTINGS.semanticDepth PARAMETERS.semanticDepth PARAMETERS.semanticFloor",
  "relevance-settings.md#other-spellings":
    "SETTINGS.typoTolerance SETTINGS.disableTypoToleranceOnWords SETTINGS.disableTypoToleranceOnAttributes SETTINGS.queryType PARAMETERS.typoTolerance PARAMETERS.queryType",
  "relevance-settings.md#what-is-searched-searchableattributes":
    "SETTINGS.searchableAttributes PARAMETERS.restrictSearchableAttributes",
  "relevance-settings.md#codes-identifierattributes": "SETTINGS.identifierAttributes",
  "relevance-settings.md#your-own-analyzer-another-language": "SETTINGS.analyzer ENGINE_OPTIONS.analyzers",
  "relevance-settings.md#what-a-hit-shows":
    "PARAMETERS.attributesToRetrieve PARAMETERS.attributesToHighlight PARAMETERS.attributesToSnippet PARAMETERS.highlightPreTag PARAMETERS.highlightPostTag PARAMETERS.snippetEllipsisText PARAMETERS.escapeHTML PARAMETERS.matchedPositions",
  "filters.md#places": "PARAMETERS.aroundRadius PARAMETERS.insideBoundingBox",
  "filters.md#what-a-count-means": "PARAMETERS.maxValuesPerFacet",
  "filters.md#searchforfacetvalues":
    "FACET_PARAMETERS.facetName FACET_PARAMETERS.facetQuery FACET_PARAMETERS.maxFacetHits",
  "filters.md#filters-as-text": "FUNCTIONS.quoteFilterValue",
  "rules.md#when-a-rule-holds": "PARAMETERS.ruleContexts PARAMETERS.enableRules",
  "suggestions.md": "SUGGEST_PARAMETERS.query SUGGEST_PARAMETERS.hitsPerPage",
  "errors.md#warnings": "ENGINE_OPTIONS.onWarning ENGINE_OPTIONS.strict",
  "errors.md#limits": "ENGINE_OPTIONS.limits",
  "errors.md#memory": "ENGINE_OPTIONS.cacheBytes",
  "deployment.md#the-first-queries-of-a-process": "ENGINE_OPTIONS.warmUp",
  "durability.md#what-is-promised": "ENGINE_OPTIONS.dataDir ENGINE_OPTIONS.durability VERBS.open VERBS.flush",
  "durability.md#one-writer-many-readers":
    "ENGINE_OPTIONS.readOnly ENGINE_OPTIONS.followIntervalMs OPTIONS.atLeast OPTIONS.timeoutMs VERBS.refresh VERBS.position FUNCTIONS.comparePositions",
  "durability.md#closing": "VERBS.close",
  "durability.md#damage": "VERBS.checkStorage",
  "parameters.md#export-and-import": "OPTIONS.format OPTIONS.settings VERBS.exportIndex VERBS.importIndex",
  "parameters.md#verbs": "OPTIONS.ifExists OPTIONS.createIfNotExists OPTIONS.onInvalid",
  "server.md#what-an-engine-tells": "VERBS.metrics VERBS.slowQueries",
  "shops.md#several-lists-on-one-page": "VERBS.multiQuery",
};
