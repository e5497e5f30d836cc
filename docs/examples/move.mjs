// Moves an index of Algolia, Meilisearch, Typesense, MiniSearch or Orama to an index of this library: reads the files that they export,
// translates settings, synonyms, rules and records, and prints a line for each thing that has no counterpart. See docs/coming-from.md.

import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { quoteFilterValue, SearchEngine } from "tandem-search";

const HELP = `node move.mjs --from SERVICE FILES [--data FOLDER --index NAME]

Without --data everything is read, translated and tried in memory: you see the report and the settings, and nothing is kept.

  --from SERVICE     algolia, meilisearch, typesense, minisearch or orama
  --records FILE     records: JSON Lines, a JSON array, or an answer with a list of them
  --settings FILE    settings of Algolia (or its exported configuration) or Meilisearch; the schema of a collection of Typesense
  --synonyms FILE    synonyms of Algolia or Typesense
  --rules FILE       rules of Algolia, overrides or curation sets of Typesense
  --export FILE      a whole index: JSON.stringify(miniSearch), JSON of Orama's save(), a dump of Meilisearch
  --source NAME      which index of a dump
  --id NAME          the attribute that holds the ids
  --language TAG     the language of the texts, such as de
  --numbers A,B      attributes whose texts become numbers: "19.99" is 19.99
  --dates A,B        attributes whose seconds or milliseconds since 1970 become dates
  --data FOLDER      where the index is kept: the folder of SearchEngine.open({ dataDir })
  --index NAME       its name there (products)
  --replace          replaces an index of that name, once all is in the new one
  --out FILE         writes the settings as JSON`;

const NAMES = "from records settings synonyms rules export source id language numbers dates data index out".split(" ");
const TEXTS = Object.fromEntries(NAMES.map((name) => [name, { type: "string" }]));
const OPTIONS = { ...TEXTS, replace: { type: "boolean" }, help: { type: "boolean" } };

/** Why a thing has no counterpart, and what to do instead. */
const REASONS = table(`
  unknown     | this program does not know it | look in docs/parameters.md
  criteria    | hits have one score, no list of criteria | the parameter sort, or boosts
  replicas    | another order is no other index | the parameter sort
  groups      | a group shows one hit | variants as a list in one record, docs/shops.md
  typos       | is true or false | matching: "all"
  typoSizes   | one error from 4 letters, two from 8, is fixed | disableTypoToleranceOnWords
  strictness  | it belongs to an order by sort | the parameter relevancyStrictness
  facetOrder  | is said with each facet | facets: [{ attribute, sort: "alpha" }]
  secrets     | no attribute is secret | leave it out of the records, or of what your server answers
  page        | settings say nothing about a page | userData of a rule
  letters     | letters and signs are read in one way | synonyms, identifierAttributes for codes
  prefixes    | words are completed in all fields or in none | queryType: "prefixNone"
  visitors    | nothing is learned from visitors | boosts by figures of yours
  cutoff      | no query ends by itself | { signal: AbortSignal.timeout(ms) }
  vectors     | the built-in model reads texts | vectorAttribute or an embedder of yours, docs/embedders.md
  joins       | records know no other index | what belongs to a record, in the record
  chat        | answers are hits | a model of yours that asks query
  shapes      | places are points | _geoloc
  places      | a record has one attribute of places | a list of places in it
  infix       | words are found from their beginning, codes by their parts | identifierAttributes
  unstored    | it is searched there, but not stored, so its texts are not in the file | --records with the documents
  placeholder | patterns and synonyms are words | understand: true, which finds values in a query
  redirect    | no rule asks another index | userData, and your page goes there
  parameter   | it is no parameter here | filters or optionalFilters of the rule
  filter      | this filter is not translated | write it by docs/filters.md
  idle        | nothing is left that the rule does | see the other lines about it`);

