// Trade numbers told by their check digits, and brought to one form: a UPC is an EAN with a zero before it, an ISBN-10 an
// EAN that begins with 978. Check digits: GS1 General Specifications, section 7.9; ISBN-10: ISO 2108, annex.

const GTIN_LENGTHS = [8, 12, 13, 14];
const LONGEST = 14;

/** The 14-digit form of a GTIN-8, UPC, EAN, GTIN-14 or ISBN-10, given as letters and digits alone; undefined for others. */
export function tradeNumber(squeezed: string): string | undefined {
  if (isIsbn10(squeezed)) {
    const digits = `978${squeezed.slice(0, 9)}`;
    return (digits + checkDigit(digits)).padStart(LONGEST, "0");
  }
  if (!GTIN_LENGTHS.includes(squeezed.length) || !/^[0-9]+$/.test(squeezed)) return undefined;
  const digits = squeezed.slice(0, -1);
  return checkDigit(digits) === Number(squeezed.at(-1)) ? squeezed.padStart(LONGEST, "0") : undefined;
}

/** Weights 3, 1, 3, … from the right, to the next ten. */
function checkDigit(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10;
}

/** Weights 10, 9, … 1; X stands for ten; the sum is a multiple of eleven. */
function isIsbn10(text: string): boolean {
  if (!/^[0-9]{9}[0-9x]$/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (10 - i) * (text[i] === "x" ? 10 : Number(text[i]));
  return sum % 11 === 0;
}
