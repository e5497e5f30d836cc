// The provider of Medusa's Search Module: its verbs, on the public verbs of an engine.

import type { Engine } from "../api/engine.js";
import { SearchEngine } from "../api/search-engine.js";
import type { SearchData } from "../query/response.js";
import { warnProcess } from "../util/contain.js";
import { SearchError, show } from "../util/errors.js";
import type { SearchWarning, WarningCode } from "../util/extension-points.js";
import { objectIn } from "../util/json.js";
import { pauseIfLong } from "../util/tasks.js";
import { DEFINITION_RULE, type Definition, type MedusaIndex, parseDefinition, readDefinition } from "./definition.js";
import { recordOf } from "./document.js";
import type { Ask } from "./facets.js";
import { filterOf, keysIn } from "./filter.js";
import { asMedusaError, medusaError, wrong } from "./medusa-error.js";
import { copied, IDENTIFIER, type Options } from "./options.js";
import { answerSearch, type MedusaSearch, type MedusaSearchResult } from "./search.js";
import { inTurn } from "./turns.js";

/** Where the indexes are: exactly one of the two. */
export interface MedusaSearchOptions {
  /** An engine of yours, or a promise of one. You close it. Its other indexes are left alone. */
  readonly engine?: Engine | PromiseLike<Engine> | undefined;
  /** A folder that keeps the indexes. The provider opens it at its first call; one process at a time can. */
  readonly dataDir?: string | undefined;
}

/** A write that is done; Medusa's `SearchTask`. */
export interface MedusaSearchTask {
  index: string;
  status: "succeeded";
}

/** How many values of a facet an engine lists, unless it was made with other limits; and one that the provider opens. */
const USUAL_VALUES = 1000;
const MOST_VALUES = 100_000;
/** Limits of an engine that the provider opens: Medusa's batches and filters by keys have no other. */
const LIMITS = { facetValues: MOST_VALUES, filterValues: 100_000, filterConditions: 10_000, recordBytes: 10_000_000 };

/** Warnings about names and values, which a definition has already told: a field may be missing in all documents, for example. */
const TOLD: readonly WarningCode[] = ["unknown_attribute", "no_title", "numbers_as_text", "values_of_another_kind"];

type Write = (engine: Engine, name: string) => Promise<unknown>;

/** This many documents of a call are copied at once, as the engine does. The caller may change the others meanwhile. */
const COPIED_AT_ONCE = 256;

/** The answer was made under another definition than the search was read by. */
class OtherDefinition extends Error {}

/**
 * A provider of Medusa's Search Module (2.21) that keeps its indexes in an engine of this package. Every method rejects with an error whose
 * `type` is `not_found`, `invalid_data`, `not_allowed` or `unexpected_state`; see docs/medusa-provider.md.
 */
export class TandemSearchProvider {
  static readonly identifier: string = IDENTIFIER;

  readonly #options: MedusaSearchOptions;
  readonly #definitions = new Map<string, Definition>();
  #opening: Engine | PromiseLike<Engine> | undefined;
  #isClosed = false;