/** What becomes of settings: `same`, passed with each `query`, or `fine` (always so here, or of no use); else the reason why not. */
const ALGOLIA = table(`
  customRanking attributeForDistinct disableTypoToleranceOnWords disableTypoToleranceOnAttributes | same
  queryType | same | "prefixLast"
  attributesToRetrieve attributesToHighlight attributesToSnippet highlightPreTag highlightPostTag snippetEllipsisText | query
  hitsPerPage enableRules advancedSyntax | query
  maxValuesPerFacet | query | 100
  replicas | replicas
  minWordSizefor1Typo | typoSizes | 4
  minWordSizefor2Typos | typoSizes | 8
  relevancyStrictness | strictness | 100
  sortFacetValuesBy | facetOrder | "count"
  unretrievableAttributes | secrets
  renderingContent userData | page
  customNormalization keepDiacriticsOnCharacters separatorsToIndex camelCaseAttributes attributesToTransliterate | letters
  disablePrefixOnAttributes | prefixes
  enablePersonalization enableReRanking reRankingApplyFilter | visitors
  numericAttributesForFiltering ignorePlurals removeStopWords decompoundedAttributes decompoundQuery allowTyposOnNumericTokens | fine
  removeWordsIfNoResults mode semanticSearch version primary paginationLimitedTo maxFacetHits responseFields synonyms | fine
  restrictHighlightAndSnippetArrays minProximity replaceSynonymsInHighlight allowCompressionOfIntegerArray | fine
  advancedSyntaxFeatures alternativesAsExact exactOnSingleWordQuery disableExactOnAttributes | fine
  attributeCriteriaComputedByMinProximity attributeCriteriaComputedBy | fine`);
const MEILISEARCH = table(`
  stopWords | same
  separatorTokens nonSeparatorTokens dictionary | letters
  searchCutoffMs | cutoff
  foreignKeys | joins
  chat | chat
  pagination proximityPrecision facetSearch | fine`);
const TYPESENSE = table(`
  symbols_to_index token_separators | letters
  metadata | page
  voice_query_model | vectors
  name enable_nested_fields created_at num_documents num_memory_shards | fine`);

