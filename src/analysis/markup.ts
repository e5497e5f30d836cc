// The text of a record's value that may be HTML: without tags, comments, scripts and styles, and with the characters that entities
// stand for. What is no markup stays as it is: a "<" that begins no tag, an "&" that begins no entity. Linear in the length; texts
// without both signs are returned as they are.

import { partitionPoint } from "../util/sorted.js";
import { namedCharacter, numberedCharacter } from "./entities.js";

/** A part of a text, and what it reads as. */
interface Piece {
  readonly start: number;
  readonly end: number;
  /** undefined: as it stands there. */
  readonly text: string | undefined;
}

/** The text without markup. */
export function plainText(text: string): string {
  if (!mayBeMarkup(text)) return text;
  const pieces = piecesOf(text);
  return pieces.map((piece) => piece.text ?? text.slice(piece.start, piece.end)).join("");
}

/** A text without markup, and where its characters come from. */
export interface PlainText {
  readonly plain: string;
  /** The parts of the given text that a range of `plain`, which must not be empty, came from; no tag is in them. */
  readonly originsOf: (start: number, end: number) => readonly Range[];
}

/** The characters from `start` to `end` - 1. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** As {@link plainText}, with the origin of each character. */
export function plainTextWithOrigin(text: string): PlainText {
  if (!mayBeMarkup(text)) return { plain: text, originsOf: (start, end) => [{ start, end }] };
  const pieces = piecesOf(text);
  const plain = pieces.map((piece) => piece.text ?? text.slice(piece.start, piece.end));
  const starts: number[] = [];
  let length = 0;
  for (const part of plain) {
    starts.push(length);
    length += part.length;
  }
  return {
    plain: plain.join(""),
    originsOf: (from, to) => afterCombiningMarks(text, originsOf(pieces, starts, from, to)),
  };
}

/** Ranges of a text; those behind a tag without the combining marks at their beginning, which belong to what is before the tag. */
function afterCombiningMarks(text: string, ranges: readonly Range[]): Range[] {
  const marksAt = ({ start, end }: Range): number => /^\p{M}+/u.exec(text.slice(start, end))?.[0].length ?? 0;
  return ranges
    .map((range, i) => (i === 0 ? range : { start: range.start + marksAt(range), end: range.end }))
    .filter(({ start, end }) => start < end);
}

/** `starts`: where each piece begins in the plain text. */
function originsOf(pieces: readonly Piece[], starts: readonly number[], from: number, to: number): Range[] {
  const origins: Range[] = [];
  const first = partitionPoint(0, starts.length, (i) => starts[i]! <= from) - 1;
  for (let i = first; i < pieces.length && starts[i]! < to; i++) {
    const { start, end, text } = pieces[i]!;
    if (start === end) continue;
    const origin =
      text === undefined
        ? { start: start + Math.max(0, from - starts[i]!), end: Math.min(end, start + to - starts[i]!) }
        : { start, end };
    const last = origins.at(-1);
    if (last?.end === origin.start) origins[origins.length - 1] = { start: last.start, end: origin.end };
    else origins.push(origin);
  }
  return origins;
}

function mayBeMarkup(text: string): boolean {
  return text.includes("<") || text.includes("&");
}

/** Tags within words. All others end a word. */
const INLINE = new Set(
  `abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup time tt u
  var wbr`.split(/\s+/),
);
/** The other tags of HTML. Unknown ones are tags if the text closes them, so that List<String> is none. */
const BLOCK = new Set(
  `a address applet area article aside audio base basefont blink blockquote body br button canvas caption center col colgroup
  datalist dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header
  hgroup hr html iframe img input label legend li link main map marquee math menu meta meter nav noframes noscript object ol optgroup
  option output p param picture plaintext pre progress rp rt ruby script search section select slot source style summary svg table tbody
  td template textarea tfoot th thead title tr track ul video xmp`.split(/\s+/),
);
/** Tags whose content is no text. */
const RAW = new Set(["script", "style"]);

/** The beginnings of tags, comments and entities. */
const MARKUP = /<(?:!--|!\[CDATA\[|[!?](?=[a-z])|\/?([a-z][a-z0-9]*(?:[:-][a-z0-9]+)*)(?=[\s/>]))|&/gi;
const COMMENT_END = "-->";
/** Also of what was escaped twice: &amp;eacute; reads as &eacute; does. */
const ENTITY = /&((?:amp;)*)(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}[0-9]{0,2}));/iy;
/** Names that are read without the semicolon too, as in "Salt &amp pepper". */
const OPEN_ENTITY = /&(amp|lt|gt|quot|nbsp)(?![a-z0-9=;])/iy;
const LETTER = /\p{L}/u;
const BLANK = /^\s$/;

/** The pieces of a text that are read, in their order. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const tags = new TagReader(text);
  let read = 0;
  const pattern = new RegExp(MARKUP);
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const start = found.index;
    const markup = found[0] === "&" ? entityAt(text, start) : tags.at(start, found[0], found[1]?.toLowerCase());
    if (markup === undefined) continue;
    if (read < start) pieces.push({ start: read, end: start, text: undefined });
    read = markup.end;
    pattern.lastIndex = read;
    const last = pieces.at(-1);
    const before = last && (last.text ?? text[last.end - 1]!);
    if (found[0] === "&") pieces.push({ start, end: read, text: markup.text });
    // A blank in place of a tag comes from no character. It stands alone, because a quantity has one blank at most.
    else if (markup.text !== "" && before !== undefined && !BLANK.test(before) && !BLANK.test(text[read] ?? " "))
      pieces.push({ start, end: start, text: markup.text });
  }
  if (read < text.length) pieces.push({ start: read, end: text.length, text: undefined });
  return pieces;
}

/** What markup reads as, and where it ends. */
interface Markup {
  readonly text: string;
  readonly end: number;
}

