// Conditions on prices and other numbers: "under $50", "between 300 and 900", "at least 16 GB RAM", "4 stars and up". And the
// amounts in them: numbers in digits and words, with a currency or a unit.

import { wordsOf } from "../analysis/language-rules.js";
import { ATTACHED_ONLY, ENGLISH_UNITS, UNITS, type Unit } from "../analysis/units.js";
import type { Task } from "../util/tasks.js";
import { mayMeasure, type NamedAttribute } from "./attribute-names.js";
import type { NumberRange } from "./index-facts.js";
import { filterTerm, phrase, type Reading, type Token, type TokenRange } from "./reading.js";

type Operator = "<" | "<=" | ">" | ">=";
/** What a word before a number tells of the attribute. */
type Hint = "price" | "mass" | undefined;

interface Comparator {
  readonly keys: readonly string[];
  readonly operator: Operator;
  readonly hint: Hint;
}

const comparators = (operator: Operator, texts: readonly string[], hint?: Hint): Comparator[] =>
  texts.map((text) => ({ keys: phrase(text), operator, hint }));

/** What stands before a number; longer phrases first. */
const BEFORE: readonly Comparator[] = [
  ...comparators("<", ["under", "below", "less than", "fewer than", "lower than", "smaller than", "shorter than"]),
  ...comparators("<", ["thinner than", "<"]),
  ...comparators("<", ["cheaper than"], "price"),
  ...comparators("<", ["lighter than"], "mass"),
  ...comparators("<=", ["up to", "at most", "max", "max .", "max of", "maximum", "maximum of", "no more than"]),
  ...comparators("<=", ["not more than", "not over", "not above", "no higher than", "not higher than"]),
  ...comparators("<=", ["not exceeding", "<=", "\u2264"]),
  ...comparators("<=", ["budget", "budget of", "budget under"], "price"),
  ...comparators(">", ["over", "above", "more than", "greater than", "higher than", "larger than", "bigger than"]),
  ...comparators(">", ["longer than", "wider than", "taller than", ">"]),
  ...comparators(">", ["more expensive than"], "price"),
  ...comparators(">", ["heavier than"], "mass"),
  ...comparators(">=", ["at least", "min", "min .", "minimum", "minimum of", "no less than", "not less than"]),
  ...comparators(">=", ["not under", "not below", "starting at", "starting from", ">=", "\u2265"]),
].sort((a, b) => b.keys.length - a.keys.length);

/** What stands behind a number. */
const AFTER: readonly Comparator[] = [
  ...comparators("<=", ["or less", "or under", "or below", "or lower", "or cheaper", "or fewer", "or smaller"]),
  ...comparators("<=", ["and under", "and below", "and less", "max", "maximum"]),
  ...comparators(">=", ["or more", "or higher", "or above", "or over", "or better", "or up", "and up", "and above"]),
  ...comparators(">=", ["and over", "and higher", "and more", "and better", "or larger", "or bigger", "minimum", "+"]),
].sort((a, b) => b.keys.length - a.keys.length);

/** Words before a condition that belong to it. */
const LEADS = new Set(
  wordsOf(
    "with for of that which is are has have having costs cost costing priced rated a an the and but at price prices rating",
  ),
);
/** Behind these, a number is an age. */
const PEOPLE = new Set(
  wordsOf(
    "men man women woman adults adult kids kid children child boys boy girls girl toddlers toddler babies baby people teens teenagers seniors age ages aged",
  ),
);
/** What may follow a bare number: nothing that it could count. */
const NO_NOUN = new Set(["ADP", "CCONJ", "PART", "SCONJ", "DET", "PRON", "AUX", "PUNCT"]);
const PRICE_WORDS = new Set(["price", "priced", "prices", "cost", "costs", "costing"]);
const RATING_WORDS = new Set(["rated", "rating", "ratings", "rate", "score"]);

