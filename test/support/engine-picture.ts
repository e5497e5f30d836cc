// All that an engine holds, to compare it with what it held before or what another one holds.

import type { SearchEngine } from "../../src/index.js";
import { allOf } from "./all-of.js";

/** Names, settings, records and digests of all indexes. */
export async function pictureOf(engine: SearchEngine): Promise<unknown> {
  const indexes = await engine.listIndexes();
  return Promise.all(
    indexes.map(async ({ name, records }) => [
      ...[name, records, await engine.digest(name), await engine.getSettings(name)],
      await allOf(engine.browseRecords(name)),
    ]),
  );
}
