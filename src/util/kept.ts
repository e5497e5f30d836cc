// What is derived from an object once and kept with it, where the object's own file may not know the type of it.

/** Names one thing that an owner keeps, and its type. */
export class KeptKey<T> {
  private declare readonly kept: T;
}

/** What one owner keeps; it holds this as a field. */
export class Kept {
  private readonly values = new Map<KeptKey<unknown>, unknown>();

  /** What is kept under a key, made when it is first asked for. */
  get<T>(key: KeptKey<T>, make: () => T): T {
    let value = this.values.get(key) as T | undefined;
    if (value === undefined) {
      value = make();
      this.values.set(key, value);
    }
    return value;
  }
}