/** The numbers of a condition, and where it stands. */
interface Core extends TokenRange {
  /** One number with an operator, or both ends of a range. */
  readonly amounts: readonly Amount[];
  readonly operator: Operator | "TO";
  readonly hint: Hint;
}

/** Reads all conditions. */
export function* readConditions(reading: Reading): Task<void> {
  for (let i = 0; i < reading.tokens.length; i++) {
    const core = reading.isFree(i) ? coreAt(reading, i) : undefined;
    if (core === undefined) continue;
    if (yield* readCondition(reading, core)) i = core.to - 1;
    yield;
  }
}

function coreAt(reading: Reading, i: number): Core | undefined {
  const range = rangeAt(reading, i);
  if (range !== undefined) return range;
  const before = BEFORE.find(({ keys }) => reading.matches(i, keys));
  if (before !== undefined) {
    let from = i + before.keys.length;
    if (reading.key(from) === "a" || reading.key(from) === "an") from++;
    const amount = freeAmountAt(reading, from);
    if (amount === undefined) return undefined;
    return { from: i, to: amount.to, amounts: [amount], operator: before.operator, hint: before.hint };
  }
  const amount = freeAmountAt(reading, i);
  const after = amount && AFTER.find(({ keys }) => reading.matches(amount.to, keys));
  if (amount === undefined || after === undefined) return undefined;
  const to = amount.to + after.keys.length;
  // "4+ stars"
  const isStars =
    amount.unit === undefined && amount.money === "no" && STARS.has(reading.key(to)) && reading.isFree(to);
  const amounts = [isStars ? { ...amount, isStars } : amount];
  return { from: i, to: isStars ? to + 1 : to, amounts, operator: after.operator, hint: undefined };
}

/** "between A and B", "from A to B", and for money "A to B" and "A - B". */
function rangeAt(reading: Reading, i: number): Core | undefined {
  const key = reading.key(i);
  const isNamed = key === "between" || key === "from";
  const low = freeAmountAt(reading, isNamed ? i + 1 : i);
  if (low === undefined) return undefined;
  const joint = reading.key(low.to);
  const joins = key === "between" ? joint === "and" : joint === "to" || joint === "-" || joint === "\u2013";
  const high = joins ? freeAmountAt(reading, low.to + 1) : undefined;
  if (high === undefined || !(low.value < high.value)) return undefined;
  if (low.unit !== undefined && high.unit !== undefined && low.unit !== high.unit) return undefined;
  const isMoney = low.money !== "no" || high.money !== "no";
  if (!isNamed && !isMoney) return undefined;
  return { from: i, to: high.to, amounts: [low, high], operator: "TO", hint: undefined };
}

function freeAmountAt(reading: Reading, i: number): Amount | undefined {
  const amount = reading.isFree(i) ? amountAt(reading.tokens, i) : undefined;
  return amount !== undefined && reading.areFree(amount.from, amount.to) ? amount : undefined;
}

/** Numbers of an attribute. */
interface AttributeNumbers {
  readonly attribute: string;
  readonly values: readonly number[];
}

/** The condition of a core, with the tokens that belong to it. */
type Condition = TokenRange & AttributeNumbers;

function* readCondition(reading: Reading, core: Core): Task<boolean> {
  const condition = yield* conditionOf(reading, core);
  if (condition === undefined) return false;
  const { attribute, values } = condition;
  let { from } = condition;
  while (reading.isFree(from - 1) && LEADS.has(reading.key(from - 1))) from--;
  const isMoney = core.amounts.some(({ money }) => money !== "no");
  if (!isMoney && !reading.hasThing(from, condition.to)) return false;
  if (yield* reading.facts.standsInTitle(reading.words(core.from, core.to))) return false;
  const name = filterTerm(attribute);
  const became =
    core.operator === "TO" ? `${name}:${values[0]} TO ${values[1]}` : `${name} ${core.operator} ${values[0]}`;
  reading.add(attribute === reading.facts.named.price ? "price" : "number", from, condition.to, became, "filters");
  return true;
}

