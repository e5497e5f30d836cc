// The definition of an index as Medusa's Search Module resolves it, what the engine keeps for each of its fields, and the settings that say so.
//
// The definition is text in a rule of the index's own settings. So it is replaced together with the documents, at once, and each answer of
// a query that names the rule's context tells under which definition it was made.

import { conditionsOf, pathWithin } from "../docvalues/filter.js";
import { readFilters } from "../input/filter-object.js";
import { boolean, integer, MAX_INTEGER, that } from "../input/kinds.js";
import { copyParams } from "../input/read-params.js";
import { type IndexSettings, parseRanking, type Rule } from "../settings/settings.js";
import { show, showNames } from "../util/errors.js";
import { objectIn } from "../util/json.js";
import { DEFAULT_LIMITS } from "../util/limits.js";
import { impossible, wrong } from "./medusa-error.js";
import {
  anything,
  entriesOf,
  jsonOf,
  list,
  type Options,
  optionsIn,
  ownOptions,
  switchedOn,
  text,
  texts,
} from "./options.js";

/**
 * What the provider reads of an index; Medusa's `ResolvedSearchIndexDefinition` has more. docs/medusa-provider.md says what fields and
 * settings may have.
 */
export interface MedusaIndex {
  readonly physical_name: string;
  readonly primary_key: string;
  readonly fields: Readonly<Record<string, object>>;
  readonly settings: object;
}

/** A field without fields within it. */
export interface Leaf {
  /** The dotted path by which calls name it. */
  readonly path: string;
  /** The fields on the way to it, and itself. */
  readonly steps: readonly Step[];
  readonly type: (typeof TYPES)[number];
  /** A document may have several values: the field or one around it is an array. */
  readonly isList: boolean;
  /** The attribute of the engine's records that holds its values. */
  readonly attribute: string;
  /** The attribute that holds its numbers, to count ranges and statistics; of a date, the milliseconds. */
  readonly numbers: string;
  /** Undefined: it is not searched. */
  readonly weight: number | undefined;
  readonly filterable: boolean;
  readonly sortable: boolean;
  readonly retrievable: boolean;
  readonly facets: readonly FacetKind[];
  /** Of a vector: how many numbers it has. */
  readonly dimensions: number | undefined;
  /** It is a vector that is made of a text. */
  readonly embed: boolean;
}

/** A field in its place in a document. */
interface Step {
  readonly name: string;
  readonly isArray: boolean;
}

/** A definition that was read. */
export interface Definition {
  /** What is kept; equal for definitions that hold the same documents. */
  readonly text: string;
  readonly primaryKey: string;
  readonly leaves: Leaves;
  readonly distinct: Leaf | undefined;
  readonly hasTypoTolerance: boolean;
  readonly settings: IndexSettings;
}

type Leaves = ReadonlyMap<string, Leaf>;

/** The attributes of records that are no field of a document. No field has such a name. */
export const ID = "tandem-search:id";
/** The whole document, as JSON. */
export const DOCUMENT = "tandem-search:document";
const VECTOR = "tandem-search:vector";
const PLACE = "_geoloc";
const MILLISECONDS = "tandem-search:milliseconds ";
/** The rule that holds the definition, and the context in which it applies. */
export const DEFINITION_RULE = "tandem-search/medusa";

const TYPES = ["keyword", "text", "integer", "float", "boolean", "date", "geo", "vector"] as const;
const NUMERIC: readonly string[] = ["integer", "float", "date"];
export const FACET_KINDS = ["value", "range", "stats"] as const;
export type FacetKind = (typeof FACET_KINDS)[number];
/** What means something else to the engine where it stands for an attribute. */
const RESERVED = /^(?:AND|OR|NOT|_geoloc|_score)$|^[$-]|^tandem-search[:/]|[*():]|^$/;
const EMBEDDED_DIMENSIONS = 192;

