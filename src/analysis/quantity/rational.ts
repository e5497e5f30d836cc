// Exact arithmetic for quantities, so that 1500 ml, 150 cl and 1.5 l give the same term.

/** A fraction of integers with a positive denominator, not reduced. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

export const ONE: Rational = { n: 1n, d: 1n };
const DIGITS = 9;
const LEAST = 10n ** BigInt(DIGITS - 1);
const MOST = 10n ** BigInt(DIGITS);

/** Parses a plain decimal ("0.0254") or a quotient of two ("4.4482216152605/0.00064516"). */
export function rational(text: string): Rational {
  const slash = text.indexOf("/");
  if (slash >= 0) {
    const over = rational(text.slice(0, slash));
    const under = rational(text.slice(slash + 1));
    return { n: over.n * under.d, d: over.d * under.n };
  }
  const point = text.indexOf(".");
  if (point < 0) return { n: BigInt(text), d: 1n };
  return { n: BigInt(text.slice(0, point) + text.slice(point + 1)), d: 10n ** BigInt(text.length - point - 1) };
}

/** The sum of two numbers. */
export function plus(a: Rational, b: Rational): Rational {
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

/** The product of two numbers. */
export function times(a: Rational, b: Rational): Rational {
  return { n: a.n * b.n, d: a.d * b.d };
}

/** Prints a number of at least 0 with nine significant digits, halves rounded up, in the shortest spelling ("1.5", "4e-9"). */
export function nineDigits({ n, d }: Rational): string {
  if (n === 0n) return "0";
  let exponent = String(n).length - String(d).length - DIGITS;
  let digits = quotient(n, d, exponent);
  // The estimate is at most one too small or too great, and rounding may carry once more.
  while (digits >= MOST) digits = quotient(n, d, ++exponent);
  while (digits < LEAST) digits = quotient(n, d, --exponent);
  return String(Number(`${digits}e${exponent}`));
}

/** n / d / 10 ** exponent, rounded to an integer. */
function quotient(n: bigint, d: bigint, exponent: number): bigint {
  const over = exponent < 0 ? n * 10n ** BigInt(-exponent) : n;
  const under = exponent < 0 ? d : d * 10n ** BigInt(exponent);
  return (2n * over + under) / (2n * under);
}