function* conditionOf(reading: Reading, core: Core): Task<Condition | undefined> {
  const { named } = reading.facts;
  const { from, to, amounts, hint } = core;
  const values = amounts.map(({ value }) => value);
  const ofAttribute = (attribute: string | null, begin = from, end = to): Condition | undefined =>
    attribute === null ? undefined : { from: begin, to: end, attribute, values };
  const ofPrice = (): Condition | undefined => {
    if (named.price === null) reading.facts.lacksPrices();
    return ofAttribute(named.price);
  };
  const leftKey = reading.isFree(from - 1) ? reading.key(from - 1) : "";
  if (amounts.some(({ money }) => money === "yes")) return ofPrice();
  if (amounts.some(({ money }) => money === "pound")) {
    // Pounds of money or of weight.
    const { unit } = amounts.find(({ money }) => money === "pound")!;
    const weighs = hint === "mass" || (yield* measuring(reading, unit!, values)).length > 0;
    return weighs ? undefined : ofPrice();
  }
  if (amounts.some(({ isStars }) => isStars)) return ofAttribute(named.rating);
  const byName = yield* conditionByName(reading, core);
  if (byName !== undefined) return byName;
  if (hint === "price" || PRICE_WORDS.has(leftKey)) return (yield* isBare(reading, core)) ? ofPrice() : undefined;
  if (RATING_WORDS.has(leftKey) || (leftKey === "of" && RATING_WORDS.has(reading.key(from - 2))))
    return ofAttribute(named.rating, leftKey === "of" ? from - 1 : from);
  const unit = amounts.at(-1)!.unit;
  if (unit !== undefined) {
    const found = yield* measuring(reading, unit, values);
    return found.length === 1 ? { from, to, ...found[0]! } : undefined;
  }
  return (yield* isBare(reading, core)) ? ofPrice() : undefined;
}

/** An attribute that is named behind the numbers or before them. */
function* conditionByName(reading: Reading, core: Core): Task<Condition | undefined> {
  const { from, to, amounts } = core;
  const last = amounts.at(-1)!;
  const right =
    nameAt(reading, last.afterNumber) ??
    nameAt(reading, last.to) ??
    nameAt(reading, to) ??
    (reading.key(to) === "of" ? nameAt(reading, to + 1) : undefined);
  if (right !== undefined) {
    const named = yield* valuesIn(reading, right.named, amounts);
    // What stands between the number and a name behind it is its unit.
    return named === undefined ? undefined : { ...named, from, to: Math.max(to, right.to) };
  }
  const gap = new Set(["of", "is", "are", ":"]).has(reading.key(from - 1)) ? 1 : 0;
  const left = nameAt(reading, from - gap, true);
  if (left === undefined || !reading.hasThing(left.from, to)) return undefined;
  const named = yield* valuesIn(reading, left.named, amounts);
  return named === undefined ? undefined : { ...named, from: left.from, to };
}

/** Whether a number without unit counts nothing but money: no noun behind it, nobody's age, and within the prices, if there are some. */
function* isBare(reading: Reading, { from, to, amounts, operator }: Core): Task<boolean> {
  const { price } = reading.facts.named;
  if (amounts.some(({ unit }) => unit !== undefined)) return false;
  const behind = reading.tokens[to];
  if (behind !== undefined && reading.isFree(to)) {
    const isNoun = behind.kind !== "sign" && !NO_NOUN.has(behind.pos);
    if (isNoun || behind.isGlued) return false;
  }
  const isLeast = operator === ">" || operator === ">=";
  // "For over 50" is an age.
  if (PEOPLE.has(reading.key(from - 1)) || (isLeast && reading.key(from - 1) === "for")) return false;
  if (price === null) return true;
  const range = yield* reading.facts.rangeOf(price);
  if (range === undefined) return false;
  const [low, high] = [amounts[0]!.value, amounts.at(-1)!.value];
  const hasLess = high > range.least;
  return operator === "TO" || isLeast ? hasLess && low < range.greatest : hasLess;
}

