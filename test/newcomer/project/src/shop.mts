// The shop's index, in a data folder.

import { SearchEngine, type SearchIndex } from "tandem-search";

export interface Product {
  readonly id: string;
  readonly title: string;
  readonly brand?: string;
  readonly price: number;
  readonly tenant: string;
  readonly offers?: readonly { readonly shop: string; readonly used: boolean }[];
}

const PRODUCTS: readonly Product[] = [
  { id: "d", title: "Cordless drill driver, 18 V", brand: "Volt", price: 89, tenant: "acme" },
  { id: "s", title: "Three-seat sofa, grey fabric", brand: "Hem", price: 899, tenant: "acme" },
  { id: "h", title: "Claw hammer", price: 12, tenant: "other", offers: [{ shop: "north", used: true }] },
];

export interface Shop {
  readonly engine: SearchEngine;
  readonly products: SearchIndex<Product>;
}

export async function openShop(dataDir: string): Promise<Shop> {
  const engine = await SearchEngine.open({ dataDir });
  const settings = { searchableAttributes: ["title", { attribute: "brand", weight: 2 }] } as const;
  const products = await engine.createIndex<Product>("products", settings, { ifExists: "open" });
  if (products.recordCount === 0) await products.addRecords(PRODUCTS);
  return { engine, products };
}

/** A repository for records of any type. */
export class Repository<T extends { readonly id: string }> {
  private readonly index: SearchIndex<T>;

  constructor(index: SearchIndex<T>) {
    this.index = index;
  }

  async save(records: T[]): Promise<void> {
    await this.index.addRecords(records);
  }

  async patch(id: T["id"], changes: Partial<T>): Promise<void> {
    await this.index.updateRecords([{ ...changes, id }]);
  }
}

export async function answersOf(products: SearchIndex<Product>): Promise<string> {
  await new Repository(products).patch("d", { price: 79 });
  await products.updateRecords([{ id: "s", brand: null }]);
  const found: string[] = [];
  for (const query of ["cordles drills", "couch", "hammer"]) {
    const { data } = await products.query({
      query,
      filters: { price: { lt: 1000 } },
      facets: ["brand"],
      attributesToHighlight: ["title"],
      sort: ["price:asc"],
    });
    const [hit] = data.hits;
    const title: string | undefined = hit?._highlightResult?.title?.value;
    found.push(`${query}: ${hit?.source.price} ${title} ${JSON.stringify(data.facets)}`);
  }
  const few = await products.query({ query: "sofa", attributesToRetrieve: ["id"] });
  // A title may be missing here, and TypeScript knows it.
  const missing: string | undefined = few.data.hits[0]?.source.title;
  return [...found, `${missing}`].join("\n");
}
