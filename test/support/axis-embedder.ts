// A small honest embedder: one axis a word it knows, so that angles can be worked out by hand. It remembers what it was given.

import type { Embedder, EmbedOptions } from "../../src/index.js";

/** The words it knows; a text's vector counts each of them, and a text without any has none. */
export const AXES: readonly string[] = ["drill", "sofa", "lamp"];

export class AxisEmbedder implements Embedder {
  readonly id: string = "axes-1";
  readonly dimensions: number = AXES.length;
  readonly maxBatchSize: number;
  /** None, so that no test waits for one. */
  readonly retries: number = 0;
  readonly batches: (readonly string[])[] = [];
  readonly purposes: string[] = [];
  /** Awaited before an answer is given. */
  wait: (options: EmbedOptions) => Promise<void> = async () => {};

  constructor(maxBatchSize = 256) {
    this.maxBatchSize = maxBatchSize;
  }

  takeTexts(): string[] {
    return this.batches.splice(0).flat();
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<(number[] | null)[]> {
    this.batches.push(texts);
    this.purposes.push(options.purpose);
    await this.wait(options);
    return texts.map((text) => {
      const words = text.toLowerCase().split(/\W+/);
      const counts = AXES.map((axis) => words.filter((word) => word === axis).length);
      return counts.some((count) => count > 0) ? counts : null;
    });
  }
}