/** The longest name of one attribute that begins at a token, or with `isBefore` ends before it. */
function nameAt(reading: Reading, at: number, isBefore = false): (TokenRange & { named: NamedAttribute }) | undefined {
  for (let length = LONGEST_NAME; length > 0; length--) {
    const from = isBefore ? at - length : at;
    const named = reading.attributeNamed(from, from + length);
    if (named !== undefined) return { named, from, to: from + length };
  }
  return undefined;
}

/** The attributes of a dimension that have numbers as great as these. */
function* measuring({ attributes, facts }: Reading, unit: Unit, values: readonly number[]): Task<AttributeNumbers[]> {
  const found: AttributeNumbers[] = [];
  const candidates = attributes.filter((named) => mayMeasure(named, unit)).slice(0, MOST_CANDIDATES);
  yield* facts.prepare(candidates.map(({ attribute }) => attribute));
  for (const named of candidates) {
    const own = values.map((value) => (named.unit === undefined ? value : convert(value, unit, named.unit)));
    const range = yield* facts.rangeOf(named.attribute);
    if (range !== undefined && isWithin(own, range)) found.push({ attribute: named.attribute, values: own });
  }
  return found;
}

/** Amounts as numbers of an attribute; undefined: it has no numbers, or those of another dimension. */
function* valuesIn(
  { facts }: Reading,
  { attribute, unit: own }: NamedAttribute,
  amounts: readonly Amount[],
): Task<AttributeNumbers | undefined> {
  const range = yield* facts.rangeOf(attribute);
  if (range === undefined) return undefined;
  const unit = amounts.at(-1)!.unit;
  if (unit !== undefined && own !== undefined && unit.dimension !== own.dimension) return undefined;
  const values = amounts.map(({ value }) =>
    unit === undefined || own === undefined ? rounded(value) : convert(value, unit, own),
  );
  // A unit that the name does not tell is its own only if such numbers are there.
  return unit !== undefined && own === undefined && !isWithin(values, range) ? undefined : { attribute, values };
}

/** Attributes of one dimension that are looked at, at most. */
const MOST_CANDIDATES = 32;
/** The words of an attribute's name, at most. */
const LONGEST_NAME = 3;

function isWithin(values: readonly number[], { least, greatest }: NumberRange): boolean {
  return values.some((value) => value >= least && value <= greatest);
}

/** A number with what it counts. */
interface Amount extends TokenRange {
  /** In the main unit of a currency. */
  readonly value: number;
  /** Whether a currency stands beside it; "pound" may also be a weight. */
  readonly money: "no" | "yes" | "pound";
  readonly unit: Unit | undefined;
  readonly isStars: boolean;
  /** The token behind the number itself. */
  readonly afterNumber: number;
}

const CURRENCY_WORDS = new Set(
  wordsOf(
    "dollar dollars buck bucks usd euro euros eur pound pounds gbp quid cad aud nzd chf franc francs yen jpy rupee rupees inr rs yuan cny rmb krona kronor sek nok dkk zloty pln peso pesos real reais",
  ),
);
const HUNDREDTHS = new Set(["cent", "cents", "penny", "pennies", "pence"]);
const POUNDS = new Set(["pound", "pounds"]);
const STARS: ReadonlySet<string> = new Set(["star", "stars"]);

const SMALL = wordsOf(
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
);
const TENS = wordsOf("twenty thirty forty fifty sixty seventy eighty ninety");
const IN_WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, i) => [word, i + 1] as const),
  ...TENS.map((word, i) => [word, 10 * (i + 2)] as const),
]);
const TIMES: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1000],
]);