const FUNCTIONS = {
  algolia: {
    searchableAttributes: (value, to) => to.search(value, true),
    attributesForFaceting: (value, to) =>
      to.facets(value.map((name) => name.replace(/^(?:searchable|afterDistinct)\((.*)\)$/, "$1"))),
    indexLanguages: (value, to) => to.languages(value),
    queryLanguages: (value, to) => to.languages(value),
    optionalWords: (value, to) => to.set("optionalWords", typeof value === "string" ? value.split(/\s+/) : value),
    ranking(value, to) {
      const orders = value.filter((one) => /^(asc|desc)\(/.test(one));
      const isUsual = value.join() === "typo,geo,words,filters,proximity,attribute,exact,custom";
      to.lacks("ranking", orders.length > 0 ? orders : isUsual ? [] : value, "criteria");
    },
    distinct(value, to) {
      to.set("distinct", Number(value) > 0);
      to.lacks("distinct", value > 1 && value, "groups");
    },
    typoTolerance(value, to) {
      to.set("typoTolerance", String(value) !== "false");
      to.lacks("typoTolerance", ["min", "strict"].includes(value) && value, "typos");
    },
  },
  meilisearch: {
    searchableAttributes: (value, to) => value[0] !== "*" && to.search(value, true),
    displayedAttributes: (value, to) => value[0] !== "*" && to.params.set("attributesToRetrieve", value),
    filterableAttributes: (value, to) => to.facets(value.flatMap((one) => one.attributePatterns ?? one)),
    sortableAttributes: (value, to) => to.facets(value),
    prefixSearch: (value, to) => to.set("queryType", value === "disabled" ? "prefixNone" : undefined),
    localizedAttributes: (value, to) => to.languages(value.flatMap((one) => one.locales)),
    synonyms: meilisearchSynonyms,
    rankingRules(value, to) {
      const usual = /^(words|typo|proximity|attribute|attributeRank|wordPosition|sort|exactness)$/;
      const own = value.filter((rule) => !usual.test(rule));
      const orders = own.map((rule) => rule.replace(/^(.*):(asc|desc)$/, "$2($1)"));
      to.set("customRanking", orders);
      to.lacks("rankingRules", own.includes(value[0]) && value, "criteria");
    },
    distinctAttribute(value, to) {
      to.set("attributeForDistinct", value);
      to.set("distinct", true);
    },
    typoTolerance({ enabled, disableOnWords, disableOnAttributes, minWordSizeForTypos = {} }, to) {
      to.set("typoTolerance", enabled === false ? false : undefined);
      to.set("disableTypoToleranceOnWords", disableOnWords);
      to.set("disableTypoToleranceOnAttributes", disableOnAttributes);
      const { oneTypo = 5, twoTypos = 9 } = minWordSizeForTypos;
      to.lacks("minWordSizeForTypos", (oneTypo !== 5 || twoTypos !== 9) && minWordSizeForTypos, "typoSizes");
    },
    faceting({ maxValuesPerFacet = 100, sortFacetValuesBy = {} }, to) {
      if (maxValuesPerFacet !== 100) to.params.set("maxValuesPerFacet", maxValuesPerFacet);
      const { "*": _, ...orders } = sortFacetValuesBy;
      to.lacks("sortFacetValuesBy", orders, "facetOrder");
    },
    embedders(value, to) {
      for (const name in value) to.lacks(`embedder ${name}`, value[name].source, "vectors");
    },
  },
  typesense: {
    fields: typesenseFields,
    default_sorting_field: (value, to) => to.set("customRanking", [`desc(${value})`]),
    synonym_sets: (value, to) => to.know(`the synonyms are in sets: pass ${value.join(", ")} as --synonyms`),
    curation_sets: (value, to) => to.know(`the curations are in sets: pass ${value.join(", ")} as --rules`),
  },
};

function typesenseFields(fields, to) {
  const used = fields.filter(({ index }) => index !== false);
  const texts = used.filter(({ type }) => type.startsWith("string"));
  const asValues = used.filter(
    (field) => !/geo/.test(field.type) && !field.num_dim && (field.sort || /^(int|float|bool)/.test(field.type)),
  );
  const filtered = used.map((field) =>
    field.facet ? field.name : asValues.includes(field) && `filterOnly(${field.name})`,
  );
  if (fields.some(({ index, type }) => index === false && type.startsWith("string"))) to.search(nameOf(texts), false);
  to.facets(filtered.filter(Boolean));
  const others = nameOf(texts.filter(({ facet, sort }) => !facet && !sort));
  if (others.length > 0) to.know(`filters take ${others.join(", ")} only if attributesForFaceting names them`);
  to.languages(fields.flatMap(({ locale }) => locale || []));
  for (const { name, type, num_dim, embed, reference, infix, store } of fields) {
    const own = `field ${name}`;
    if (type.startsWith("geopoint")) to.place(name);
    if (num_dim || embed) to.vector(own, name, embed?.model_config?.model_name ?? `${num_dim} numbers`);
    to.lacks(own, type === "geopolygon" && type, "shapes");
    to.lacks(own, type === "image" && type, "vectors");
    to.lacks(own, reference, "joins");
    to.lacks(own, infix && "infix", "infix");
    to.lacks(own, store === false && "store: false", "unstored");
  }
}

function algoliaSynonyms(value, to) {
  for (const { objectID, type, synonyms, input, word, corrections, placeholder, replacements } of listOf(value)) {
    const from = input ?? word;
    if (placeholder) to.lacks(`synonym ${objectID}`, [placeholder, ...replacements], "placeholder");
    else if (from === undefined) to.synonym({ type: "synonym", synonyms });
    else to.synonym({ type: "oneWaySynonym", input: from, synonyms: synonyms ?? corrections });
    if (corrections) to.know(`${type} of ${word} became a oneWaySynonym`);
  }
}

function meilisearchSynonyms(map, to) {
  const groupOf = (word) => [word, ...(map[word] ?? [])].sort().join("\n");
  const groups = new Set();
  for (const [word, others] of Object.entries(map)) {
    const group = groupOf(word);
    const isMutual = others.every((other) => groupOf(other) === group);
    if (!isMutual) to.synonym({ type: "oneWaySynonym", input: word, synonyms: others });
    else if (!groups.has(group)) to.synonym({ type: "synonym", synonyms: group.split("\n") });
    groups.add(group);
  }
}

function typesenseSynonyms(value, to) {
  for (const { root, synonyms } of listOfSets(value))
    to.synonym(root ? { type: "oneWaySynonym", input: root, synonyms } : { type: "synonym", synonyms });
}

const RULE_PARAMS = new Set(
  `query filters facetFilters numericFilters optionalFilters facets hitsPerPage page offset length distinct attributesToRetrieve
  attributesToHighlight attributesToSnippet restrictSearchableAttributes typoTolerance queryType optionalWords advancedSyntax
  aroundLatLng aroundRadius insideBoundingBox maxValuesPerFacet relevancyStrictness`.split(/\s+/),
);

function algoliaRules(value, to) {
  for (const { objectID: id, conditions, condition, consequence, validity, enabled } of listOf(value)) {
    const { params = {}, promote = [], hide = [], redirect, userData } = consequence;
    const given = conditions ?? (condition ? [condition] : []);
    const pattern = given.find((one) => /\{facet:/.test(one.pattern))?.pattern;
    to.lacks(`rule ${id}`, pattern, "placeholder");
    if (pattern !== undefined) continue;
    to.lacks(`rule ${id}, redirect`, redirect, "redirect");
    const kept = {};
    for (const name in params) {
      if (/analytics|percentile|ABTest/i.test(name)) continue;
      if (!RULE_PARAMS.has(name))
        to.lacks(`rule ${id}, ${name}`, params[name], name === "renderingContent" ? "page" : "parameter");
      else if (name === "page") kept.page = params.page + 1;
      else if (name === "query") kept.query = changeOf(params.query);
      else kept[name] = /Filters$/.test(name) ? [params[name]].flat() : params[name];
    }
    if (promote.length > 0)
      to.know("a promoted record must pass the filters of the query, as with filterPromotes: true");
    const pins = promote.map(({ objectID, objectIDs, position }) => ({ id: objectID, ids: objectIDs, position }));
    to.rule({
      id,
      conditions: given.map(({ pattern, anchoring, context, filters }) => ({ pattern, anchoring, context, filters })),
      consequence: { promote: pins, hide: hide.map((one) => one.objectID), params: kept, userData },
      validity: validity?.map(({ from, until }) => periodOf(from, until)),
      enabled,
    });
  }
}

function changeOf(query) {
  if (typeof query === "string") return query;
  const { remove = [], edits = [] } = query;
  const changes = [...remove.map((word) => ({ delete: word })), ...edits];
  return { edits: changes.map((edit) => ({ delete: edit.delete, insert: edit.insert })) };
}

function typesenseRules(value, to) {
  for (const rule of listOfSets(value)) {
    const { query, match, filter_by, tags = [undefined] } = rule.rule;
    const [asked, chosen] = [filter_by, rule.filter_by].map((text) => text && typesenseFilter(text));
    const placeholder = /\{[\w.]+\}/.exec(`${query} ${rule.filter_by}`)?.[0];
    const untold = placeholder ? undefined : (asked === null && filter_by) || (chosen === null && rule.filter_by);
    to.lacks(`rule ${rule.id}`, placeholder, "placeholder");
    to.lacks(`rule ${rule.id}`, untold, "filter");
    if (placeholder || untold) continue;
    const pattern = query === "*" ? "" : query;
    const removes = (rule.remove_matched_tokens ?? Boolean(chosen)) && pattern;
    const search = rule.replace_query ?? (removes ? { remove: pattern.split(/\s+/) } : undefined);
    const sort = rule.sort_by?.split(",").map((one) => one.trim().replace(/^_text_match.*:/, "_score:"));
    const anchoring = pattern && match === "contains" ? "contains" : undefined;
    to.rule({
      id: rule.id,
      conditions: tags.map((context) => ({ pattern, anchoring, filters: asked, context })),
      consequence: {
        promote: rule.includes?.map(({ id, position }) => ({ id, position: position - 1 })),
        hide: rule.excludes?.map(({ id }) => id),
        params: { filters: chosen, sort, query: search },
        userData: rule.metadata,
      },
      validity: [periodOf(rule.effective_from_ts, rule.effective_to_ts)],
      stop: rule.stop_processing !== false,
    });
  }
}

/** `brand:=Forge && price:<100` as a filter here; null where a part is a join, a place or the beginning of a word. */
function typesenseFilter(text) {
  if (/\$\w|\*|:\s*\(/.test(text)) return null;
  const condition = /([\w.]+)\s*:\s*(!?=?)\s*([<>]=?)?\s*(\[[^\]]*\]|`[^`]*`|[^&|()[\]`]+)/g;
  const tested = text.replace(condition, (_, name, equal, operator = "", value) => {
    const items = value.match(/`[^`]*`|[^,`[\]]+/g).filter((item) => item.trim() !== "");
    const tests = items.map((item) => `${name}${testOf(operator + item.trim())}`);
    return `${equal.startsWith("!") ? "NOT " : ""}${tests.length > 1 ? `(${tests.join(" OR ")})` : tests[0]}${/\s$/.test(value) ? " " : ""}`;
  });
  return tested.replaceAll("&&", "AND").replaceAll("||", "OR").trim();
}

