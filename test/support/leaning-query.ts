// Queries as an embedder may read them part by part: each part by the mean of the texts that may stand for it, and each word
// that no record holds with three words of a list that records do hold.

import type { EmbedPartsOptions } from "../../src/util/extension-points.js";

const CROWD =
  "drill battery charger kettle couch phone general cordless black saw cleaner laptop café white head".split(" ");
const MOST = 3;

type Read = (text: string) => readonly number[] | null;

/** The vector of a query by an embedder that reads texts so; null where nothing is known. */
export function leaningQuery(
  read: Read,
  parts: readonly (readonly string[])[],
  { unheld, isHeld }: Pick<EmbedPartsOptions, "unheld" | "isHeld">,
): number[] | null {
  const added = parts.flatMap((texts) => {
    const known = texts.map(read).filter((vector) => vector !== null);
    return known.map((vector) => vector.map((component) => component / known.length));
  });
  for (const word of unheld) {
    const near = [...CROWD.slice(word.length % CROWD.length), ...CROWD].filter(isHeld).slice(0, MOST);
    for (const vector of near.map(read)) if (vector !== null) added.push([...vector]);
  }
  if (added.length === 0) return null;
  return added[0]!.map((_, i) => added.reduce((sum, vector) => sum + vector[i]!, 0));
}
