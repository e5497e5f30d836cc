/** Scripts without blanks between words are read by overlapping pairs of characters, as Lucene's CJK analyzer does. */
export interface Bigrams {
  readonly characters: readonly string[];
  /** Empty for a run of one character. */
  readonly pairs: readonly string[];
}

/** The characters of a run, and its pairs of neighbours. */
export function bigrams(run: string): Bigrams {
  const characters = [...run];
  const pairs: string[] = [];
  for (let i = 1; i < characters.length; i++) pairs.push(characters[i - 1]! + characters[i]!);
  return { characters, pairs };
}
