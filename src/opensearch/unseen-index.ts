// A physical index that is filled while nobody sees it: what an import, a copy or a replacement makes. Then it gets its name.

import type { ImportTarget } from "../api/transfer.js";
import type { EmbeddingJob } from "../embedding/remembered-vectors.js";
import type { EngineContext } from "../index/engine-activity.js";
import type { IndexSnapshot } from "../index/index-snapshot.js";
import { fieldRules } from "../index/read-fields.js";
import type { WrittenEntry } from "../index/record-table.js";
import { SearchLanguage } from "../index/search-language.js";
import { IndexWriter, indexFull } from "../index/writer.js";
import { type CheckedOptions, readOptions } from "../input/call-options.js";
import type { SettingsPair } from "../input/extension-ids.js";
import type { ResolvedSettings } from "../settings/settings.js";
import { runTask } from "../util/tasks.js";
import { type ClusterIndexes, keptSettings, type PhysicalIndex } from "./cluster-indexes.js";
import type { PointInTime } from "./point-in-time.js";
import {
  documentsOf,
  entriesOf,
  type FilledSegment,
  type RecordDocument,
  type RestoreContext,
  restored,
} from "./record-documents.js";

/** What an index is filled with. */
export interface UnseenContext {
  /** What the writes of an import belong to, and what aborts them. */
  readonly job?: EmbeddingJob | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly engine: EngineContext;
  readonly indexes: ClusterIndexes;
  /** Gets how many records it has so far. */
  readonly onWritten?: ((done: number) => void) | undefined;
}

/** What an index is copied from. */
export interface CopySource {
  readonly point: PointInTime;
  /** The vectors of its documents are those of the copy. */
  readonly hasVectors: boolean;
}

/** A physical index that nobody sees yet. */
export class UnseenIndex implements ImportTarget {
  readonly physical: PhysicalIndex;
  readonly pair: SettingsPair;
  private readonly context: UnseenContext;
  private readonly writer: IndexWriter;
  private readonly options: CheckedOptions;
  private readonly restoring: RestoreContext;
  private count = 0;

  private constructor(physical: PhysicalIndex, pair: SettingsPair, context: UnseenContext) {
    const { engine, signal, job } = context;
    const { settings } = pair;
    this.physical = physical;
    this.pair = pair;
    this.context = context;
    this.options = { ...readOptions("call", {}), signal, ...(job !== undefined && { job }) };
    this.restoring = {
      settings,
      rules: fieldRules(settings.effective),
      language: new SearchLanguage(settings),
      limits: engine.limits,
      signal,
    };
    this.writer = new IndexWriter({
      ...engine,
      ...pair,
      durability: {
        commit: async ({ snapshot }) => {
          await this.addSegments(snapshot.segments);
        },
        note: async () => {},
        isLarge: () => false,
        prepare: async () => {},
        discard: async () => {},
      },
    });
    this.writer.data.graph.end();
  }

  static async make(name: string, pair: SettingsPair, context: UnseenContext): Promise<UnseenIndex> {
    return new UnseenIndex(await context.indexes.createUnseen(name, keptSettings(pair)), pair, context);
  }

  /** Makes a physical index of all records of a snapshot; a failure leaves none. */
  static async of(
    name: string,
    pair: SettingsPair,
    context: UnseenContext,
    { segments }: Pick<IndexSnapshot, "segments">,
  ): Promise<UnseenIndex> {
    const made = await UnseenIndex.make(name, pair, context);
    try {
      await made.addSegments(segments);
      return made;
    } catch (error) {
      await made.discard();
      throw error;
    }
  }

  /** Makes a physical index of all documents of another one, under the same settings or others; a failure leaves none. */
  static async copyOf(
    name: string,
    pair: SettingsPair,
    context: UnseenContext,
    { point, hasVectors }: CopySource,
  ): Promise<UnseenIndex> {
    const made = await UnseenIndex.make(name, pair, context);
    try {
      for await (const documents of point.documents())
        await (hasVectors ? made.addDocuments(documents) : made.addEntries(entriesOf(documents, made.restoring)));
      return made;
    } catch (error) {
      await made.discard();
      throw error;
    }
  }

  get settings(): ResolvedSettings {
    return this.pair.settings;
  }

  get recordCount(): number {
    return this.count;
  }

  async addEntries(entries: WrittenEntry[]): Promise<void> {
    const { writer } = this;
    await writer.addEntries(entries, this.options);
    // The cluster has them now.
    const empty = writer.emptyData(writer.data);
    empty.graph.end();
    writer.replace(empty);
    const { limits } = this.context.engine;
    if (this.count > limits.indexRecords) throw indexFull(limits);
  }

  /** Adds documents of another index, with the vectors that they have. */
  private async addDocuments(documents: readonly RecordDocument[]): Promise<void> {
    const { segments } = await restored(documents, this.restoring);
    await this.addSegments(segments);
  }

  async discard(): Promise<void> {
    await this.context.indexes.remove(this.physical);
  }

  private async addSegments(segments: readonly FilledSegment[]): Promise<void> {
    const { signal, indexes } = this.context;
    for (const filled of segments) {
      const documents = await runTask(documentsOf(filled, this.settings), signal);
      const before = this.count;
      const onWritten = (done: number): void => this.context.onWritten?.(before + done);
      this.count += (await indexes.write(this.physical, documents, { signal, isSeen: false, onWritten })).added;
    }
  }
}
