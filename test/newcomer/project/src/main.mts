// Opens the shop twice, asks it by the engine and through both servers, and prints what came.

import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { SearchEngine } from "tandem-search";
import { evaluate } from "tandem-search/evaluation";
import { searchServer as expressServer } from "./express.mjs";
import { searchServer as fastifyServer } from "./fastify-server.mjs";
import { accessFor, countInstantly, countRecords, newEngine, precisionOf } from "./legacy.cjs";
import { answersOf, openShop } from "./shop.mjs";

const KEY = "a-random-key-of-16-characters-or-more";

async function ask(server: Server, key: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/1/indexes/products/query`, {
    method: "POST",
    headers: { "x-search-application-id": "shop", "x-search-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ query: "", hitsPerPage: 0 }),
  });
  const { data } = (await response.json()) as { readonly data: { readonly nbHits: number } | null };
  return `${response.status} ${data?.nbHits}`;
}

const { engine, products } = await openShop("./search-data");
console.log(await answersOf(products));
console.log(await countRecords(engine), await precisionOf(engine), await countInstantly(engine));

const access = accessFor(KEY);
const express: Server = expressServer(engine, access);
await once(express.listen(0, "127.0.0.1"), "listening");
const fastify = fastifyServer(engine, access);
await fastify.listen({ port: 0, host: "127.0.0.1" });
for (const server of [express, fastify.server])
  console.log(await ask(server, KEY), await ask(server, "another-key-that-nobody-has-given"));
express.close();
await fastify.close();
await engine.close();

const again = await openShop("./search-data");
console.log((await again.products.getRecords(["d"]))[0]?.price, again.engine.recovery().recovered);
await again.engine.close();

const old: SearchEngine = newEngine();
await old.createIndex("products");
await old.addRecords("products", [{ id: "d", title: "Drill" }]);
const { runs } = await evaluate(
  "products",
  { queries: [{ id: "1", query: "drill" }], qrels: [{ queryId: "1", recordId: "d", relevance: 1 }] },
  { engine: old, ways: ["words"] },
);
console.log(runs.words?.means.ndcg, old instanceof SearchEngine);
