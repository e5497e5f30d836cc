// The other spellings of the quantities and sizes of a query, by the rules of docs/scoring.md.

import { quantitiesIn } from "../../src/analysis/quantities.js";
import { UNITS } from "../../src/analysis/units.js";

/** Index terms that a record must all have, and what they count. */
type Spelling = { readonly terms: readonly string[]; readonly weight: number };

export interface TypedQuantity {
  readonly start: number;
  readonly end: number;
  readonly term: string;
  /** A number before its unit, in digits. */
  readonly plainly: string;
  readonly inWords: boolean;
}

type Stem = (word: string) => string;

const SMALL = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const WORDS: readonly (readonly [words: string, digits: string])[] = [
  ["three quarters", "3/4"],
  ["three quarter", "3/4"],
  ["quarter", "1/4"],
  ["half", "1/2"],
  ...SMALL.map((word, i) => [word, String(i + 1)] as const),
];
const SHORT = ["bay", "cup", "day", "key", "man", "men", "ply", "way"];
const NAMES = [...UNITS.keys()].filter((name) => /^[a-z]{4,}$/.test(name) || SHORT.includes(name));
const CONTAINERS = ["pack", "packet", "package", "set", "bag", "case", "bundle", "carton", "tub", "jar"]
  .flatMap((one) => [one, `${one}s`])
  .concat("box", "boxes");

const spelled = (...terms: string[]): Spelling => ({ terms, weight: 0.8 });

function read(spelling: string): string[] {
  const [first] = quantitiesIn(spelling);
  return first?.start === 0 ? [first.term] : [];
}

/** The quantities of a normalised query, those in words included. */
export function typedQuantities(normal: string): TypedQuantity[] {
  const found: TypedQuantity[] = [];
  for (const { start, end, term } of quantitiesIn(normal)) {
    const written = normal.slice(start, end);
    const before = CONTAINERS.map((one) => `${one} of `).find(
      (one) => normal.slice(0, start).endsWith(one) && isFree(normal[start - one.length - 1]),
    );
    const from = start - (before?.length ?? 0);
    const isPack = before !== undefined && !found.some((other) => other.end > from);
    const packed = /^[0-9]+$/.test(written) ? `${written} pack` : normal.slice(from, end);
    found.push({ start: isPack ? from : start, end, term, plainly: isPack ? packed : written, inWords: false });
  }
  return [...found, ...inWords(normal, found)].sort((a, b) => a.start - b.start);
}

