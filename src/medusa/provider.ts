// The provider of Medusa's Search Module: its verbs, on the public verbs of an engine.

import type { Engine } from "../api/engine.js";
import { SearchEngine } from "../api/search-engine.js";
import type { SearchData } from "../query/response.js";
import { warnProcess } from "../util/contain.js";
import { SearchError, show } from "../util/errors.js";
import type { SearchWarning, WarningCode } from "../util/extension-points.js";
import { pauseIfLong } from "../util/tasks.js";
import { recordOf } from "./document.js";
import { filterOf, keysIn } from "./filter.js";
import {
  DEFINITION_RULE,
  IDENTIFIER,
  type IndexDefinition,
  type MedusaIndex,
  objectOf,
  parseDefinition,
  readDefinition,
} from "./index-definition.js";
import { asMedusaError, medusaError } from "./medusa-error.js";
import { answerSearch } from "./search-answer.js";
import { type MedusaSearch, type MedusaSearchResult, type Parameters, readSearch } from "./search-request.js";
import { inTurn, type Work } from "./turns.js";

/** Where the indexes are: exactly one of the two. */
export interface MedusaSearchOptions {
  /** An engine of yours, which you close. Its other indexes are left alone. */
  readonly engine?: Engine | undefined;
  /** A folder that keeps the indexes. The provider opens it at its first call; one process at a time can. */
  readonly dataDir?: string | undefined;
}

/** A write that is done; Medusa's `SearchTask`. */
export interface MedusaSearchTask {
  index: string;
  status: "succeeded";
}

/** An index that the provider holds; Medusa's `SearchIndexInfo`. */
export interface MedusaSearchIndexInfo {
  name: string;
  provider: string;
  document_count: number;
}

/** How many values of a facet an engine lists, unless it was made with other limits; and one that the provider opens. */
const USUAL_VALUES = 1000;
const MOST_VALUES = 100_000;
/** Limits of an engine that the provider opens: Medusa's batches and filters by keys have no other. */
const LIMITS = { facetValues: MOST_VALUES, filterValues: 100_000, filterConditions: 10_000, recordBytes: 10_000_000 };

/** Warnings about names and values, which a definition has already told: a field may be missing in all documents, for example. */
const TOLD: readonly WarningCode[] = ["unknown_attribute", "no_title", "numbers_as_text", "values_of_another_kind"];

/** The answer was made under another definition than the search was read by. */
class OtherDefinition extends Error {}

/**
 * A provider of Medusa's Search Module (2.21) that keeps its indexes in an engine of this package. Every method rejects with an error whose
 * `type` is `not_found`, `invalid_data`, `not_allowed` or `unexpected_state`; see docs/medusa-provider.md.
 */
export class TandemSearchProvider {
  static readonly identifier: string = IDENTIFIER;

  readonly #options: MedusaSearchOptions;
  readonly #definitions = new Map<string, IndexDefinition>();
  #opening: Promise<Engine> | undefined;
  #isClosed = false;

  /** Medusa's container is not used. Throws `invalid_argument` for wrong options. */
  constructor(_container: unknown, options: MedusaSearchOptions) {
    this.#options = checkOptions(options);
  }

  /** The name by which definitions of indexes choose this provider. */
  get identifier(): string {
    return IDENTIFIER;
  }

