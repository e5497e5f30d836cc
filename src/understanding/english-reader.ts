// Reads English by wink-nlp: parts of speech, negation, entities. Only this file imports the package. wink keeps each word that it ever
// read, and takes quadratic time for long runs. So it gets words of its own lexicon only: another word, a number and a sign are each
// read as one that stands for all of their kind. Its memory does not grow, and no text is slow.

import type { ItemEntity, ItsFunction, WinkMethods } from "wink-nlp";
import { loadEnglishModel } from "../analysis/english-model.js";
import { SearchError } from "../util/errors.js";
import { nextTurn } from "../util/tasks.js";

/** What wink says of a word. */
export interface ReadWord {
  /** The universal part of speech: "NOUN", "ADP" … */
  readonly pos: string;
  /** Whether it stands in the scope of a negation. */
  readonly isNegated: boolean;
  /** The entity that it belongs to: "MONEY", "CARDINAL", "DURATION" … */
  readonly entity: string | undefined;
}

/** A word to read, and of which kind it is. */
export interface WordToRead {
  readonly key: string;
  readonly kind: "word" | "number" | "currency" | "sign";
}

/** What is read for a word that the lexicon lacks: things, brands and models are nouns. */
const ANY_WORD = "thing";
const ANY_NUMBER = "50";
const ANY_CURRENCY = "$";

const LEFT_OUT =
  'understand is asked for, but the condition "tandem-no-sentences" of this process or bundle leaves out wink-nlp and its English model; build or start it without the condition, or ask without understand.';

/** Reads sentences. */
export class EnglishReader {
  private readonly wink: WinkMethods;
  private readonly lexicon: Readonly<Record<string, number>>;
  /** Some words of the lexicon, so it has a bound. */
  private readonly divided = new Set<string>();

  constructor(wink: WinkMethods, lexicon: Readonly<Record<string, number>>) {
    this.wink = wink;
    this.lexicon = lexicon;
  }

  /** What wink says of each word; undefined: it divides them otherwise. */
  read(words: readonly WordToRead[]): readonly ReadWord[] | undefined {
    return this.tryRead(words) ?? (this.findDivided(words) ? this.tryRead(words) : undefined);
  }

  private tryRead(words: readonly WordToRead[]): readonly ReadWord[] | undefined {
    const { its } = this.wink;
    const doc = this.wink.readDoc(words.map((word) => this.standIn(word)).join(" "));
    const tokens = doc.tokens();
    const tags = tokens.out(its.pos as ItsFunction<string>) as string[];
    if (tags.length !== words.length) return undefined;
    const negated = tokens.out(its.negationFlag as ItsFunction<boolean>) as boolean[];
    const entities: (string | undefined)[] = words.map(() => undefined);
    doc.entities().each((entity: ItemEntity) => {
      const type = entity.out(its.type as ItsFunction<string>) as string;
      const [first, last] = entity.out(its.span as ItsFunction<number[]>) as number[];
      entities.fill(type, first, last! + 1);
    });
    return tags.map((pos, i) => ({ pos, isNegated: negated[i]!, entity: entities[i] }));
  }

  /** Finds the words of the lexicon that wink reads as two, such as "dont"; true: there are some. */
  private findDivided(words: readonly WordToRead[]): boolean {
    const before = this.divided.size;
    for (const word of words)
      if (this.wink.readDoc(this.standIn(word)).tokens().length() !== 1) this.divided.add(word.key);
    return this.divided.size > before;
  }

  private standIn({ key, kind }: WordToRead): string {
    if (kind === "number") return ANY_NUMBER;
    if (kind === "currency") return ANY_CURRENCY;
    return Object.hasOwn(this.lexicon, key) && !this.divided.has(key) ? key : ANY_WORD;
  }
}

let loading: Promise<EnglishReader> | undefined;

/** The reader, which is loaded by the first call: some 200 ms, half of them in one piece. */
export function loadEnglishReader(): Promise<EnglishReader> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<EnglishReader> {
  const { default: winkNLP } = (await import("wink-nlp")) as Partial<typeof import("wink-nlp")>;
  if (winkNLP === undefined) throw new SearchError(400, "invalid_parameter", LEFT_OUT, { param: "understand" });
  await nextTurn();
  const model = await loadEnglishModel();
  await nextTurn();
  const core = (model.core as () => { features: { lexeme: { hash: Readonly<Record<string, number>> } } })();
  await nextTurn();
  // wink asks for the core itself, and would make it in the same piece as all the rest.
  const wink = winkNLP({ ...model, core: () => core }, ["ner", "negation", "pos"]);
  return new EnglishReader(wink, core.features.lexeme.hash);
}
