// Any answer as one line of text, and many lines as one number.

const CLOCKS = new Set(["serverTimeMS", "processingTimeMS"]);

/** The answer as text, its clocks left out; keys stand in the order they have. */
export function print(value) {
  if (value === null || typeof value !== "object") return `${typeof value}:${String(value)}`;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i++) text += `${print(value[i])},`;
    return `${text}]`;
  }
  let text = "{";
  for (const key of Object.keys(value)) if (!CLOCKS.has(key)) text += `${key}=${print(value[key])},`;
  return `${text}}`;
}

/** 64 bits of the texts, as 16 hexadecimal digits (two FNV-1a of 32 bits with different starts). */
export function hashOf(texts) {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  for (const text of texts)
    for (let i = 0; i <= text.length; i++) {
      const unit = i < text.length ? text.charCodeAt(i) : 0x1f;
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b ^ (unit + 0x5bd1), 0x01000193);
    }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