function entityAt(text: string, at: number): Markup | undefined {
  ENTITY.lastIndex = at;
  const [whole = "", escapes = "", decimal, hexadecimal, name] = ENTITY.exec(text) ?? [];
  if (decimal !== undefined) return { text: numberedCharacter(Number(decimal)), end: at + whole.length };
  if (hexadecimal !== undefined)
    return { text: numberedCharacter(Number.parseInt(hexadecimal, 16)), end: at + whole.length };
  const character = name === undefined ? undefined : namedCharacter(name);
  if (character !== undefined) return { text: character, end: at + whole.length };
  if (escapes !== "") return { text: "&", end: at + 1 + escapes.length };
  OPEN_ENTITY.lastIndex = at;
  const open = OPEN_ENTITY.exec(text);
  return open === null ? undefined : { text: namedCharacter(open[1]!)!, end: at + open[0].length };
}

/** Reads the tags and comments of one text, in ascending order. */
class TagReader {
  private readonly text: string;
  /** What is never closed in the rest of the text, so that nobody looks for its end again. */
  private readonly unclosed = new Set<string>();
  private ends: TagEnds | undefined;
  private closedNames: ReadonlySet<string> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The tag or comment at `start`, which begins with `opening`; undefined: it is none. */
  at(start: number, opening: string, name: string | undefined): Markup | undefined {
    const from = start + opening.length;
    if (opening === "<!--") {
      const end = this.find(COMMENT_END, from);
      return end < 0 ? undefined : { text: "", end: end + COMMENT_END.length };
    }
    if (name === undefined && opening.endsWith("[")) return { text: " ", end: from };
    this.ends ??= new TagEnds(this.text);
    let end = this.ends.after(from);
    if (end < 0) return undefined;
    if (name === undefined || opening.startsWith("</")) return { text: this.reads(name, start, end), end };
    if (!this.isName(name) && this.text[end - 2] !== "/") return undefined;
    if (RAW.has(name)) end = this.endOfRaw(name, end, this.ends);
    return { text: this.reads(name, start, end), end };
  }

  /** Whether tags have this name. */
  private isName(name: string): boolean {
    if (INLINE.has(name) || BLOCK.has(name) || name.includes(":")) return true;
    this.closedNames ??= new Set(
      Array.from(this.text.matchAll(/<\/([a-z][a-z0-9:-]*)/gi), (found) => found[1]!.toLowerCase()),
    );
    return this.closedNames.has(name);
  }

  /** The end of a script or style with its closing tag, or of its opening tag alone if it is never closed. */
  private endOfRaw(name: string, end: number, ends: TagEnds): number {
    const closing = this.find(`</${name}`, end);
    const closed = closing < 0 ? -1 : ends.after(closing + name.length + 2);
    if (closed < 0) this.unclosed.add(`</${name}`);
    return closed < 0 ? end : closed;
  }

  /** The next place of a text, in any case, or -1. */
  private find(wanted: string, from: number): number {
    if (this.unclosed.has(wanted)) return -1;
    const pattern = new RegExp(wanted, "gi");
    pattern.lastIndex = from;
    const found = pattern.exec(this.text);
    if (found === null) this.unclosed.add(wanted);
    return found?.index ?? -1;
  }

  /** A blank if a tag ends a word, else nothing. */
  private reads(name: string | undefined, start: number, end: number): string {
    if (name === undefined || !INLINE.has(name)) return " ";
    // H<sub>2</sub>O and 2<sup>nd</sup> are words, but Core<sup>TM</sup> is Core.
    const isSign = name === "sup" && isLetter(this.text[start - 1]) && isLetter(this.text[end]);
    return isSign ? " " : "";
  }
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && LETTER.test(character);
}

/** Where tags end: at the first ">" that stands in no quoted value, if no "<" stands before it. */
class TagEnds {
  /** The places of all quotes and angle brackets. */
  private readonly places: number[] = [];
  /** By place: where a tag ends that has come so far, or -1. */
  private readonly ends: Int32Array;

  constructor(text: string) {
    for (const { index } of text.matchAll(/["'<>]/g)) this.places.push(index);
    const { places } = this;
    this.ends = new Int32Array(places.length).fill(-1);
    // The next quotes of either kind. From right to left, each end follows from a later one.
    const next = new Map<string, number>();
    for (let i = places.length - 1; i >= 0; i--) {
      const sign = text[places[i]!]!;
      if (sign === ">") this.ends[i] = places[i]! + 1;
      if (sign === ">" || sign === "<") continue;
      const closing = isValue(text, places[i]!) ? next.get(sign) : undefined;
      this.ends[i] = this.ends[(closing ?? i) + 1] ?? -1;
      next.set(sign, i);
    }
  }

  /** The end of a tag whose name ends at `at`, or -1 if nothing ends it. */
  after(at: number): number {
    const { places } = this;
    return this.ends[partitionPoint(0, places.length, (i) => places[i]! < at)] ?? -1;
  }
}

/** Whether a quote begins the value of an attribute. */
function isValue(text: string, quote: number): boolean {
  let at = quote - 1;
  while (at >= 0 && (text[at] === " " || text[at] === "\n" || text[at] === "\t")) at--;
  return text[at] === "=";
}
