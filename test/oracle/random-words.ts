// Words with errors, cut off, run together or apart; quantities in several units; synonyms and the other settings of words.

import type { IndexSettings, JsonRecord, SearchParams, Synonym } from "../../src/index.js";
import type { Random } from "../support/random.js";

const WORDS =
  "vacuum vacuums cleaner cleaners cleaning kettle kettles headphones head phones headphone phone cordless cord less drill drills electric electrical electricity battery batteries laptop lap top charger charged couch pouch sofa café strasse naïve berry berries brush brushes organ organizer knife knives tv tvs television grey gray größe groesse öl oel für kühl two the of for with".split(
    " ",
  );
const QUANTITIES = (
  "1.5 L|1,5l|1500 ml|150 cl|18 V|18V|18 volt|20 x 30 cm|0.2 x 0.3 m|2 kg|20x30|20 x 30|20x30x40 cm|10 pack|" +
  "pack of 10|10 pieces|ten pack|box of ten|3 seater|three-seater|3 seats|1/2 inch|half inch|½|1/2|10,000 mAh|" +
  "10.000 mAh|10 000 mAh|10000mAh|1.000|1 000|1000|6x330ml|6 x 330 ml|size 42|EU 42|42|size m|eu 42½|EU 42.5|" +
  "medium|w32 l34|w32l34|32/34"
).split("|");
const CODES = (
  "WH-1000XM4|DV7-1211EA|drills-18V|M8x1.25|vacuum-2|5012345678900|W 811/80|w81180|225/45 R17|2254517|22545r17|" +
  "HU 816/2 x|hu8162x|C 25 114|c25114|25114|wi-fi|head-phones|502.654.31|502 654 31|50265431|81-50-310|8150310|" +
  "DV7 1211EA|C++|C#|c|vacuums+|vacuum++|wi-fi+|DV7-1211EA+|50+|50|A.B.C.|abc|a b c|AC/DC|acdc|H&M|h & m|m&m's|" +
  "m and ms|mms|rock'n'roll|rock and roll|drill's+|drill/kettle|M.2|m2"
).split("|");
/** Words of no record; the embedder of random shops knows those of five and of ten letters, without a typing error. */
const FOREIGN = ["apron", "bidet", "quilt", "flashlight", "nightstand", "spade", "settee"];
/** Settings declare it. */
const ALWAYS_KNOWN = ["id"];
const FIELDS = ["title", "name", "description", "note", "tags", "sku", "specs", "id", "brand"];
const LETTERS = "abcdeilmnorstuvz";
const QUERY_TYPES = ["prefixAuto", "prefixLast", "prefixAll", "prefixNone"] as const;

/** A text for records: some words, quantities and codes. */
export function wordsText(random: Random): string {
  const parts = random.list(1, 6, () => random.pick([...WORDS, ...WORDS, ...QUANTITIES, ...CODES]));
  return random.chance(0.2) ? parts.map((part) => marked(random, part)).join("") : parts.join(" ");
}

/** As a shop's description has it. */
function marked(random: Random, part: string): string {
  return random.pick([
    `<li class="drill">${part}</li>`,
    `<br/>${part}`,
    `<b>${part.slice(0, 2)}</b>${part.slice(2)} `,
    `${part.replace("\u00e9", "&eacute;").replace(" ", "&nbsp;")} &amp; `,
    `${part}<!-- kettle --><script>kettle</script>`,
    `< ${part} & `,
  ]);
}

function wordsQuery(random: Random): string {
  return random.list(1, 4, () => badWord(random)).join(" ");
}

function advancedQuery(random: Random): string {
  const plain = (): string => random.pick([...WORDS, ...WORDS, ...CODES, "18V", "無線ドリル"]);
  const phrase = (): string => `"${random.list(1, 3, plain).join(" ")}"`;
  const part = (): string =>
    random.pick([plain, plain, phrase, () => `-${plain()}`, () => `-${phrase()}`, () => '"', () => "-"])();
  return random.list(1, 4, part).join(" ");
}