function testOf(item) {
  if (/^[<>]/.test(item)) return ` ${item}`;
  if (/^-?[\d.]*\d\.\.-?[\d.]+$/.test(item)) return `:${item.replace("..", " TO ")}`;
  return `:${/^[\w.-]+$/.test(item) ? item : quoteFilterValue(item.replace(/^`(.*)`$/, "$1"))}`;
}

/** One index of a dump, which is a gzipped tar with a folder for each. */
function meilisearchDump(file, { source }) {
  const tar = gunzipSync(readFileSync(file));
  const text = (from, length) => tar.toString("utf8", from, from + length).split("\0")[0];
  const indexes = {};
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const [, index, part] =
      /(?:^|\/)indexes\/([^/]+)\/(settings|documents|metadata)\.jsonl?$/.exec(text(at, 100)) ?? [];
    if (index !== undefined)
      indexes[index] = { ...indexes[index], [part]: tar.toString("utf8", at + 512, at + 512 + size) };
    at += 512 + Math.ceil(size / 512) * 512;
  }
  const names = Object.keys(indexes);
  const found = indexes[source ?? (names.length === 1 ? names[0] : "")];
  if (found === undefined)
    throw new Refused(`the dump has ${names.length} indexes; name one by --source: ${names.join(", ")}`);
  const records = found.documents.match(/.+/g)?.map((line) => JSON.parse(line)) ?? [];
  return { settings: JSON.parse(found.settings), id: JSON.parse(found.metadata).primaryKey, records };
}

