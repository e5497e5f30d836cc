import { createIndex, query, SearchEngine } from "tandem-search";

interface Product {
  readonly id: number;
  readonly title: string;
  readonly state?: "new" | "used";
}
const products = await createIndex<Product>("products");
await products.query({ query: "x", pgae: 1 });
await products.query({ query: "x", page: "2" });
await products.query({ query: "x", filters: { prize: 2 } });
await products.query({ query: "x", attributesToRetrieve: ["id"], hitsPerPage: "2" });
await query("products", { query: "x", pgae: 1 });
await query<Product>("products", { query: "x", matching: "most" });
await new SearchEngine().query("products", { query: "x", explain: "yes" });
await (await createIndex<{ id: number; made: { at: bigint } }>("dated")).addRecords([{ id: 1, made: { at: 1n } }]);
