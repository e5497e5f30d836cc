import type { LiveIndex } from "../api/live-index.js";
import type { ClusterIndexes } from "./cluster-indexes.js";
export interface RemoteSource {
  readonly live: LiveIndex;
  readonly indexes: ClusterIndexes;
  readonly physical: string;
  readonly version: number;
}