function miniSearchExport(file, { id = "id", records: beside }, to) {
  const { documentIds, fieldIds, storedFields = {} } = readJson(file);
  if (documentIds === undefined || fieldIds === undefined) throw new Refused("this is no JSON.stringify(miniSearch)");
  const records = Object.entries(documentIds).map(([at, own]) => ({ [id]: own, ...storedFields[at] }));
  const fields = Object.keys(fieldIds);
  const lost = fields.filter((field) => !records.some((record) => record[field] !== undefined));
  if (!beside && lost.length === fields.length)
    throw new Refused("no text is stored (storeFields): pass the documents as --records");
  to.lacks("fields", !beside && lost, "unstored");
  to.search(fields, false);
  to.know(
    "options are no part of the file: boost is a weight here, fuzzy typoTolerance, prefix queryType, boostDocument boosts",
  );
  return { records, id };
}

const LANGUAGES = `arabic ar, armenian hy, bulgarian bg, chinese zh, czech cs, danish da, dutch nl, english en, finnish fi, french fr,
  german de, greek el, hungarian hu, indian hi, indonesian id, irish ga, italian it, japanese ja, lithuanian lt, mandarin zh, nepali ne,
  norwegian nb, portuguese pt, romanian ro, russian ru, serbian sr, slovenian sl, spanish es, swedish sv, tamil ta, turkish tr, ukrainian uk`;

function oramaExport(file, _flags, to) {
  const { docs, index, internalDocumentIDStore: own, language, pinning } = readJson(file);
  if (!docs?.docs || !index)
    throw new Refused('this is no JSON of save(db): persist(db, "json") writes it, other forms do not');
  const schema = Object.entries(index.searchablePropertiesWithTypes);
  const texts = schema.filter(([, type]) => type.startsWith("string"));
  to.search(Object.keys(Object.fromEntries(texts)), false);
  for (const [name, type] of schema) {
    if (type === "geopoint") to.place(name);
    if (type.startsWith("vector")) to.vector(`property ${name}`, name, type);
  }
  to.languages([new RegExp(`${language} (\\w+)`).exec(LANGUAGES)?.[1] ?? "en"]);
  for (const [, { id, conditions, consequence }] of pinning?.rules ?? [])
    to.rule({
      id,
      conditions: conditions.map((one) => ({ pattern: one.pattern, anchoring: one.anchoring.replace("s_w", "sW") })),
      consequence: { promote: consequence.promote.map(({ doc_id, position }) => ({ id: doc_id, position })) },
    });
  to.know("a tokenizer, plugins and hooks are no part of the file; stems and stop words are those of the language");
  return { records: Object.entries(docs.docs).map(([at, doc]) => ({ id: own.internalIdToId[at - 1], ...doc })) };
}

const SERVICES = {
  algolia: { table: ALGOLIA, synonyms: algoliaSynonyms, rules: algoliaRules, id: () => "objectID" },
  meilisearch: { table: MEILISEARCH, synonyms: meilisearchSynonyms, open: meilisearchDump, id: idOf },
  typesense: { table: TYPESENSE, synonyms: typesenseSynonyms, rules: typesenseRules },
  minisearch: { open: miniSearchExport },
  orama: { open: oramaExport },
};

/** The primary key that Meilisearch infers. */
function idOf(record = {}) {
  const names = Object.keys(record).filter((name) => /id$/i.test(name));
  if (names.length > 1 && !names.includes("id")) throw new Refused(`name the primary key by --id: ${names.join(", ")}`);
  return names.includes("id") ? "id" : names[0];
}

class Refused extends Error {}

