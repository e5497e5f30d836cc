// The vectors of the probes: embedded once an embedder, kept as long as it, and shared by whoever asks at the same time.

import { throwIfAborted, untilAborted } from "../../base/abort.js";
import type { Embedder } from "../../base/extension-points.js";
import { runTask } from "../../base/tasks.js";
import { embedTexts } from "../../vector/embed-texts.js";
import { type VectorRows, writeVectorRows } from "../../vector/vector-rows.js";
import { PROBE_QUERIES } from "./probe-queries.js";

/** An embedding that runs. */
interface Asking {
  readonly answer: Promise<VectorRows>;
  /** Who waits for it. */
  waiting: number;
  readonly giveUp: () => void;
}

const known = new WeakMap<Embedder, VectorRows>();
const running = new WeakMap<Embedder, Asking>();

/**
 * One row a probe that has a vector, in the order of the probes. When the embedder fails (502) the next call asks it again;
 * when nobody waits any more it is told so by its signal.
 */
export async function probeVectors(embedder: Embedder, signal: AbortSignal | undefined): Promise<VectorRows> {
  const rows = known.get(embedder);
  if (rows !== undefined) return rows;
  throwIfAborted(signal);
  const asking = running.get(embedder) ?? ask(embedder);
  asking.waiting++;
  try {
    return await untilAborted(asking.answer, signal);
  } finally {
    asking.waiting--;
    if (asking.waiting === 0 && running.get(embedder) === asking) asking.giveUp();
  }
}

function ask(embedder: Embedder): Asking {
  const ending = new AbortController();
  const forget = (): void => {
    if (running.get(embedder) === asking) running.delete(embedder);
  };
  const giveUp = (): void => {
    forget();
    ending.abort();
  };
  const answer = embedProbes(embedder, ending.signal).then((rows) => {
    known.set(embedder, rows);
    return rows;
  });
  const asking: Asking = { answer, waiting: 0, giveUp };
  running.set(embedder, asking);
  answer.then(forget, forget);
  return asking;
}

async function embedProbes(embedder: Embedder, signal: AbortSignal): Promise<VectorRows> {
  const vectors = await embedTexts(embedder, { texts: PROBE_QUERIES, purpose: "query", signal });
  const written = writeVectorRows(
    vectors.filter((vector) => vector !== null),
    embedder.dimensions,
    // Few rows, but each is compared with hundreds of records: under the compiled kernel, if there is one.
    0,
  );
  return runTask(written);
}
