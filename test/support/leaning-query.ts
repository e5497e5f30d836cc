// Queries as an embedder may read them part by part: each part by the mean of the texts that may stand for it, and each word
// that no record holds with three words of a list that records do hold.

import type { EmbedPartsOptions } from "../../src/util/extension-points.js";

const CROWD =
  "drill battery charger kettle couch phone general cordless black saw cleaner laptop café white head".split(" ");
const MOST = 3;

type Read = (text: string) => readonly number[] | null;

interface Asked extends Pick<EmbedPartsOptions, "outOfVocabulary"> {
  readonly isHeld: (word: string) => boolean;
}

/** The vector of a query by an embedder that reads texts so, where it may have to wait until it knows which words records hold. */
export async function awaitedLeaningQuery(
  read: Read,
  parts: readonly (readonly string[])[],
  { outOfVocabulary, isHeld }: Pick<EmbedPartsOptions, "outOfVocabulary" | "isHeld">,
): Promise<number[] | null> {
  const held = new Set<string>();
  for (const word of outOfVocabulary.length > 0 ? CROWD : []) if (await isHeld(word)) held.add(word);
  return leaningQuery(read, parts, { outOfVocabulary, isHeld: (word) => held.has(word) });
}

/** The vector of a query by an embedder that reads texts so; null where nothing is known. */
export function leaningQuery(
  read: Read,
  parts: readonly (readonly string[])[],
  { outOfVocabulary, isHeld }: Asked,
): number[] | null {
  const added = parts.flatMap((texts) => {
    const known = texts.map(read).filter((vector) => vector !== null);
    return known.map((vector) => vector.map((component) => component / known.length));
  });
  for (const word of outOfVocabulary) {
    const near = [...CROWD.slice(word.length % CROWD.length), ...CROWD].filter(isHeld).slice(0, MOST);
    for (const vector of near.map(read)) if (vector !== null) added.push([...vector]);
  }
  if (added.length === 0) return null;
  return added[0]!.map((_, i) => added.reduce((sum, vector) => sum + vector[i]!, 0));
}
