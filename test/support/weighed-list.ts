// Lists of holders with frequencies as told, for the tests of what is made of such lists.

import { HolderList } from "../../src/text/impacts/holder-list.js";
import type { WeighedList } from "../../src/text/impacts/weighed-list.js";

/** The records, ascending, each with its frequency; those with the greatest are of the first kind. */
export function weighedList(docs: Uint16Array, frequencies: Float64Array): WeighedList {
  const distinct = Float64Array.from(new Set(frequencies)).sort().reverse();
  const kindOf = new Map([...distinct].map((frequency, kind) => [frequency, kind]));
  const kinds = Uint16Array.from(frequencies, (frequency) => kindOf.get(frequency)!);
  return { holders: new HolderList(docs), kinds, frequencies: distinct };
}
