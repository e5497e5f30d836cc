// Whether a word of a title says what the product is (its head), or only describes it: "lock" and "laptop" in "Laptop lock". The head of a
// phrase is its last noun, in Romance and Slavic languages the first one, and what follows a preposition says what the product goes with.

import { type TitleRules, type UnspacedTitles, wordsOf } from "./language-rules.js";
import type { TokenKind } from "./scan-tokens.js";
import { isDigit } from "./scan-tokens.js";
import { COUNTED_NAMES, SMALL_NUMBERS } from "./units.js";

/** A word that describes another one, belongs to what the product goes with, or is no noun. */
export const MODIFIER = 1;
/** A head with a number or a code after it, which may be the name of a model: "phone" in "Phone 13 case". */
export const WEAK_HEAD = 2;
export const HEAD = 3;
/** The words of a category of the product, and the first one of each category. They are no words of its title. */
export const CATEGORY = 4;
export const CATEGORY_START = 5;
export type TitleRole = typeof MODIFIER | typeof WEAK_HEAD | typeof HEAD | typeof CATEGORY | typeof CATEGORY_START;

/** What a token does to the words before it. */
export type TitleSyntax = (typeof SYNTAX)[keyof typeof SYNTAX];
const SYNTAX = { noun: 0, attribute: 1, joiner: 2, end: 3, boundary: 4, inch: 5, unit: 6, number: 7, code: 8 } as const;

/** The syntax of all other words. */
export const NOUN: TitleSyntax = SYNTAX.noun;

const ATTRIBUTES: readonly string[] = wordsOf(`
  black white grey gray silver red blue green yellow orange purple pink brown beige gold golden cyan magenta transparent
  clear multicolor multicolour coloured colored color colour titanium graphite ivory cream turquoise violet navy bronze
  copper charcoal lime aqua burgundy khaki maroon tan teal original compatible universal wireless wired digital portable
  external internal small medium large xl xxl s m l mini compact adult kids new used refurbished single double dual
  triple indoor outdoor standard premium professional pro plus deluxe lite bluetooth usb rf optical laser qwerty qwertz
  azerty unmanaged managed freestanding stainless steel brass chrome aluminium aluminum oak pine walnut bamboo wooden plastic
  acrylic ceramic rubber silicone nylon polyester leather suede cotton linen wool woollen velvet denim adjustable foldable folding
  rechargeable cordless electric automatic manual men women mens womens unisex girls boys us uk eu german french english`);

/** What is said in the same words in all languages. */
const EVERYWHERE =
  "xl xxl s m l mini pro plus premium bluetooth usb wlan wifi led rf laser qwerty qwertz azerty unisex xs xxxl";
const SHORT_UNITS: readonly string[] = wordsOf("x dpi ppm pixels rpm mbit mbps pc pcs");

/** The words that the roles of others depend on. "in" is one more: an inch after a number, else a boundary. */
export const TITLE_WORDS: Readonly<
  Record<"boundaries" | "ends" | "joiners" | "numbers" | "units" | "attributes", readonly string[]>
> = {
  /** Everything from one of these words on says what the product goes with; not where the title begins with it. */
  boundaries: wordsOf(
    "for compatible suitable fit fits with without by from w incl including includes featuring against",
  ),
  /** These words end a phrase. */
  ends: wordsOf("on at of as the a"),
  /** Between words that are alike. */
  joiners: wordsOf("and or"),
  numbers: SMALL_NUMBERS,
  /** After a number, these are units. */
  units: [
    ...SHORT_UNITS,
    ...wordsOf("pack piece pieces each"),
    ...COUNTED_NAMES.flat().filter((name) => !ATTRIBUTES.includes(name)),
  ],
  /** Words that describe, before a noun or after it: colours, materials, sizes, kinds. They are no heads. */
  attributes: ATTRIBUTES,
};

/** What the words of titles do in a language. */
export class TitleGrammar {
  /** Whether the first noun of a phrase is its head, not the last one. */
  readonly headFirst: boolean;
  /** How titles in a script without blanks name a thing; undefined: nothing is known of it. */
  readonly unspaced: UnspacedTitles | undefined;
  private readonly syntaxes: ReadonlyMap<string, TitleSyntax>;
  /** Words in lower case in titles whose nouns begin with capitals, too. */
  private readonly small: ReadonlySet<string>;

