// Codes and long numbers that were typed with blanks and that records have as one, and those that were typed as one and that records have
// in pieces.

import { endPart, pairTerm } from "../../analysis/neighbour-pairs.js";
import type { QueryToken } from "../../analysis/parse-query.js";
import { codeTerm, plainTerm, SPELLING_WEIGHT, type TermAlternative } from "../../analysis/query-term.js";
import { stripSeparators } from "../../analysis/token-forms.js";
import type { Task } from "../../util/tasks.js";
import { instead } from "./join-words.js";
import type { PlacedToken, StemmedRules } from "./rewrite-rules.js";

const DIGIT = /[0-9]/;
const SHORTEST_JOINED_NUMBER = 5;
/** What may be a piece of a code that was typed with blanks, and the maximum number of its pieces. */
const PIECES: ReadonlySet<QueryToken["kind"]> = new Set(["word", "number", "code"]);
const MOST_PIECES = 6;
/** The pieces of a code that is typed as one, at most, and its letters and digits. */
const MOST_JOINED = 5;
const LONGEST_JOINED = 20;
/** Letters and digits behind them, or before them. */
const PIECE = /^(?:[a-z]{1,4}[0-9]*|[0-9]+[a-z]{0,4})$/;
/** The x between numbers is a cross. */
const CROSSED = /^x([0-9]+)$/;
/** The width of a tyre in mm, its height in percent of that, and its rim in inches: "2055516" is 205/55 R16. */
const TYRE = /^([1-3][0-9]5)([2-9][05])(1[0-9]|2[0-4])$/;

/** "502 654 31" -> "50265431", the longest such code, where no record has all its pieces and one has them joined. */
export function* joinCodes(tokens: readonly PlacedToken[], rules: StemmedRules): Task<readonly PlacedToken[]> {
  if (!tokens.some(({ text }) => DIGIT.test(text))) return tokens;
  const out: PlacedToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const code = yield* codeFrom(at, tokens, rules);
    out.push(code === undefined ? tokens[at]! : instead(tokens[at]!, code.token));
    at += (code?.size ?? 1) - 1;
  }
  return out;
}

function* codeFrom(
  from: number,
  tokens: readonly QueryToken[],
  { words, vocabulary }: StemmedRules,
): Task<{ readonly token: Pick<QueryToken, "kind" | "text" | "term">; readonly size: number } | undefined> {
  let text = "";
  let code: { readonly token: Pick<QueryToken, "kind" | "text" | "term">; readonly size: number } | undefined;
  const apart: string[] = [];
  for (const [i, piece] of tokens.slice(from, from + MOST_PIECES).entries()) {
    if (!PIECES.has(piece.kind)) break;
    text += stripSeparators(piece.written ?? piece.text);
    apart.push(...piece.term.alternatives[0]!.terms);
    const isNumber = /^[0-9]+$/.test(text);
    const mayBeJoined = i > 0 && (isNumber ? text.length >= SHORTEST_JOINED_NUMBER : DIGIT.test(text));
    if (!mayBeJoined || !(yield* vocabulary.has(text)) || (yield* vocabulary.cooccur(apart))) continue;
    const token = isNumber
      ? { kind: "number" as const, text, term: plainTerm(text) }
      : { kind: "code" as const, text, term: codeTerm(text, words) };
    code = { token, size: i + 1 };
  }
  return code;
}

/** "w81180" as "W 811/80", "25114" as "25 114": the fewest pieces that one record has side by side. */
export function* codeApart({ kind, text }: QueryToken, rules: StemmedRules): Task<TermAlternative[]> {
  const { vocabulary, words } = rules;
  const found: TermAlternative[] = [];
  const add = function* (terms: readonly string[]): Task<void> {
    if (yield* vocabulary.cooccur(terms)) found.push({ terms, weight: SPELLING_WEIGHT, distance: 0 });
  };
  if (kind === "number") {
    if (text.length >= SHORTEST_JOINED_NUMBER) yield* add([pairTerm(text, words)]);
    const [, width, height, rim] = TYRE.exec(text) ?? [];
    if (height !== undefined)
      for (const last of [`r${rim}`, pairTerm(`r${rim}`, words), `${height}r${rim}`])
        yield* add([pairTerm(width! + height, words), last]);
  }
  const joined = stripSeparators(text);
  if (kind !== "code" || joined.length > LONGEST_JOINED) return found;
  let ways: readonly JoinedPieces[] = [{ end: 0, last: "", terms: [], hasBreak: false }];
  for (let count = 1; count <= MOST_JOINED && found.length === 0; count++) {
    const longer: JoinedPieces[] = [];
    for (const way of ways)
      for (let end = way.end + 1; end <= joined.length; end++) {
        const next = yield* withPiece(way, joined.slice(way.end, end), rules);
        if (next === undefined) continue;
        if (end < joined.length) longer.push(next);
        else yield* add(next.terms);
      }
    ways = longer;
  }
  return found;
}

/** The first pieces of a code that is typed as one. */
interface JoinedPieces {
  readonly end: number;
  readonly last: string;
  /** What a record has that has them. */
  readonly terms: readonly string[];
  /** Whether letters follow letters somewhere: nothing tells that these stand side by side. */
  readonly hasBreak: boolean;
}

/** With one piece more; undefined: no record has it, or has it beside the piece before. */
function* withPiece(
  { end, last, terms, hasBreak }: JoinedPieces,
  piece: string,
  { words, vocabulary }: StemmedRules,
): Task<JoinedPieces | undefined> {
  if (!PIECE.test(piece)) return undefined;
  const isBehindDigit = DIGIT.test(last.at(-1) ?? "");
  const [, crossed] = (isBehindDigit && CROSSED.exec(piece)) || [];
  const more = crossed !== undefined ? [crossed] : piece.length > 1 || DIGIT.test(piece) ? [piece] : [];
  const isBreak = last !== "" && !isBehindDigit && !DIGIT.test(piece[0]!);
  if (isBreak && (hasBreak || !DIGIT.test(last) || !DIGIT.test(piece))) return undefined;
  if (last !== "" && !isBreak && crossed === undefined)
    more.push(pairTerm(endPart("code", last, -1) + endPart("code", piece, 0), words));
  for (const term of more) if (!(yield* vocabulary.has(term))) return undefined;
  const all = [...new Set([...terms, ...more])];
  return { end: end + piece.length, last: piece, terms: all, hasBreak: hasBreak || isBreak };
}
