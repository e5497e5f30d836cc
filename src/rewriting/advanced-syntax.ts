// `"quoted phrases"` and `-excluded` words, where a query asks for them (advancedSyntax). A quote without its partner and a
// hyphen within a word are plain text.

/** A query text taken apart. */
export interface AdvancedText {
  /** What is searched: everything but the exclusions, phrases included. */
  readonly text: string;
  /** Texts whose words must stand together. */
  readonly phrases: readonly string[];
  /** Texts that no hit may hold: single words, or phrases. */
  readonly excluded: readonly string[];
}

const QUOTES = /[“”„]/g;

/** Takes a query apart. One pass, linear. */
export function readAdvancedSyntax(query: string): AdvancedText {
  const given = query.replace(QUOTES, '"');
  const phrases: string[] = [];
  const excluded: string[] = [];
  let text = "";
  for (let at = 0; at < given.length; ) {
    const minus = given[at] === "-" && isBlankAt(given, at - 1) && !isBlankAt(given, at + 1);
    const start = minus ? at + 1 : at;
    const close = given[start] === '"' ? given.indexOf('"', start + 1) : -1;
    if (close > start) {
      const phrase = given.slice(start + 1, close);
      (minus ? excluded : phrases).push(phrase);
      text += minus ? " " : ` ${phrase} `;
      at = close + 1;
    } else if (minus) {
      const end = endOfWord(given, start);
      excluded.push(given.slice(start, end));
      at = end;
    } else text += given[at++]!;
  }
  return { text, phrases, excluded };
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBlankAt(text, at)) at++;
  return at;
}

function isBlankAt(text: string, at: number): boolean {
  return at < 0 || at >= text.length || text[at]!.trim() === "";
}
