// Lists that were made for queries and may be asked for again, as many as there is room for. Where there is no more, the
// oldest goes that was not asked for since it was last spared (second chance: Corbató 1968); the others stay.

interface Kept<T> {
  readonly list: T;
  readonly cost: number;
  asked: boolean;
}

/** A bounded store; a list that is let go can be made again. */
export class KeptLists<K, T> {
  private readonly room: number;
  private readonly kept = new Map<K, Kept<T>>();
  private used = 0;

  /** `room`: the sum of costs that is kept at most. */
  constructor(room: number) {
    this.room = room;
  }

  get(key: K): T | undefined {
    const found = this.kept.get(key);
    if (found === undefined) return undefined;
    found.asked = true;
    return found.list;
  }

  /** Keeps a list, in the place of one with this key; one that takes more than all the room is kept alone. */
  keep(key: K, list: T, cost: number): void {
    const { kept } = this;
    this.used -= kept.get(key)?.cost ?? 0;
    kept.delete(key);
    for (const [oldest, entry] of kept) {
      if (this.used + cost <= this.room) break;
      kept.delete(oldest);
      if (entry.asked) {
        entry.asked = false;
        kept.set(oldest, entry); // it comes once more, behind all others
      } else this.used -= entry.cost;
    }
    this.used += cost;
    kept.set(key, { list, cost, asked: false });
  }
}
