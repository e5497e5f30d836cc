// The probes by which the semantic floor is learned: short queries about many subjects, nearly all of which are unrelated to
// any one index. Changing a query changes every learned value slightly. Their vectors are computed once for each embedder. Some languages
// have probes of their own.

import { wordsOf } from "../analysis/language-rules.js";
import { customsOf } from "../analysis/languages.js";
import { embedderFailed, embedTexts } from "../embedding/embed-texts.js";
import { tableOfId } from "../input/extensions.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import type { Embedder } from "../util/extension-points.js";
import { has } from "../util/json.js";
import { keepingAlive, runTask, throwIfAborted, untilAborted, withinTime } from "../util/tasks.js";
import { type VectorRows, writeVectorRows } from "../vectors/vector-rows.js";

const BY_SUBJECT = `
  dining table, office chair, velvet curtains, wall mirror
  frying pan, steak knife, coffee grinder, soup bowl
  garden hose, lawn mower, tomato seeds, flower pot
  claw hammer, wood screws, paint roller, spirit level
  ceiling lamp, candle holder, extension lead, smoke alarm
  winter coat, denim jacket, silk scarf, leather belt
  running shoes, hiking boots, wool socks, sun hat
  gold earrings, pocket watch, wedding ring, hand bag
  lip balm, hair dryer, shaving cream, nail polish
  vitamin tablets, cough syrup, knee brace, blood pressure
  baby bottle, wooden puzzle, teddy bear, school bag
  dog leash, cat litter, fish tank, bird cage
  mountain bike, car battery, motor oil, roof rack
  yoga mat, tennis racket, fishing rod, swimming goggles
  camping tent, sleeping bag, travel pillow, suitcase lock
  acoustic guitar, piano stool, vinyl record, drum sticks
  gaming console, wireless mouse, laptop sleeve, printer ink
  phone charger, security camera, memory card, desktop speaker
  fountain pen, wrapping paper, wall calendar, shipping box
  crime novel, cookery book, world atlas, movie poster
  olive oil, green tea, dark chocolate, smoked salmon
  red wine, orange juice, birthday cake, breakfast cereal
  laundry detergent, vacuum cleaner, bath towel, shower curtain
  sewing machine, knitting yarn, oil paint, modelling clay
  income tax, rental contract, savings account, criminal court
  train timetable, hotel booking, city map, airport parking
  weather forecast, ocean waves, solar system, volcano eruption
  heart disease, protein structure, clinical trial, surgery recovery
  medieval castle, ancient philosophy, opera singer, modern sculpture
  job interview, language course, exam results, nursery teacher
  football league, chess opening, marathon training, card game
  web server, password reset, file compression, programming language
`;

/** How long a caller waits for the vectors of probes. */
interface ProbeWait {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after the beginning of the call of the embedder; undefined: until it answers. */
  readonly withinMs?: number | undefined;
  /** After that time the call goes on for later callers, until this signal aborts. */
  readonly ended?: AbortSignal | undefined;
}

/** A running call of the embedder, shared by all callers that wait for it. */
interface ProbeCall {
  readonly answer: Promise<VectorRows>;
  /** `performance.now()` when it began. */
  readonly began: number;
  /** The number of waiting callers. */
  waiting: number;
  /** Signals of indexes that still want the answer although their query stopped waiting. */
  readonly keepers: Set<AbortSignal>;
  readonly controller: AbortController;
}

/** Probes, in a fixed order, and their vectors. */
export class Probes {
  readonly queries: readonly string[];
  /** What `semantic-floor` says of floors that are learned by these probes. */
  method: number | undefined = undefined;
  private readonly known = new WeakMap<Embedder, VectorRows>();
  private readonly running = new WeakMap<Embedder, ProbeCall>();

  constructor(queries: readonly string[]) {
    this.queries = queries;
  }

  /**
   * The vectors of the probes that have one, in their order. Cached for each embedder; if it fails (502), the next call tries
   * again. When all waiting callers have been aborted, the embedder's signal is aborted, too. The process does not end while a
   * caller waits.
   */
  async vectors(embedder: Embedder, { signal, withinMs, ended }: ProbeWait = {}): Promise<VectorRows> {
    const rows = this.known.get(embedder);
    if (rows !== undefined) return rows;
    throwIfAborted(signal);
    const call = this.running.get(embedder) ?? this.start(embedder);
    call.waiting++;
    try {
      const left = call.began + (withinMs ?? Number.POSITIVE_INFINITY) - performance.now();
      const inTime = await keepingAlive(withinTime(left, signal, () => call.answer));
      if (has(inTime, "answer")) return inTime.answer;
      if (ended !== undefined) void this.keep(embedder, call, ended);
      const msg = `has not embedded the probes in ${withinMs} ms (queryTimeoutMs)`;
      throw embedderFailed(embedder, { purpose: "query" }, msg);
    } finally {
      this.release(embedder, call);
    }
  }

  /** Lets a call go on for later callers until the signal aborts, once for each signal. */
  private async keep(embedder: Embedder, call: ProbeCall, ended: AbortSignal): Promise<void> {
    if (call.keepers.has(ended)) return;
    call.keepers.add(ended);
    call.waiting++;
    // If it fails, the next caller tries again and gets the error.
    await untilAborted(call.answer, ended).catch(() => {});
    this.release(embedder, call);
  }

  private release(embedder: Embedder, call: ProbeCall): void {
    if (--call.waiting > 0 || this.running.get(embedder) !== call) return;
    this.running.delete(embedder);
    call.controller.abort();
  }

  private start(embedder: Embedder): ProbeCall {
    const controller = new AbortController();
    const answer = embedProbes(embedder, this.queries, controller.signal).then((rows) => {
      this.known.set(embedder, rows);
      return rows;
    });
    const call: ProbeCall = { answer, began: performance.now(), waiting: 0, keepers: new Set(), controller };
    this.running.set(embedder, call);
    const forget = (): void => {
      if (this.running.get(embedder) === call) this.running.delete(embedder);
    };
    answer.then(forget, forget);
    return call;
  }
}

/** Those in English. */
export const ENGLISH_PROBES: Probes = new Probes(
  BY_SUBJECT.split(/[,\n]/)
    .map((query) => query.trim())
    .filter((query) => query !== ""),
);

const inLanguages = new Map<string, Probes>();

/** Those in the language of an index; in English where it has none, and for static-en, which knows English words. */
export function probesFor({ effective, embedder }: Pick<ResolvedSettings, "effective" | "embedder">): Probes {
  const isEnglish = embedder === undefined || tableOfId(embedder.id) === "static-en";
  const { probes: words } = isEnglish ? {} : customsOf(effective);
  if (words === undefined) return ENGLISH_PROBES;
  const probes = inLanguages.get(words) ?? new Probes(wordsOf(words));
  inLanguages.set(words, probes);
  return probes;
}

async function embedProbes(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<VectorRows> {
  // The call may go on when nobody waits for it any more.
  const vectors = await embedTexts(embedder, { texts, purpose: "query", signal, inBackground: true });
  const written = writeVectorRows(
    vectors.filter((vector) => vector !== null),
    embedder.dimensions,
    // There are few rows, but each is compared with hundreds of records: WebAssembly pays at any size.
    0,
  );
  return runTask(written);
}
