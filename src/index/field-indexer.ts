// Gives the terms of fields to the writer of a segment, one field after the other; what passes the limits is stored but not
// searched, with one warning a segment.

import { identifierTerms, indexIdentifier } from "../analysis/identifier-terms.js";
import { type TermTaker, takeText } from "../analysis/text-terms.js";
import { MOST_TITLE_PARTS, type PartTaker, takeTitleParts } from "../analysis/title-parts.js";
import type { TokenMemo } from "../analysis/token-memo.js";
import type { WordForms } from "../analysis/word-forms.js";
import type { PostingsWriter } from "../inverted/postings-writer.js";
import { has } from "../util/checks.js";
import type { Analyzer, SearchWarning } from "../util/extension-points.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";
import type { Task } from "../util/tasks.js";
import type { FieldRules, RecordField } from "./read-fields.js";

/** Text, or records' JSON, indexed between two pauses: 1 ms, or a few while its words are new. */
export const PAUSE_CHARACTERS = 2048;
const MOST_LENGTH = 0xffff;

/** What indexing fields depends on. */
interface FieldContext {
  readonly rules: Pick<FieldRules, "titles">;
  readonly words: WordForms | Analyzer;
  readonly limits: Pick<Limits, "fieldCharacters" | "fieldTokens">;
  readonly warn: (warning: SearchWarning) => void;
}

/** Indexes the fields of a segment: each is begun, its texts are taken, it is ended. */
export class FieldIndexer {
  private readonly writer: PostingsWriter;
  private readonly context: FieldContext;
  private readonly taker: TermTaker;
  private readonly partTaker: PartTaker;
  private warned = false;
  /** Tokens of the present field, and how many more characters it may have. */
  private tokens = 0;
  private characters = 0;

  constructor(writer: PostingsWriter, context: FieldContext) {
    this.writer = writer;
    this.context = context;
    const numbers = new TermNumbers(writer);
    this.taker = takerFor(writer, numbers);
    this.partTaker = partTakerFor(writer, numbers);
  }

  /** Begins a field of the writer's present record. */
  begin({ name, isTitle }: RecordField): void {
    this.writer.beginField(name, isTitle);
    this.tokens = 0;
    this.characters = this.context.limits.fieldCharacters;
  }

  /** Whether a text of the present field is so short that it can be taken without a pause. */
  takesWhole(text: string): boolean {
    return text.length <= PAUSE_CHARACTERS && text.length <= this.characters;
  }

  /** Takes such a text. */
  take(text: string): void {
    this.index(text);
    this.characters -= text.length;
  }

  /** Takes any other. */
  *takePieces(text: string): Task<void> {
    for (const piece of piecesOf(text.slice(0, Math.max(0, this.characters)), this.context.words)) {
      this.index(piece);
      if (piece.length < text.length) yield;
    }
    this.characters -= text.length;
  }

  /** Takes the identifiers of the present field, and ends it. */
  end({ name, isTitle, texts, identifiers }: RecordField): void {
    const { fieldCharacters, fieldTokens } = this.context.limits;
    for (const identifier of identifiers) this.takeIdentifier(identifier);
    this.writer.endField(Math.min(this.tokens, fieldTokens, MOST_LENGTH));
    // A title is one text.
    if (isTitle && texts.length > 0 && this.context.rules.titles) this.indexTitle(texts[0]!);
    if (this.warned || (this.characters >= 0 && this.tokens <= fieldTokens)) return;
    this.warned = true;
    this.context.warn({
      code: "field_truncated",
      message: `A text in ${show(name)} is longer than ${fieldCharacters} characters or ${fieldTokens} tokens; the rest is stored but not searched.`,
      param: name,
    });
  }

  /** Besides being indexed as a field a title is kept part by part; of a user's analyzer each term is a part. */
  private indexTitle(title: string): void {
    const { words, limits } = this.context;
    const most = Math.min(MOST_TITLE_PARTS, limits.fieldTokens);
    const text = title.slice(0, limits.fieldCharacters);
    if (!has(words, "analyze")) {
      takeTitleParts(text, words, most, this.partTaker);
      return;
    }
    for (const term of words.analyze(text).slice(0, most)) {
      this.partTaker.begin();
      this.partTaker.one(term);
    }
  }

