/** A compound ("wi-fi", "noise-cancelling") is found by its parts together, or joined. */
export interface CompoundForms {
  readonly joined: string;
  readonly parts: readonly string[];
}

/** The forms of a compound token, given as normalised text; not stemmed. */
export function compoundForms(token: string): CompoundForms {
  const parts = token
    .split(/[-_&]/)
    .map(cleanWord)
    .filter((part) => part !== "");
  return { joined: parts.join(""), parts };
}

/** A word without its apostrophes: "men's" -> "men", "l'oreal" -> "loreal". */
export function cleanWord(word: string): string {
  if (!word.includes("'")) return word;
  const owner = word.endsWith("'s") ? word.slice(0, -2) : word;
  return owner.replaceAll("'", "");
}
