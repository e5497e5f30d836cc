// Changes Object.prototype or Array.prototype as careless or hostile code does. As a preload it makes the changes named by
// POLLUTION, parted by bars, before anything else is loaded.

const [{ defineProperty }, { apply }] = [Object, Reflect];

/** What an assignment to a property of `__proto__` makes: enumerable, and assignable on every object. */
function plant(name, value, prototype = Object.prototype) {
  defineProperty(prototype, name, { __proto__: null, value, enumerable: true, writable: true, configurable: true });
}

/** A getter that throws; objects can still be given a property of their own by assignment. */
function trap(name) {
  const get = () => {
    throw new Error(`Object.prototype.${name} was read.`);
  };
  const set = function (value) {
    plant(name, value, this);
  };
  defineProperty(Object.prototype, name, { __proto__: null, get, set, enumerable: true, configurable: true });
}

const PARAMETERS = `query params page hitsPerPage filters facetFilters facets maxValuesPerFacet sort distinct
  attributesToRetrieve attributesToHighlight attributesToSnippet highlightPreTag restrictSearchableAttributes typoTolerance
  queryType optionalWords advancedSyntax explain semanticWeight semanticFloor semanticDepth matching vector facetName
  relevancyStrictness offset minScore isScore getParsedQuery parsedQuery getMatchInfo matchInfo ruleContexts enableRules of like unlike rankings`;
const SETTINGS = `idAttribute searchableAttributes identifierAttributes analyzer matchingRatio embedder embeddedAttributes
  vectorAttribute dimensions vectorIndex kind m efSearch fusion method rankConstant bm25 k1 b customRanking
  attributeForDistinct synonyms objectID stopWords rules id conditions pattern anchoring context consequence promote position hide
  params userData appliedRules validity enabled stop edits remove`;
const OPTIONS = `onProgress createIfNotExists ifExists strict limits onWarning purpose wordsOnly knows maxBatchSize param
  details lt gt AND OR NOT`;
/** What the library's own small objects are told apart by. */
const OWN = "analyze attribute complaint entry json cause vector id hits score";
const RECORD = "id title description brand sku price sale specs colour size width v a.b name label";
const WORDS = "drill cordless red lamp home couch constructor2 the";

const split = (names) => names.trim().split(/\s+/);

function plantAll(names, value, prototype = Object.prototype) {
  for (const name of split(names)) plant(name, value, prototype);
}

function trapAll(names) {
  for (const name of split(names)) trap(name);
}

function replaceMethods() {
  for (const name of ["map", "filter", "sort", "push", "forEach", "indexOf", "includes", "slice"]) {
    const original = Array.prototype[name];
    Array.prototype[name] = function (...given) {
      return apply(original, this, given);
    };
  }
}

/** The changes by name. */
export const CHANGES = {
  toJSON: () => plant("toJSON", () => "polluted"),
  page: () => plant("page", 7),
  parameters: () => plantAll(PARAMETERS, "polluted"),
  settings: () => plantAll(SETTINGS, "polluted"),
  options: () => plantAll(OPTIONS, "polluted"),
  record: () => plantAll(RECORD, "polluted"),
  "names of its own": () => plantAll(OWN, "polluted"),
  words: () => plantAll(WORDS, 5),
  "throwing getters": () => trapAll(`${PARAMETERS} ${SETTINGS} ${OPTIONS} ${RECORD}`),
  signal: () => plant("signal", "polluted"),
  "then, no function": () => plant("then", "polluted"),
  "then, a function": () => plant("then", () => {}),
  descriptors: () => plantAll("get set value", undefined),
  flags: () => plantAll("enumerable writable configurable", true),
  "get, a function": () => plant("get", () => "polluted"),
  numbers: () => plantAll("0 1 2 7 -1 length2", 5),
  stringify: () => plantAll("cycles cmp space replacer", () => 0),
  "array: more methods": () => plantAll("remove last page", () => "polluted", Array.prototype),
  "array: methods wrapped": replaceMethods,
  "array: toJSON": () => plant("toJSON", () => "polluted", Array.prototype),
  "array: a setter of 0": () =>
    defineProperty(Array.prototype, "0", { __proto__: null, get: () => "polluted", set() {}, configurable: true }),
};

for (const name of process.env.POLLUTION?.split("|") ?? []) CHANGES[name]();