  /** Medusa's container is not used. Throws `invalid_argument` for wrong options. */
  constructor(_container: unknown, options: MedusaSearchOptions) {
    this.#options = checkOptions(options);
    // A promise that is rejected before the first call awaits it would end the process.
    Promise.resolve(this.#options.engine).catch(() => undefined);
  }

  /** The name by which definitions of indexes choose this provider. */
  get identifier(): string {
    return IDENTIFIER;
  }

  /** Makes an index. One of the same definition keeps its documents; of another, it is made anew, empty, at once. */
  async upsertIndex(input: { readonly index: MedusaIndex }): Promise<MedusaSearchTask> {
    const index = copied(input?.index);
    return this.#write(index?.physical_name, async (engine, name) => {
      const { text, settings } = readDefinition(index);
      const kept = await this.#find(engine, name);
      if (kept?.text === text) return;
      // Settings and documents are replaced in one step; those of an index that is not the provider's are not.
      const ifExists = kept === undefined ? "error" : "replace";
      await engine.importIndex(name, "", { format: "records", settings, ifExists });
    });
  }

  /** Deletes an index of the provider; where there is none, nothing happens. */
  async deleteIndex(input: { readonly index: string }): Promise<MedusaSearchTask> {
    return this.#write(input?.index, async (engine, name) => {
      if (await this.#find(engine, name)) await engine.deleteIndex(name);
    });
  }

  /** The provider's own indexes, sorted by name. */
  async listIndexes(): Promise<{ name: string; provider: string; document_count: number }[]> {
    return this.#run(async (engine) => {
      const indexes = [];
      for (const { name, records } of await engine.listIndexes())
        if (await this.#find(engine, name)) indexes.push({ name, provider: IDENTIFIER, document_count: records });
      return indexes;
    });
  }

  /** Adds documents, or replaces those with the same key: all of them or none. They are searchable when the promise resolves. */
  async upsertDocuments(input: {
    readonly index: string;
    readonly definition: MedusaIndex;
    readonly documents: readonly object[];
  }): Promise<MedusaSearchTask> {
    const given = input?.documents;
    const documents = Array.isArray(given)
      ? given.map((document: unknown, i) => (i < COPIED_AT_ONCE ? copied(document) : document))
      : given;
    return this.#write(input?.index, async (engine, name) => {
      if (!Array.isArray(documents)) throw wrong(`documents is ${show(documents)}; pass a list.`);
      // The definition that is kept with the index, since documents and definition must fit.
      const definition = await this.#load(engine, name);
      const records: Options[] = [];
      for (const [place, document] of documents.entries()) {
        records.push(recordOf(document, place, definition));
        await pauseIfLong();
      }
      if (records.length > 0) await engine.addRecords<object>(name, records);
    });
  }

  /** Deletes the documents that pass filters. */
  async deleteDocuments(input: { readonly index: string; readonly filters: object }): Promise<MedusaSearchTask> {
    const given = copied(input?.filters);
    return this.#write(input?.index, async (engine, name) => {
      const definition = await this.#load(engine, name);
      const keys = keysIn(given, definition);
      if (keys !== undefined) return engine.deleteRecords(name, keys);
      const filters = filterOf(given, definition);
      if (Object.keys(filters).length === 0)
        throw wrong("deleteDocuments has no filters; clearIndex deletes all documents.");
      return engine.deleteBy(name, { filters });
    });
  }

  /** Deletes all documents of an index. */
  async clearIndex(input: { readonly index: string }): Promise<MedusaSearchTask> {
    return this.#write(input?.index, async (engine, name) => {
      await this.#load(engine, name);
      await engine.clearIndex(name);
    });
  }

  /** Searches an index, as it is at one moment. */
  async search(given: MedusaSearch): Promise<MedusaSearchResult> {
    const input = copied(given);
    return this.#run((engine) => this.#search(engine, input));
  }

  /** Runs several searches; where one fails, its error is thrown. */
  async searchMany(given: readonly MedusaSearch[]): Promise<MedusaSearchResult[]> {
    const inputs = copied(given);
    return this.#run(async (engine) => {
      if (!Array.isArray(inputs)) throw wrong(`The searches are ${show(inputs)}; pass a list.`);
      return Promise.all(inputs.map((input: MedusaSearch) => this.#search(engine, input)));
    });
  }

  /** Closes the engine that the provider opened. From then on every method rejects with `unexpected_state`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#options.engine !== undefined) return;
    const engine = await Promise.resolve(this.#opening).catch(() => undefined);
    await engine?.close();
  }

  async #run<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = await this.#engine();
    try {
      return await work(engine);
    } catch (error) {
      throw asMedusaError(error);
    }
  }

  async #engine(): Promise<Engine> {
    if (this.#isClosed) throw medusaError("unexpected_state", "The provider is closed; make a new one.");
    const { engine, dataDir } = this.#options;
    const onWarning = (warning: SearchWarning): void => {
      if (!TOLD.includes(warning.code)) warnProcess(warning);
    };
    this.#opening ??= engine ?? SearchEngine.open({ dataDir: dataDir!, limits: LIMITS, onWarning });
    const opening = this.#opening;
    try {
      return await opening;
    } catch (error) {
      // The next call tries again.
      if (this.#opening === opening) this.#opening = undefined;
      throw asMedusaError(error, "unexpected_state");
    }
  }

  async #write(name: unknown, write: Write): Promise<MedusaSearchTask> {
    return this.#run(async (engine) => {
      const index = nameOf(name);
      await inTurn(engine, index, "write", () => write(engine, index));
      return { index, status: "succeeded" };
    });
  }

  /** The definition of an index; undefined: the provider has no such index. */
  async #find(engine: Engine, name: string): Promise<Definition | undefined> {
    const text = await definitionOf(engine, name);
    if (text === undefined) this.#definitions.delete(name);
    else if (this.#definitions.get(name)?.text !== text) this.#definitions.set(name, parseDefinition(text));
    return this.#definitions.get(name);
  }

  /** The definition of an index as it is now. Throws `not_found` where the provider has no such index. */
  async #load(engine: Engine, name: string): Promise<Definition> {
    const definition = await this.#find(engine, name);
    if (definition === undefined) throw medusaError("not_found", `There is no index ${show(name)} of this provider.`);
    return definition;
  }

  async #search(engine: Engine, input: MedusaSearch): Promise<MedusaSearchResult> {
    const name = nameOf(input?.index?.physical_name);
    const known = this.#definitions.get(name);
    for (let definition = known ?? (await this.#load(engine, name)); ; ) {
      const { text } = definition;
      const ask: Ask = async (parameters) => {
        const { data } = await engine.query<object>(name, parameters as Options & { readonly query: string });
        if (definitionIn(data) !== text) throw new OtherDefinition();
        return data as SearchData;
      };
      try {
        const mostValues = this.#options.engine === undefined ? MOST_VALUES : USUAL_VALUES;
        const ofOneState = <T>(run: () => Promise<T>): Promise<T> => inTurn(engine, name, "searches", run);
        return await answerSearch(input, { definition, ask, mostValues, ofOneState });
      } catch (error) {
        // What was read by the definition of before may be right by that of now.
        definition = await this.#load(engine, name);
        if (definition.text === text && !(error instanceof OtherDefinition)) throw error;
      }
    }
  }
}