  /** Makes an index. One of the same definition keeps its documents; of another, it is made anew, empty, at once. */
  async upsertIndex(input: { readonly index: MedusaIndex }): Promise<MedusaSearchTask> {
    return this.#run(async (engine) => {
      const index = objectOf(objectOf(input, "The input").index, "index");
      const name = nameOf(index.physical_name);
      const { text, settings } = readDefinition(index);
      return this.#write(engine, name, "definition", async () => {
        const kept = await this.#find(engine, name);
        if (kept === null) throw medusaError("not_allowed", `Another index of the engine has the name ${show(name)}.`);
        if (kept?.text === text) return;
        this.#definitions.delete(name);
        // Settings and documents are replaced in one step.
        await engine.importIndex(name, "", { format: "records", settings, ifExists: "replace" });
      });
    });
  }

  /** Deletes an index of the provider; where there is none, nothing happens. */
  async deleteIndex(input: { readonly index: string }): Promise<MedusaSearchTask> {
    return this.#run(async (engine) => {
      const name = nameOf(objectOf(input, "The input").index);
      return this.#write(engine, name, "definition", async () => {
        this.#definitions.delete(name);
        if (await this.#find(engine, name)) await engine.deleteIndex(name);
      });
    });
  }

  /** The provider's own indexes, sorted by name. */
  async listIndexes(): Promise<MedusaSearchIndexInfo[]> {
    return this.#run(async (engine) => {
      const indexes: MedusaSearchIndexInfo[] = [];
      for (const { name, records } of await engine.listIndexes())
        if (await this.#find(engine, name)) indexes.push({ name, provider: IDENTIFIER, document_count: records });
      return indexes;
    });
  }

  /** Adds documents, or replaces those with the same key: all of them or none. They are searchable when the promise resolves. */
  async upsertDocuments(input: {
    readonly index: string;
    readonly definition: MedusaIndex;
    readonly documents: readonly Readonly<Record<string, unknown>>[];
  }): Promise<MedusaSearchTask> {
    return this.#run(async (engine) => {
      const { index, documents } = objectOf(input, "The input");
      if (!Array.isArray(documents)) throw medusaError("invalid_data", `documents is ${show(documents)}; pass a list.`);
      const name = nameOf(index);
      return this.#write(engine, name, "documents", async () => {
        // The definition that is kept with the index, since documents and definition must fit.
        const definition = await this.#load(engine, name);
        const records: Readonly<Record<string, unknown>>[] = [];
        for (const [place, document] of documents.entries()) {
          records.push(recordOf(document, place, definition));
          await pauseIfLong();
        }
        if (records.length > 0) await engine.addRecords<object>(name, records);
      });
    });
  }

  /** Deletes the documents that pass filters. */
  async deleteDocuments(input: {
    readonly index: string;
    readonly filters: Readonly<Record<string, unknown>>;
  }): Promise<MedusaSearchTask> {
    return this.#run(async (engine) => {
      const { index, filters } = objectOf(input, "The input");
      const name = nameOf(index);
      return this.#write(engine, name, "documents", async () => {
        const definition = await this.#load(engine, name);
        const keys = keysIn(filters, definition);
        if (keys !== undefined) await engine.deleteRecords(name, keys);
        else {
          const passing = filterOf(filters, definition);
          if (Object.keys(passing).length === 0)
            throw medusaError("invalid_data", "deleteDocuments has no filters; clearIndex deletes all documents.");
          await engine.deleteBy(name, { filters: passing });
        }
      });
    });
  }

  /** Deletes all documents of an index. */
  async clearIndex(input: { readonly index: string }): Promise<MedusaSearchTask> {
    return this.#run(async (engine) => {
      const name = nameOf(objectOf(input, "The input").index);
      return this.#write(engine, name, "documents", async () => {
        await this.#load(engine, name);
        await engine.clearIndex(name);
      });
    });
  }

  /** Searches an index, as it is at one moment. */
  async search(input: MedusaSearch): Promise<MedusaSearchResult> {
    return this.#run((engine) => this.#search(engine, input));
  }

  /** Runs several searches; where one fails, its error is thrown. */
  async searchMany(inputs: readonly MedusaSearch[]): Promise<MedusaSearchResult[]> {
    return this.#run(async (engine) => {
      if (!Array.isArray(inputs)) throw medusaError("invalid_data", `The searches are ${show(inputs)}; pass a list.`);
      return Promise.all(inputs.map((input) => this.#search(engine, input)));
    });
  }

  /** Closes the engine that the provider opened. From then on every method rejects with `unexpected_state`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const engine = await this.#opening?.catch(() => undefined);
    await engine?.close();
  }

  async #run<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#engine());
    } catch (error) {
      throw asMedusaError(error);
    }
  }

  async #engine(): Promise<Engine> {
    if (this.#isClosed) throw medusaError("unexpected_state", "The provider is closed; make a new one.");
    const { engine, dataDir } = this.#options;
    if (engine !== undefined) return engine;
    const onWarning = (warning: SearchWarning): void => {
      if (!TOLD.includes(warning.code)) warnProcess(warning);
    };
    this.#opening ??= SearchEngine.open({ dataDir: dataDir!, limits: LIMITS, onWarning });
    try {
      return await this.#opening;
    } catch (error) {
      // The next call tries again.
      this.#opening = undefined;
      throw error;
    }
  }

  async #write(engine: Engine, index: string, work: Work, run: () => Promise<void>): Promise<MedusaSearchTask> {
    await inTurn(engine, index, work, run);
    return { index, status: "succeeded" };
  }

  /** The definition of an index; undefined: there is no such index; null: it is not the provider's. */
  async #find(engine: Engine, name: string): Promise<IndexDefinition | undefined | null> {
    try {
      const { data } = await engine.query(name, { query: "", hitsPerPage: 0, ruleContexts: [DEFINITION_RULE] });
      const text = definitionIn(data);
      if (text === undefined) return null;
      const known = this.#definitions.get(name);
      const definition = known?.text === text ? known : parseDefinition(text);
      this.#definitions.set(name, definition);
      return definition;
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      if (error.error === "index_not_found") return undefined;
      // An index that lacks a function of its owner, which is not the provider's.
      if (error.code === 409) return null;
      throw error;
    }
  }

  /** The definition of an index as it is now. Throws `not_found` where the provider has no such index. */
  async #load(engine: Engine, name: string): Promise<IndexDefinition> {
    const definition = await this.#find(engine, name);
    if (definition) return definition;
    this.#definitions.delete(name);
    throw medusaError("not_found", `There is no index ${show(name)} of this provider.`);
  }

  async #search(engine: Engine, input: unknown): Promise<MedusaSearchResult> {
    const name = nameOf(objectOf(objectOf(input, "A search").index, "index").physical_name);
    let definition = this.#definitions.get(name) ?? (await this.#load(engine, name));
    for (;;) {
      try {
        return await this.#searchBy(definition, engine, name, input);
      } catch (error) {
        // What was read by the definition of before may be right by that of now.
        const now = await this.#load(engine, name);
        if (now.text === definition.text && !(error instanceof OtherDefinition)) throw error;
        definition = now;
      }
    }
  }

  async #searchBy(
    definition: IndexDefinition,
    engine: Engine,
    name: string,
    input: unknown,
  ): Promise<MedusaSearchResult> {
    return answerSearch(readSearch(input, definition), {
      query: async (parameters) => {
        const { data } = await engine.query<object>(name, parameters as Parameters & { readonly query: string });
        if (definitionIn(data) !== definition.text) throw new OtherDefinition();
        return data as SearchData;
      },
      searchForFacetValues: (parameters) =>
        engine.searchForFacetValues(name, parameters as Parameters & { readonly facetName: string }),
      mostValues: this.#options.engine === undefined ? MOST_VALUES : USUAL_VALUES,
      ofOneState: (run) => inTurn(engine, name, "searches", run),
    });
  }
}

