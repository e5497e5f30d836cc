/** Everything an asynchronous iteration gives. */
export async function allOf<T>(given: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of given) items.push(item);
  return items;
}
