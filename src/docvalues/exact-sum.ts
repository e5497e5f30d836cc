// Exact sums of floating-point numbers, rounded once at the end, hence the same in any order. J. R. Shewchuk, "Adaptive
// Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates" (1997), GROW-EXPANSION; rounding as in Python's
// math.fsum.

/** Numbers of this magnitude could overflow in a sum. They are integers, so they are summed as BigInt. */
const HUGE = 2 ** 960;
/** The least positive number is 2 ** -1074: every number is an integer of this unit. */
const UNIT_EXPONENT = 1074;
const FRACTION_BITS = 52;
const FRACTION_MASK = 2n ** 52n - 1n;

/** Adds up finite numbers exactly. */
export class ExactSum {
  /** Non-overlapping numbers, ascending, whose exact sum is that of all added numbers except those in `huge`. */
  private readonly partials: number[] = [];
  private huge = 0n;

  /** Adds a number, or `times` times that number; at most 2 ** 53 summands in all. */
  add(value: number, times = 1): void {
    if (Math.abs(value) >= HUGE) {
      this.huge += BigInt(value) * BigInt(times);
      return;
    }
    // Doubling is exact; a product is not.
    for (let rest = times; rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) this.grow(value);
      value *= 2;
    }
  }

  /** The sum, rounded once to the nearest number; infinite when it overflows. */
  value(): number {
    return this.huge === 0n ? roundPartials(this.partials) : this.valueByIntegers();
  }

  private grow(value: number): void {
    const { partials } = this;
    let kept = 0;
    for (let i = 0; i < partials.length; i++) {
      const partial = partials[i]!;
      const sum = value + partial;
      const error = Math.abs(value) < Math.abs(partial) ? value - (sum - partial) : partial - (sum - value);
      if (error !== 0) partials[kept++] = error;
      value = sum;
    }
    partials.length = kept;
    if (value !== 0) partials.push(value);
  }

  private valueByIntegers(): number {
    let units = this.huge << BigInt(UNIT_EXPONENT);
    for (const partial of this.partials) units += unitsOf(partial);
    const magnitude = units < 0n ? -units : units;
    // 60 bits are more than a number has; the last bit records whether anything was cut off.
    const shift = Math.max(0, magnitude.toString(2).length - 60);
    const head = magnitude >> BigInt(shift);
    const sticky = head << BigInt(shift) === magnitude ? 0n : 1n;
    const rounded = Number(head | sticky) * 2 ** (shift - UNIT_EXPONENT);
    return units < 0n ? -rounded : rounded;
  }
}

/** The sum of non-overlapping numbers, rounded to nearest, ties to even. */
function roundPartials(partials: readonly number[]): number {
  let at = partials.length - 1;
  let high = at < 0 ? 0 : partials[at]!;
  let low = 0;
  while (low === 0 && --at >= 0) {
    const sum = high + partials[at]!;
    low = partials[at]! - (sum - high);
    high = sum;
  }
  // `low` may be exactly half a unit in the last place. If the rest has the same sign, round away.
  if (at > 0 && low < 0 === partials[at - 1]! < 0) {
    const other = high + 2 * low;
    if (2 * low === other - high) return other;
  }
  return high;
}

function unitsOf(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const exponent = Number((bits.getBigUint64(0) >> BigInt(FRACTION_BITS)) & 0x7ffn);
  const fraction = bits.getBigUint64(0) & FRACTION_MASK;
  const units = exponent === 0 ? fraction : (fraction | (FRACTION_MASK + 1n)) << BigInt(exponent - 1);
  return value < 0 ? -units : units;
}
