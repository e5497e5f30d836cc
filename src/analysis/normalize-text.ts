// Text as it is compared: well-formed, NFKC, lower-case, without diacritics, with one kind of hyphen and apostrophe.
// Index and query go through this same function. Linear in the length; plain ASCII only changes case.

/** Trade signs become blanks before NFKC would turn them into letters ("Core™" must not become "coretm"). */
const TRADE_SIGNS = /[\u2122\u2120\u00ae\u00a9]/g;
const HYPHENS = /[\u2010-\u2015\u2212\u30fb\uff0d]/g;
const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4]/g;
/** Format characters (zero-width, soft hyphen, bidirectional marks) and controls but for blanks. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}\u0000-\u0008\u000e-\u001f\u007f]/gu;
/** More marks on one character than any script writes: bringing long runs of them in order takes quadratic time. */
const PILED_MARKS = /(\p{M}{16})\p{M}+/gu;
const DIACRITICS = /[\u0300-\u036f]/g;
const NOT_ASCII = /[^\t\n\v\f\r\x20-\x7e]/;

/** Letters that Unicode does not decompose but people type without their strokes. */
const FOLDED: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ħ: "h", ς: "σ" }),
);
const TO_FOLD = /[ßæœøłđðþıħς]/g;

/** What is neither plain ASCII nor of the characters that texts of shops are full of, whose forms depend on nothing beside them. */
const NOT_ALONE = /[^\t\n\v\f\r\x20-\x7e\u00a0-\u00ff\u2010-\u2027\u2030-\u203a\u20ac\u2122]/;
const ALONE = /[\u00a0-\u20ac\u2122]/g;
/** The forms of these characters. */
const forms = new Map<string, string>();

/** The comparable form of a text. */
export function normalizeText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return NOT_ALONE.test(text) ? normalForm(text) : text.toLowerCase().replace(ALONE, formOf);
}

/** The form that a character has whatever stands beside it; undefined where that depends. */
export function formAlone(character: string): string | undefined {
  return NOT_ALONE.test(character) ? undefined : formOf(character);
}

function formOf(character: string): string {
  let form = forms.get(character);
  if (form === undefined) {
    form = normalForm(character);
    forms.set(character, form);
  }
  return form;
}

function normalForm(text: string): string {
  return text
    .toWellFormed()
    .replace(PILED_MARKS, "$1")
    .replace(TRADE_SIGNS, " ")
    .replace(APOSTROPHES, "'") // before NFKC, which takes an acute accent that stands alone for a blank
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .toLowerCase()
    .normalize("NFD")
    .replace(DIACRITICS, "")
    .normalize("NFC")
    .replace(TO_FOLD, (letter) => FOLDED.get(letter)!)
    .replace(HYPHENS, "-")
    .replace(APOSTROPHES, "'");
}

/** True when nothing of the text can be seen: blanks and format characters only. */
export function isBlank(text: string): boolean {
  return text.trim() === "" || text.replace(INVISIBLE, "").trim() === "";
}
