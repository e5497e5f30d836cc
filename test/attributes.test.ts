// The attributes that records have: getAttributes().

import { describe, expect, it } from "vitest";
import { getAttributes, type JsonRecord, SearchEngine, setDefaultEngine } from "../src/index.js";
import { listAttributes } from "../src/state/attribute-summary.js";
import { IndexSnapshot } from "../src/state/index-snapshot.js";
import type { LocalDoc } from "../src/util/doc-set.js";
import { runTaskAtOnce } from "../src/util/tasks.js";
import { randomAttributes } from "./oracle/random-attributes.js";
import { attributesOf } from "./support/naive-facets.js";
import { property } from "./support/random.js";
import { rejectionOf } from "./support/refusal.js";
import { segmentFrom } from "./support/states.js";
import { openAt, tempPaths } from "./support/temp-folder.js";

const path = tempPaths();

const LONG = "long ".repeat(40);
const RECORDS: readonly JsonRecord[] = [
  { id: 1, title: "drill", specs: { volts: 18, parts: [{ name: "chuck" }, { name: "bit" }] }, sale: true, text: LONG },
  { id: 2, title: "drill", specs: { volts: 12 }, sale: false, size: 10, text: `${LONG}!` },
  { id: 3, title: "lamp", specs: { volts: 18 }, size: ["10", "10", null], none: null, empty: {}, text: LONG },
];

async function shop() {
  const engine = new SearchEngine({ embedder: false });
  const index = await engine.createIndex<JsonRecord>("shop");
  for (const record of RECORDS) await index.addRecords([record]);
  return { engine, index };
}

describe("getAttributes", () => {
  it("counts records and different values by attribute: of most records first, then by name", async () => {
    const { engine, index } = await shop();
    const shown = async () =>
      (await index.getAttributes()).map(
        ({ attribute, kind, records, values }) => `${attribute} ${kind} ${records} ${values}`,
      );
    expect(await shown()).toEqual([
      ...["id number 3 3", "specs.volts number 3 2", "text text 3 2", "title text 3 2"],
      ...["sale boolean 2 2", "size mixed 2 2", "specs.parts.name text 1 2"],
    ]);
    const before = setDefaultEngine(engine);
    expect(await getAttributes("shop")).toEqual(await index.getAttributes());
    setDefaultEngine(before);
    await index.deleteRecords([1]);
    await index.updateRecords([{ id: 3, size: null, specs: { volts: 12 } }]);
    expect(await shown()).toEqual([
      ...["id number 2 2", "specs.volts number 2 1", "text text 2 2", "title text 2 2"],
      ...["sale boolean 1 1", "size number 1 1"],
    ]);
    await index.clearIndex();
    expect(await shown()).toEqual([]);
  });

  it("leaves out the attribute of vectors", async () => {
    const engine = new SearchEngine();
    const index = await engine.createIndex<JsonRecord>("own", { vectorAttribute: "vec", dimensions: 2 });
    await index.addRecords([{ id: 1, vec: [1, 0], deep: { vec: [2] } }]);
    expect((await index.getAttributes()).map(({ attribute }) => attribute)).toEqual(["deep.vec", "id"]);
  });

  it("says the same of a data folder that was opened again, and so do facets", async () => {
    const dataDir = path();
    const { index } = await shop();
    const first = await openAt(dataDir);
    const written = await first.createIndex<JsonRecord>("shop");
    await written.addRecords([...RECORDS, { id: 4, other: 1 }]);
    await written.deleteRecords([4]);
    await first.close();
    const second = await openAt(dataDir);
    expect(await second.getAttributes("shop")).toEqual(await index.getAttributes());
    const params = { query: "drill", facets: ["specs.*", "*"] };
    const { facets } = (await second.query("shop", params)).data;
    expect(JSON.stringify(facets)).toBe(JSON.stringify((await index.query(params)).data.facets));
    await second.close();
  });

  it("can be aborted", async () => {
    const { index } = await shop();
    expect(await rejectionOf(index.getAttributes({ signal: AbortSignal.abort() }))).toMatchObject({ error: "aborted" });
  });
});

property("reads records as often as it has to, with the same result, of live records alone", 20, async (random) => {
  const records = random.list(2, 40, () => randomAttributes(random)).map((record, id) => ({ id, ...record }));
  const half = Math.ceil(records.length / 2);
  const added = [await segmentFrom(records.slice(0, half)), await segmentFrom(records.slice(half))];
  const whole = IndexSnapshot.empty().with({ added });
  const gone = random.some([...records.keys()], 0.3).filter((doc) => doc < half - 1) as LocalDoc[];
  const snapshot = whole.with({ deletions: new Map([[whole.segments[0]!.segment.segmentId, gone]]) });
  const ids = gone.map((doc) => whole.segments[0]!.segment.records.ids.textAt(doc));
  const living = records.filter(({ id }) => !ids.includes(String(id)));
  const expected = attributesOf(living, undefined);
  for (const most of [1, 30, 1e6]) expect(runTaskAtOnce(listAttributes(snapshot, most))).toEqual(expected);
});
