// An engine whose indexes are in a cluster of OpenSearch nodes.

import { SearchEngine } from "../api/search-engine.js";
import { type EngineOptions, type OpenOptions, readEngineOptions } from "../input/engine-options.js";
import { addBrand } from "../util/brand.js";
import { Cluster } from "./cluster.js";
import { type ClusterOptions, readClusterOptions } from "./cluster-options.js";

/** Options of `OpenSearchEngine.open`. */
export interface OpenSearchOptions extends EngineOptions, ClusterOptions {}

/**
 * The verbs of `SearchEngine` on a cluster of OpenSearch nodes, which has the records and the settings of all indexes. Several processes
 * may have an engine of the same cluster: each sees what the others write.
 */
export class OpenSearchEngine extends SearchEngine {
  /** @internal */
  protected readonly isOfCluster: true = true;

  static {
    addBrand(OpenSearchEngine, "OpenSearchEngine");
  }

  private constructor() {
    super();
  }

  /** @internal An engine of a cluster has no data folder. */
  static override open(options: OpenOptions): Promise<never>;
  /**
   * Opens an engine, and asks the cluster whether it is there.
   *
   * @throws SearchError 400 (options), 502 `cluster_refused`, 503 `cluster_unavailable`
   * @example
   * const engine = await OpenSearchEngine.open({ nodes: ["http://127.0.0.1:9200"] });
   * const products = await engine.createIndex("products", {}, { ifExists: "open" });
   */
  static override open(options: OpenSearchOptions): Promise<OpenSearchEngine>;
  static override async open(options: OpenOptions | OpenSearchOptions): Promise<OpenSearchEngine> {
    const { address, rest } = readClusterOptions(options);
    readEngineOptions(rest);
    await new Cluster(address).call({ method: "GET", path: "/", isRead: true });
    throw new Error("The engine on OpenSearch is being rewritten.");
  }
}