  constructor(
    words: typeof TITLE_WORDS,
    headFirst: boolean,
    { inch, unspaced }: { readonly inch?: string; readonly unspaced?: UnspacedTitles } = {},
  ) {
    this.headFirst = headFirst;
    this.unspaced = unspaced;
    this.syntaxes = new Map<string, TitleSyntax>([
      ...words.attributes.map((word) => [word, SYNTAX.attribute] as const),
      ...words.numbers.map((word) => [word, SYNTAX.number] as const),
      ...words.units.map((word) => [word, SYNTAX.unit] as const),
      ...words.ends.map((word) => [word, SYNTAX.end] as const),
      ...words.boundaries.map((word) => [word, SYNTAX.boundary] as const),
      ...words.joiners.map((word) => [word, SYNTAX.joiner] as const),
      ...(inch === undefined ? [] : [[inch, SYNTAX.inch] as const]),
    ]);
    this.small = new Set([
      ...[...words.boundaries, ...words.ends, ...words.joiners],
      ...words.units.filter((word) => !COUNTED_NAMES.flat().includes(word)),
    ]);
  }

  /** That of a language other than English. `numbers`, `units`: its own names. */
  static of(rules: TitleRules, numbers: readonly string[], units: readonly string[]): TitleGrammar {
    const attributes = wordsOf(`${rules.attributes} ${EVERYWHERE}`);
    return new TitleGrammar(
      {
        ...{ attributes, numbers },
        boundaries: wordsOf(rules.boundaries),
        ends: wordsOf(rules.ends),
        joiners: wordsOf(rules.joiners),
        units: [...SHORT_UNITS, ...units.filter((name) => !attributes.includes(name))],
      },
      rules.head === "first",
      rules.unspaced === undefined ? {} : { unspaced: rules.unspaced },
    );
  }

  /** Where nothing is known of titles: all words are nouns. */
  static readonly none: TitleGrammar = new TitleGrammar(
    { boundaries: [], ends: [], joiners: [], numbers: [], units: SHORT_UNITS, attributes: wordsOf(EVERYWHERE) },
    false,
  );

  /** The syntax of a normalised token. */
  syntaxOf(kind: TokenKind, token: string): TitleSyntax {
    if (kind === "word") return this.syntaxes.get(token) ?? SYNTAX.noun;
    if (kind === "number") return SYNTAX.number;
    if (kind === "code") return SYNTAX.code;
    if (kind !== "signed") return SYNTAX.noun;
    const word = token.replace(SIGNS, "");
    if (isDigit(word.charCodeAt(word.length - 1))) return SYNTAX.code;
    return this.syntaxes.get(word) === SYNTAX.attribute ? SYNTAX.attribute : SYNTAX.noun;
  }

  /** The syntax of a run without blanks. */
  syntaxOfRun(run: string): TitleSyntax {
    const isDescribing = this.unspaced?.describing.test(run) || this.syntaxes.get(run) === SYNTAX.attribute;
    return isDescribing ? SYNTAX.attribute : SYNTAX.noun;
  }

  /** Whether a word is small in titles whose nouns begin with capitals, too. */
  staysSmall(word: string): boolean {
    return this.small.has(word);
  }
}