/** What is being moved: settings as they are here, and what there is to say. */
class Move {
  constructor(from) {
    this.placeName = from === "meilisearch" ? "_geo" : undefined;
  }
  settings = {};
  params = new Map();
  lines = [];
  known = new Set();
  declared = [];
  dropped = ["_vectors", "_highlightResult", "_snippetResult", "_rankingInfo"];
  set(name, value) {
    if (!isEmpty(value)) this.settings[name] = value;
  }
  know(text) {
    this.known.add(text);
  }
  lacks(name, value, reason) {
    const [why, instead] = REASONS[reason] ?? [reason, "docs/parameters.md"];
    if (!isEmpty(value) && value !== false && value !== "")
      this.lines.push(`${name} ${short(value)}: ${why}; instead: ${instead}`);
  }
  setting(name, value, { table = {} }, from) {
    const [becomes, usual] = table[name] ?? ["unknown"];
    if (isEmpty(value) || value === "" || JSON.stringify(value) === usual) return;
    if (FUNCTIONS[from]?.[name]) FUNCTIONS[from][name](value, this);
    else if (becomes === "same") this.set(name, value);
    else if (becomes === "query") this.params.set(name, value);
    else if (becomes !== "fine") this.lacks(name, value, becomes);
  }
  /** Searched attributes. Where their order is a rank, the first weighs 2, as a title does by default. */
  search(names, ranked) {
    const plain = names.flatMap((name) => name.replace(/^(?:un)?ordered\((.*)\)$/, "$1").split(/\s*,\s*/));
    const first = ranked ? plain[0] : plain.find((name) => /^(product_?)?(title|name)$/i.test(name));
    const weighed = plain.map((name) => (name === first ? { attribute: name, weight: 2 } : name));
    this.set("searchableAttributes", weighed);
    if (ranked && plain.length > 1)
      this.know(`the order of searchableAttributes says nothing here: ${first} weighs 2, the others 1`);
  }
  facets(names) {
    this.declared.push(...names.filter((name) => !name.startsWith("_geo")));
  }
  languages(tags) {
    const [first, ...others] = new Set(tags.map((tag) => Intl.getCanonicalLocales(tag)[0]));
    if (first !== undefined) this.settings.language ??= first;
    if (others.length > 0) this.know(`the language is ${first}; for ${others.join(", ")} see docs/languages.md`);
  }
  place(name) {
    if (this.placeName !== undefined) return this.lacks(`place ${name}`, "geopoint", "places");
    this.placeName = name;
    this.know(`the places of ${name} are in _geoloc`);
  }
  vector(own, name, value) {
    this.dropped.push(name);
    this.lacks(own, value, "vectors");
  }
  synonym(one) {
    this.settings.synonyms ??= [];
    this.settings.synonyms.push(one);
  }
  rule(rule) {
    const { id, consequence, ...others } = filled(rule);
    if (others.enabled) delete others.enabled;
    if (others.stop === false) delete others.stop;
    if (consequence === undefined) return this.lacks(`rule ${id}`, others.conditions ?? "always", "idle");
    this.settings.rules ??= [];
    this.settings.rules.push({ id, ...others, consequence });
  }
  /** What a record becomes, whichever service it came from. */
  record(given, { numbers, dates }) {
    const { [this.placeName ?? "_geoloc"]: place, ...record } = given;
    if (given._vectors) this.know("_vectors are left out; to keep them, see vectorAttribute and dimensions");
    if (place) record._geoloc = place;
    if (record._geoloc) record._geoloc = placeOf(record._geoloc);
    for (const name of this.dropped) delete record[name];
    for (const name of numbers)
      if (/\d/.test(record[name]) && !Number.isNaN(+record[name])) record[name] = +record[name];
    for (const name of dates) if (typeof record[name] === "number") record[name] = isoOf(record[name]);
    return record;
  }
  /** What may be filtered, and what looks like a time, by the attributes that all records have. */
  finish(attributes, from) {
    const matches = (pattern, name) => new RegExp(`^${pattern.replaceAll("*", ".*")}(\\.|$)`).test(name);
    const names = nameOf(attributes).filter((name) => !name.startsWith("_geo"));
    const given = this.declared.flatMap((one) =>
      one.includes("*") ? names.filter((name) => matches(one, name)) : one,
    );
    const bare = given.map((one) => one.replace(/^filterOnly\((.*)\)$/, "$1"));
    const numbers = attributes.filter(
      ({ kind, attribute }) =>
        /number|mixed/.test(kind) && names.includes(attribute) && attribute !== this.settings.idAttribute,
    );
    const isNew = ({ attribute }) => from === "algolia" && !bare.some((one) => matches(one, attribute));
    const added = given.length > 0 ? nameOf(numbers.filter(isNew)) : [];
    this.set("attributesForFaceting", [...new Set([...given, ...added.map((name) => `filterOnly(${name})`)])]);
    if (added.length > 0) this.know(`filters on numbers need a declaration here: filterOnly for ${added.join(", ")}`);
    const times = nameOf(numbers).filter((name) => /date|time|_at$|At$|_ts$/.test(name));
    const mixed = nameOf(numbers.filter(({ kind }) => kind === "mixed"));
    if (times.length > 0) this.know(`numbers of seconds or milliseconds? --dates ${times.join()} makes dates of them`);
    if (mixed.length > 0)
      this.know(`numbers and texts in one attribute? --numbers ${mixed.join()} makes numbers of them`);
  }
}

