// Markdown of the pages of scripts/reference.mjs.

const LONGEST = 140;

/** Breaks a text into lines; none begins with what Markdown would take for a list or a heading. */
export function wrap(text, most = LONGEST, indent = "") {
  const lines = [];
  for (const [word] of text.matchAll(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+/g)) {
    const last = lines.at(-1);
    if (last !== undefined && (last.length + word.length < most || /^(?:[-+*#>|]|\d+\.$)/.test(word)))
      lines[lines.length - 1] += ` ${word}`;
    else lines.push(lines.length === 0 ? word : indent + word);
  }
  return lines.join("\n");
}

export const point = (name, text) => (text ? [wrap(`- **${name}:** ${text}`, LONGEST, "  ")] : []);
export const fence = (mark, text) => (text === "" ? [] : [`\`\`\`${mark}\n${text}\n\`\`\``]);
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.:]$/.test(text) ? "" : ".");
