// Moves an index of Algolia, Meilisearch, Typesense, MiniSearch or Orama to an index of this library: reads the files that they export,
// translates settings, synonyms, rules and records, and prints a line for each thing that has no counterpart. See docs/coming-from.md.

import { createReadStream, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { quoteFilterValue, SearchEngine } from "tandem-search";

const HELP = `node move.mjs --from SERVICE FILES [--data FOLDER --index NAME]

Without --data everything is read, translated and tried in memory: you see the report and the settings, and nothing is kept.

  --from SERVICE     algolia, meilisearch, typesense, minisearch or orama
  --records FILE     records: JSON Lines, a JSON array, or an answer with a list of them
  --settings FILE    settings of Algolia (or its exported configuration) or Meilisearch, the schema of a collection of Typesense
  --synonyms FILE    synonyms of Algolia or Typesense
  --rules FILE       rules of Algolia, overrides or curation sets of Typesense, dynamic search rules of Meilisearch
  --export FILE      a whole index in one file: JSON.stringify(miniSearch), save() of Orama, a dump of Meilisearch
  --source NAME      which index of a dump
  --id NAME          the attribute that holds the ids
  --language TAG     the language of the texts, such as de
  --numbers A,B      attributes whose texts become numbers: "19.99" is 19.99
  --dates A,B        attributes whose seconds or milliseconds since 1970 become dates
  --data FOLDER      where the index is kept: a folder for SearchEngine.open({ dataDir })
  --index NAME       its name there (products)
  --replace          replaces an index of that name, once everything is in the new one
  --out FILE         writes the settings as JSON`;

const TEXT = { type: "string" };
const OPTIONS = Object.fromEntries(
  "from records settings synonyms rules export source id language numbers dates data index out"
    .split(" ")
    .map((name) => [name, TEXT]),
);
Object.assign(OPTIONS, { replace: { type: "boolean" }, help: { type: "boolean" } });

// What a table says of a name: what becomes of its value. `to` is the move.
const same = (value, to, name) => to.set(name, value);
const named = (own) => (value, to) => to.set(own, value);
const ofEachQuery = (value, to, name) => void (to.params[name] = value);
const fine = () => {};
const lacks = (why, instead) => (value, to, name) => to.lacks(name, value, why, instead);
/** Says nothing of a value that the service itself has by default. */
const unless = (usual, entry) => (value, to, name) => same_(value, usual) || entry(value, to, name);
const same_ = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const letters = lacks("letters and signs are compared in one way", "write what people type as synonyms");
const typoSizes = lacks(
  "one error from 4 letters, two from 8, is fixed",
  "disableTypoToleranceOnWords for words that are mended wrongly",
);
const oneScore = "hits have one score, and no list of criteria";

const ALGOLIA = {
  searchableAttributes: (value, to) => to.search(value, true),
  attributesToIndex: (value, to) => to.search(value, true),
  attributesForFaceting: (value, to) =>
    to.facets(value.map((name) => name.replace(/^(searchable|afterDistinct)\((.*)\)$/, "$2"))),
  numericAttributesForFiltering: fine,
  customRanking: same,
  ranking: (value, to, name) => {
    const orders = value.filter((one) => /^(asc|desc)\(/.test(one));
    if (orders.length > 0)
      to.lacks(name, orders, oneScore, `the parameter sort: ${JSON.stringify(orders.map(toSort))}`);
    else if (!same_(value, "typo geo words filters proximity attribute exact custom".split(" ")))
      to.lacks(name, value, oneScore, "weights in searchableAttributes, boosts");
  },
  replicas: lacks("an order is no index of its own", "the parameter sort"),
  attributeForDistinct: same,
  distinct: (value, to, name) => {
    to.set("distinct", value !== false && value !== 0);
    if (value > 1) to.lacks(name, value, "a group shows one hit", "a list of variants in one record");
  },
  indexLanguages: (value, to) => to.languages(value),
  queryLanguages: (value, to) => to.languages(value),
  ignorePlurals: fine,
  removeStopWords: fine,
  decompoundedAttributes: fine,
  decompoundQuery: fine,
  typoTolerance: (value, to, name) => {
    to.set(name, ![false, "false"].includes(value));
    if (value === "min" || value === "strict") to.lacks(name, value, "is true or false", 'matching: "all"');
  },
  minWordSizefor1Typo: unless(4, typoSizes),
  minWordSizefor2Typos: unless(8, typoSizes),
  allowTyposOnNumericTokens: fine,
  disableTypoToleranceOnWords: same,
  disableTypoToleranceOnAttributes: same,
  queryType: unless("prefixLast", same),
  optionalWords: (value, to, name) => to.set(name, typeof value === "string" ? value.split(/\s+/) : value),
  removeWordsIfNoResults: unless("none", fine),
  relevancyStrictness: unless(
    100,
    lacks("it is for orders by sort, as in a virtual replica", "the parameter relevancyStrictness"),
  ),
  ...byName(
    "advancedSyntax attributesToRetrieve attributesToHighlight attributesToSnippet highlightPreTag highlightPostTag",
    ofEachQuery,
  ),
  ...byName("snippetEllipsisText hitsPerPage enableRules", ofEachQuery),
  maxValuesPerFacet: unless(100, ofEachQuery),
  sortFacetValuesBy: unless("count", lacks("is said for each facet", 'facets: [{ attribute, sort: "alpha" }]')),
  unretrievableAttributes: lacks(
    "no attribute of a record is secret",
    "leave it out of the records, or of attributesToRetrieve on your server",
  ),
  renderingContent: lacks("nothing is said about the page", "userData of a rule"),
  userData: lacks("settings keep no data of yours", "a file of yours, or userData of a rule"),
  ...byName(
    "customNormalization keepDiacriticsOnCharacters separatorsToIndex camelCaseAttributes attributesToTransliterate",
    letters,
  ),
  disablePrefixOnAttributes: lacks("words are completed in all fields or none", 'queryType: "prefixNone"'),
  ...byName(
    "enablePersonalization enableReRanking reRankingApplyFilter",
    lacks("nothing is learned from visitors", "boosts by your own figures"),
  ),
  ...byName("mode semanticSearch", fine), // meaning counts by default
  ...byName(
    "version primary paginationLimitedTo maxFacetHits responseFields restrictHighlightAndSnippetArrays minProximity",
    fine,
  ),
  ...byName(
    "replaceSynonymsInHighlight allowCompressionOfIntegerArray advancedSyntaxFeatures alternativesAsExact synonyms",
    fine,
  ),
  ...byName(
    "exactOnSingleWordQuery disableExactOnAttributes attributeCriteriaComputedByMinProximity attributeCriteriaComputedBy",
    fine,
  ),
};

const RULE_PARAMS = new Set(
  `filters facetFilters numericFilters optionalFilters hitsPerPage page offset length distinct attributesToRetrieve attributesToHighlight
   attributesToSnippet restrictSearchableAttributes typoTolerance queryType optionalWords advancedSyntax aroundLatLng aroundRadius
   insideBoundingBox facets maxValuesPerFacet relevancyStrictness query`.split(/\s+/),
);

function algoliaSynonyms(value, to) {
  for (const { objectID, type = "synonym", synonyms, input, word, corrections, placeholder, replacements } of listOf(
    value,
  )) {
    const kind = type.toLowerCase();
    if (kind === "synonym") to.synonym({ type: "synonym", synonyms });
    else if (kind === "onewaysynonym") to.synonym({ type: "oneWaySynonym", input, synonyms });
    else if (kind.startsWith("altcorrection")) {
      to.synonym({ type: "oneWaySynonym", input: word, synonyms: corrections });
      to.know(`synonym ${objectID}, ${type} of ${word}, became a oneWaySynonym`);
    } else
      to.lacks(
        `synonym ${objectID}`,
        { placeholder, replacements },
        "records have no placeholders",
        "one synonym for each replacement",
      );
  }
}

function algoliaRules(value, to) {
  for (const rule of listOf(value)) {
    const own = `rule ${rule.objectID}`;
    const { params = {}, promote, hide, redirect, userData, filterPromotes } = rule.consequence ?? {};
    const conditions = [rule.conditions ?? rule.condition ?? []]
      .flat()
      .map(({ pattern, anchoring, context, filters }) => ({
        ...(pattern !== undefined && { pattern, anchoring: anchoring ?? "is" }),
        ...(context && { context }),
        ...(filters && { filters }),
      }));
    const placeholder = conditions.find(({ pattern }) => /\{facet:/.test(pattern));
    if (placeholder !== undefined) {
      to.lacks(
        own,
        placeholder.pattern,
        "patterns are words",
        "understand: true, which finds values of facets in a query",
      );
      continue;
    }
    if (redirect !== undefined)
      to.lacks(`${own}, redirect`, redirect, "no rule asks another index", "userData, and your page goes there");
    const kept = {};
    for (const [name, of] of Object.entries(params)) {
      if (/analytics|percentile|ABTest|getRankingInfo|userToken/i.test(name)) continue;
      if (!RULE_PARAMS.has(name))
        to.lacks(
          `${own}, ${name}`,
          of,
          "is no parameter here",
          name === "renderingContent" ? "userData" : "filters, optionalFilters",
        );
      else if (name === "page") kept.page = of + 1;
      else if (name === "query") kept.query = queryChange(of);
      else kept[name] = /^(facet|numeric|optional)Filters$/.test(name) ? [of].flat(1) : of;
    }
    if (promote?.length > 0 && filterPromotes !== true)
      to.know("promoted records must pass the filters of a query, as filterPromotes: true says", "");
    to.rule({
      id: rule.objectID,
      conditions: conditions.filter((one) => Object.keys(one).length > 0),
      consequence: {
        promote: promote?.map(({ objectID, objectIDs, position }) =>
          objectIDs ? { ids: objectIDs, position } : { id: objectID, position },
        ),
        hide: hide?.map((one) => one.objectID),
        params: kept,
        userData,
      },
      validity: rule.validity?.map(({ from, until }) => ({
        ...(from && { from: isoOf(from) }),
        ...(until && { until: isoOf(until) }),
      })),
      enabled: rule.enabled === false ? false : undefined,
    });
  }
}

function queryChange(change) {
  if (typeof change === "string") return change;
  const edits = (change.edits ?? []).map((edit) => ({
    delete: edit.delete,
    ...(edit.insert && { insert: edit.insert }),
  }));
  return { edits: [...(change.remove ?? []).map((word) => ({ delete: word })), ...edits] };
}

const RANKING_RULES = /^(words|typo|proximity|attribute|attributeRank|wordPosition|sort|exactness)$/;

const MEILISEARCH = {
  searchableAttributes: unless(["*"], (value, to) => to.search(value, true)),
  displayedAttributes: unless(["*"], (value, to) => void (to.params.attributesToRetrieve = value)),
  filterableAttributes: (value, to) => to.facets(value.flatMap((one) => one.attributePatterns ?? one)),
  sortableAttributes: (value, to) => to.facets(value),
  rankingRules: (value, to, name) => {
    const own = value
      .filter((rule) => !RANKING_RULES.test(rule))
      .map((rule) => rule.replace(/^(.*):(asc|desc)$/, "$2($1)"));
    if (own.length > 0) to.set("customRanking", own);
    if (own.length > 0 && !RANKING_RULES.test(value[0]))
      to.lacks(name, value[0], `${oneScore}; customRanking orders equal scores`, "the parameter sort, or boosts");
  },
  stopWords: same,
  synonyms: (value, to) => meilisearchSynonyms(value, to),
  distinctAttribute: (value, to) => to.set("attributeForDistinct", value) ?? to.set("distinct", true),
  typoTolerance: (value, to) => {
    if (value.enabled === false) to.set("typoTolerance", false);
    to.set("disableTypoToleranceOnWords", value.disableOnWords);
    to.set("disableTypoToleranceOnAttributes", value.disableOnAttributes);
    const { oneTypo = 5, twoTypos = 9 } = value.minWordSizeForTypos ?? {};
    if (oneTypo !== 5 || twoTypos !== 9) typoSizes({ oneTypo, twoTypos }, to, "typoTolerance.minWordSizeForTypos");
  },
  faceting: ({ maxValuesPerFacet = 100, sortFacetValuesBy = {} }, to) => {
    if (maxValuesPerFacet !== 100) to.params.maxValuesPerFacet = maxValuesPerFacet;
    const names = Object.keys(sortFacetValuesBy).filter((name) => name !== "*" && sortFacetValuesBy[name] === "alpha");
    to.lacks("faceting.sortFacetValuesBy", names, "is said for each facet", 'facets: [{ attribute, sort: "alpha" }]');
  },
  pagination: fine,
  proximityPrecision: fine,
  facetSearch: fine,
  prefixSearch: unless("indexingTime", (_, to) => to.set("queryType", "prefixNone")),
  ...byName("separatorTokens nonSeparatorTokens dictionary", letters),
  searchCutoffMs: lacks("no query ends by itself", "{ signal: AbortSignal.timeout(ms) }"),
  embedders: (value, to) => {
    for (const [name, embedder] of Object.entries(value))
      to.lacks(
        `embedder ${name}`,
        embedder.source,
        "static-en reads the texts instead, and needs no service",
        "an embedder of yours, docs/embedders.md",
      );
  },
  localizedAttributes: (value, to) => to.languages(value.flatMap((one) => one.locales)),
  foreignKeys: lacks("records know no other index", "what belongs to a record within the record"),
  chat: lacks("answers are hits", "a model of yours, which asks query"),
};

function meilisearchSynonyms(map, to) {
  const groups = new Set();
  for (const [word, others] of Object.entries(map)) {
    const all = [word, ...others].sort();
    if (!others.every((other) => same_([other, ...(map[other] ?? [])].sort(), all)))
      to.synonym({ type: "oneWaySynonym", input: word, synonyms: others });
    else if (!groups.has(all.join("\n"))) groups.add(all.join("\n")) && to.synonym({ type: "synonym", synonyms: all });
  }
}

function meilisearchRules(value, to) {
  for (const { uid, active, conditions = {}, actions = [] } of listOf(value)) {
    const list = Array.isArray(conditions)
      ? conditions
      : [{ ...conditions.query, ...conditions.time, ...conditions.filter }];
    const all = Object.assign({}, ...list); // conditions hold together
    const words = all.contains ?? all.words;
    const filters = Object.entries(all.values ?? {}).map(([name, of]) => `${name}:${quoteFilterValue(of)}`);
    const pins = actions.filter(({ action }) => action.type === "pin");
    for (const { action } of actions.filter((one) => !pins.includes(one)))
      to.lacks(
        `rule ${uid}, ${action.type}`,
        action,
        "is not translated",
        "hide, or params.boosts, of a rule: docs/rules.md",
      );
    const condition = {
      ...(all.isEmpty && { pattern: "" }),
      ...(words && { pattern: words, anchoring: "contains" }),
      ...(filters.length > 0 && { filters: filters.join(" AND ") }),
    };
    to.rule({
      id: uid,
      conditions: Object.keys(condition).length > 0 ? [condition] : [],
      consequence: { promote: pins.map(({ selector, action }) => ({ id: selector.id, position: action.position })) },
      validity:
        all.start || all.end
          ? [{ ...(all.start && { from: all.start }), ...(all.end && { until: all.end }) }]
          : undefined,
      enabled: active === false ? false : undefined,
    });
  }
}

const TYPESENSE = {
  name: fine,
  fields: (fields, to) => {
    const texts = fields.filter(({ type }) => /^string(\[\]|\*)?$/.test(type) && true);
    const isOff = ({ index }) => index === false;
    if (texts.some(isOff))
      to.search(
        texts.filter((field) => !isOff(field)).map(({ name }) => name),
        false,
      );
    const facets = fields.filter(({ facet }) => facet).map(({ name }) => name);
    const others = fields.filter(
      (one) =>
        !one.facet &&
        !one.num_dim &&
        !isOff(one) &&
        (/^(int|float|bool)/.test(one.type) || (one.sort && texts.includes(one))),
    );
    to.facets([...facets, ...others.map(({ name }) => `filterOnly(${name})`)]);
    const unfiltered = texts.filter((one) => !one.facet && !one.sort && !isOff(one)).map(({ name }) => name);
    if (unfiltered.length > 0)
      to.know(`filters take ${unfiltered.join(", ")} only when attributesForFaceting names them`);
    to.languages(fields.map(({ locale }) => locale).filter(Boolean));
    for (const field of fields) typesenseField(field, to, `field ${field.name}`);
  },
  default_sorting_field: (value, to) => to.set("customRanking", [`desc(${value})`]),
  ...byName("symbols_to_index token_separators", letters),
  synonym_sets: (value, to) => to.know(`synonyms are in sets of their own (${value}): pass them as --synonyms`),
  curation_sets: (value, to) => to.know(`curations are in sets of their own (${value}): pass them as --rules`),
  metadata: lacks("settings keep no data of yours", "a file of yours, or userData of a rule"),
  voice_query_model: lacks("queries are texts", "speech to text in front"),
  ...byName("enable_nested_fields created_at num_documents num_memory_shards", fine),
};

function typesenseField(
  { name, type, num_dim, embed, reference, infix, store, symbols_to_index, token_separators },
  to,
  own,
) {
  if (/^geopoint/.test(type)) to.place(name);
  if (type === "geopolygon") to.lacks(own, type, "places are points", "_geoloc, or insideBoundingBox");
  if (type === "image") to.lacks(own, type, "no pictures are read", "an embedder of yours, docs/embedders.md");
  if (num_dim || embed) {
    to.drop.add(name);
    to.lacks(
      own,
      embed?.model_config?.model_name ?? `${num_dim} numbers`,
      "static-en reads the texts instead; these vectors are left out",
      "vectorAttribute and dimensions, or an embedder of yours",
    );
  }
  to.lacks(own, reference, "records know no other index", "what belongs to a record within the record");
  if (infix)
    to.lacks(
      own,
      { infix },
      "words are found from their beginning, codes by their parts",
      "identifierAttributes for codes",
    );
  if (store === false) to.lacks(own, { store }, "the export lacks it", "records of your own source");
  letters([...(symbols_to_index ?? []), ...(token_separators ?? [])], to, own);
}

function typesenseSynonyms(value, to) {
  for (const { root, synonyms } of listOf(value))
    to.synonym(root ? { type: "oneWaySynonym", input: root, synonyms } : { type: "synonym", synonyms });
}

function typesenseRules(value, to) {
  for (const rule of listOf(value)) {
    const own = `rule ${rule.id}`;
    const { query, match, filter_by, tags } = rule.rule ?? {};
    const filters = [filter_by, rule.filter_by].map((text) => (text ? typesenseFilter(text) : undefined));
    if (/\{[\w.]+\}/.test(`${query} ${rule.filter_by}`)) {
      to.lacks(own, query, "patterns are words", "understand: true, which finds values of facets in a query");
      continue;
    }
    if ((filter_by && !filters[0]) || (rule.filter_by && !filters[1])) {
      to.lacks(own, filter_by ?? rule.filter_by, "this filter is not translated", "write it by docs/filters.md");
      continue;
    }
    const base = {
      ...(query && { pattern: query === "*" ? "" : query, anchoring: match === "contains" ? "contains" : "is" }),
      ...(filters[0] && { filters: filters[0] }),
    };
    const removes = (rule.remove_matched_tokens ?? Boolean(rule.filter_by)) && query && query !== "*";
    to.rule({
      id: rule.id,
      conditions: tags ? tags.map((context) => ({ ...base, context })) : Object.keys(base).length > 0 ? [base] : [],
      consequence: {
        promote: rule.includes?.map(({ id, position }) => ({ id, position: position - 1 })),
        hide: rule.excludes?.map(({ id }) => id),
        params: {
          ...(filters[1] && { filters: filters[1] }),
          ...(rule.sort_by && {
            sort: rule.sort_by.split(",").map((one) => one.trim().replace(/^_text_match.*:/, "_score:")),
          }),
          ...(rule.replace_query
            ? { query: rule.replace_query }
            : removes && { query: { remove: query.split(/\s+/) } }),
        },
        userData: rule.metadata,
      },
      validity:
        rule.effective_from_ts || rule.effective_to_ts
          ? [
              {
                ...(rule.effective_from_ts && { from: isoOf(rule.effective_from_ts) }),
                ...(rule.effective_to_ts && { until: isoOf(rule.effective_to_ts) }),
              },
            ]
          : undefined,
      stop: rule.stop_processing === false ? undefined : true,
    });
  }
}

/** `brand:=Forge && price:<100` as a filter here; undefined where a part is a join, a place or the beginning of a word. */
function typesenseFilter(text) {
  const part = /^\s*(&&|\|\||[()]|([\w.]+)\s*:\s*(!=|=|!|<=|>=|<|>)?\s*(\[[^\]]*\]|`[^`]*`|[^&|()[\]`]+))/;
  const words = { "&&": " AND ", "||": " OR ", "(": "(", ")": ")" };
  let out = "";
  for (let left = text; left.trim() !== ""; ) {
    const [whole, sign, name, operator = "", value = ""] = part.exec(left) ?? [];
    if (whole === undefined || /\*\s*$/.test(value)) return undefined;
    left = left.slice(whole.length);
    if (name === undefined) out += words[sign];
    else {
      const items = value.startsWith("[") ? value.slice(1, -1).match(/`[^`]*`|[^,`]+/g) : [value];
      const tests = items
        .map((item) => item.trim())
        .filter(Boolean)
        .map((item) => {
          const [, low, high] = /^(-?[\d.]*\d)\.\.(-?[\d.]+)$/.exec(item) ?? [];
          const plain = item.replace(/^`(.*)`$/, "$1");
          if (low !== undefined) return `${name}:${low} TO ${high}`;
          if (/^[<>]/.test(operator + item)) return `${name} ${/^[<>]/.test(item) ? item : `${operator} ${item}`}`;
          return `${name}:${/^[\w.-]+$/.test(plain) ? plain : quoteFilterValue(plain)}`;
        });
      const any = tests.length > 1 ? `(${tests.join(" OR ")})` : tests[0];
      out += operator.startsWith("!") ? `NOT ${any}` : any;
    }
  }
  return out.trim();
}