const isEmpty = (value) =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isoOf = (time) => new Date(time < 1e11 ? time * 1000 : time).toISOString().replace(".000Z", "Z");
const periodOf = (from, until) => (from || until) && { from: isoOf(from ?? 0), until: isoOf(until || 4102444800) };
const nameOf = (list) => list.map(({ name, attribute = name }) => attribute);
const short = (value) => JSON.stringify(value).replace(/^(.{59}).{2,}$/, "$1…");

/** Lines of cells, by each of the names in the first. */
function table(text) {
  const rows = text.match(/\S.*/g).map((line) => line.split("|").map((cell) => cell.trim()));
  return Object.fromEntries(rows.flatMap(([names, ...cells]) => names.split(" ").map((name) => [name, cells])));
}

/** Without what is absent or empty, at any depth. */
function filled(value) {
  if (Array.isArray(value)) return value.map(filled).filter((one) => !isEmpty(one));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, of]) => [name, filled(of)]);
  return Object.fromEntries(entries.filter(([, of]) => !isEmpty(of)));
}

function placeOf(value) {
  if (Array.isArray(value)) return typeof value[0] === "number" ? { lat: value[0], lng: value[1] } : value.map(placeOf);
  return isObject(value) ? { lat: Number(value.lat), lng: Number(value.lng ?? value.lon) } : value;
}

/** The list in what a service answered or exported. */
function listOf(value) {
  const names = ["hits", "results", "overrides", "synonym_sets", "curation_sets", "synonyms", "rules", "items"];
  const isList = (name) => Array.isArray(value[name]) && value[name].every(isObject);
  return value[names.find(isList)] ?? [value].flat();
}

/** The same where the lists may be in sets. */
const listOfSets = (value) => listOf(value).flatMap((one) => one.items ?? one);

/** A file of JSON, or of JSON Lines as a list. */
function readJson(file) {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.trim().split("\n");
    if (lines.length === 1 || !/^\s*\{.*\}\s*$/.test(lines[0]))
      throw new Refused(`${file} is neither JSON nor JSON Lines`);
    return lines.map((line) => JSON.parse(line));
  }
}

/** The records of a list or a file, each with its place. JSON Lines are read as they come, other JSON whole. */
async function* readRecords(source, to) {
  let number = 0;
  let isWhole = typeof source !== "string";
  for await (const line of isWhole ? [] : createInterface({ input: createReadStream(source) })) {
    number++;
    const [record, wrong] = parsed(line);
    isWhole = number === 1 && (!isObject(record) || isObject(record.results?.[0]) || isObject(record.hits?.[0]));
    if (isWhole) break;
    if (line !== "") yield { place: `line ${number}`, record, wrong };
  }
  if (!isWhole) return;
  const whole = typeof source === "string" ? readJson(source) : source;
  const list = listOf(whole);
  if (whole.total > list.length) to.know(`the file is one page: ${list.length} of ${whole.total} documents`);
  for (const [at, record] of list.entries()) yield { place: `record ${at + 1}`, record };
}

function parsed(line) {
  try {
    return [JSON.parse(line.replace(/^\uFEFF/, ""))];
  } catch {
    return [undefined, "no JSON"];
  }
}

/** Leaves out what the engine refuses of the settings, with a line for each thing. */
async function settle(to) {
  const { settings } = to;
  const engine = () => new SearchEngine({ embedder: false, onWarning() {} });
  const trial = () =>
    engine()
      .createIndex("trial", settings)
      .then(
        () => {},
        (error) => error,
      );
  for (let error = await trial(); error !== undefined; error = await trial()) {
    const { param = "", msg = error.message } = error.details?.complaints?.at(-1) ?? error;
    const [, name, at] = /^(\w+)(?:\[(\d+)\])?/.exec(param) ?? [];
    if (settings[name] === undefined) throw error;
    const [value] = at === undefined ? [settings[name]] : settings[name].splice(at, 1);
    if (at === undefined || settings[name].length === 0) delete settings[name];
    const own = at === undefined ? name : `${name.slice(0, -1)} ${value.id ?? at}`;
    to.lines.push(`${own}: ${msg.replace(/\.$/, "")}; instead: docs/parameters.md`);
  }
}

