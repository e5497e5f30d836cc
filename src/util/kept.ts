// What is made once and kept under a key: in a map, or with an object whose own file may not know the type of it.

/** Names one thing that an owner keeps, and its type. */
export class KeptKey<T> {
  private declare readonly kept: T;
}

/** What one owner keeps; it holds this as a field. */
export class Kept {
  private readonly values = new Map<KeptKey<unknown>, unknown>();

  /** What is kept under a key, made when it is first asked for. */
  get<T>(key: KeptKey<T>, make: () => T): T {
    return keptIn(this.values as Map<KeptKey<T>, T>, key, make);
  }
}

/** The value of a key in a map, made when it is first asked for. */
export function keptIn<K, V>(
  values: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let value = values.get(key);
  if (value === undefined) {
    value = make();
    values.set(key, value);
  }
  return value;
}
