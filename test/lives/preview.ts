// A short print of any value, traps and endless lists too, for the messages of failures.

const MOST_ITEMS = 6;
const MOST_LEVELS = 4;
const MOST_CHARACTERS = 60;

/** At most 400 characters. */
export function preview(value: unknown): string {
  return print(value, MOST_LEVELS).slice(0, 400);
}

function print(value: unknown, levels: number): string {
  try {
    if (typeof value === "string") return JSON.stringify(value.slice(0, MOST_CHARACTERS));
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "function") return "a function";
    if (typeof value !== "object" || value === null) return String(value);
    if (levels === 0) return "…";
    if (Array.isArray(value)) {
      const items = Array.from({ length: Math.min(value.length, MOST_ITEMS) }, (_, i) => print(value[i], levels - 1));
      return `[${items.join()}${value.length > MOST_ITEMS ? `, … ${value.length} in all` : ""}]`;
    }
    const entries = Object.keys(value).slice(0, 3 * MOST_ITEMS);
    const kind = Object.getPrototypeOf(value) === Object.prototype ? "" : Object.prototype.toString.call(value);
    return `${kind}{${entries.map((name) => `${name.slice(0, MOST_CHARACTERS)}: ${print(Reflect.get(value, name), levels - 1)}`).join()}}`;
  } catch {
    return "(a trap)";
  }
}
