/** What of texts may be a measure, and which measures are plain: the twins of src/language/quantity/may-measure.ts and
 * plain-measures.ts, which say what each does. */

/** By the letters of words: which lengths units of such letters have, and with which letters second words begin behind them. */
const LENGTHS: usize = 9_764_864;
const SECONDS: usize = 9_781_248;
const UNITS: usize = 8256;
const CLASSES: usize = 246_016;
const SEPARATOR: u32 = 1;
const CONNECTOR: u32 = 4;

const MOST_NUMBER: usize = 32;
const MOST_CHARACTERS: usize = 16;
const LONGEST: usize = 31;
const MOST_NUMBERS: i32 = 3;
const ASCII: u32 = 0x80;
const BLANK: u32 = 0x20;
const INCH: u32 = 0x22;
const PERCENT: u32 = 0x25;
const APOSTROPHE: u32 = 0x27;
const CLOSING: u32 = 0x29;
const COMMA: u32 = 0x2c;
const HYPHEN: u32 = 0x2d;
const POINT: u32 = 0x2e;
const SLASH: u32 = 0x2f;
const ZERO: u32 = 0x30;
const TWO: u32 = 0x32;
const THREE: u32 = 0x33;
const SEMICOLON: u32 = 0x3b;
const SMALL_A: u32 = 0x61;
const SMALL_F: u32 = 0x66;
const SMALL_I: u32 = 0x69;
const SMALL_M: u32 = 0x6d;
const SMALL_N: u32 = 0x6e;
const SMALL_X: u32 = 0x78;
const DEGREE: u32 = 0xb0;
const CROSS: u32 = 0xd7;
const CLOSING_QUOTE: u32 = 0x201d;
const PRIME: u32 = 0x2032;
const FRACTION_SLASH: u32 = 0x2044;

export function unitAt(at: usize): u32 {
  return load<u16>(UNITS + (at << 1));
}

function classAt(at: usize): u32 {
  return load<u8>(CLASSES + <usize>unitAt(at));
}

export function isDigit(unit: u32): bool {
  return unit - ZERO < 10;
}

function isLetter(unit: u32): bool {
  return unit - SMALL_A < 26;
}

function isCross(unit: u32): bool {
  return unit === SMALL_X || unit === CROSS;
}

function isGap(unit: u32): bool {
  return unit === BLANK || unit === HYPHEN;
}

/** Whether a quantity or a thread may begin with the token at `start`. */
export function mayMeasure(start: usize): bool {
  const isThread = unitAt(start) === SMALL_M;
  const digits = isThread ? start + 1 : start;
  if (!isDigit(unitAt(digits))) return false;
  const last = digits + MOST_NUMBER;
  let end = afterJoined(digits);
  if (isThread) return end >= last || unitAt(end) === HYPHEN || mayCross(end);
  while (isGap(unitAt(end)) && isDigit(unitAt(end + 1)) && end < last) end = afterJoined(end + 1);
  if (end >= last) return true;
  const unit = unitAt(end);
  return isUnitMark(unit) || mayCross(end) || mayName(isGap(unit) ? end + 1 : end);
}

function isUnitMark(unit: u32): bool {
  if (unit < ASCII) return unit === INCH || unit === APOSTROPHE || unit === PERCENT;
  return unit === CLOSING_QUOTE || unit === PRIME || unit === DEGREE;
}

function joins(unit: u32): bool {
  return unit === POINT || unit === COMMA || unit === SLASH || unit === FRACTION_SLASH;
}

function afterJoined(start: usize): usize {
  const last = start + MOST_NUMBER;
  let end = start;
  while (end < last) {
    const unit = unitAt(end);
    if (!isDigit(unit) && !(joins(unit) && isDigit(unitAt(end + 1)))) break;
    end++;
  }
  return end;
}

function mayCross(end: usize): bool {
  const cross = unitAt(end) === BLANK ? end + 1 : end;
  return isCross(unitAt(cross)) && (isDigit(unitAt(cross + 1)) || isDigit(unitAt(cross + 2)));
}

function mayName(start: usize): bool {
  const first = unitAt(start);
  if (isUnitMark(first) || first >= ASCII) return true;
  let end = start;
  let unit = first;
  while (end - start <= LONGEST && isLetter(unit)) unit = unitAt(++end);
  if (unit >= ASCII) return true;
  if (end === start) return false;
  if (isDigit(unit)) return first === SMALL_F || mayGoOn(end);
  const lengths = load<u32>(LENGTHS + placeOf(start, end));
  return ((lengths >>> (<u32>(end - start) & 31)) & 1) === 1;
}

