// Numbers by (segment, term), looked up often: open addressing in typed arrays, at most half full.

const FIRST_PLACES = 1 << 10;
/** A larger table is not kept when it is emptied. */
const MOST_PLACES_KEPT = 1 << 14;
const EMPTY = -1;
const TERMS = 0x1_0000_0000;

/** What was noted about the terms of segments. */
export class PartNumbers {
  /** How many were noted. */
  size = 0;
  private keys = new Float64Array(FIRST_PLACES);
  private values = new Int32Array(FIRST_PLACES).fill(EMPTY);

  /** Forgets all. */
  clear(): void {
    if (this.keys.length > MOST_PLACES_KEPT) {
      this.keys = new Float64Array(FIRST_PLACES);
      this.values = new Int32Array(FIRST_PLACES).fill(EMPTY);
    } else if (this.size > 0) this.values.fill(EMPTY);
    this.size = 0;
  }

  /** The number noted, or -1. */
  find(segment: number, term: number): number {
    const { keys, values } = this;
    const mask = keys.length - 1;
    const key = segment * TERMS + term;
    for (let place = hashOf(segment, term) & mask; ; place = (place + 1) & mask) {
      const value = values[place]!;
      if (value === EMPTY || keys[place] === key) return value;
    }
  }

  /** Notes a number of 0 and more for what has none. */
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
    keys[place] = segment * TERMS + term;
    values[place] = value;
  }

  private grow(): void {
    const { keys, values } = this;
    this.keys = new Float64Array(2 * keys.length);
    this.values = new Int32Array(2 * keys.length).fill(EMPTY);
    for (const [place, value] of values.entries())
      if (value !== EMPTY) this.put(Math.floor(keys[place]! / TERMS), keys[place]! % TERMS, value);
  }
}

function hashOf(segment: number, term: number): number {
  const hash = Math.imul(term ^ Math.imul(segment + 1, 0x85ebca6b), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
