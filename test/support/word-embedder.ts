// An embedder that knows every word: each has a direction of its own, drawn from its letters, and a text adds up its words. All
// texts can be given a part in common, which crowds their cosines as real models do.

import type { Embedder, EmbedOptions } from "../../src/index.js";
import { Random } from "./random.js";

const WORD_DIMENSIONS = 16;

/** Adds up the directions of a text's words, at unit length. */
export class WordEmbedder implements Embedder {
  readonly id: string = "words-1";
  readonly dimensions: number = WORD_DIMENSIONS + 1;
  readonly retries = 0;
  readonly calls: { readonly texts: readonly string[]; readonly options: EmbedOptions }[] = [];
  /** Awaited before an answer is given. */
  wait: (texts: readonly string[], options: EmbedOptions) => Promise<void> = async () => {};
  private readonly common: number;

  /** `common`: the length of what all texts have in common, beside the length 1 of what they say. */
  constructor(common = 0) {
    this.common = common;
  }

  /** The calls with many short texts for queries. */
  get probings(): number {
    return this.calls.filter(({ texts, options }) => texts.length > 1 && options.purpose === "query").length;
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    this.calls.push({ texts, options });
    await this.wait(texts, options);
    return texts.map((text) => this.vectorOf(text));
  }

  /** The vector of one text. */
  vectorOf(text: string): number[] {
    const sum = new Array<number>(WORD_DIMENSIONS).fill(0);
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? ["none"]) {
      let seed = 7;
      for (const letter of word) seed = Math.imul(seed, 31) + letter.codePointAt(0)!;
      const random = new Random(seed);
      for (let i = 0; i < WORD_DIMENSIONS; i++) sum[i]! += random.normal();
    }
    const length = Math.hypot(...sum);
    return [...sum.map((component) => component / length), this.common];
  }
}

const THINGS = "sofa lamp drill kettle scarf tent novel guitar ladder mirror blender jacket".split(" ");
const KINDS = "red oak steel folding cordless woollen compact garden antique padded".split(" ");

/** Plain records, as many as asked for, no two with the same title. */
export function plainRecords(count: number): { readonly id: string; readonly title: string }[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `r${i}`,
    title: `${KINDS[i % 10]} ${THINGS[i % 12]} ${"abcdefghij"[Math.floor(i / 60) % 10]}${"klmnopqrst"[Math.floor(i / 600)]}`,
  }));
}