async function addAll(index, rows, become) {
  const told = { read: 0, written: 0, refused: [] };
  let batch = [];
  const flush = async () => {
    const records = batch.map(({ record }) => become(record));
    const { added, skipped } = await index.addRecords(records, { onInvalid: "skip" });
    told.written += added;
    for (const { index: at, msg } of skipped)
      told.refused.push(`${batch[at].place}: ${msg.replace(/^records\[\d+\] /, "")}`);
    batch = [];
  };
  for await (const row of rows) {
    told.read++;
    if (isObject(row.record)) batch.push(row);
    else told.refused.push(`${row.place}: ${row.wrong ?? "is no object"}`);
    if (batch.length === 10_000) await flush();
  }
  await flush();
  return told;
}

function report({ settings, params, lines, known }, { data, index }, { read, written, refused }, warnings, print) {
  const block = (title, texts) => texts.length > 0 && print(`${title}\n${texts.map((text) => `  ${text}\n`).join("")}`);
  const rest = refused.length > 20 ? [`and ${refused.length - 20} more`] : [];
  const counted = ([name, value]) => (Array.isArray(value) ? `${name} (${value.length})` : name);
  const inFull = ([name, value]) => `${name}: ${JSON.stringify(value)}`;
  block("Settings here:", Object.entries(settings).map(counted));
  block("To pass with each query:", Array.from(params, inFull));
  block("Good to know:", [...known]);
  block("Without a counterpart:", lines);
  block("Refused records:", [...refused.slice(0, 20), ...rest]);
  block("The engine warns:", warnings);
  print(`${data === undefined ? "Tried, nothing kept" : `Index ${index} of ${data}`}: ${written} of ${read} records.`);
  if (data === undefined) print(`\n${JSON.stringify(settings, null, 2)}`);
}

/** Does what the arguments say, prints the report, and returns the exit code. */
export async function move(args, print = console.log) {
  let engine;
  try {
    const flags = { index: "products", ...parseArgs({ args, options: OPTIONS }).values };
    for (const name of ["numbers", "dates"]) flags[name] = flags[name]?.split(",") ?? [];
    const { from, index, data } = flags;
    const service = SERVICES[from];
    if (flags.help || service === undefined) {
      print(HELP);
      return flags.help ? 0 : 2;
    }
    const to = new Move(from);
    const parts = flags.export === undefined ? {} : service.open(flags.export, flags, to);
    const settings = [flags.settings === undefined ? parts.settings : readJson(flags.settings)].flat()[0] ?? {};
    if (isObject(settings.settings)) Object.assign(parts, settings); // the exported configuration of an index of Algolia
    for (const [name, value] of Object.entries(settings.settings ?? settings)) to.setting(name, value, service, from);
    for (const name of ["synonyms", "rules"]) {
      const value = flags[name] === undefined ? parts[name] : readJson(flags[name]);
      if (!isEmpty(value)) service[name]?.(value, to);
    }
    const rows = () => readRecords(flags.records ?? parts.records ?? [], to);
    const first = await rows().next();
    const id = flags.id ?? parts.id ?? service.id?.(first.value?.record) ?? "id";
    to.set("idAttribute", id === "id" ? undefined : id);
    to.set("language", flags.language);
    await settle(to);

    const warnings = [];
    const options = { onWarning: (warning) => warnings.push(warning.message) };
    if (data === undefined) engine = new SearchEngine({ ...options, embedder: false });
    else engine = await SearchEngine.open({ ...options, dataDir: data });
    const names = nameOf(await engine.listIndexes());
    if (names.includes(index) && !flags.replace)
      throw new Refused(`index ${index} exists: --replace, or another --index`);
    const making = `${index}.moving`;
    if (names.includes(making)) await engine.deleteIndex(making);
    const handle = await engine.createIndex(making, to.settings);
    const told = await addAll(handle, rows(), (record) => to.record(record, flags));
    to.finish(await handle.getAttributes(), from);
    await handle.updateSettings(to.settings);
    await engine.moveIndex(making, index);
    if (flags.out !== undefined) writeFileSync(flags.out, `${JSON.stringify(to.settings, null, 2)}\n`);
    report(to, flags, told, warnings, print);
    return 0;
  } catch (error) {
    if (!(error instanceof Refused) && error.code === undefined) throw error;
    print(error.message);
    return String(error.code).startsWith("ERR_PARSE_ARGS") ? 2 : 1;
  } finally {
    await engine?.close();
  }
}

if (process.argv[1]?.endsWith("move.mjs")) process.exitCode = await move(process.argv.slice(2));