/** The definition under which an answer was made; undefined: the index is not the provider's. */
function definitionIn({ appliedRules, userData }: Pick<SearchData, "appliedRules" | "userData">): string | undefined {
  const [text] = appliedRules?.[0] === DEFINITION_RULE ? (userData ?? []) : [];
  return typeof text === "string" ? text : undefined;
}

function nameOf(name: unknown): string {
  if (typeof name === "string") return name;
  throw medusaError("invalid_data", `The name of the index is ${show(name)}; pass its physical name.`);
}

function checkOptions(given: unknown): MedusaSearchOptions {
  const refuse = (why: string): Error => medusaError("invalid_argument", `The options of the provider ${why}.`);
  if (typeof given !== "object" || given === null) throw refuse(`are ${show(given)}; pass { engine } or { dataDir }`);
  const { engine, dataDir, ...others } = given as Readonly<Record<string, unknown>>;
  const [other] = Object.keys(others).filter((name) => others[name] !== undefined);
  if (other !== undefined) throw refuse(`have ${show(other)}, which is unknown; pass { engine } or { dataDir }`);
  if ((engine === undefined) === (dataDir === undefined)) throw refuse("have engine and dataDir, or neither; pass one");
  if (engine !== undefined && typeof (engine as Partial<Engine> | null)?.importIndex !== "function")
    throw refuse(`have ${show(engine)} as engine; pass a SearchEngine`);
  if (dataDir !== undefined && (typeof dataDir !== "string" || dataDir === ""))
    throw refuse(`have ${show(dataDir)} as dataDir; pass the path of a folder`);
  return { engine: engine as Engine | undefined, dataDir: dataDir as string | undefined };
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
export const moduleProvider: MedusaModuleProvider = {
  module: "search",
  services: [TandemSearchProvider],
};