/** The text of an index's definition; undefined: the provider has no such index. */
async function definitionOf(engine: Engine, name: string): Promise<string | undefined> {
  try {
    const { data } = await engine.query(name, { query: "", hitsPerPage: 0, ruleContexts: [DEFINITION_RULE] });
    return definitionIn(data);
  } catch (error) {
    // 409: an index that lacks a function of its owner, who is not the provider.
    if (error instanceof SearchError && (error.error === "index_not_found" || error.code === 409)) return undefined;
    throw error;
  }
}

/** The definition under which an answer was made; undefined: the index is not the provider's. */
function definitionIn({ appliedRules, userData }: Pick<SearchData, "appliedRules" | "userData">): string | undefined {
  const [text] = appliedRules?.[0] === DEFINITION_RULE ? (userData ?? []) : [];
  return typeof text === "string" ? text : undefined;
}

function nameOf(name: unknown): string {
  if (typeof name === "string") return name;
  throw wrong(`The name of the index is ${show(name)}; pass its physical name.`);
}

function hasMethod(given: unknown, name: string): boolean {
  return typeof objectIn(given)?.[name] === "function";
}

function checkOptions(given: unknown): MedusaSearchOptions {
  const options = objectIn(given) ?? {};
  const { engine, dataDir, ...others } = options;
  const isEngine = dataDir === undefined && (hasMethod(engine, "importIndex") || hasMethod(engine, "then"));
  const isFolder = engine === undefined && typeof dataDir === "string" && dataDir !== "";
  if ((isEngine || isFolder) && Object.values(others).every((value) => value === undefined))
    return { engine, dataDir } as MedusaSearchOptions;
  const found = Object.entries(options).map(([name, value]) => `${show(name)}: ${show(value)}`);
  const message = `The options of the provider are ${found.join(", ") || "none"}; pass engine or dataDir:`;
  throw medusaError("invalid_argument", `${message} a SearchEngine or a promise of one, or the path of a folder.`);
}

/**
 * Makes a provider without Medusa, such as for tests.
 *
 * @throws an error of the type `invalid_argument`: not exactly one of `engine` and `dataDir`
 * @example
 * const provider = createMedusaSearchProvider({ engine: new SearchEngine() });
 * await provider.listIndexes(); // []
 */
export function createMedusaSearchProvider(options: MedusaSearchOptions): TandemSearchProvider {
  return new TandemSearchProvider({}, options);
}

/** What Medusa's `ModuleProvider(Modules.SEARCH, { services })` gives. */
export interface MedusaModuleProvider {
  module: "search";
  services: (typeof TandemSearchProvider)[];
}

/** The provider for `medusa-config.ts`: `{ resolve: "tandem-search/medusa", id: "tandem-search", options: { dataDir } }`. */
export const moduleProvider: MedusaModuleProvider = { module: "search", services: [TandemSearchProvider] };
