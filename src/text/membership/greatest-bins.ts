// What a number of many surely reach, found in constant time each: they are counted in bins of equal width. A heap of very many
// would take longer, and all its memory.

const BINS = 1 << 14;

/** Counts numbers from 0 to a most by bins, a greater number never in a lower one; whatever lies outside counts at the ends. */
export class GreatestBins {
  private readonly room: number;
  private readonly counts = new Uint32Array(BINS);
  private readonly toBin: number;
  /** How many are in `reached` or above it. */
  private above = 0;
  private bin = 0;

  /** Asks for the `room` greatest. */
  constructor(room: number, most: number) {
    this.room = room;
    this.toBin = BINS / most;
  }

  /** The bin of a number. */
  binOf(value: number): number {
    const bin = value * this.toBin;
    if (!(bin > 0)) return 0;
    return bin < BINS ? Math.floor(bin) : BINS - 1;
  }

  addTo(bin: number): void {
    this.counts[bin]!++;
    if (bin >= this.bin) this.above++;
  }

  add(value: number): void {
    this.addTo(this.binOf(value));
  }

  /** The highest bin that `room` of them reach; 0 as well where there are not so many. */
  get reached(): number {
    while (this.bin < BINS - 1 && this.above - this.counts[this.bin]! >= this.room)
      this.above -= this.counts[this.bin++]!;
    return this.bin;
  }

  /** What `room` of them reach, a bin's width below the last of these at most; minus infinity: nothing is known. */
  get least(): number {
    const { reached } = this;
    return reached === 0 ? Number.NEGATIVE_INFINITY : (reached / this.toBin) * (1 - Number.EPSILON * 4);
  }
}
