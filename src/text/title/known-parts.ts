// What the parts of titles are to one query, by their terms' numbers: found once, looked up often. One table for all queries,
// because ranking is one synchronous pass; a query that comes back after another begins anew.

const FIRST_PLACES = 1 << 10;
/** A larger table is not kept for the next query. */
const MOST_PLACES_KEPT = 1 << 15;
const EMPTY = -1;

/** Numbers by (segment, term): open addressing, at most half full. */
class KnownParts {
  private owner: object | undefined;
  private keys = new Float64Array(FIRST_PLACES);
  private values = new Int32Array(FIRST_PLACES).fill(EMPTY);
  private size = 0;

  /** Forgets what others noted. */
  take(owner: object): boolean {
    if (this.owner === owner) return false;
    this.owner = owner;
    if (this.keys.length > MOST_PLACES_KEPT) {
      this.keys = new Float64Array(FIRST_PLACES);
      this.values = new Int32Array(FIRST_PLACES).fill(EMPTY);
    } else if (this.size > 0) this.values.fill(EMPTY);
    this.size = 0;
    return true;
  }

  /** The number noted, or -1. */
  find(segment: number, term: number): number {
    const { keys, values } = this;
    const mask = keys.length - 1;
    const key = segment * 0x1_0000_0000 + term;
    for (let place = hashOf(segment, term) & mask; ; place = (place + 1) & mask) {
      const value = values[place]!;
      if (value === EMPTY || keys[place] === key) return value;
    }
  }

  /** Notes a number for what has none. */
  note(segment: number, term: number, value: number): void {
    if (2 * this.size >= this.keys.length) this.grow();
    this.put(segment, term, value);
    this.size++;
  }

  private put(segment: number, term: number, value: number): void {
    const { keys, values } = this;
    const mask = keys.length - 1;
    let place = hashOf(segment, term) & mask;
    while (values[place] !== EMPTY) place = (place + 1) & mask;
    keys[place] = segment * 0x1_0000_0000 + term;
    values[place] = value;
  }

  private grow(): void {
    const { keys, values } = this;
    this.keys = new Float64Array(2 * keys.length);
    this.values = new Int32Array(2 * keys.length).fill(EMPTY);
    for (const [place, value] of values.entries())
      if (value !== EMPTY) this.put(Math.floor(keys[place]! / 0x1_0000_0000), keys[place]! % 0x1_0000_0000, value);
  }
}

export const KNOWN_PARTS: KnownParts = new KnownParts();

function hashOf(segment: number, term: number): number {
  const hash = Math.imul(term ^ Math.imul(segment + 1, 0x85ebca6b), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
