// Orders: "cheapest", "newest", "best rated", "most expensive", "sorted by price".

import type { Task } from "../util/tasks.js";
import type { NamedAttributes } from "./index-facts.js";
import { phrase, type Reading } from "./reading.js";

interface OrderWords {
  readonly keys: readonly string[];
  readonly by: keyof NamedAttributes;
  readonly direction: "asc" | "desc";
}

const words = (by: OrderWords["by"], direction: OrderWords["direction"], texts: readonly string[]): OrderWords[] =>
  texts.map((text) => ({ keys: phrase(text), by, direction }));

/** Longer phrases first. */
const ORDERS: readonly OrderWords[] = [
  ...words("price", "asc", ["cheapest", "least expensive", "most affordable", "lowest price", "lowest prices"]),
  ...words("price", "asc", ["lowest priced", "lowest - priced", "lowest cost", "price low to high", "sorted by price"]),
  ...words("price", "asc", ["sort by price", "ordered by price", "sorted by lowest price", "by lowest price"]),
  ...words("price", "desc", ["most expensive", "priciest", "highest price", "highest priced", "price high to low"]),
  ...words("newest", "desc", ["newest", "latest", "most recent", "sorted by newest", "sort by newest", "sort by date"]),
  ...["best", "top", "highest"].flatMap((best) => [
    ...words("rating", "desc", [`${best} rated`, `${best} - rated`, `${best} reviewed`, `${best} - reviewed`]),
    ...words("rating", "desc", best === "top" ? [] : [`${best} rating`, `${best} ratings`, `${best} reviews`]),
  ]),
  ...words("rating", "desc", ["sorted by rating", "sort by rating", "ordered by rating"]),
].sort((a, b) => b.keys.length - a.keys.length);

/** Words before an order that belong to it. */
const LEADS = new Set(["the", "what", "is", "are", "which", "with", "show", "me", "find", "what's", "whats"]);

/** Reads the order; two different ones are none. */
export function* readOrder(reading: Reading): Task<void> {
  const orders = new Set<string>();
  for (let i = 0; i < reading.tokens.length; i++) {
    const order = ORDERS.find(({ keys }) => reading.matches(i, keys));
    const attribute = order && reading.facts.named[order.by];
    if (order?.by === "price" && attribute === null) reading.facts.lacksPrices();
    if (!order || !attribute) continue;
    let to = i + order.keys.length;
    if (yield* isInTitle(reading, i, to)) continue;
    if (reading.key(to) === "first" && reading.isFree(to)) to++;
    let from = i;
    while (reading.isFree(from - 1) && LEADS.has(reading.key(from - 1))) from--;
    if (!reading.hasThing(from, to)) continue;
    const became = `${attribute}:${order.direction}`;
    reading.add("order", from, to, became, "order");
    orders.add(became);
    i = to - 1;
  }
  if (orders.size > 1) reading.drop("order");
}

/** Whether a title holds the order with the word behind it, or before it at the end: "The Cheapest Nights". */
function* isInTitle(reading: Reading, from: number, to: number): Task<boolean> {
  const hasNext = to < reading.tokens.length;
  if (!hasNext && from === 0) return yield* reading.facts.standsInTitle(reading.words(from, to));
  const around = hasNext ? reading.words(from, to + 1) : reading.words(from - 1, to);
  return yield* reading.facts.standsInTitle(around);
}
