// The rows of test/bad-input without their pictures of before and after, which take ten times as long as the calls.

import { describe, it } from "vitest";
import { CREATE_INDEX } from "../test/bad-input/create-index.js";
import { FILTERS } from "../test/bad-input/filters.js";
import { expectRefusal } from "../test/bad-input/message-rules.js";
import { PARAMS } from "../test/bad-input/params.js";
import { QUERY } from "../test/bad-input/query.js";
import { RECORDS } from "../test/bad-input/records.js";
import { World } from "../test/bad-input/world.js";

const TABLES = { C: CREATE_INDEX, A: RECORDS, Q: QUERY, P: PARAMS, F: FILTERS };
const { MUTATION_TABLES = "CAQPF" } = process.env;

for (const [letter, rows] of Object.entries(TABLES).filter(([name]) => MUTATION_TABLES.includes(name)))
  describe(letter, () => {
    it.each(rows.map((row) => [row.row, row.what, row] as const))("%s: %s", async (_number, _what, row) => {
      const world = await World.open(row.options);
      await row.prepare?.(world);
      if (typeof row.expect === "function") await row.expect(await row.run(world), world);
      else
        expectRefusal(
          await Promise.resolve(world)
            .then(row.run)
            .catch((error: unknown) => error),
          row.expect,
        );
      await world.engine.close();
    });
  });