function miniSearchExport(whole, to, flags) {
  if (whole.documentIds === undefined || whole.fieldIds === undefined)
    throw new Refused("this is no JSON.stringify(miniSearch)");
  const fields = Object.keys(whole.fieldIds);
  const id = flags.id ?? "id";
  const records = Object.entries(whole.documentIds).map(([n, own]) => ({ [id]: own, ...whole.storedFields?.[n] }));
  const lost = fields.filter((field) => !records.some((record) => record[field] !== undefined));
  if (flags.records === undefined && lost.length === fields.length)
    throw new Refused("the index stores no text (storeFields): pass the documents as --records");
  if (flags.records === undefined)
    to.lacks(
      "fields",
      lost,
      "indexed, but not in storeFields, so the texts are not in the file",
      "--records with the documents",
    );
  to.search(fields, false);
  to.set("idAttribute", id === "id" ? undefined : id);
  to.know(
    "options are not in the file: boost becomes weights, fuzzy typoTolerance, prefix queryType, filter filters, boostDocument boosts",
  );
  return { records };
}

const LANGUAGES = Object.fromEntries(
  `arabic ar armenian hy bulgarian bg chinese zh czech cs danish da dutch nl english en finnish fi french fr german de greek el hungarian hu indian hi
   indonesian id irish ga italian it japanese ja lithuanian lt mandarin zh nepali ne norwegian nb portuguese pt romanian ro russian ru serbian sr
   slovenian sl spanish es swedish sv tamil ta turkish tr ukrainian uk`
    .match(/\w+ \w+/g)
    .map((pair) => pair.split(" ")),
);

