// The shop of the examples in docs/reference: eight products, an engine, and two functions.

import { SearchEngine } from "tandem-search";

export const engine = new SearchEngine();

const MUNICH = { lat: 48.137, lng: 11.575 };
const BERLIN = { lat: 52.52, lng: 13.405 };

export const products = [
  {
    id: 1,
    title: "Cordless drill, blue",
    brand: "Volt",
    category: "Drills",
    color: "blue",
    price: 119,
    released: "2025-03-01",
    stock: 7,
    sold: 340,
    model: "VD-18",
    sku: "VD18-BL",
    _geoloc: MUNICH,
    text: "A light drill with two batteries, for wood and walls at home.",
  },
  {
    id: 2,
    title: "Cordless drill, red",
    brand: "Volt",
    category: "Drills",
    color: "red",
    price: 129,
    released: "2026-02-01",
    stock: 0,
    sold: 120,
    model: "VD-18",
    sku: "VD18-RD",
    _geoloc: MUNICH,
    text: "A light drill with two batteries, for wood and walls at home.",
  },
  {
    id: 3,
    title: "Hammer drill",
    brand: "Forge",
    category: "Drills",
    color: "black",
    price: 89,
    released: "2024-05-10",
    stock: 3,
    sold: 560,
    sku: "HD-750",
    _geoloc: BERLIN,
    text: "Strong enough for concrete. With a case & a depth stop.",
  },
  {
    id: 4,
    title: "Claw hammer",
    brand: "Forge",
    category: "Hammers",
    color: "black",
    price: 24.5,
    released: "2021-01-15",
    stock: 40,
    sold: 900,
    sku: "CH-16",
    _geoloc: BERLIN,
    text: "Drives nails and pulls them out.",
  },
  {
    id: 5,
    title: "Drill bit set for wood",
    brand: "Volt",
    category: "Drill bits",
    color: "silver",
    price: 19,
    released: "2023-09-01",
    stock: 80,
    sold: 1500,
    sku: "DB-10",
    _geoloc: MUNICH,
    text: "Ten bits from 3 to 10 mm. They fit each drill.",
  },
  {
    id: 6,
    title: "Desk lamp",
    brand: "Lumo",
    category: "Lamps",
    color: "red",
    price: 49,
    released: "2025-11-20",
    stock: 12,
    sold: 75,
    sku: "DL-1",
    _geoloc: BERLIN,
    text: "A bright lamp for reading and for work at night.",
  },
  {
    id: 7,
    title: "Floor lamp, brass",
    brand: "Lumo",
    category: "Lamps",
    color: "yellow",
    price: 149,
    released: "2022-04-01",
    stock: 2,
    sold: 60,
    sku: "FL-1",
    text: "Warm light for the living room.",
  },
  {
    id: 8,
    title: "Rain jacket",
    brand: "Hem",
    category: "Jackets",
    color: "yellow",
    price: 65,
    released: "2024-10-01",
    stock: 9,
    sold: 210,
    sku: "RJ-5",
    text: "Keeps you dry at work and on the bike.",
    variants: [
      { size: "S", stock: 0 },
      { size: "M", stock: 9 },
    ],
  },
];

/** A new index with these settings and the eight products. */
export async function shop(settings = {}) {
  const number = (await engine.listIndexes()).length + 1;
  const index = await engine.createIndex(`shop-${number}`, settings);
  await index.addRecords(products);
  return index;
}

/** The titles of what a query finds, the best first. */
export async function titles(index, params) {
  const { data } = await index.query(params);
  return data.hits.map((hit) => hit.source.title);
}
