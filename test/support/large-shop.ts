// A shop of more records than a query of a large index reads, queries for it, and what two engines answer differently.

import type { Engine } from "../../src/api/engine.js";
import type { JsonRecord, SearchData, SearchParams } from "../../src/index.js";
import type { EnginePair } from "./cluster-engines.js";
import { Random } from "./random.js";

const THINGS =
  "drill saw hammer lamp sofa chair table kettle toaster blender mixer fan heater battery charger cable bag tent scarf jacket";
const KINDS =
  "cordless electric folding compact red blue black white steel oak heavy light small large garden kitchen outdoor padded";
const MORE = "with for and case set pack pro mini max plus 18V 12V 500W 2x4 USB-C XL";
const BRANDS = ["Volt", "Steelhand", "Nordlicht", "Kvist", "Ostrava"];
const [things, kinds, more] = [THINGS, KINDS, MORE].map((words) => words.split(" ")) as [string[], string[], string[]];

/** A text, not a value. */
const RETURNS =
  "Whatever does not please may come back within thirty days, unused and complete, and we pay postage. ".repeat(2);

/** Records of few words, so that many match. */
function recordsOf(random: Random, count: number): JsonRecord[] {
  const some = (words: readonly string[], most: number): string =>
    Array.from({ length: random.between(0, most) }, () => random.pick(words)).join(" ");
  return Array.from({ length: count }, (_, i) => ({
    id: `r${i}`,
    title: `${random.pick(BRANDS)} ${some(kinds, 2)} ${random.pick(things)} ${some(more, 3)}`.replace(/ +/g, " "),
    description: `${some(kinds, 6)} ${some(things, 4)} ${some(more, 6)}`.trim(),
    brand: random.pick(BRANDS),
    price: random.between(1, 4000) / 4,
    stock: random.between(0, 5),
    inStock: random.chance(0.7),
    sku: `AB-${1000 + i}`,
    ...(i % 10 === 0 && { returns: RETURNS }),
  }));
}

/** How many records it has. */
export const COUNT = 3000;
export const RECORDS: readonly JsonRecord[] = recordsOf(new Random(1), COUNT);

/** Queries of one to five words of these records; of the wrong ones, some words are misspelt or unfinished. */
export function queriesOf(random: Random, count: number, areWrong: boolean): string[] {
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: random.between(1, 5) }, () =>
      random.pick(random.pick([things, things, kinds, kinds, more, BRANDS])),
    );
    const at = random.between(0, words.length - 1);
    const word = words[at]!;
    if (areWrong) words[at] = random.chance(0.7) ? word.slice(0, 2) + word.slice(3) : word.slice(0, 3);
    return words.join(" ");
  });
}

/** Queries that find what they name. */
export const RIGHT: readonly string[] = [
  ...queriesOf(new Random(2), 20, false),
  "AB-1234",
  "ab1300",
  "r77",
  "zzz",
  "the",
  "",
  "drill -saw",
];
/** These, and some of which a word is misspelt or not finished. */
export const QUERIES: readonly string[] = [...RIGHT, ...queriesOf(new Random(3), 10, true)];

/** Filters for them. */
export const FILTERS = [
  { brand: "Volt" },
  { price: { between: [10, 200] } },
  { OR: [{ brand: "Kvist" }, { stock: { gte: 4 } }] },
  { NOT: { brand: "Volt" } },
  { AND: [{ inStock: true }, { NOT: { price: { lt: 500 } } }] },
] as const;

/** Cosines and impacts of the same records are computed by the same code: scores are equal, not only near. */
export const shown = ({ hits }: SearchData): unknown => hits.map(({ id, score }) => [id, score]);

export const answered = (data: SearchData): unknown => ({ nbHits: data.nbHits, hits: shown(data) });

/** What differs between the answers of both engines; empty: nothing. */
export async function differences(
  { embedded, cluster }: Pick<EnginePair, "embedded" | "cluster">,
  asked: readonly SearchParams[],
  of: (data: SearchData) => unknown,
): Promise<string[]> {
  const differing: string[] = [];
  const ask = async (engine: Engine, params: SearchParams) => of((await engine.query("shop", params)).data);
  for (const params of asked) {
    const [expected, actual] = [await ask(embedded, params), await ask(cluster, params)].map((each) =>
      JSON.stringify(each),
    );
    if (expected !== actual) differing.push(`${JSON.stringify(params)}: ${expected}, in the cluster ${actual}`);
  }
  return differing;
}
