// Values, numbers and counts as texts for people: untrusted texts without control characters.

/** An untrusted value on one line, without control characters, cut to a width. */
export function plain(value: unknown, width: number = Number.POSITIVE_INFINITY): string {
  const text = String(typeof value === "object" ? JSON.stringify(value) : value)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = text.length > width ? [...text] : [];
  return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : text;
}

/** A number with separators, at most `digits` of them behind the point. */
export function shown(number: number, digits = 0): string {
  return number.toLocaleString("en", { maximumFractionDigits: digits });
}

/** "1 row", "2 rows". */
export function counted(count: number, noun: string): string {
  return `${shown(count)} ${noun}${count === 1 ? "" : "s"}`;
}