function mayGoOn(end: usize): bool {
  if (unitAt(end - 1) === SMALL_X) return true;
  const unit = unitAt(end);
  return (unit === TWO || unit === THREE) && !isDigit(unitAt(end + 1));
}

/** Where in either table the word from `start` to `end` stands. */
function placeOf(start: usize, end: usize): usize {
  const second = end - start > 1 ? unitAt(start + 1) : 0;
  return (((unitAt(start) * 31 + second) * 31 + unitAt(end - 1)) & 4095) << 2;
}

/** Where the plain measure at `start` ends; 0: it is not plain, or that is for the twin to say. */
export function endOfPlain(start: usize, mayQuote: bool): usize {
  if (start > 0 && isBehindNumber(start)) return 0;
  const at = afterNumber(start);
  if (at - start > MOST_CHARACTERS) return 0;
  const cross = afterCross(at);
  if (cross > 0) return endOfSize(cross);
  const mark = unitAt(at);
  const end = mark === PERCENT || (mark === INCH && !mayQuote) ? at + 1 : endOfWord(at);
  return isCrossed(end) ? 0 : end;
}

function isBehindNumber(start: usize): bool {
  const mark = unitAt(start - 1);
  if (mark === COMMA) return start > 1 && isDigit(unitAt(start - 2));
  return mark === POINT && (start < 2 || classAt(start - 2) === SEPARATOR);
}

function endOfSize(cross: usize): usize {
  let start = cross;
  for (let numbers = 2; numbers <= MOST_NUMBERS; numbers++) {
    const at = afterNumber(start);
    if (at - start > MOST_CHARACTERS) return 0;
    start = afterCross(at);
    if (start > 0) continue;
    const end = isStop(unitAt(at)) && !isDigit(unitAt(at + 1)) ? at : endOfWord(at);
    return isCrossed(end) ? 0 : end;
  }
  return 0;
}

function afterCross(end: usize): usize {
  const gap: usize = unitAt(end) === BLANK ? 1 : 0;
  if (!isCross(unitAt(end + gap)) || (gap === 1 && unitAt(end + 2) !== BLANK)) return 0;
  const number = end + 1 + 2 * gap;
  return isDigit(unitAt(number)) ? number : 0;
}

function isStop(unit: u32): bool {
  return unit === 0 || unit === COMMA || unit === POINT || unit === CLOSING || unit === SEMICOLON;
}

function endOfWord(number: usize): usize {
  const word = isGap(unitAt(number)) ? number + 1 : number;
  let at = word;
  while (isLetter(unitAt(at)) && at - word <= MOST_CHARACTERS) at++;
  if (at === word || at - word > MOST_CHARACTERS || !isLastOfToken(at)) return 0;
  const isBlank = unitAt(at) === BLANK;
  if (isBlank && unitAt(word) === SMALL_F && isDigit(unitAt(at + 1))) return 0;
  if (word > number && at - word === 2 && unitAt(word) === SMALL_I && unitAt(word + 1) === SMALL_N) return 0;
  const second: u32 = isBlank || unitAt(at) === POINT ? secondLetter(at) : 0;
  return second > 0 && maySecond(word, at, second) ? 0 : at;
}

function secondLetter(end: usize): u32 {
  const point = unitAt(end) === POINT ? end + 1 : end;
  const letter = isGap(unitAt(point)) ? unitAt(point + 1) : unitAt(point);
  return isLetter(letter) ? letter : 0;
}

function maySecond(start: usize, end: usize, second: u32): bool {
  return ((load<u32>(SECONDS + placeOf(start, end)) >>> (second - SMALL_A)) & 1) === 1;
}

/** Behind the end of a text stands a unit that is no character. */
function isLastOfToken(at: usize): bool {
  return unitAt(at) === 0 || isSeparator(at) || (classAt(at) === CONNECTOR && isSeparator(at + 1));
}

function isSeparator(at: usize): bool {
  return unitAt(at) === 0 || classAt(at) === SEPARATOR;
}

function afterNumber(start: usize): usize {
  const at = afterDigits(start);
  return unitAt(at) === POINT && isDigit(unitAt(at + 1)) ? afterDigits(at + 1) : at;
}

function afterDigits(start: usize): usize {
  let at = start;
  while (isDigit(unitAt(at)) && at - start <= MOST_CHARACTERS) at++;
  return at;
}

function isCrossed(end: usize): bool {
  return isCross(unitAt(end)) || (unitAt(end) === BLANK && isCross(unitAt(end + 1)));
}
