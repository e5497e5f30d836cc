// The titles that a query finds in a shop of titles alone, in their order.

import type { IndexSettings, SearchParams } from "../../src/index.js";
import { plainShop } from "./plain-shop.js";

export async function foundTitles(
  titles: readonly string[],
  params: string | SearchParams,
  settings: IndexSettings = {},
): Promise<string[]> {
  const { ids } = await plainShop(
    settings,
    titles.map((title, id) => ({ id, title })),
  );
  return (await ids(typeof params === "string" ? { query: params } : params)).map((id) => titles[Number(id)]!);
}
