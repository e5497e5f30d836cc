// Splits texts into tokens of one language. The last text is kept, because a title is read twice: as a field and as a title.

import { normalizeText } from "./normalize-text.js";
import { type Quantity, quantitiesAt } from "./quantities.js";
import { isDigit, mayMeasure } from "./quantity/plain-measures.js";
import { scanTokens, type TokenKind, type TokenVisitor } from "./scan-tokens.js";
import { type TokenMeaning, TokenMemo } from "./token-memo.js";

/** The token number of unspaced runs, which the memo does not contain. */
export const UNSPACED_TOKEN = -1;
const SMALL_M = 0x6d;
const FIRST_ROOM = 1 << 10;
/** Larger arrays are freed at the next short text. */
const MOST_KEPT = 1 << 16;

/** Holds the tokens of one text at a time. */
export class TokenReader {
  readonly memo: TokenMemo;
  /** The normal form of the current text. */
  normal = "";
  /** Its number of tokens. */
  size = 0;
  /** For each token its number in the memo, or UNSPACED_TOKEN, and its range in the normal form. */
  tokens: Int32Array = new Int32Array(FIRST_ROOM);
  starts: Int32Array = new Int32Array(FIRST_ROOM);
  ends: Int32Array = new Int32Array(FIRST_ROOM);
  private present: string | undefined;
  private age = 0;
  /** The starts of tokens at which a measure may begin. */
  private measures: number[] = [];
  private found: readonly Quantity[] | undefined;

  /** `meaning` computes the terms of a token. */
  constructor(meaning: (kind: TokenKind, token: string) => TokenMeaning) {
    this.memo = new TokenMemo(meaning);
  }

  /** Reads a text. The results are valid until the next call. */
  read(given: string): void {
    if (given === this.present && this.age === this.memo.age) return;
    this.present = undefined;
    this.memo.tidy();
    this.age = this.memo.age;
    this.normal = normalizeText(given);
    this.makeRoom(this.normal.length);
    this.size = 0;
    if (this.measures.length > 0) this.measures = [];
    this.found = undefined;
    scanTokens(this.normal, this.visit);
    this.present = given;
  }

  /** The quantities of the current text. */
  get quantities(): readonly Quantity[] {
    this.found ??= quantitiesAt(this.normal, this.measures);
    return this.found;
  }

  private readonly visit: TokenVisitor = (kind, start, end, hash) => {
    const at = this.size++;
    this.starts[at] = start;
    this.ends[at] = end;
    if (kind === "unspaced") this.tokens[at] = UNSPACED_TOKEN;
    else {
      this.tokens[at] = this.memo.find(kind, this.normal, start, end, hash);
      const first = this.normal.charCodeAt(start);
      if ((isDigit(first) || first === SMALL_M) && mayMeasure(this.normal, start)) this.measures.push(start);
    }
  };

  private makeRoom(tokens: number): void {
    const room = this.tokens.length;
    if (tokens <= room && (room <= MOST_KEPT || tokens > FIRST_ROOM)) return;
    const size = Math.max(FIRST_ROOM, tokens);
    this.tokens = new Int32Array(size);
    this.starts = new Int32Array(size);
    this.ends = new Int32Array(size);
  }
}