  private takeIdentifier(identifier: string): void {
    const { fieldTokens } = this.context.limits;
    const isCut = identifier.length > this.characters || this.tokens >= fieldTokens;
    this.characters -= identifier.length;
    if (isCut) {
      this.tokens = Math.max(this.tokens, fieldTokens + 1);
      return;
    }
    const sink = this.taker.one;
    this.tokens += indexIdentifier(identifier, sink);
    for (const whole of identifierTerms(identifier)) sink(whole);
  }

  private index(text: string): void {
    const { words, limits } = this.context;
    this.tokens += indexOne(text, words, Math.max(0, limits.fieldTokens - this.tokens), this.taker);
  }
}

/** No number so near before and behind a blank: no quantity can stand across it. */
const CLEAR_BEFORE = 24;
const CLEAR_BEHIND = 12;
const NUMBER = /\p{N}/u;

/** A long text in pieces, cut at blanks where no token and no quantity can be cut in two. A user's analyzer gets its text whole. */
function* piecesOf(text: string, words: WordForms | Analyzer): Generator<string> {
  let from = 0;
  while (!has(words, "analyze") && text.length - from > PAUSE_CHARACTERS) {
    let blank = text.indexOf(" ", from + PAUSE_CHARACTERS);
    while (blank >= 0 && NUMBER.test(text.slice(blank - CLEAR_BEFORE, blank + CLEAR_BEHIND)))
      blank = text.indexOf(" ", blank + 1);
    if (blank < 0) break;
    yield text.slice(from, blank);
    from = blank + 1;
  }
  if (from < text.length) yield text.slice(from);
}

function indexOne(text: string, words: WordForms | Analyzer, mostTokens: number, taker: TermTaker): number {
  if (!has(words, "analyze")) return takeText(text, words, mostTokens, taker);
  const terms = words.analyze(text);
  for (const term of terms.slice(0, mostTokens)) taker.one(term);
  return terms.length;
}

/** The numbers by which a segment's writer knows the terms of a memo: a term is looked up as a text once a segment. */
class TermNumbers {
  private readonly writer: PostingsWriter;
  /** By the memo's number: the writer's, or UNKNOWN where it was not asked for yet. */
  private numbers = new Int32Array(0);
  private age = -1;

  constructor(writer: PostingsWriter) {
    this.writer = writer;
  }

  /** The numbers, those of the terms from `from` up to `end` among them. */
  of(memo: TokenMemo, from: number, end: number): Int32Array {
    if (this.age !== memo.age || end > this.numbers.length) this.grow(memo);
    const { numbers } = this;
    for (let term = from; term < end; term++)
      if (numbers[term] === UNKNOWN) numbers[term] = this.writer.numberOf(memo.terms[term]!, true);
    return numbers;
  }

  private grow({ age, terms }: TokenMemo): void {
    const larger = new Int32Array(2 * terms.length).fill(UNKNOWN);
    if (this.age === age) larger.set(this.numbers);
    this.numbers = larger;
    this.age = age;
  }
}

const UNKNOWN = -1;

function takerFor(writer: PostingsWriter, numbers: TermNumbers): TermTaker {
  return {
    known: (memo, from, end) => writer.addNumbers(numbers.of(memo, from, end), from, end),
    one: (term) => writer.add(term),
  };
}

function partTakerFor(writer: PostingsWriter, numbers: TermNumbers): PartTaker {
  let isFirst = false;
  const add = (number: number): void => {
    writer.titles.add(number, isFirst);
    isFirst = false;
  };
  return {
    begin: () => {
      isFirst = true;
    },
    known(memo, from, end) {
      const known = numbers.of(memo, from, end);
      for (let term = from; term < end; term++) add(known[term]!);
    },
    one: (term) => add(writer.numberOf(term)),
  };
}