function badWord(random: Random): string {
  const word = random.pick(WORDS);
  return random.pick<() => string>([
    () => word,
    () => misspelt(random, word),
    () => misspelt(random, word),
    () => misspelt(random, misspelt(random, word)),
    () => misspelt(random, misspelt(random, misspelt(random, word))),
    () => word.slice(0, random.between(1, word.length)),
    () => word + random.pick(WORDS),
    () => random.pick(FOREIGN),
    () => random.pick(FOREIGN),
    () => random.pick(QUANTITIES),
    () => random.pick(CODES),
    () => random.pick(CODES).slice(0, random.between(1, 5)),
    () => random.pick(["d-100", "DR-18", "5012", "sku", "7"]),
  ])();
}

/** One letter added, lost, changed, or swapped with the next. */
function misspelt(random: Random, word: string): string {
  const at = random.between(0, Math.max(0, word.length - 1));
  const [before, letter, after] = [word.slice(0, at), word.slice(at, at + 1), word.slice(at + 1)];
  const other = random.pick([...LETTERS]);
  return random.pick([
    before + other + letter + after,
    before + after,
    before + other + after,
    before + after.slice(0, 1) + letter + after.slice(1),
  ]);
}

export function wordsSettings(random: Random): Omit<IndexSettings, "embedder" | "analyzer"> {
  return {
    ...(random.chance(0.2) ? { builtInSynonyms: false } : {}),
    ...(random.chance(0.5) ? { synonyms: random.list(0, random.pick([4, 40]), () => randomSynonym(random)) } : {}),
    ...(random.chance(0.3) ? { stopWords: random.pick([false, random.some(WORDS, 0.2)] as const) } : {}),
    ...(random.chance(0.3) ? { optionalWords: random.some(WORDS, 0.2) } : {}),
    ...(random.chance(0.2) ? { typoTolerance: random.chance(0.5) } : {}),
    ...(random.chance(0.3) ? { disableTypoToleranceOnWords: random.list(1, 9, () => badWord(random)) } : {}),
    ...(random.chance(0.3) ? { disableTypoToleranceOnAttributes: random.some(FIELDS, 0.3) } : {}),
    ...(random.chance(0.4) ? { queryType: random.pick(QUERY_TYPES) } : {}),
  };
}

function randomSynonym(random: Random): Synonym {
  const phrase = (): string => random.list(1, 2, () => random.pick(WORDS)).join(" ");
  const synonyms = random.list(1, 3, () => (random.chance(0.1) ? random.pick([...QUANTITIES, ...CODES]) : phrase()));
  return random.chance(0.5) ? { type: "synonym", synonyms } : { type: "oneWaySynonym", input: phrase(), synonyms };
}

/** The fields that a query may name: those of which a record has text. */
export function fieldsOf(records: readonly JsonRecord[]): readonly string[] {
  const isHeld = (field: string) => (record: JsonRecord) => valuesWithin(record[field]);
  return FIELDS.filter((field) => ALWAYS_KNOWN.includes(field) || records.some(isHeld(field)));
}

function valuesWithin(value: JsonRecord[string]): boolean {
  if (typeof value !== "object") return value !== undefined;
  return value !== null && Object.values(value).some((inner) => valuesWithin(inner as JsonRecord[string]));
}

/** Parameters of words; some queries keep the text they would have had. `fields`: those that the index knows. */
export function wordsParams(random: Random, fields: readonly string[] = ALWAYS_KNOWN): Partial<SearchParams> {
  const advanced = random.chance(0.25);
  return {
    ...(advanced ? { query: advancedQuery(random), advancedSyntax: true } : {}),
    ...(!advanced && random.chance(0.85) ? { query: wordsQuery(random) } : {}),
    ...(random.chance(0.3) ? { queryType: random.pick(QUERY_TYPES) } : {}),
    ...(random.chance(0.2) ? { typoTolerance: random.chance(0.7) } : {}),
    ...(random.chance(0.2) ? { optionalWords: random.some(WORDS, 0.3) } : {}),
    ...(random.chance(0.25) ? { restrictSearchableAttributes: random.some(fields, 0.5) } : {}),
    ...(random.chance(0.5) ? { semanticWeight: 0 } : {}),
  };
}
