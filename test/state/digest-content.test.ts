import { describe, expect, it } from "vitest";
import { type IndexSettings, SearchEngine, type SearchIndex } from "../../src/index.js";
import { property, type Random } from "../support/random.js";
import { randomRecords } from "../support/random-values.js";

const engine = new SearchEngine();
let last = 0;
const create = (settings?: IndexSettings): Promise<SearchIndex> => engine.createIndex(`i${++last}`, settings);

async function digestOf(records: readonly object[], settings?: IndexSettings): Promise<string> {
  const index = await create(settings);
  await index.addRecords(records as never);
  return index.digest();
}

const DRILLS = [
  { id: 1, title: "Cordless drill", price: 89, vector: [1, 0] },
  { id: 2, title: "Drill bits, cordless", tags: ["steel"], vector: [0, 1] },
  { id: "é", title: "Perceuse" },
];

/** Brings the records in by detours that leave no trace: in parts, twice, with others that go again, merged or not. */
async function byDetours(index: SearchIndex, records: readonly { id: string }[], random: Random): Promise<void> {
  const shuffled = random.shuffle(records);
  const guests = randomRecords(random, 20).map((record) => ({ ...record, id: `guest-${record.id}` }));
  await index.addRecords(random.shuffle([...guests, ...shuffled.slice(0, 20)]) as never);
  for (let from = 0; from < shuffled.length; ) {
    const size = random.between(1, 30);
    await index.addRecords(shuffled.slice(from, from + size) as never);
    from += size;
  }
  if (random.chance(0.5)) await index.query({ query: "", facets: ["*"] });
  await index.deleteRecords(guests.map((guest) => guest.id));
  if (random.chance(0.5)) await index.whenIdle();
}

property("is the same for the same records, however they came", 12, async (random) => {
  const records = randomRecords(random, 60).map((record, i) => ({ ...record, id: `r${i}` }));
  const settings: IndexSettings = random.chance(0.5) ? {} : { analyzer: "plain", embedder: false };
  const plain = await create(settings);
  await plain.addRecords(records as never);
  const other = await create(settings);
  await byDetours(other, records, random);
  expect(await other.digest()).toBe(await plain.digest());
});

describe("a digest", () => {
  it("is 64 hexadecimal digits, known for known content", async () => {
    expect(await digestOf(DRILLS)).toBe(GOLDEN);
    expect(await digestOf(DRILLS, { semanticFloor: 0.35 })).toBe(GOLDEN_WITH_FLOOR);
  });

  it("tells every difference", async () => {
    const own: IndexSettings = { vectorAttribute: "vector", dimensions: 2 };
    const changed = <T extends object>(change: T) => [{ ...DRILLS[0], ...change }, ...DRILLS.slice(1)];
    const digests = [
      await digestOf([]),
      await digestOf([], { queryType: "prefixNone" }),
      await digestOf(DRILLS),
      await digestOf(DRILLS.slice(1)),
      await digestOf(DRILLS, { matching: "any" }),
      await digestOf(DRILLS, { embedder: false }),
      await digestOf(DRILLS, { analyzer: "plain" }),
      await digestOf(DRILLS, own),
      await digestOf(changed({ vector: [1, 0.001] }), own),
      await digestOf(changed({ price: 89.5 })),
      await digestOf(changed({ price: "89" })),
      await digestOf(changed({ title: "cordless drill" })),
      await digestOf(changed({ id: "1" })),
      await digestOf(changed({ extra: null })),
      await digestOf([Object.fromEntries(Object.entries(DRILLS[0]!).reverse()), ...DRILLS.slice(1)]),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });
});

/** Of the three records above under the default settings: the same on every machine. */
const GOLDEN = "c0f698a44f4f3d63dbcafd4879495d38942b7f2646fa253656c9bdea4cbecb08";
/** The same under a floor of 0.35. */
const GOLDEN_WITH_FLOOR = "766d28ea1d3e55c957e1d0d18506fe94544083d2f41db4153e883918785eff48";
