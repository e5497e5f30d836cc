// What the bundlers take: the shop without its servers.

import { answersOf, openShop } from "./shop.mjs";

const { engine, products } = await openShop("./search-data");
console.log(await answersOf(products));
await engine.close();
