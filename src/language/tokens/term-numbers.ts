// What index terms are to whoever takes many of them: a number each, noted at the place that the term has in a memo. Notes
// of one taker at a time; what another noted is forgotten in no time, because all numbers of a taker lie above it.

/** Notes begin anew before they could pass 32 bits. */
const MOST = 0xff00_0000;

/** Numbers below 2 ** 24, by place. */
export class TermNumbers {
  private noted: Uint32Array;
  private taker = 0;
  /** Numbers of the present taker are noted above this one. */
  private base = 0;
  private top = 0;

  constructor(places: number) {
    this.noted = new Uint32Array(places);
  }

  get size(): number {
    return this.noted.length;
  }

  /** The notes are this taker's from now on; 0 is nobody. */
  hand(taker: number): void {
    if (this.taker === taker) return;
    this.taker = taker;
    if (this.top >= MOST) {
      this.noted.fill(0);
      this.top = 0;
    }
    this.base = this.top;
  }

  /** What the present taker noted there; below 0: nothing. */
  at(place: number): number {
    return this.noted[place]! - this.base - 1;
  }

  /** What stands there, whoever noted it. */
  raw(place: number): number {
    return this.noted[place]!;
  }

  note(place: number, number: number): void {
    const value = this.base + number + 1;
    this.noted[place] = value;
    if (value > this.top) this.top = value;
  }

  /** Other terms stand at these places now. */
  forget(from: number, to: number): void {
    this.noted.fill(0, from, to);
  }

  /** Twice as many places. */
  grow(): void {
    const larger = new Uint32Array(this.noted.length * 2);
    larger.set(this.noted);
    this.noted = larger;
  }
}
