// Parses the text form of a filter: a tokeniser, a recursive-descent parser, and the budget that bounds both.
//   any = all (OR all)*    all = term (AND term)*    term = NOT term | "(" any ")" | condition
//   condition = name "{" any "}" | name "{" bounds (AND bounds)* "}" | name ":" value | name ":" bound TO bound | name ("=" | "!=") value | name ("<" | "<=" | ">" | ">=") bound | name EXISTS
//   bounds = ("<" | "<=" | ">" | ">=") bound | bound TO bound    bound = number | a date in quotes
// Names within braces are seen from the items of a list; bounds alone are those of one value. The parser checks the nesting depth before it descends, so no text can exhaust the stack. The tokeniser reads each code unit
// once. Quoted text knows the escapes of JSON (\" \\ \/ \b \f \n \r \t \uXXXX) and \'; any other character means itself.

import { SearchError, show } from "../util/errors.js";
import { instantOf } from "../util/instant.js";
import { utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import type { AttributeValue } from "./doc-values.js";
import { allOf, anyOf, type Condition, type Filter, rangeOfAll, type Span } from "./filter.js";

/** A number as JSON writes it. */
export const NUMBER: RegExp = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** The most digits that `toPrecision` accepts. */
const MOST_DIGITS = 100;
const COMPARISONS: { readonly [S in Sign]?: "lt" | "lte" | "gt" | "gte" } = {
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
};

/** What ranges begin and end with. */
interface Bound {
  readonly value: number;
  readonly isInstant?: true;
}

const BOUND = 'a number such as 5, -2.5 or 1e3 without quotes, or a date such as "2024-01-31" in quotes';

/** Parses the text form; blank passes everything. Throws 400 `invalid_filter` (with the position) or `filter_too_complex`. */
export function parseFilter(text: string, limits: Limits, param = "filters"): Filter {
  const budget = new FilterBudget(limits, param);
  const most = limits.filterBytes;
  if (text.length > most || utf8Length(text) > most)
    throw budget.refusal(`has more than ${most} bytes; shorten it, or pass an object.`);
  return new FilterParser(text, param, budget).parse();
}

function found(token: Token): string {
  if (token.kind === "end") return "found the end";
  return token.kind === "quoted" ? `found the quoted ${show(token.text)}` : `found ${show(token.text)}`;
}

/** Whether a number is exactly the written one: its shortest or its full decimal form, in any notation. */
function isExactly(value: number, written: string): boolean {
  const wanted = decimalOf(written);
  return wanted === decimalOf(String(value)) || wanted === decimalOf(value.toPrecision(MOST_DIGITS));
}

/** One spelling per decimal number: the significant digits without trailing zeros, and the power of ten. */
function decimalOf(text: string): string {
  const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.slice(sign.length).split(".");
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === "0") start++;
  let end = digits.length;
  while (end > start && digits[end - 1] === "0") end--;
  if (start === end) return "0";
  return `${sign}${digits.slice(start, end)}e${Number(power) - fraction.length + digits.length - end}`;
}

/** The keywords, in capitals only. Names and values with the same spelling must be quoted. */
type Keyword = "AND" | "OR" | "NOT" | "TO" | "EXISTS";

/** A bracket or an operator. */
type Sign = "(" | ")" | "{" | "}" | ":" | "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A token of a filter text. The text of a quoted token is unquoted and unescaped. */
type Token =
  | { readonly kind: "word" | "quoted"; readonly text: string; readonly span: Span }
  | { readonly kind: "keyword"; readonly text: Keyword; readonly span: Span }
  | { readonly kind: "sign"; readonly text: Sign; readonly span: Span }
  | { readonly kind: "end"; readonly text: ""; readonly span: Span };