function oramaExport(whole, to) {
  const { docs, index, internalDocumentIDStore, language, pinning } = whole;
  if (docs?.docs === undefined || index === undefined)
    throw new Refused('this is no JSON of save(): persist(db, "json") writes it, other forms do not');
  const schema = Object.entries(index.searchablePropertiesWithTypes ?? {});
  to.search(
    schema.filter(([, type]) => /^string/.test(type)).map(([name]) => name),
    false,
  );
  for (const [name, type] of schema) {
    if (type === "geopoint") to.place(name);
    if (!type.startsWith("vector")) continue;
    to.drop.add(name);
    to.lacks(
      `property ${name}`,
      type,
      "static-en reads the texts instead; these vectors are left out",
      "vectorAttribute and dimensions, or an embedder of yours",
    );
  }
  to.languages([LANGUAGES[language] ?? language].filter(Boolean));
  for (const [, { id, conditions, consequence }] of pinning?.rules ?? [])
    to.rule({
      id,
      conditions: conditions.map((one) => ({
        pattern: one.pattern,
        anchoring: one.anchoring.replace("starts_with", "startsWith"),
      })),
      consequence: { promote: consequence.promote.map(({ doc_id, position }) => ({ id: String(doc_id), position })) },
    });
  to.know(
    "tokenizer, plugins and hooks are not in the file; stems, stop words and typing errors are rules of the language here",
  );
  const ids = internalDocumentIDStore?.internalIdToId ?? [];
  return { records: Object.entries(docs.docs).map(([n, doc]) => ({ id: ids[n - 1], ...doc })) };
}