/** The amount that begins at a token; undefined: none does. */
export function amountAt(tokens: readonly Token[], from: number): Amount | undefined {
  let at = from;
  let money: Amount["money"] = "no";
  if (tokens[at]?.kind === "currency" || (isCurrencyWord(tokens[at]) && tokens[at + 1]?.kind === "number")) {
    money = "yes";
    at++;
  }
  const number = numberAt(tokens, at);
  if (number === undefined) return undefined;
  let { value } = number;
  at = number.to;
  if (tokens[at]?.key === "k" && tokens[at]!.isGlued) {
    // "4k" alone is a resolution.
    if (money === "no" && !isCurrency(tokens[at + 1])) return undefined;
    value *= 1000;
    at++;
  }
  const afterNumber = at;
  const next = tokens[at];
  if (money === "no" && next !== undefined) {
    if (isCurrency(next)) {
      money = POUNDS.has(next.key) ? "pound" : "yes";
      at++;
    } else if (HUNDREDTHS.has(next.key)) {
      money = "yes";
      value /= 100;
      at++;
    }
  } else if (money === "yes" && isCurrencyWord(next)) at++;
  const isStars = money === "no" && next !== undefined && STARS.has(next.key);
  const unit = money === "no" || money === "pound" ? unitAt(tokens, afterNumber) : undefined;
  if (isStars) at++;
  else if (unit !== undefined) at = unit.to;
  return { from, to: at, value: rounded(value), money, unit: unit?.unit, isStars, afterNumber };
}

/** A number as it is printed: without the noise of binary fractions. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

/** The value of an amount in another unit of the same dimension. */
function convert(value: number, from: Unit, to: Unit): number {
  const { n, d } = from.factor;
  return rounded((value * Number(n) * Number(to.factor.d)) / (Number(d) * Number(to.factor.n)));
}

function isCurrencyWord(token: Token | undefined): boolean {
  return token !== undefined && CURRENCY_WORDS.has(token.key);
}

function isCurrency(token: Token | undefined): boolean {
  return token?.kind === "currency" || isCurrencyWord(token);
}

function numberAt(tokens: readonly Token[], at: number): Pick<Amount, "value" | "to"> | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.kind === "number") {
    const value = inDigits(token.key);
    return value === undefined ? undefined : { value, to: at + 1 };
  }
  // "one" may be no number at all; wink says where it is.
  return token.kind === "word" && (token.pos === "NUM" || token.entity !== undefined) ? inWords(tokens, at) : undefined;
}

/** "1,299.50" and "19,99"; "1.500" may be either, so it is none. */
function inDigits(text: string): number | undefined {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return Number(text.replaceAll(",", ""));
  if (/^\d{1,3}\.\d{3}$/.test(text)) return undefined;
  if (/^\d+,\d{1,2}$/.test(text)) return Number(text.replace(",", "."));
  return /^\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** "twenty five", "two hundred"; one addend behind a multiple at most. */
function inWords(tokens: readonly Token[], from: number): Pick<Amount, "value" | "to"> | undefined {
  const key = (i: number): string => tokens[i]?.key ?? "";
  let at = from;
  let value = IN_WORDS.get(key(at));
  if (value === undefined) return undefined;
  at++;
  const ones = IN_WORDS.get(key(at));
  if (value >= 20 && ones !== undefined && ones < 10) {
    value += ones;
    at++;
  }
  const times = TIMES.get(key(at));
  if (times === undefined) return { value, to: at };
  return { value: value * times, to: at + 1 };
}

function unitAt(tokens: readonly Token[], at: number): { readonly unit: Unit; readonly to: number } | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (ENGLISH_UNITS.firstWords.has(token.key)) {
    const unit = UNITS.get(`${token.key} ${tokens[at + 1]?.key}`);
    if (unit !== undefined) return { unit, to: at + 2 };
  }
  const spelled = token.key === '"' || token.key === "\u201d" ? "in" : token.key;
  const unit = UNITS.get(spelled);
  // "under 5 a day": a letter is a unit behind its number only; "in" is rather a word.
  if (unit === undefined || (!token.isGlued && (ATTACHED_ONLY.has(spelled) || spelled === "in"))) return undefined;
  return { unit, to: at + 1 };
}