const SIGNS = /[+#]+$/;

/** The grammar of English titles. */
export const ENGLISH_TITLES: TitleGrammar = new TitleGrammar(TITLE_WORDS, false, { inch: "in" });

/**
 * The place of the word that says what a query asks for, its head, and of the word from which on it says what that belongs to. `head` is
 * -1 where no word does. `syntaxes`: of its tokens.
 */
export function headOf(
  syntaxes: readonly TitleSyntax[],
  { headFirst }: TitleGrammar,
  mayBeHead: (place: number) => boolean,
): { readonly head: number; readonly boundary: number } {
  const syntaxAt = (at: number): TitleSyntax => syntaxAfter(syntaxes[at]!, syntaxes[at - 1] ?? SYNTAX.noun);
  const boundary = firstBoundary(syntaxes.length, syntaxAt);
  let head = -1;
  for (let place = 0; place < boundary; place++)
    if (syntaxAt(place) === SYNTAX.noun && mayBeHead(place) && !(headFirst && head >= 0)) head = place;
  // Where adjectives follow, one that has no noun before it or behind it is a noun: "portátil".
  if (headFirst && head < 0 && boundary > 0 && syntaxes[0] === SYNTAX.attribute && mayBeHead(0)) head = 0;
  return { head, boundary };
}

/** "pack" is a unit after a number, else a noun. */
function syntaxAfter(own: TitleSyntax, before: TitleSyntax): TitleSyntax {
  return own === SYNTAX.unit && before !== SYNTAX.number ? SYNTAX.noun : own;
}

/** Between two words of one phrase; between words that are alike, as "and" is; between two phrases. */
const BLANK = 0;
const GLUE = 1;
const BREAK = 2;
const GLUES = "/&+";
const BREAKS = ',;:|()[]"!?\n\u2022\u00b7\u00ab\u00bb\u201c\u201d\u201e';

/** A normalised text: the ranges of its tokens and of its quantities. */
interface TokenizedText {
  readonly normal: string;
  readonly size: number;
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  readonly quantities: readonly { readonly start: number; readonly end: number }[];
}

/** Writes the role of each token of a text to `roles`. `syntaxOf`: by token; `title`: the text before it was normalised. */
export function readRoles(
  text: TokenizedText,
  grammar: TitleGrammar,
  syntaxOf: (at: number) => TitleSyntax,
  roles: Uint8Array,
  title: string,
): void {
  const syntaxAt = (at: number): TitleSyntax => syntaxAfter(syntaxOf(at), at === 0 ? NOUN : syntaxOf(at - 1));
  if (grammar.headFirst) {
    readFirstHeads(text, syntaxAt, roles);
    return;
  }
  const { normal, size, starts, ends, quantities } = text;
  const isSpecification = capitalsIn(title, text, grammar);
  let quantity = quantities.length - 1;
  // What a word takes from the token after it and from what is between them; and what that token took.
  let given: WordRole = HEAD;
  let next: WordRole = HEAD;
  let isBeforeUnit = false;
  /** Whether nothing but measures, codes and the like stands behind, up to the end of the phrase. */
  let isBeforeSpecifications = true;
  for (let at = size - 1; at >= 0; at--) {
    const between = at === size - 1 ? BREAK : separation(normal, ends[at]!, starts[at + 1]!);
    if (between !== BLANK) isBeforeSpecifications = between === BREAK;
    const own: WordRole = between === BREAK || isBeforeSpecifications ? HEAD : between === GLUE ? next : given;
    const syntax = syntaxAt(at);
    while (quantity >= 0 && quantities[quantity]!.start >= ends[at]!) quantity--;
    const isMeasured = quantity >= 0 && quantities[quantity]!.end > starts[at]!;
    const isCounted = syntax === SYNTAX.number && isBeforeUnit && between === BLANK;
    roles[at] = syntax === SYNTAX.noun && !isMeasured ? own : MODIFIER;
    // Before "and" stands what is like the word after it.
    const isJoining = syntax === SYNTAX.joiner && between !== BREAK;
    given = isMeasured || isCounted ? HEAD : isJoining ? next : givenBy(syntax, own);
    isBeforeUnit = syntax === SYNTAX.unit || syntax === SYNTAX.inch;
    isBeforeSpecifications &&= isMeasured || SPECIFIES.has(syntax) || isSpecification(at);
    next = own;
  }
  weakenLaterHeads(text, roles);
  const boundary = firstBoundary(size, syntaxAt);
  roles.fill(MODIFIER, boundary, size);
}

/** Measures, codes, colours and the like. */
const SPECIFIES: ReadonlySet<TitleSyntax> = new Set([
  ...[SYNTAX.attribute, SYNTAX.inch, SYNTAX.unit, SYNTAX.number, SYNTAX.code],
]);

const CAPITALS = /^\p{Lu}{2,5}\p{Ll}?$/u;
const LOWER_CASE = /^\p{Ll}{3,}$/u;
const [SMALL_A, SMALL_Z] = [0x61, 0x7a];
const CAPITALISED = /^\p{Lu}\p{Ll}+$/u;

/**
 * Which words of a title are specifications: those that are short and in capitals ("USB", "ATX"), unless most of the title is; and names,
 * which begin with a capital, unless more words do than are nouns in lower case: "Fjell" in "Dome tent Fjell".
 */
function capitalsIn(
  title: string,
  { normal, size, starts, ends }: TokenizedText,
  grammar: TitleGrammar,
): (at: number) => boolean {
  // Where normalising moved letters, nothing is known of them.
  if (title.length !== normal.length) return () => false;
  let capitals = 0;
  let letters = 0;
  for (let at = 0; at < title.length; at++) {
    const unit = normal.charCodeAt(at);
    if (title.charCodeAt(at) !== unit) capitals++;
    if (unit >= SMALL_A && unit <= SMALL_Z) letters++;
  }
  if (2 * capitals > letters) return () => false;
  let nouns = 0;
  let names = 0;
  // A sentence begins with a capital, so the first word tells nothing.
  for (let at = 1; at < size; at++) {
    const word = title.slice(starts[at]!, ends[at]!);
    if (CAPITALISED.test(word)) names++;
    else if (LOWER_CASE.test(word) && !grammar.staysSmall(word)) nouns++;
  }
  return (at) => {
    const word = title.slice(starts[at]!, ends[at]!);
    return CAPITALS.test(word) || (at > 0 && nouns >= names && CAPITALISED.test(word));
  };
}

/** Where the head comes first: the first noun of each phrase, and what is joined to it by "and" or a slash. */
function readFirstHeads(text: TokenizedText, syntaxAt: (at: number) => TitleSyntax, roles: Uint8Array): void {
  const { normal, size, starts, ends, quantities } = text;
  let quantity = 0;
  const syntaxes = new Set<TitleSyntax>();
  const boundary = firstBoundary(size, syntaxAt);
  for (let at = 0, next = 0; at < boundary; at++) {
    while (next < quantities.length && quantities[next]!.end <= starts[at]!) next++;
    if (!(next < quantities.length && quantities[next]!.start < ends[at]!)) syntaxes.add(syntaxAt(at));
  }
  /** Whether the phrase has its head, and whether what follows is like it. */
  let hasHead = false;
  let isAlike = false;
  for (let at = 0; at < size; at++) {
    const between = at === 0 ? BREAK : separation(normal, ends[at - 1]!, starts[at]!);
    if (between === BREAK) hasHead = false;
    while (quantity < quantities.length && quantities[quantity]!.end <= starts[at]!) quantity++;
    const isMeasured = quantity < quantities.length && quantities[quantity]!.start < ends[at]!;
    const syntax = syntaxAt(at);
    const isNoun = syntax === SYNTAX.noun && !isMeasured;
    // "Table et chaise" names both, "table ronde et chaise" too.
    const isHead =
      (isNoun && (!hasHead || isAlike || (between === GLUE && roles[at - 1] === HEAD))) ||
      // An adjective without a noun is a noun: "portátil 15 pulgadas".
      (at === 0 && syntax === SYNTAX.attribute && !syntaxes.has(SYNTAX.noun));
    roles[at] = isHead ? HEAD : MODIFIER;
    if (isHead) hasHead = true;
    isAlike = syntax === SYNTAX.joiner;
  }
  weakenLaterHeads(text, roles);
  roles.fill(MODIFIER, boundary, size);
}

/** What a title names stands in its first phrase that has a head; heads behind it may be qualities: "Cola, cherry". */
function weakenLaterHeads({ normal, size, starts, ends }: TokenizedText, roles: Uint8Array): void {
  let hasHead = false;
  let isLater = false;
  for (let at = 0; at < size; at++) {
    if (at > 0 && hasHead && separation(normal, ends[at - 1]!, starts[at]!) === BREAK) isLater = true;
    if (roles[at] !== HEAD) continue;
    hasHead = true;
    if (isLater) roles[at] = WEAK_HEAD;
  }
}

/** The role of a word of a title. */
type WordRole = typeof MODIFIER | typeof WEAK_HEAD | typeof HEAD;

/** The role that a token gives to the word before it. `own`: what it took itself. */
function givenBy(syntax: TitleSyntax, own: WordRole): WordRole {
  switch (syntax) {
    case SYNTAX.end:
    case SYNTAX.boundary:
    case SYNTAX.inch:
    case SYNTAX.joiner:
      return HEAD;
    case SYNTAX.number:
    case SYNTAX.code:
      return WEAK_HEAD;
    case SYNTAX.attribute:
      return own;
    default:
      return MODIFIER;
  }
}

function firstBoundary(size: number, syntaxAt: (at: number) => TitleSyntax): number {
  for (let at = 1; at < size; at++) {
    const syntax = syntaxAt(at);
    if (syntax === SYNTAX.boundary) return at;
    // "in" is an inch after a number.
    if (syntax !== SYNTAX.inch) continue;
    const before = syntaxAt(at - 1);
    if (before !== SYNTAX.number && before !== SYNTAX.code) return at;
  }
  return size;
}

/** What is between two tokens. */
function separation(text: string, from: number, to: number): number {
  let found = BLANK;
  for (let at = from; at < to; at++) {
    const character = text[at]!;
    if (character === " ") continue;
    if (BREAKS.includes(character)) return BREAK;
    // A dash between blanks, and a full stop.
    if (
      (character === "-" && text[at - 1] === " " && text[at + 1] === " ") ||
      (character === "." && text[at + 1] === " ")
    )
      return BREAK;
    if (GLUES.includes(character)) found = GLUE;
  }
  return found;
}