/** Reads a definition. Throws `invalid_data` for what is wrong, `not_allowed` for what the engine cannot hold. */
export function readDefinition({ fields, primary_key, settings = {} }: MedusaIndex): Definition {
  return parseDefinition(jsonOf({ fields, primary_key, settings }, "The definition", inOrder));
}

/** Objects with their names in one order, so that equal definitions have equal texts. */
function inOrder(_: string, value: unknown): unknown {
  const object = objectIn(value);
  return object === undefined ? value : Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reads the text of a definition. */
export function parseDefinition(definition: string): Definition {
  const { fields, primary_key, settings } = JSON.parse(definition) as Options;
  const leaves = new Map<string, Leaf>();
  for (const leaf of leavesIn(fields, "fields", [])) {
    if (leaves.has(leaf.path)) throw wrong(`Two fields have the path ${show(leaf.path)}.`);
    leaves.set(leaf.path, leaf);
  }
  const key = leafAt(primary_key, leaves, "primary_key");
  if (key.steps.length > 1 || key.isList || !["keyword", "text", "integer", "float"].includes(key.type))
    throw impossible(`The primary key ${show(key.path)} must be one text or number of its own.`);
  for (const type of ["geo", "vector"]) {
    const paths = [...leaves.values()].filter((leaf) => leaf.type === type).map(({ path }) => path);
    if (paths.length > 1) throw impossible(`An index holds one ${type} field; these are more: ${showNames(paths)}.`);
  }
  return { text: definition, primaryKey: key.path, leaves, ...readSettings(settings, leaves, definition) };
}

const FIELD = {
  ...{ type: text, array: boolean, retrievable: boolean, fields: anything, provider_options: anything },
  ...{ searchable: anything, filterable: boolean, sortable: boolean, facetable: anything },
  ...{ dimensions: integer(1, MAX_INTEGER), embed: boolean },
};

function leavesIn(given: unknown, at: string, around: readonly Step[]): readonly Leaf[] {
  const fields = entriesOf(given, at);
  if (fields.length === 0) throw wrong(`${at} is empty; declare a field.`);
  return fields.flatMap(([name, field]) => leavesOf(name, field, around));
}

/** The leaf that a field is, or those within an object. */
function leavesOf(name: string, given: unknown, around: readonly Step[]): readonly Leaf[] {
  const path = [...around.map((step) => step.name), name].join(".");
  const at = `field ${show(path)}`;
  const { type, fields, array: isArray = false, provider_options, ...declared } = optionsIn(given, at, FIELD);
  const { searchable, filterable = false, sortable = false, facetable, dimensions, embed = false } = declared;
  ownOptions(provider_options, at, {});
  if (RESERVED.test(path)) throw impossible(`The engine reserves the name ${show(path)}; rename the field.`);
  const steps = [...around, { name, isArray }];
  if (type === "object") {
    if (searchable || filterable || sortable || facetable)
      throw impossible(`${at} is an object, which is not searched, filtered, sorted or counted; its fields can be.`);
    return leavesIn(fields, `${at}: fields`, steps);
  }
  const known = TYPES.find((each) => each === type);
  if (known === undefined)
    throw (type === undefined ? wrong : impossible)(
      `${at} has the type ${show(type)}; pass one of ${TYPES.join(", ")}.`,
    );
  const leaf: Leaf = {
    ...{ path, steps, type: known, isList: steps.some((step) => step.isArray) },
    ...{ filterable, sortable, dimensions, embed },
    attribute: type === "geo" ? PLACE : type === "vector" ? VECTOR : path,
    numbers: type === "date" ? `${MILLISECONDS}${path}` : path,
    weight: weightOf(searchable, known, at),
    retrievable: declared.retrievable ?? type !== "vector",
    facets: facetsOf(facetable, known, at),
  };
  if (type === "vector") checkVector(leaf, at);
  else if (embed) throw wrong(`${at} has embed, which is for vectors.`);
  if (!isScalar(leaf) && (leaf.isList || filterable || facetable))
    throw impossible(`${at} is a ${type} field: a document has one of it, and it has no filters and no facets.`);
  return [leaf];
}

/** Whether a field has values by which documents are filtered, counted and grouped. */
export function isScalar({ type }: Leaf): boolean {
  return type !== "geo" && type !== "vector";
}

function checkVector({ steps, sortable, dimensions, embed }: Leaf, at: string): void {
  if (sortable) throw impossible(`${at} is a vector, by which nothing is sorted.`);
  if (steps.at(-1)!.isArray) throw wrong(`${at} is a vector and cannot be an array.`);
  if (dimensions === undefined) throw wrong(`${at} has no dimensions; pass how many numbers a vector has.`);
  if (embed && dimensions !== EMBEDDED_DIMENSIONS)
    throw impossible(`${at} has ${dimensions} dimensions; the vectors of embedded texts have ${EMBEDDED_DIMENSIONS}.`);
}

const isAboveZero = (value: unknown): value is number => typeof value === "number" && value > 0;
const WEIGHT = { weight: that(isAboveZero, "a number above 0") };

function weightOf(searchable: unknown, type: Leaf["type"], at: string): number | undefined {
  const options = switchedOn(searchable, `${at}: searchable`, WEIGHT);
  if (options !== undefined && type !== "text" && type !== "keyword")
    throw wrong(`${at} is of the type ${type}, which is not searched; searchable are text and keyword.`);
  return options && (options.weight ?? 1);
}

const isKinds = (value: unknown): value is readonly FacetKind[] =>
  Array.isArray(value) && value.every((kind) => FACET_KINDS.includes(kind));
const FACETABLE = { types: that(isKinds, `a list of ${FACET_KINDS.join(", ")}`) };

function facetsOf(facetable: unknown, type: Leaf["type"], at: string): readonly FacetKind[] {
  const isNumeric = NUMERIC.includes(type);
  const options = switchedOn(facetable, `${at}: facetable`, FACETABLE);
  const kinds = options === undefined ? [] : (options.types ?? [isNumeric ? "range" : "value"]);
  if (!isNumeric && kinds.some((kind) => kind !== "value"))
    throw wrong(`${at} is of the type ${type}; range and stats count numbers and dates.`);
  return kinds;
}

const SETTINGS = { typo_tolerance: anything, distinct_attribute: anything, provider_options: anything };
const OWN_SETTINGS = { synonyms: anything, stopWords: anything, customRanking: texts, boosts: list, rules: list };

/** The settings of the engine's index, which hold the text of the definition too. */
function readSettings(
  given: unknown,
  leaves: Leaves,
  text: string,
): Omit<Definition, "text" | "primaryKey" | "leaves"> {
  const { typo_tolerance, distinct_attribute, provider_options } = optionsIn(given, "settings", SETTINGS);
  const distinct =
    distinct_attribute === undefined ? undefined : scalarAt(distinct_attribute, leaves, "distinct_attribute");
  const typos = readTypos(typo_tolerance, leaves);
  const own = ownOptions(provider_options, "settings", OWN_SETTINGS);
  const ranked = (own.customRanking ?? []).map((each) => parseRanking(each)?.attribute ?? each);
  const named = [...ranked, ...attributesIn([own.boosts, own.rules])];
  const used = new Set(named.map((path) => scalarAt(path, leaves, "provider_options: boosts, rules or customRanking")));
  const all = [...leaves.values()];
  const vector = all.find(({ type }) => type === "vector");
  // Boosts of a search may name any number or date.
  const isUsed = (leaf: Leaf): boolean =>
    NUMERIC.includes(leaf.type) ||
    leaf.filterable ||
    leaf.sortable ||
    leaf.facets.length > 0 ||
    leaf === distinct ||
    used.has(leaf);
  const columns = all.filter((leaf) => isScalar(leaf) && isUsed(leaf));
  const conditions = [{ context: DEFINITION_RULE }];
  const rule: Rule = { id: DEFINITION_RULE, conditions, consequence: { userData: text } };
  const settings: IndexSettings = {
    idAttribute: ID,
    identifierAttributes: [],
    searchableAttributes: all.flatMap(({ attribute, weight }) => (weight === undefined ? [] : [{ attribute, weight }])),
    attributesForFaceting: [...new Set(columns.flatMap(({ attribute, numbers }) => [attribute, numbers]))],
    builtInSynonyms: false,
    // Else titles would count besides the two that a search weighs by its semantic_ratio.
    titleEvidence: vector === undefined,
    ...(vector?.embed
      ? { embedder: "static-en", embeddedAttributes: [VECTOR] }
      : { embedder: false, ...(vector && { vectorAttribute: VECTOR, dimensions: vector.dimensions }) }),
    ...(distinct !== undefined && { attributeForDistinct: distinct.attribute, distinct: true }),
    disableTypoToleranceOnAttributes: typos.spared,
    ...(own as Pick<IndexSettings, keyof typeof OWN_SETTINGS>),
    rules: [rule, ...((own.rules ?? []) as readonly Rule[])],
  };
  return { settings, distinct, hasTypoTolerance: typos.isEnabled };
}

const LENGTH = integer(0, MAX_INTEGER);
const TYPOS = {
  ...{ enabled: boolean, disabled_on_attributes: texts },
  ...{ min_word_size_for_one_typo: LENGTH, min_word_size_for_two_typos: LENGTH },
};

function readTypos(given: unknown, leaves: Leaves): { readonly isEnabled: boolean; readonly spared: string[] } {
  const at = "settings.typo_tolerance";
  const { enabled: isEnabled = true, disabled_on_attributes = [], ...lengths } = optionsIn(given ?? {}, at, TYPOS);
  const { min_word_size_for_one_typo: one = 4, min_word_size_for_two_typos: two = 8 } = lengths;
  if (two < one) throw wrong(`${at} allows two typing errors from ${two} letters on, and one from ${one}.`);
  if (one !== 4 || two !== 8) throw impossible("The engine takes one typing error from 4 letters on, and two from 8.");
  const spared = disabled_on_attributes.map((path) => leafAt(path, leaves, `${at}.disabled_on_attributes`));
  return { isEnabled, spared: spared.flatMap(({ attribute, weight }) => (weight === undefined ? [] : [attribute])) };
}

/** What boosts and filters name, at any depth of the engine's own settings. */
function attributesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(attributesIn);
  return Object.entries(objectIn(value) ?? {}).flatMap(([name, inner]) => {
    if (name === "attribute") return [inner];
    if (name !== "filters") return name === "userData" ? [] : attributesIn(inner);
    const { filters } = copyParams({ filters: inner }, DEFAULT_LIMITS);
    const conditions = conditionsOf(readFilters(filters, DEFAULT_LIMITS));
    return conditions.map(({ condition, list }) => pathWithin(list, condition.attribute));
  });
}

/** The leaf at a path. Throws `invalid_data` where there is none; `at` says who names it. */
export function leafAt(path: unknown, leaves: Leaves, at: string): Leaf {
  const name = typeof path === "string" ? path : "";
  const leaf = leaves.get(name);
  if (leaf !== undefined) return leaf;
  const isObject = [...leaves.keys()].some((each) => each.startsWith(`${name}.`));
  const why = isObject ? "is an object: name a field of it" : "is no field of the index";
  throw wrong(`${at} names ${show(path)}, which ${why}.`);
}

/** As {@link leafAt}; throws `not_allowed` for a geo or vector field. */
export function scalarAt(path: unknown, leaves: Leaves, at: string): Leaf {
  const leaf = leafAt(path, leaves, at);
  if (isScalar(leaf)) return leaf;
  throw impossible(
    `${at} names ${show(leaf.path)}, a ${leaf.type} field: nothing is filtered, counted or grouped by it.`,
  );
}