const BLANKS = /\s*/y;
const WORD = /[^\s(){}"'=<>!:]+/y;
const SIGN = /[(){}:=]|!=|[<>]=?/y;
const UNESCAPED = /[^"'\\]+/y;
const FOUR_DIGITS = /[0-9a-fA-F]{4}/y;
const KEYWORDS: readonly Keyword[] = ["AND", "OR", "NOT", "TO", "EXISTS"];
/** What stands behind a backslash for itself, and letters that stand for others. */
const ITSELF = /^["'\\/]$/;
const LETTERS = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));

/** Reads the tokens of a filter text one by one; at the end of the text it always returns "end". */
export class FilterTokens {
  private readonly text: string;
  private readonly param: string;
  private at = 0;

  constructor(text: string, param: string) {
    this.text = text;
    this.param = param;
  }

  next(): Token {
    this.take(BLANKS);
    const start = this.at;
    if (start === this.text.length) return { kind: "end", text: "", span: { start, end: start } };
    const mark = this.text[start]!;
    if (mark === '"' || mark === "'") return { kind: "quoted", text: this.quoted(mark), span: this.since(start) };
    const sign = this.take(SIGN);
    if (sign !== "") return { kind: "sign", text: sign as Sign, span: this.since(start) };
    const text = this.take(WORD);
    const span = this.since(start);
    if (text === "") throw this.refusal({ start, end: start + 1 }, `found a "!" alone; write != or NOT.`);
    const keyword = KEYWORDS.find((each) => each === text);
    return keyword === undefined ? { kind: "word", text, span } : { kind: "keyword", text: keyword, span };
  }

  /** What {@link next} would return. */
  protected peek(): Token {
    const { at } = this;
    const token = this.next();
    this.at = at;
    return token;
  }

  /** The error about the text at `span`; `msg` says what was found, what was expected and what to do. */
  refusal({ start, end }: Span, msg: string): SearchError {
    const details = { start, end };
    return new SearchError(400, "invalid_filter", `${this.param}, position ${start}: ${msg}`, {
      param: this.param,
      details,
    });
  }

  private quoted(mark: string): string {
    const start = this.at++;
    let text = "";
    while (this.at < this.text.length) {
      const unit = this.text[this.at]!;
      if (unit === mark) {
        this.at++;
        return text;
      }
      if (unit === "\\") text += this.escaped();
      else if (unit === '"' || unit === "'") {
        text += unit;
        this.at++;
      } else text += this.take(UNESCAPED);
    }
    throw this.refusal(this.since(start), `found a quote ${mark} that is never closed; close it, or put \\ before it.`);
  }

  private escaped(): string {
    const start = this.at++;
    const unit = this.text[this.at++] ?? "";
    const plain = ITSELF.test(unit) ? unit : LETTERS.get(unit);
    if (plain !== undefined) return plain;
    const code = unit === "u" ? this.take(FOUR_DIGITS) : "";
    if (code !== "") return String.fromCharCode(Number.parseInt(code, 16));
    this.at = Math.min(this.at, this.text.length);
    const found = show(this.text.slice(start, this.at));
    throw this.refusal(
      this.since(start),
      `found the unknown escape ${found}; expected \\\\ \\" \\' \\n \\t or \\u and four hexadecimal digits.`,
    );
  }

  /** Matches the pattern at the current position and moves past the match. */
  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private since(start: number): Span {
    return { start, end: this.at };
  }
}

class FilterParser extends FilterTokens {
  private readonly budget: FilterBudget;
  private token: Token = this.next();

  constructor(text: string, param: string, budget: FilterBudget) {
    super(text, param);
    this.budget = budget;
  }

  parse(): Filter {
    if (this.takeIf("end", "")) return { kind: "everything" };
    const filter = this.any(0);
    if (!this.takeIf("end", "")) throw this.unexpected("AND, OR or the end", this.afterCondition());
    return filter;
  }

  private any(level: number): Filter {
    const filters = [this.all(level)];
    while (this.takeIf("keyword", "OR")) filters.push(this.all(level));
    return anyOf(filters);
  }

  private all(level: number): Filter {
    const filters = [this.term(level)];
    while (this.takeIf("keyword", "AND")) filters.push(this.term(level));
    return allOf(filters);
  }

  private term(outer: number): Filter {
    const level = outer + 1;
    const { span } = this.token;
    if (this.takeIf("keyword", "NOT")) {
      this.budget.level(level, span);
      return { kind: "not", filter: this.term(level) };
    }
    if (!this.takeIf("sign", "(")) return this.condition(level);
    this.budget.level(level, span);
    return this.closed(level, span, "(", ")");
  }

  private condition(level: number): Filter {
    const name = this.token;
    if (name.kind !== "word" && name.kind !== "quoted")
      throw this.unexpected("an attribute, as in brand:Forge", this.besideBrace() ?? this.besideKeyword());
    this.budget.level(level, name.span);
    this.budget.condition(name.span);
    this.advance();
    const attribute = name.text;
    const { start } = name.span;
    const sign = this.token;
    if (this.takeIf("sign", "{")) {
      if (this.isAtBound()) return this.oneValue(attribute, name.span, level, sign.span);
      return { kind: "some", path: attribute, filter: this.closed(level, sign.span, "{", "}") };
    }
    if (this.takeIf("keyword", "EXISTS")) return { kind: "exists", attribute, span: { start, end: sign.span.end } };
    if (sign.kind !== "sign" || "(){}".includes(sign.text))
      throw this.unexpected("one of : = != < <= > >= { EXISTS", this.afterName());
    this.advance();
    return this.operation(attribute, sign.text, start);
  }

  /** What stands between two brackets, of which the first is at `opening`. */
  private closed(level: number, opening: Span, open: "(" | "{", close: ")" | "}"): Filter {
    const filter = this.any(level);
    this.close(opening, open, close, `AND, OR or "${close}"`, this.afterCondition());
    return filter;
  }

  private close(opening: Span, open: "(" | "{", close: ")" | "}", expected: string, remedy?: string): void {
    if (this.token.kind === "end")
      throw this.refusal(opening, `found a "${open}" that is never closed; put a "${close}" after it.`);
    if (!this.takeIf("sign", close)) throw this.unexpected(expected, remedy);
  }

  private isAtBound(): boolean {
    const { kind, text } = this.token;
    if (kind === "sign") return COMPARISONS[text] !== undefined;
    if (kind !== "word" && kind !== "quoted") return false;
    const next = this.peek();
    return next.kind === "keyword" && next.text === "TO";
  }

  /** Bounds in braces, all of which one and the same value must meet. */
  private oneValue(attribute: string, name: Span, level: number, opening: Span): Filter {
    this.budget.level(level + 1, opening);
    const remedy = "one value meets all bounds in these braces; put other conditions outside";
    const bounds: Condition[] = [];
    do {
      const first = this.token;
      if (bounds.length > 0) this.budget.condition(first.span);
      if (!this.isAtBound()) throw this.unexpected('a bound, as in "> 3" or "3 TO 5"', remedy);
      this.advance();
      const operator = first.kind === "sign" ? COMPARISONS[first.text] : undefined;
      const { start } = first.span;
      bounds.push(
        operator === undefined ? this.range(attribute, first, start) : this.comparison(attribute, operator, start),
      );
    } while (this.takeIf("keyword", "AND"));
    const span: Span = { start: name.start, end: this.token.span.end };
    this.close(opening, "{", "}", 'AND or "}"', remedy);
    const range = rangeOfAll(bounds);
    if (range === undefined)
      throw this.refusal(span, "found numbers and dates as bounds of one value; expected one of the two.");
    return { ...range, span };
  }

  private operation(attribute: string, sign: Sign, start: number): Filter {
    const value = this.token;
    const operator = COMPARISONS[sign];
    if (operator !== undefined) return this.comparison(attribute, operator, start);
    const equal = this.equality(attribute, start);
    if (sign === "!=") return { kind: "not", filter: equal };
    if (sign !== ":" || this.token.text !== "TO" || this.token.kind !== "keyword") return equal;
    return this.range(attribute, value, start);
  }

  private comparison(attribute: string, operator: "lt" | "lte" | "gt" | "gte", start: number): Condition {
    const { token } = this;
    const bound = this.boundOf(token);
    this.advance();
    return { kind: "compare", attribute, operator, ...bound, span: { start, end: token.span.end } };
  }

  /** The range whose low end is `value`, and whose high one stands behind TO, which is next. */
  private range(attribute: string, value: Token, start: number): Condition {
    const low = this.boundOf(value);
    this.advance();
    const token = this.token;
    const high = this.boundOf(token);
    if (high.isInstant !== low.isInstant)
      throw this.refusal(
        token.span,
        `${found(token)} beside ${low.isInstant ? "a date" : "a number"}; expected two numbers, or two dates in quotes.`,
      );
    this.advance();
    const ends = { low: low.value, high: high.value, ...(low.isInstant === true ? { isInstant: true as const } : {}) };
    return { kind: "between", attribute, ...ends, span: { start, end: token.span.end } };
  }

  private equality(attribute: string, start: number): Condition {
    const token = this.token;
    const span: Span = { start, end: token.span.end };
    if (token.kind !== "word" && token.kind !== "quoted") throw this.unexpected("a value", this.besideKeyword());
    const printed = token.kind === "word";
    const value = printed ? this.printedValue(token) : token.text;
    this.advance();
    return { kind: "equals", attribute, value, printed, span };
  }

  private printedValue(token: Token): AttributeValue {
    if (token.text === "true") return true;
    if (token.text === "false") return false;
    return NUMBER.test(token.text) ? this.numberOf(token) : token.text;
  }

  /** A number, or a date in quotes. */
  private boundOf(token: Token): Bound {
    if (token.kind !== "quoted") return { value: this.numberOf(token) };
    const value = instantOf(token.text);
    if (value !== undefined) return { value, isInstant: true };
    throw this.refusal(token.span, `${found(token)}; expected ${BOUND}.`);
  }

  private numberOf(token: Token): number {
    if (token.kind !== "word" || !NUMBER.test(token.text))
      throw this.refusal(token.span, `${found(token)}; expected ${BOUND}.`);
    const value = Number(token.text);
    if (!Number.isFinite(value) || !isExactly(value, token.text))
      throw this.refusal(
        token.span,
        `${found(token)}, a number that cannot be represented exactly; pass fewer digits, or put quotes around a code.`,
      );
    return value === 0 ? 0 : value;
  }

  private afterName(): string {
    const hint = this.token.kind === "word" ? this.besideKeyword() : undefined;
    return hint ?? "put quotes around a name with blanks";
  }

  private afterCondition(): string {
    const { kind, text } = this.token;
    if (kind === "sign")
      return text === ")" || text === "}"
        ? `put a "${text === ")" ? "(" : "{"}" before it, or leave it out`
        : "put quotes around a value with it";
    return this.besideKeyword() ?? "put quotes around a value of several words";
  }

  private besideBrace(): string | undefined {
    const { kind, text } = this.token;
    if (kind !== "sign" || (text !== "{" && text !== "}")) return undefined;
    return `${text === "{" ? "name a list before it" : "say what an item has"}, as in variants{size:M}`;
  }

  private besideKeyword(): string | undefined {
    const { kind, text } = this.token;
    if (kind === "keyword") return `put quotes around ${text} where it is a name or a value`;
    if (kind === "sign")
      return text === "=" ? 'write one "="' : "put quotes around what holds any of ( ) { } = < > ! :";
    return kind === "word" && /^(?:and|or|not|to|exists)$/i.test(text) ? "write keywords in capitals" : undefined;
  }

  private unexpected(expected: string, remedy?: string): Error {
    const hint = remedy === undefined ? "" : `; ${remedy}`;
    return this.refusal(this.token.span, `${found(this.token)}; expected ${expected}${hint}.`);
  }

  private takeIf(kind: Token["kind"], text: string): boolean {
    const isIt = this.token.kind === kind && this.token.text === text;
    if (isIt) this.advance();
    return isIt;
  }

  private advance(): void {
    this.token = this.next();
  }
}

/**
 * Counts the levels, conditions and list values of one filter while it is read, so that a hostile filter stays cheap. Over a
 * limit it throws 400 `filter_too_complex`.
 */
export class FilterBudget {
  private readonly limits: Limits;
  private readonly param: string;
  private conditions = 0;
  private values = 0;

  constructor(limits: Limits, param: string) {
    this.limits = limits;
    this.param = param;
  }

  /** Checks the nesting level; the outermost is 1. */
  level(level: number, span?: Span): void {
    const most = this.limits.filterDepth;
    if (level > most) throw this.refusal(`is nested deeper than ${most} levels; write it flatter.`, span);
  }

  /** Counts one condition. */
  condition(span?: Span): void {
    this.affords(1, span);
    this.conditions++;
  }

  /** Checks that `count` more conditions fit, before any of them is read. */
  affords(count: number, span?: Span): void {
    const most = this.limits.filterConditions;
    if (this.conditions + count > most)
      throw this.refusal(`has more than ${most} conditions; pass fewer, or a list.`, span);
  }

  /** Counts the values of one list. */
  list(count: number): void {
    this.values += count;
    const most = this.limits.filterValues;
    if (this.values > most) throw this.refusal(`has more than ${most} values in its lists; pass fewer.`);
  }

  /** The error for an exceeded limit. */
  refusal(msg: string, span?: Span): SearchError {
    const details = span === undefined ? {} : { details: { start: span.start, end: span.end } };
    return new SearchError(400, "filter_too_complex", `${this.param} ${msg}`, { param: this.param, ...details });
  }
}
