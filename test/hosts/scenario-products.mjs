// The catalogue of the scenario: products of a few words, codes, nested attributes and other scripts, the same for the same
// number.

const KINDS = ["drill", "hammer", "saw", "lamp", "sofa", "kettle", "toaster", "laptop", "charger", "bicycle"];
const TRAITS = "cordless heavy compact red black rechargeable folding wireless steel small".split(" ");
const BRANDS = ["Volt", "Forge", "Hem", "Nordic & Co", 'Quote "Q"', "constructor", "__proto__"];
const EXTRAS = "для дома|電動ドリル|naïve café|İstanbul ﬁx|👩‍👩‍👧 set|18 V, 1/2 inch|wi-fi 802.11ac|<b>bold</b>".split(
  "|",
);

/** Numbers from 0 to below 1 from a linear congruential generator. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The product with this number. */
export function product(number) {
  const next = randomFrom(number * 7919 + 17);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const [kind, trait, brand] = [pick(KINDS), pick(TRAITS), pick(BRANDS)];
  const record = {
    id: number % 3 === 0 ? `p-${number}` : number,
    title: `${trait} ${kind} ${pick(EXTRAS)}`,
    description: `A ${pick(TRAITS)} ${kind} for the ${pick(KINDS)}s of every home; ${pick(EXTRAS)}.`,
    brand,
    sku: `${brand.slice(0, 2).toUpperCase()}-${100 + number}V${number % 9}`,
    categories: [kind, trait, pick(KINDS)],
    price: Math.round(next() * 10_000) / 100,
    stock: Math.floor(next() * 20),
    sale: next() < 0.3,
    specs: { weight: Math.round(next() * 90) / 10, colour: pick(TRAITS), size: { width: number % 7 } },
    url: `https://shop.example/${number}`,
  };
  if (number % 11 === 0) record.brand = null;
  return record;
}

/** Products 1 to `count`. */
export const products = (count) => Array.from({ length: count }, (_, i) => product(i + 1));

/** A vector of scattered direction, the same for the same number. */
export function vectorOf(number, dimensions) {
  const next = randomFrom(number * 104_729 + 5);
  return Array.from({ length: dimensions }, () => next() * 2 - 1);
}
