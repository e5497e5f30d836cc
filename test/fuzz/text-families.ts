// Families of hostile text, each named by what it is made of. A family gives text of any length in code units, the same text
// for the same length. This file imports nothing, so that the bench of text analysis can read it too.

/** Gives about so many code units of text; never more. */
type TextFamily = (length: number) => string;

/** The pattern over and over, cut at the length. */
function repeat(pattern: string): TextFamily {
  return (length) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}

/** Numbered pieces, no two alike. */
function counted(piece: (number: number) => string): TextFamily {
  return (length) => {
    const pieces: string[] = [];
    for (let i = 0, size = 0; size < length; i++) size += pieces[pieces.push(piece(i)) - 1]!.length;
    return pieces.join("").slice(0, length);
  };
}

/** `first`, then `rest` over and over: one long thing that begins in another way. */
function after(first: string, rest: string): TextFamily {
  return (length) => (first + repeat(rest)(length)).slice(0, length);
}

/** `rest` over and over, with `last` at the very end: for what looks ahead. */
function before(rest: string, last: string): TextFamily {
  return (length) => repeat(rest)(Math.max(0, length - last.length)) + last.slice(0, length);
}

/** A number in letters, so that words of it are distinct. */
function inLetters(number: number): string {
  return number.toString(26).replace(/[0-9]/g, (digit) => String.fromCharCode(0x71 + Number(digit)));
}

/** Characters in the order of their code points. */
function rising(from: number, count: number): TextFamily {
  return counted((i) => String.fromCodePoint(from + ((i * 7919) % count)));
}

/** All families. */
export const TEXT_FAMILIES: Readonly<Record<string, TextFamily>> = {
  "one word": repeat("a"),
  "one word and @": before("a", "@"),
  slashes: repeat("/"),
  "number signs": repeat("#"),
  percentages: repeat("1%"),
  addresses: repeat("http://a/a/"),
  "www.": repeat("www."),
  dashes: repeat("-"),
  hashtags: repeat("#a"),
  fractions: repeat("1/"),
  apostrophes: repeat("a'"),
  hyphens: repeat("a-"),
  underscores: repeat("_"),
  "capital letters": repeat("A"),
  Han: rising(0x4e00, 20_000),
  Arabic: repeat("\u0645\u0631\u062d\u0628\u0627"),
  "combining marks": after("a", "\u0301"),
  "marks out of order": after("a", "\u0301\u0316\u0345\u0327"),
  NUL: repeat("\0"),
  "lone surrogates": repeat("\ud83d"),
  "surrogates the wrong way round": repeat("\ude00\ud83d"),
  dots: repeat("."),
  dollars: repeat("$"),
  words: repeat("the quick brown foxes were jumping over lazy dogs "),
  "one-letter words": counted((i) => `${String.fromCharCode(0x61 + (i % 26))} `),
  commas: repeat(","),
  quotes: repeat('"'),
  brackets: repeat("([{"),
  emoji: repeat("\u{1f600}"),
  HTML: repeat('<b class="x">&amp;</b>'),
  "angle brackets": repeat("<"),
  "tags never closed": repeat("<a "),
  "tags never closed but at the end": before('<a b="', ">"),
  "values never closed": repeat("<a b='c\"> "),
  "comments never closed": repeat("<!--"),
  "scripts never closed": repeat("<script>"),
  "unknown tags": counted((i) => `<x${inLetters(i)}>`),
  "tags in tags": repeat('<a b="<a b=\'"'),
  blanks: repeat('= "'),
  ampersands: repeat("&"),
  "entities escaped again and again": after("&", "amp;"),
  "entities never closed": repeat("&amp"),
  emoticons: repeat(":-) ;P "),
  "distinct words": counted((i) => `${inLetters(i * 7919 + 456_976)} `),
  "distinct long words": counted((i) => `${inLetters(i + 11_881_376).repeat(12)} `),
  "digits with units": counted((i) => `${i}mm ${i}.5 kg `),
  sizes: repeat("5 x "),
  "sizes with units": repeat("20 cm x 30,5 cm x "),
  "sizes without blanks": repeat("5x"),
  codes: repeat("ab-1-"),
  "distinct codes": counted((i) => `WH-${i}XM${i % 9} `),
  "long greeting": repeat("\ufdfa"),
  "long greetings between blanks": repeat("\ufdfa "),
  Hangul: rising(0xac00, 11_000),
  "Hangul letters": repeat("\u1112\u1161\u11ab"),
  Thai: repeat("\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35"),
  "Turkish i": repeat("\u0130\u0131"),
  ligatures: repeat("\ufb01\ufb02\ufb03"),
  "full width": repeat("\uff21\uff22\uff11\uff12\u3000"),
  inches: repeat('1"'),
  "inches and fractions": repeat('5 3/4" '),
  decimals: repeat("1."),
  thousands: after("1", ",000"),
  "one number": repeat("7"),
  prefixes: counted((i) => `${"interchangeability".slice(0, 1 + (i % 18))} `),
  "joined emoji": repeat("\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"),
  flags: repeat("\u{1f1e6}\u{1f1f9}"),
  tags: after("\u{1f3f4}", "\u{e0067}"),
  "bold letters": repeat("\u{1d400}\u{1d7ce}"),
  "soft hyphens": repeat("a\u00ad"),
  "trade signs": repeat("a\u2122\u00ae"),
  "halves and thirds": repeat("1\u00bd \u2153"),
  "bidirectional marks": repeat("\u202ea\u202c"),
  "phrases and exclusions": repeat('"a b" -"c d" -e '),
};