/** The files of one index in a dump, which is a gzipped tar. */
function meilisearchDump(file, flags) {
  const tar = gunzipSync(readFileSync(file));
  const indexes = {};
  const text = (from, length) => tar.toString("utf8", from, from + length).split("\0")[0];
  for (let at = 0, long; at + 512 <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const name =
      long ?? (text(at + 257, 6) === "ustar" && text(at + 345, 155) ? `${text(at + 345, 155)}/` : "") + text(at, 100);
    long = text(at + 156, 1) === "L" ? text(at + 512, size) : undefined;
    const [, index, part] = /(?:^|\/)indexes\/([^/]+)\/(settings|documents|metadata)\.jsonl?$/.exec(name) ?? [];
    if (index !== undefined) (indexes[index] ??= {})[part] = tar.toString("utf8", at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  const names = Object.keys(indexes);
  const own = indexes[flags.source ?? (names.length === 1 ? names[0] : "")];
  if (own === undefined)
    throw new Refused(`the dump has ${names.length} indexes: name one with --source: ${names.join(", ")}`);
  const lines = (own.documents ?? "").split("\n").filter((line) => line.trim() !== "");
  return {
    settings: JSON.parse(own.settings ?? "{}"),
    id: JSON.parse(own.metadata ?? "{}").primaryKey,
    records: lines.map((line) => JSON.parse(line)),
  };
}

const SERVICES = {
  algolia: {
    table: ALGOLIA,
    ...{
      synonyms: algoliaSynonyms,
      rules: algoliaRules,
      open: (whole) => whole,
      id: () => "objectID",
      declares: "texts",
    },
    record: ({ _highlightResult, _snippetResult, _rankingInfo, _distinctSeqID, ...record }) => record,
  },
  meilisearch: {
    table: MEILISEARCH,
    synonyms: meilisearchSynonyms,
    rules: meilisearchRules,
    id: idOf,
    record: meilisearchRecord,
    declares: "all",
  },
  typesense: {
    table: TYPESENSE,
    synonyms: typesenseSynonyms,
    rules: typesenseRules,
    open: (whole) => ({ settings: whole }),
    declares: "all",
  },
  minisearch: { table: {}, open: miniSearchExport },
  orama: { table: {}, open: oramaExport },
};

function meilisearchRecord({ _vectors, _geo, ...record }, to) {
  if (_vectors && Object.keys(_vectors).length > 0)
    to.know("_vectors are left out: static-en reads the texts. To keep them: vectorAttribute and dimensions");
  return { ...record, ...(_geo && { _geoloc: _geo }) };
}

function idOf(record = {}) {
  const names = Object.keys(record).filter((name) => /id$/i.test(name));
  if ("id" in record || names.length === 0) return "id";
  if (names.length > 1) throw new Refused(`name the primary key with --id: ${names.join(", ")}`);
  return names[0];
}

class Refused extends Error {}

/** What is being moved: settings as they are here, and what there is to say. */
class Move {
  settings = {};
  params = {};
  lines = [];
  known = new Set();
  declared = [];
  drop = new Set();
  kinds = new Map();
  set(name, value) {
    if (!isEmpty(value)) this.settings[name] = value;
  }
  lacks(name, value, why, instead) {
    if (!isEmpty(value) && value !== false) this.lines.push(`${name} ${short(value)}: ${why}. Instead: ${instead}`);
  }
  know(text) {
    this.known.add(text);
  }
  /** Names of searched attributes. Where their order is a rank, the first weighs twice as much, as a title does by default. */
  search(names, ranked) {
    const plain = names.flatMap((name) =>
      name
        .replace(/^(?:un)?ordered\((.*)\)$/, "$1")
        .split(",")
        .map((one) => one.trim()),
    );
    const first = ranked ? plain[0] : plain.find((name) => /^(product_?)?(title|name)$/i.test(name));
    this.set(
      "searchableAttributes",
      plain.map((name) => (name === first ? { attribute: name, weight: 2 } : name)),
    );
    if (ranked && plain.length > 1)
      this.know(`searchableAttributes: the order says nothing here; ${first} weighs 2, the others 1`);
  }
  facets(names) {
    this.declared.push(...names.filter((name) => !/^_geo/.test(name)));
  }
  languages(tags) {
    const [first, ...others] = new Set(tags.map((tag) => Intl.getCanonicalLocales(tag)[0]));
    if (first !== undefined) this.settings.language ??= first;
    if (others.length > 0)
      this.know(
        `language is ${first}; for ${others.join(", ")} give attributes a language of their own, docs/languages.md`,
      );
  }
  place(name) {
    if (this.placeName === undefined) this.know(`${name} is _geoloc here`);
    else
      this.lacks(
        `place ${name}`,
        "geopoint",
        `a record has one attribute of places, which is ${this.placeName}`,
        "a list of places in it",
      );
    this.placeName ??= name;
  }
  synonym(one) {
    (this.settings.synonyms ??= []).push(one);
  }
  rule({ consequence, ...rule }) {
    const filled = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
    const does = filled(consequence);
    if (Object.keys(does).length > 0) (this.settings.rules ??= []).push({ ...filled(rule), consequence: does });
    else this.lacks(`rule ${rule.id}`, rule.conditions, "nothing is left that it does", "see the lines about it");
  }
  /** What a record becomes, whichever service it came from. */
  record(given, service, flags) {
    const record = service.record === undefined ? { ...given } : service.record(given, this);
    for (const name of this.drop) delete record[name];
    if (this.placeName !== undefined && record[this.placeName] !== undefined) {
      record._geoloc = record[this.placeName];
      if (this.placeName !== "_geoloc") delete record[this.placeName];
    }
    if (record._geoloc) record._geoloc = placeOf(record._geoloc);
    for (const name of flags.numbers)
      if (typeof record[name] === "string" && record[name].trim() !== "" && Number.isFinite(Number(record[name])))
        record[name] = Number(record[name]);
    for (const name of flags.dates) if (typeof record[name] === "number") record[name] = isoOf(record[name]);
    return record;
  }
  /** Notes which attributes have numbers, and which of these look like times. */
  look(value, path = "") {
    if (Array.isArray(value)) for (const item of value) this.look(item, path);
    else if (value !== null && typeof value === "object")
      for (const name in value) this.look(value[name], path === "" ? name : `${path}.${name}`);
    else {
      const kind = this.kinds.get(path) ?? { numbers: 0, times: 0, others: 0 };
      if (typeof value !== "number") kind.others++;
      else
        kind[
          Number.isInteger(value) && ((value > 6e8 && value < 5e9) || (value > 6e11 && value < 5e12))
            ? "times"
            : "numbers"
        ]++;
      if (this.kinds.size < 10_000) this.kinds.set(path, kind);
    }
  }
  /** After all records were seen: what may be filtered, and what looks like a time. */
  finish(service) {
    const numeric = [...this.kinds]
      .filter(([name, { numbers, times, others }]) => numbers + times > others && !/^_geoloc\b/.test(name))
      .map(([name]) => name);
    const star = (pattern) =>
      new RegExp(`^${pattern.replace(/[.+?^$(){}|[\]\\]/g, "\\$&").replaceAll("*", ".*")}(\\.|$)`);
    const names = this.declared.flatMap((name) =>
      name.includes("*") ? [...this.kinds.keys()].filter((known) => star(name).test(known)) : name,
    );
    const added =
      service.declares === "texts"
        ? numeric.filter((name) => !names.some((one) => star(one.replace(/^filterOnly\((.*)\)$/, "$1")).test(name)))
        : [];
    if (names.length > 0)
      this.set("attributesForFaceting", [...new Set([...names, ...added.map((name) => `filterOnly(${name})`)])]);
    if (names.length > 0 && added.length > 0)
      this.know(`numbers need no declaration there, and here they do: filterOnly for ${added.join(", ")}`);
    const times = numeric.filter(
      (name) =>
        this.kinds.get(name).times > this.kinds.get(name).numbers &&
        /date|time|stamp|(_at|At|_ts)$|created|updated|publish|release/.test(name),
    );
    if (times.length > 0)
      this.know(
        `${times.join(", ")}: looks like seconds since 1970, and stays a number; --dates ${times.join(",")} makes dates`,
      );
  }
}

const isEmpty = (value) =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isoOf = (time) => new Date(time < 1e11 ? time * 1000 : time).toISOString().replace(".000Z", "Z");
const toSort = (order) => order.replace(/^(asc|desc)\((.*)\)$/, "$2:$1");

function byName(names, entry) {
  return Object.fromEntries(names.split(" ").map((name) => [name, entry]));
}

function short(value) {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function placeOf(value) {
  if (Array.isArray(value)) return typeof value[0] === "number" ? { lat: value[0], lng: value[1] } : value.map(placeOf);
  return isObject(value) ? { lat: Number(value.lat), lng: Number(value.lng ?? value.lon) } : value;
}

/** The list in what a service answered or exported; sets are joined. */
function listOf(value) {
  const keys = ["hits", "results", "overrides", "synonym_sets", "curation_sets", "synonyms", "rules", "items"];
  const key = isObject(value)
    ? keys.find((name) => Array.isArray(value[name]) && value[name].every(isObject))
    : undefined;
  const list = key === undefined ? [value].flat() : value[key];
  return list.flatMap((one) => (Array.isArray(one.items) && one.items.every(isObject) ? one.items : [one]));
}

/** A file of JSON, or of JSON Lines as a list. */
function readJson(file) {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    try {
      return lines.map((line) => JSON.parse(line));
    } catch {
      throw new Refused(`${basename(file)} is neither JSON nor JSON Lines: ${error.message}`);
    }
  }
}

/** The records of a file, each with its place: a line of JSON Lines, which are read as they come, or a place in a list. */
async function* readRecords(source, to) {
  let streams = false;
  if (typeof source === "string") {
    let number = 0;
    for await (const line of createInterface({
      input: createReadStream(source),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      number++;
      if (line.trim() === "") continue;
      let record;
      try {
        record = JSON.parse(line.replace(/^\uFEFF/, ""));
      } catch (error) {
        if (!streams) break; // no JSON Lines, but JSON over many lines
        yield { place: `line ${number}`, wrong: error.message };
        continue;
      }
      if (!streams && (!isObject(record) || Array.isArray(record.results) || Array.isArray(record.hits))) break;
      streams = true;
      yield { place: `line ${number}`, record };
    }
    if (streams) return;
  }
  const value = typeof source === "string" ? readJson(source) : source;
  const list = listOf(value);
  if (value.total > list.length)
    to.know(`${list.length} of ${value.total} documents: the file is one page, ask for limit=${value.total}`);
  for (const [at, record] of list.entries()) yield { place: `record ${at + 1}`, record };
}

/** Leaves out what the engine refuses of the settings, with a line for each thing. */
async function settle(to) {
  const { settings } = to;
  for (;;) {
    try {
      return void (await new SearchEngine({ embedder: false, onWarning: fine }).createIndex("trial", settings));
    } catch (error) {
      const wrong = new Map(
        (error.details?.complaints ?? [error]).map(({ param, msg }) => [/^\w+(\[\d+\])?/.exec(param ?? "")?.[0], msg]),
      );
      const places = [...wrong.keys()].map((key) => [key, ...(/^(\w+)(?:\[(\d+)\])?/.exec(key ?? "")?.slice(1) ?? [])]);
      if (places.some(([, name]) => settings[name] === undefined)) throw error;
      for (const [key, name, at] of places.sort((a, b) => Number(b[2] ?? 0) - Number(a[2] ?? 0))) {
        const [value] = at === undefined ? [settings[name]] : settings[name].splice(Number(at), 1);
        if (at === undefined) delete settings[name];
        to.lacks(
          at === undefined ? name : `${name.slice(0, -1)} ${value.id ?? at}`,
          value,
          wrong.get(key).replace(/[.;…]+$/, ""),
          "docs/parameters.md",
        );
      }
    }
  }
}

/** Does what the arguments say, prints the report, and returns the exit code. */
export async function move(args, print = console.log) {
  const to = new Move();
  let engine;
  try {
    const { values } = parseArgs({ args, options: OPTIONS });
    if (values.help) return print(HELP) ?? 0;
    const flags = {
      ...values,
      index: values.index ?? "products",
      numbers: values.numbers?.split(",") ?? [],
      dates: values.dates?.split(",") ?? [],
    };
    const service = SERVICES[flags.from];
    if (service === undefined) throw new TypeError(`--from is one of ${Object.keys(SERVICES).join(", ")}`);

    let parts = {};
    if (flags.export !== undefined)
      parts =
        flags.from === "meilisearch"
          ? meilisearchDump(flags.export, flags)
          : service.open(readJson(flags.export), to, flags);
    const given = flags.settings === undefined ? undefined : readJson(flags.settings);
    if (isObject(given?.settings))
      parts = { ...given, ...parts }; // an exported configuration of Algolia
    else if (given !== undefined) parts.settings = Array.isArray(given) ? given[0] : given;
    for (const name of ["synonyms", "rules"]) if (flags[name] !== undefined) parts[name] = readJson(flags[name]);
    const source = flags.records ?? parts.records;
    for (const [name, value] of Object.entries(parts.settings ?? {})) {
      const entry = service.table[name] ?? lacks("this program does not know it", "look in docs/parameters.md");
      if (!isEmpty(value)) entry(value, to, name);
    }
    for (const name of ["synonyms", "rules"]) if (!isEmpty(parts[name])) service[name]?.(parts[name], to);
    if (flags.language !== undefined) to.settings.language = flags.language;

    let first;
    for await (const { record } of source === undefined ? [] : readRecords(source, to)) {
      first ??= record;
      if (isObject(record)) to.look(to.record(record, service, flags));
    }
    const id = flags.id ?? parts.id ?? service.id?.(first) ?? "id";
    if (id !== "id") to.settings.idAttribute = id;
    to.finish(service);
    await settle(to);
    if (flags.out !== undefined) writeFileSync(flags.out, `${JSON.stringify(to.settings, null, 2)}\n`);

    const warnings = [];
    const options = { onWarning: ({ message }) => warnings.push(message) };
    engine =
      flags.data === undefined
        ? new SearchEngine({ ...options, embedder: false })
        : await SearchEngine.open({ ...options, dataDir: flags.data });
    const names = (await engine.listIndexes()).map(({ name }) => name);
    if (names.includes(flags.index) && !flags.replace)
      throw new Refused(`${flags.data} has an index ${flags.index}: pass --replace, or another --index`);
    const making = `${flags.index}.moving`;
    if (names.includes(making)) await engine.deleteIndex(making);
    const index = await engine.createIndex(making, to.settings);
    const told = await addAll(index, source === undefined ? [] : readRecords(source, to), (record) =>
      to.record(record, service, flags),
    );
    await engine.moveIndex(making, flags.index);
    report(to, flags, told, warnings, print);
    return 0;
  } catch (error) {
    if (!(error instanceof Refused) && error.code === undefined && !(error instanceof TypeError)) throw error;
    print(`${error.message}${error instanceof TypeError ? "\n\n" + HELP : ""}`);
    return error instanceof TypeError ? 2 : 1;
  } finally {
    await engine?.close();
  }
}

async function addAll(index, rows, become) {
  const told = { read: 0, written: 0, refused: [] };
  let places = [];
  let batch = [];
  const flush = async () => {
    const { added, skipped } = await index.addRecords(batch, { onInvalid: "skip" });
    told.written += added;
    for (const { index: at, msg } of skipped)
      told.refused.push(`${places[at]}: ${msg.replace(/^records\[\d+\] /, "")}`);
    batch = [];
    places = [];
  };
  for await (const { place, record, wrong } of rows) {
    told.read++;
    if (wrong !== undefined || !isObject(record)) told.refused.push(`${place}: ${wrong ?? "is no object"}`);
    else places.push(place) && batch.push(become(record));
    if (batch.length === 10_000) await flush();
  }
  await flush();
  return told;
}

function report({ settings, params, lines, known }, flags, { read, written, refused }, warnings, print) {
  const block = (title, texts) =>
    texts.length > 0 && print([title, ...texts.map((text) => `  ${text}`), ""].join("\n"));
  const moved = Object.entries(settings).map(([name, value]) =>
    Array.isArray(value) && value.length > 1 ? `${name} (${value.length})` : name,
  );
  block("Settings that moved:", moved);
  block(
    "To pass with each query:",
    Object.entries(params).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  );
  block("Good to know:", [...known]);
  block("Without a counterpart:", lines);
  block("Refused records:", [
    ...refused.slice(0, 20),
    ...(refused.length > 20 ? [`and ${refused.length - 20} more`] : []),
  ]);
  block("The engine warns:", warnings);
  const where = flags.data === undefined ? "Tried, and nothing kept" : `In index ${flags.index} of ${flags.data}`;
  print(
    `${where}: ${written} of ${read} records, ${settings.synonyms?.length ?? 0} synonyms, ${settings.rules?.length ?? 0} rules.`,
  );
  if (flags.data === undefined) print(`\n${JSON.stringify(settings, null, 2)}`);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = await move(process.argv.slice(2));
