/** V8 keeps a part of a longer text as a view that holds the whole text alive, from this many characters on. */
const SHORTEST_VIEW = 13;

/** The same text, holding nothing else alive: for texts that are kept longer than what they were cut from. */
export function ownText(text: string): string {
  return text.length < SHORTEST_VIEW ? text : Buffer.from(text, "utf16le").toString("utf16le");
}
