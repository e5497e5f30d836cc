// What a character is to the scanner. Classes are worked out once a character and kept in a table of 64 KB.

/** Blank, punctuation, symbol: ends a run. */
export const SEPARATOR = 1;
export const LETTER = 2;
export const DIGIT = 3;
/** May join two letters or digits to one run: - _ & ' . , / : */
export const CONNECTOR = 4;
/** Written without blanks between words (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar): indexed by bigrams. */
export const UNSPACED = 5;

const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;
const LETTERS = /[\p{L}\p{M}]/u;
const DIGITS = /\p{N}/u;
const CONNECTORS = "-_&'.,/:";

/** By code unit: its class; 0: it is half of a surrogate pair, or nobody has asked for it with {@link classAt}. */
export const CLASSES: Uint8Array = new Uint8Array(0x10000);

/** The class of the character that begins at `at`; both halves of a surrogate pair have the pair's class. */
export function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit < 0xe000) return classOfPair(text, at, unit);
  const known = CLASSES[unit]!;
  if (known !== 0) return known;
  const found = classify(text[at]!);
  CLASSES[unit] = found;
  return found;
}

function classOfPair(text: string, at: number, unit: number): number {
  const first = unit < 0xdc00 ? at : at - 1;
  return first < 0 ? SEPARATOR : classify(String.fromCodePoint(text.codePointAt(first) ?? 0x20));
}

function classify(character: string): number {
  if (CONNECTORS.includes(character)) return CONNECTOR;
  if (UNSPACED_SCRIPTS.test(character)) return UNSPACED;
  if (DIGITS.test(character)) return DIGIT;
  return LETTERS.test(character) ? LETTER : SEPARATOR;
}
