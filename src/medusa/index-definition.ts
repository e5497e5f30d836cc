// The definition of an index as Medusa's Search Module resolves it, what the engine keeps for each of its fields, and the settings that say so.
//
// The definition is text in a rule of the index's own settings. So it is replaced together with the documents, at once, and each answer of
// a query that names the rule's context tells under which definition it was made.

import { conditionsOf, pathWithin } from "../docvalues/filter.js";
import { readFilters } from "../input/filter-object.js";
import { isInteger } from "../input/kinds.js";
import type { IndexSettings, Rule } from "../settings/settings.js";
import { parseRanking } from "../settings/settings.js";
import { show, showNames } from "../util/errors.js";
import { objectIn } from "../util/json.js";
import { DEFAULT_LIMITS } from "../util/limits.js";
import { medusaError } from "./medusa-error.js";

/** A kind of facet. */
export type FacetKind = "value" | "range" | "stats";

/** A field of an index; Medusa's `SearchFieldDefinition`. */
export interface MedusaField {
  readonly type: string;
  readonly array?: boolean;
  readonly searchable?: boolean | { readonly weight?: number };
  readonly filterable?: boolean;
  readonly sortable?: boolean;
  readonly facetable?: boolean | { readonly types?: readonly FacetKind[] };
  readonly retrievable?: boolean;
  readonly fields?: Readonly<Record<string, MedusaField>>;
  readonly dimensions?: number;
  readonly embed?: boolean;
  readonly provider_options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What the provider reads of an index; Medusa's `ResolvedSearchIndexDefinition` has more. */
export interface MedusaIndex {
  readonly physical_name: string;
  readonly primary_key: string;
  readonly fields: Readonly<Record<string, MedusaField>>;
  readonly settings: {
    readonly typo_tolerance?: {
      readonly enabled?: boolean;
      readonly min_word_size_for_one_typo?: number;
      readonly min_word_size_for_two_typos?: number;
      readonly disabled_on_attributes?: readonly string[];
    };
    readonly distinct_attribute?: string;
    readonly provider_options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

/** A field without fields within it. */
export interface Leaf {
  /** The dotted path by which calls name it. */
  readonly path: string;
  /** The names on the way to it in a document. */
  readonly steps: readonly string[];
  readonly type: "keyword" | "text" | "integer" | "float" | "boolean" | "date" | "geo" | "vector";
  /** A document may have several values: the field or one around it is an array. */
  readonly isList: boolean;
  /** The attribute of the engine's records that holds its values. */
  readonly attribute: string;
  /** The attribute that holds its numbers, to count ranges and statistics; of a date, the milliseconds. */
  readonly numbers: string;
  /** Undefined: it is not searched. */
  readonly weight: number | undefined;
  readonly isFilterable: boolean;
  readonly isSortable: boolean;
  readonly isRetrievable: boolean;
  readonly facets: readonly FacetKind[];
  /** Of a vector field: how many numbers a vector has, and whether it is made of a text. */
  readonly vector: { readonly dimensions: number; readonly isEmbedded: boolean } | undefined;
}

/** A field in its place in a document. */
export interface Field {
  readonly name: string;
  readonly path: string;
  readonly isArray: boolean;
  /** A leaf, or the fields of an object. */
  readonly content: Leaf | readonly Field[];
}

/** A definition that was read. */
export interface IndexDefinition {
  /** What is kept; equal for definitions that hold the same documents. */
  readonly text: string;
  readonly primaryKey: string;
  readonly fields: readonly Field[];
  readonly leaves: ReadonlyMap<string, Leaf>;
  /** The paths of objects, which are no leaves. */
  readonly objects: ReadonlySet<string>;
  readonly distinct: string | undefined;
  readonly hasTypoTolerance: boolean;
  readonly settings: IndexSettings;
}

/** The name by which the options of calls and definitions mean this provider. */
export const IDENTIFIER = "tandem-search";
/** The attributes of records that are no field of a document. No field has such a name. */
export const ID = "tandem-search:id";
/** The whole document, as JSON. */
export const DOCUMENT = "tandem-search:document";
export const VECTOR = "tandem-search:vector";
const PLACE = "_geoloc";
const MILLISECONDS = "tandem-search:milliseconds ";
/** The rule that holds the definition, and the context in which it applies. */
export const DEFINITION_RULE = "tandem-search/medusa";

const TYPES: readonly string[] = ["keyword", "text", "integer", "float", "boolean", "date", "geo", "vector"];
const NUMERIC: readonly string[] = ["integer", "float", "date"];
const FACET_KINDS: readonly string[] = ["value", "range", "stats"];
const KEY_TYPES: readonly string[] = ["keyword", "text", "integer", "float"];
/** What means something else to the engine where it stands for an attribute. */
const RESERVED = /^(?:AND|OR|NOT|_geoloc|_score)$|^[$-]|^tandem-search[:/]|[*():]|^$/;
const LONGEST_PATH = DEFAULT_LIMITS.attributeName - MILLISECONDS.length;
const MOST_WEIGHT = 1000;
const EMBEDDED_DIMENSIONS = 192;
const ONE_TYPO_FROM = 4;
const TWO_TYPOS_FROM = 8;
const OWN_SETTINGS = ["synonyms", "stopWords", "customRanking", "boosts", "rules"] as const;

const wrong = (message: string): Error => medusaError("invalid_data", message);
const impossible = (message: string): Error => medusaError("not_allowed", message);

/** Reads a definition. Throws `invalid_data` for what is wrong, `not_allowed` for what the engine cannot hold. */
export function readDefinition({ fields, primary_key, settings }: Partial<MedusaIndex>): IndexDefinition {
  let text: string;
  try {
    text = JSON.stringify({ fields, primary_key, settings: settings ?? {} }, inOrder);
  } catch (cause) {
    throw medusaError("invalid_data", "The definition of the index is no JSON; pass plain objects and values.", cause);
  }
  return parseDefinition(text);
}

/** Objects with their names in one order, so that equal definitions have equal texts. */
function inOrder(_: string, value: unknown): unknown {
  const object = objectIn(value);
  if (object === undefined) return value;
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reads the text of a definition. */
export function parseDefinition(text: string): IndexDefinition {
  const given = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const leaves = new Map<string, Leaf>();
  const objects = new Set<string>();
  const fields = fieldsOf(given.fields, { at: "fields", steps: [], isList: false, leaves, objects });
  const primaryKey = given.primary_key;
  const key = typeof primaryKey === "string" ? leaves.get(primaryKey) : undefined;
  if (key === undefined || key.steps.length !== 1)
    throw wrong(`primary_key is ${show(primaryKey)}; name one of the fields.`);
  if (key.isList || !KEY_TYPES.includes(key.type))
    throw impossible(`The primary key ${show(primaryKey)} is of the type ${key.type}; it must be one text or number.`);
  const all = [...leaves.values()];
  for (const type of ["geo", "vector"]) {
    const paths = all.filter((leaf) => leaf.type === type).map(({ path }) => path);
    if (paths.length > 1) throw impossible(`An index holds one ${type} field; these are more: ${showNames(paths)}.`);
  }
  const read = { text, primaryKey: key.path, fields, leaves, objects };
  return { ...read, ...readSettings(objectOf(given.settings, "settings"), read) };
}

interface Around {
  /** For messages. */
  readonly at: string;
  readonly steps: readonly string[];
  readonly isList: boolean;
  readonly leaves: Map<string, Leaf>;
  readonly objects: Set<string>;
}

function fieldsOf(given: unknown, around: Around): readonly Field[] {
  const entries = Object.entries(objectOf(given, around.at));
  if (entries.length === 0) throw wrong(`${around.at} is empty; declare a field.`);
  return entries.map(([name, field]) => fieldOf(name, field, around));
}

function fieldOf(name: string, given: unknown, around: Around): Field {
  const steps = [...around.steps, name];
  const path = steps.join(".");
  const at = `field ${show(path)}`;
  const { type, fields, ...properties } = objectOf(given, at);
  const is = (property: string): boolean => flag(properties[property], `${at}: ${property}`);
  const isArray = is("array");
  const isList = around.isList || isArray;
  checkNames(properties, FIELD_PROPERTIES, at);
  ownOptions(properties.provider_options, at, []);
  if (RESERVED.test(path)) throw impossible(`The engine reserves the name ${show(path)}; rename the field.`);
  if (path.length > LONGEST_PATH) throw impossible(`The path ${show(path)} has more than ${LONGEST_PATH} characters.`);
  if (around.leaves.has(path) || around.objects.has(path)) throw wrong(`Two fields have the path ${show(path)}.`);
  const leaf = { path, steps, isList };
  if (type === "object") {
    around.objects.add(path);
    for (const property of ["searchable", "filterable", "sortable", "facetable"])
      if (properties[property] !== undefined && properties[property] !== false)
        throw impossible(`${at} is an object and cannot be ${property}; its fields can.`);
    return { name, path, isArray, content: fieldsOf(fields, { ...around, at: `${at}: fields`, steps, isList }) };
  }
  if (typeof type !== "string") throw wrong(`${at} has the type ${show(type)}; pass one of ${TYPES.join(", ")}.`);
  if (!TYPES.includes(type)) throw impossible(`${at} has the type ${show(type)}; possible are ${TYPES.join(", ")}.`);
  const content: Leaf = {
    ...leaf,
    type: type as Leaf["type"],
    attribute: type === "geo" ? PLACE : type === "vector" ? VECTOR : path,
    numbers: type === "date" ? `${MILLISECONDS}${path}` : path,
    weight: weightOf(properties.searchable, at),
    isFilterable: is("filterable"),
    isSortable: is("sortable"),
    isRetrievable: properties.retrievable === undefined ? type !== "vector" : is("retrievable"),
    facets: facetsOf(properties.facetable, type, at),
    vector: type === "vector" ? vectorOf(properties, at) : undefined,
  };
  checkLeaf(content, isArray, is("embed"), at);
  around.leaves.set(path, content);
  return { name, path, isArray, content };
}

const FIELD_PROPERTIES = [
  ...["array", "searchable", "filterable", "sortable", "facetable", "retrievable"],
  ...["dimensions", "embed", "provider_options"],
];

function checkLeaf(leaf: Leaf, isArray: boolean, isEmbedded: boolean, at: string): void {
  const { type, weight, isFilterable, isSortable, isList, facets } = leaf;
  if (weight !== undefined && type !== "text" && type !== "keyword")
    throw wrong(`${at} is of the type ${type}, which is not searched; searchable are text and keyword.`);
  if (!NUMERIC.includes(type) && facets.some((kind) => kind !== "value"))
    throw wrong(`${at} is of the type ${type}; range and stats count numbers and dates.`);
  if (type !== "vector" && isEmbedded) throw wrong(`${at} has embed, which is for vectors.`);
  if (type !== "geo" && type !== "vector") return;
  if (type === "vector" && isArray) throw wrong(`${at} is a vector and cannot be an array.`);
  if (isList) throw impossible(`${at} is a ${type} field within an array; a document has one.`);
  if (isFilterable || facets.length > 0) throw impossible(`${at} is a ${type} field: it has no filters and no facets.`);
  if (isSortable && type === "vector") throw impossible(`${at} is a vector, by which nothing is sorted.`);
}

function weightOf(searchable: unknown, at: string): number | undefined {
  if (searchable === undefined || typeof searchable === "boolean") return searchable ? 1 : undefined;
  const { weight = 1, ...others } = objectOf(searchable, `${at}: searchable`);
  checkNames(others, [], `${at}: searchable`);
  if (typeof weight !== "number" || !(weight > 0))
    throw wrong(`${at}: weight is ${show(weight)}; pass a number above 0.`);
  if (weight > MOST_WEIGHT) throw impossible(`${at}: weight is ${weight}; it is at most ${MOST_WEIGHT}.`);
  return weight;
}

function facetsOf(facetable: unknown, type: string, at: string): readonly FacetKind[] {
  const usual: readonly FacetKind[] = NUMERIC.includes(type) ? ["range"] : ["value"];
  if (facetable === undefined || typeof facetable === "boolean") return facetable ? usual : [];
  const { types = usual, ...others } = objectOf(facetable, `${at}: facetable`);
  checkNames(others, [], `${at}: facetable`);
  if (!Array.isArray(types)) throw wrong(`${at}: facetable.types is ${show(types)}; pass a list.`);
  for (const kind of types as readonly unknown[])
    if (typeof kind !== "string" || !FACET_KINDS.includes(kind))
      throw impossible(`${at} has the facet ${show(kind)}; possible are ${FACET_KINDS.join(", ")}.`);
  return types as FacetKind[];
}

function vectorOf({ dimensions, embed }: Readonly<Record<string, unknown>>, at: string): Leaf["vector"] {
  const isEmbedded = flag(embed, `${at}: embed`);
  if (!isInteger(dimensions, 1, Number.MAX_SAFE_INTEGER))
    throw wrong(`${at} has the dimensions ${show(dimensions)}; pass how many numbers a vector has.`);
  if (isEmbedded && dimensions !== EMBEDDED_DIMENSIONS)
    throw impossible(`The vectors of embedded texts have ${EMBEDDED_DIMENSIONS} dimensions, not ${dimensions}.`);
  if (dimensions > DEFAULT_LIMITS.dimensions)
    throw impossible(`A vector has at most ${DEFAULT_LIMITS.dimensions} dimensions, not ${dimensions}.`);
  return { dimensions, isEmbedded };
}

type ReadFields = Omit<IndexDefinition, "settings" | "distinct" | "hasTypoTolerance">;

/** The settings of the engine's index, which hold the definition too. */
function readSettings(
  given: Readonly<Record<string, unknown>>,
  read: ReadFields,
): Pick<IndexDefinition, "settings" | "distinct" | "hasTypoTolerance"> {
  const { leaves, text } = read;
  const { typo_tolerance, distinct_attribute, provider_options, ...others } = given;
  checkNames(others, [], "settings");
  const distinct =
    distinct_attribute === undefined ? undefined : leafAt(distinct_attribute, read, "distinct_attribute");
  if (distinct?.type === "geo" || distinct?.type === "vector")
    throw impossible(`distinct_attribute names a ${distinct.type} field, by which nothing is grouped.`);
  const typos = readTypos(typo_tolerance, read);
  const own = ownOptions(provider_options, "settings", OWN_SETTINGS) as Pick<
    IndexSettings,
    (typeof OWN_SETTINGS)[number]
  >;
  if (own.rules !== undefined && !Array.isArray(own.rules)) throw wrong(`rules is ${show(own.rules)}; pass a list.`);
  const used = attributesOf(own, read);
  const all = [...leaves.values()];
  const vector = all.find(({ type }) => type === "vector")?.vector;
  // Boosts of a search may name any number or date.
  const isUsed = (leaf: Leaf): boolean =>
    NUMERIC.includes(leaf.type) ||
    leaf.isFilterable ||
    leaf.isSortable ||
    leaf.facets.length > 0 ||
    leaf === distinct ||
    used.has(leaf.path);
  const isCounted = ({ facets }: Leaf): boolean => facets.some((kind) => kind !== "value");
  const scalars = all.filter(({ type }) => type !== "geo" && type !== "vector");
  const columns = [
    ...scalars.filter(isUsed).map(({ attribute }) => attribute),
    ...scalars.filter(isCounted).map(({ numbers }) => numbers),
  ];
  const definition: Rule = {
    id: DEFINITION_RULE,
    conditions: [{ context: DEFINITION_RULE }],
    consequence: { userData: text },
  };
  const settings: IndexSettings = {
    idAttribute: ID,
    identifierAttributes: [],
    searchableAttributes: all.flatMap(({ attribute, weight }) => (weight === undefined ? [] : [{ attribute, weight }])),
    attributesForFaceting: [ID, ...new Set(columns)],
    builtInSynonyms: false,
    // Else titles would count besides the two that a search weighs by its semantic_ratio.
    titleEvidence: vector === undefined,
    ...(vector === undefined
      ? { embedder: false }
      : vector.isEmbedded
        ? { embedder: "static-en", embeddedAttributes: [VECTOR] }
        : { embedder: false, vectorAttribute: VECTOR, dimensions: vector.dimensions }),
    ...(distinct !== undefined && { attributeForDistinct: distinct.attribute, distinct: true }),
    disableTypoToleranceOnAttributes: typos.spared,
    ...own,
    rules: [definition, ...(own.rules ?? [])],
  };
  return { settings, distinct: distinct?.path, hasTypoTolerance: typos.isEnabled };
}

function readTypos(given: unknown, read: ReadFields): { readonly isEnabled: boolean; readonly spared: string[] } {
  const at = "settings.typo_tolerance";
  const { enabled, disabled_on_attributes, min_word_size_for_one_typo, min_word_size_for_two_typos, ...others } =
    objectOf(given ?? {}, at);
  checkNames(others, [], at);
  const [one, two] = [min_word_size_for_one_typo ?? ONE_TYPO_FROM, min_word_size_for_two_typos ?? TWO_TYPOS_FROM];
  if (!Number.isInteger(one) || !Number.isInteger(two) || (two as number) < (one as number))
    throw wrong(`${at} has the lengths ${show(one)} and ${show(two)}; pass integers, the second not below the first.`);
  if (one !== ONE_TYPO_FROM || two !== TWO_TYPOS_FROM)
    throw impossible(
      `The engine takes one typing error from ${ONE_TYPO_FROM} letters on, and two from ${TWO_TYPOS_FROM}.`,
    );
  const names = disabled_on_attributes ?? [];
  if (!Array.isArray(names)) throw wrong(`${at}.disabled_on_attributes is ${show(names)}; pass a list of paths.`);
  const spared = names.map((name: unknown) => leafAt(name, read, `${at}.disabled_on_attributes`));
  return {
    isEnabled: enabled === undefined || flag(enabled, `${at}.enabled`),
    spared: spared.filter(({ weight }) => weight !== undefined).map(({ attribute }) => attribute),
  };
}

/** The paths of the definition that the engine's own settings name, all of which must be declared. */
function attributesOf(own: Pick<IndexSettings, (typeof OWN_SETTINGS)[number]>, read: ReadFields): ReadonlySet<string> {
  const used = new Set<string>();
  const at = `provider_options["${IDENTIFIER}"]`;
  const use = (name: unknown, where: string): void => {
    const { path, type } = leafAt(name, read, `${at}.${where}`);
    if (type === "geo" || type === "vector") throw impossible(`${at}.${where} names the ${type} field ${show(path)}.`);
    used.add(path);
  };
  const useFilters = (filters: unknown, where: string): void => {
    if (filters === undefined) return;
    for (const { condition, list } of conditionsOf(readFilters(filters, DEFAULT_LIMITS)))
      use(pathWithin(list, condition.attribute), where);
  };
  const useBoosts = (boosts: unknown, where: string): void => {
    for (const boost of listOf(boosts)) {
      const { attribute, filters } = objectIn(boost) ?? {};
      if (attribute !== undefined) use(attribute, where);
      useFilters(filters, where);
    }
  };
  for (const text of listOf(own.customRanking))
    use(typeof text === "string" ? parseRanking(text)?.attribute : text, "customRanking");
  useBoosts(own.boosts, "boosts");
  for (const rule of listOf(own.rules)) {
    const { id, conditions, consequence } = objectIn(rule) ?? {};
    if (id === DEFINITION_RULE) throw wrong(`${at}.rules: the id ${show(id)} is the provider's own; take another.`);
    for (const condition of listOf(conditions)) useFilters(objectIn(condition)?.filters, "rules");
    const params = objectIn(objectIn(consequence)?.params);
    useFilters(params?.filters, "rules");
    useBoosts(params?.boosts, "rules");
  }
  return used;
}

/** The items of a list; of anything else, which the engine refuses, none. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The options of this provider; those of others are not read. */
export function ownOptions(given: unknown, at: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  const own = objectOf(given, `${at}: provider_options`)[IDENTIFIER];
  if (own === undefined) return {};
  const options = objectOf(own, `${at}: provider_options["${IDENTIFIER}"]`);
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !known.includes(name))
      throw wrong(
        `${at}: provider_options["${IDENTIFIER}"] has the unknown ${show(name)}; known are ${showNames(known) || "none"}.`,
      );
  return options;
}

/** The leaf at a path. Throws `invalid_data` where there is none; `at` says who names it. */
export function leafAt(
  path: unknown,
  { leaves, objects }: Pick<IndexDefinition, "leaves" | "objects">,
  at: string,
): Leaf {
  const leaf = typeof path === "string" ? leaves.get(path) : undefined;
  if (leaf !== undefined) return leaf;
  const isObject = typeof path === "string" && objects.has(path);
  const why = isObject ? "is an object: name a field of it" : "is no field of the index";
  throw wrong(`${at} names ${show(path)}, which ${why}.`);
}

/** A plain object. Throws `invalid_data` for anything else. */
export function objectOf(value: unknown, at: string): Readonly<Record<string, unknown>> {
  const object = value instanceof Date ? undefined : objectIn(value);
  if (object === undefined) throw wrong(`${at} is ${show(value)}; pass an object.`);
  return object;
}

/** True or false; undefined is false. */
export function flag(value: unknown, at: string): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw wrong(`${at} is ${show(value)}; pass true or false.`);
}

/** Throws `not_allowed` for a name that is not known and has a value. */
export function checkNames(given: Readonly<Record<string, unknown>>, known: readonly string[], at: string): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !known.includes(name))
      throw impossible(`${at} has ${show(name)}, which this provider does not know; leave it out.`);
}
