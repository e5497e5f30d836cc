// Prices as amounts in minor units of a currency, and back: which numbers of records have which amounts.

/** ISO 4217: the digits of a currency's minor unit, where they are not two. */
const DIGITS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
  }).flatMap(([digits, codes]) => codes.split(" ").map((code) => [code, Number(digits)] as const)),
);

/** The currency of all prices of an index. */
export interface Money {
  /** ISO 4217. */
  readonly currency: string;
  readonly digits: number;
  /** What a price of a record is multiplied by. */
  readonly factor: number;
}

export function moneyOf(currency: string, minorUnits: boolean): Money {
  const digits = DIGITS.get(currency) ?? 2;
  return { currency, digits, factor: minorUnits ? 1 : 10 ** digits };
}

export const GREATEST_AMOUNT: number = Number.MAX_SAFE_INTEGER;

/** The amount of a record's price; undefined: it is none. */
export function amountOf(price: unknown, { factor }: Pick<Money, "factor">): number | undefined {
  const amount = typeof price === "number" && price >= 0 ? Math.round(price * factor) : Number.NaN;
  return amount <= GREATEST_AMOUNT ? amount : undefined;
}

/** The least and the greatest price whose amount is from `min` to `max`, integers from 0: rounding never falls as prices rise. */
export function pricesBetween(min: number, max: number, { factor }: Pick<Money, "factor">): [number, number] {
  const most = Math.min(max, GREATEST_AMOUNT);
  const amount = (price: number): number => Math.round(price * factor);
  let low = Math.max(0, (min - 0.5) / factor);
  while (low > 0 && amount(neighbour(low, -1)) >= min) low = neighbour(low, -1);
  while (amount(low) < min) low = neighbour(low, 1);
  let high = (most + 0.5) / factor;
  while (amount(neighbour(high, 1)) <= most) high = neighbour(high, 1);
  while (amount(high) > most) high = neighbour(high, -1);
  return [low, high];
}

const BITS = new DataView(new ArrayBuffer(8));

/** The next number above one that is not negative, or below a positive one. */
function neighbour(number: number, step: 1 | -1): number {
  BITS.setFloat64(0, number);
  BITS.setBigInt64(0, BITS.getBigInt64(0) + BigInt(step));
  return BITS.getFloat64(0);
}

/** An amount as people write it: `19.99 EUR`. */
export function printedAmount(amount: number, { digits, currency }: Money): string {
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}
