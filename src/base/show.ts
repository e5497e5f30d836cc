// How a message quotes what it was given: short, printable, on one line. Everything outside printable ASCII is escaped,
// so that no terminal control, line break or bidirectional mark of a caller's text reaches a log.

const MAX_SHOWN = 80;

/** A printable form of any value for a message, at most 80 characters; never calls into the value. */
export function show(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
    case "boolean":
    case "undefined":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return "a BigInt";
    case "symbol":
      return "a symbol";
    case "function":
      return "a function";
    default:
      return value === null ? "null" : isArray(value) ? "an array" : "an object";
  }
}

/** The kind of a value, without its content: for what may be part of a record. */
export function showKind(value: unknown): string {
  return typeof value === "string" ? "a text" : show(value);
}

/** Names for a list in a message: at most `most` of them, quoted. */
export function showNames(names: Iterable<string>, most = 8): string {
  const shown: string[] = [];
  let left = 0;
  for (const name of names) shown.length < most ? shown.push(printable(name, 40)) : left++;
  return shown.join(", ") + (left > 0 ? `, … (${left} more)` : "");
}

function quote(text: string): string {
  return `"${printable(text, MAX_SHOWN - 2)}"`;
}

function printable(text: string, most: number): string {
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const piece = code >= 0x20 && code < 0x7f ? (code === 0x22 ? '\\"' : text[i]!) : escapeUnit(code);
    if (out.length + piece.length > most - 1) return `${out}…`;
    out += piece;
  }
  return out;
}

function escapeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

/** `Array.isArray` throws for a revoked proxy; a message must not. */
function isArray(value: unknown): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
