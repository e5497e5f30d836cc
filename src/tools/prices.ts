// Prices as amounts in minor units of a currency, and back: which numbers of records have which amounts.

/** ISO 4217: the digits of a currency's minor unit, where they are not two. */
const DIGITS = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

export function digitsOf(currency: string): number {
  return Number(Object.entries(DIGITS).find(([, currencies]) => currencies.includes(currency))?.[0] ?? 2);
}

export const GREATEST_AMOUNT: number = Number.MAX_SAFE_INTEGER;

/** The amount of a record's price, by what prices are multiplied by; undefined: it is none. */
export function amountOf(price: unknown, factor: number): number | undefined {
  const amount = typeof price === "number" && price >= 0 ? Math.round(price * factor) : Number.NaN;
  return amount <= GREATEST_AMOUNT ? amount : undefined;
}

/** The least and the greatest price whose amount is from `min` to `max`, integers from 0: rounding never falls as prices rise. */
export function pricesBetween(min: number, max: number, factor: number): [number, number] {
  return [leastPrice(min, factor), neighbour(leastPrice(Math.min(max, GREATEST_AMOUNT) + 1, factor), -1)];
}

function leastPrice(amount: number, factor: number): number {
  const suffices = (price: number): boolean => Math.round(price * factor) >= amount;
  let price = Math.max(0, (amount - 0.5) / factor);
  while (price > 0 && suffices(neighbour(price, -1))) price = neighbour(price, -1);
  while (!suffices(price)) price = neighbour(price, 1);
  return price;
}

const BITS = new DataView(new ArrayBuffer(8));

/** The next number above one that is not negative, or below a positive one. */
function neighbour(number: number, step: 1 | -1): number {
  BITS.setFloat64(0, number);
  BITS.setBigInt64(0, BITS.getBigInt64(0) + BigInt(step));
  return BITS.getFloat64(0);
}

/** A price as people write it: `19.99 EUR`. */
export function printedPrice({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  const digits = digitsOf(currency);
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}