function isFree(character: string | undefined): boolean {
  return character === undefined || !/[\p{L}\p{N}_&'./-]/u.test(character);
}

function inWords(normal: string, others: readonly TypedQuantity[]): TypedQuantity[] {
  const words = WORDS.map(([word]) => word).join("|");
  const ends = "(?![\\p{L}\\p{N}_&'/-])";
  const pattern = new RegExp(
    `((${words})(?: a| an| of a| of an)?[ -](${NAMES.join("|")})|(?:${CONTAINERS.join("|")}) of (${words}))${ends}`,
    "uy",
  );
  const found: TypedQuantity[] = [];
  for (let start = 0; start < normal.length; start++) {
    pattern.lastIndex = start;
    const match = isFree(normal[start - 1]) ? pattern.exec(normal) : null;
    if (match === null) continue;
    const number = WORDS.find(([word]) => word === (match[2] ?? match[4]))![1];
    const plainly = `${number} ${match[3] ?? "pack"}`;
    const end = start + match[0].length;
    const [term] = read(plainly);
    const isOther = others.some((other) => other.start < end && start < other.end);
    if (term !== undefined && !isOther) found.push({ start, end, term, plainly, inWords: true });
    start = end - 1;
  }
  return found;
}

/** What a quantity may be written as besides its own term. `before`: the number before it. */
export function spellingsOf(term: string, text: string, before: string, stem: Stem): Spelling[] {
  if (term.startsWith("#size:")) return sizes(term, text);
  const [, count] = /^#(?:packs|pieces):(.*)$/.exec(term) ?? [];
  const others = count === undefined ? [] : [`#packs:${count}`, `#pieces:${count}`].filter((other) => other !== term);
  const [fraction] = /^[0-9]{1,2}[/][0-9]{1,2}(?![/0-9])/.exec(text) ?? [];
  return [
    ...others.map((other) => spelled(other)),
    ...thousands(term, text, before),
    ...(fraction === undefined ? [] : [spelled(fraction)]),
    ...namedUnits(term, text, stem),
    ...(term.startsWith("#n-") ? [{ terms: [stem(text.replace(/^.*[^a-z]/, ""))], weight: 0.5 }] : []),
  ];
}

const INCHES = 0.0254;
const METRES = [0.001, 0.01, 1, INCHES, 12 * INCHES];

function sizes(term: string, text: string): Spelling[] {
  const [, numbers, metres] = /^#size:([0-9.x]+)(m?)$/.exec(term) ?? [];
  const digits = (value: number): string => String(Number(value.toPrecision(9)));
  const inUnit = (unit: number): string => {
    const read = numbers!.split("x").map(Number);
    const lengths = read.map((number) => digits(metres === "m" ? number / unit : number * unit));
    return `#size:${lengths.join("x")}${metres === "m" ? "" : "m"}`;
  };
  const whole = numbers === undefined ? [] : METRES.map((unit) => spelled(inUnit(unit)));
  const typed = text.split(/[^0-9.,]+/).filter((number) => number !== "");
  const apart = [...new Set(typed.map((number) => number.replace(",", ".").replace(/[.,]$/, "")))];
  return text.includes("/") ? whole : [...whole, { terms: apart, weight: 0.5 }];
}

/** A number of thousands with a point or a blank between its groups. */
function thousands(term: string, text: string, before: string): Spelling[] {
  const isEnd = (rest: string): boolean => !/^[0-9.,]/.test(rest);
  if (/^[1-9][0-9]{0,2}$/.test(before) && /^[0-9]{3}/.test(text) && isEnd(text.slice(3)))
    return read(before + text).map((other) => spelled(other));
  const [number, groups = "", mark, last = ""] = /^([1-9][0-9]{0,2})([.,]?)([0-9]{3})/.exec(text) ?? [];
  if (number === undefined || !isEnd(text.slice(number.length))) return [];
  const unit = text.slice(number.length);
  return [
    ...(mark === "." ? read(groups + last + unit).map((other) => spelled(other)) : []),
    ...read(`${groups}.${last}${unit}`)
      .filter((other) => other !== term)
      .map((other) => spelled(`${groups}.${last}`, other)),
    ...read(last + unit).map((other) => spelled(groups, other)),
  ];
}

function namedUnits(term: string, text: string, stem: Stem): Spelling[] {
  const [, number, name = ""] = /^([0-9]+|[0-9]+[/][0-9]+|[0-9]+[.,][0-9]+)[- ]?([a-z]+|")$/.exec(text) ?? [];
  const unit = UNITS.get(name === '"' ? "inch" : name);
  const known = NAMES.filter((other) => unit !== undefined && UNITS.get(other) === unit);
  if (known.length === 0) return [];
  const fractions: Record<string, string> = { "0.5": "1/2", "0.25": "1/4", "0.75": "3/4" };
  const decimal = number!.replace(",", ".");
  const digits = fractions[decimal] ?? decimal;
  const singular = CONTAINERS.filter((one) => !/s$/.test(one));
  const names = term.startsWith("#packs:") ? [...known, ...singular] : known;
  return WORDS.filter(([, value]) => value === digits).flatMap(([words]) =>
    names.map((other) => spelled(...words.split(" ").map(stem), stem(other))),
  );
}

const SIZES = ["size", "sz"];
const COUNTRIES = ["eu", "eur", "uk", "us"];
const LETTERS = (
  "xs|x small|extra small;s|small;m|medium;l|large;xl|x large|extra large;xxl|2xl|xx large;xxxl|3xl|xxx large;" +
  "xxxxl|4xl;xxxxxl|5xl"
).split(";");

/** A size with its label, as any record may say it; none if it is no size. */
export function labelledSize(label: string, value: string, stem: Stem): Spelling[] {
  const pair = /^w[0-9]{2}$/.test(label) && /^l[0-9]{2}$/.test(value) ? waistAndLength(label + value) : [];
  if (pair.length > 0) return pair;
  const isSize = SIZES.includes(label);
  if (!isSize && !COUNTRIES.includes(label)) return [];
  const others = isSize ? [...SIZES, ...COUNTRIES] : [...SIZES, ...(label.startsWith("eu") ? ["eu", "eur"] : [])];
  const names = LETTERS.map((line) => line.split("|")).find((line) => line.includes(value)) ?? [];
  if (names.length === 0 && !/^[0-9]{1,3}([.]5)?$/.test(value)) return [];
  return [
    { terms: [stem(label), stem(value)], weight: 1 },
    ...(/[.]5$/.test(value) ? [{ terms: [stem(label), value.replace(".5", ""), "1/2"], weight: 1 }] : []),
    ...others.filter((other) => other !== label).map((other) => spelled(stem(other), stem(value))),
    ...names.map((name) => spelled(...name.split(" ").map(stem))),
    { terms: [stem(value)], weight: 0.5 },
  ];
}

export function waistAndLength(code: string): Spelling[] {
  const [, waist, length] = /^w([0-9]{2})l([0-9]{2})$/.exec(code) ?? [];
  const whole = { terms: [`w${waist}`, `l${length}`], weight: 1 };
  if (waist !== undefined) return [whole, spelled(`${waist}/${length}`), spelled(`#size:${waist}x${length}`)];
  const [, first, second] = /^([0-9]{2})[/]([0-9]{2})$/.exec(code) ?? [];
  return first === undefined ? [] : [spelled(`w${first}`, `l${second}`)];
}
