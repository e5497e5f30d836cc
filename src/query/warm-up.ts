// Compiles the code of queries in the background: a few queries by words run on the words of one segment, once in a process, so that
// the first callers do not wait for the compiler. The segment has caches of its own here, so nothing that is computed stays.

import { isWord, writtenForm } from "../analysis/scan-tokens.js";
import { type ParamsContext, readParams } from "../input/read-params.js";
import { PhaseClock } from "../state/engine-activity.js";
import type { IndexVersion } from "../state/index-data.js";
import { IndexSnapshot } from "../state/index-snapshot.js";
import { createSegment } from "../state/segment.js";
import { has } from "../util/json.js";
import { pauseFor } from "../util/tasks.js";
import { type QueryContext, runQuery } from "./run-query.js";

/** What a warm-up runs on. */
export interface WarmUpContext extends Pick<QueryContext, "name" | "limits" | "memory" | "ended" | "version"> {
  /** Waits until the records are there. */
  readonly ready: () => Promise<void>;
  /** Whether calls of the index run: these go first. */
  readonly isBusy: () => boolean;
}

/** So often it is looked whether a query may run. */
const PAUSE_MS = 2;
/** Then something else keeps the index busy, and compiles what it needs. */
const MOST_LOOKS = 5000;
/** The compiler optimises what runs often: fewer rounds leave a third of what could be saved, more save nothing. */
const ROUNDS = 4;
const WORDS_A_ROUND = 4;
/** Words of fewer letters are not corrected. */
const LEAST_LENGTH = 5;
/** The words are chosen among so many of the most frequent terms of titles. */
const MOST_SEEN = 256;

let hasBegun = false;

/** Begins the warm-up of this process, unless it was begun before, or the index has an analyzer of the caller's. */
export function warmUpOnce(context: WarmUpContext): void {
  if (hasBegun || has(context.version().settings.language.words, "analyze")) return;
  hasBegun = true;
  // It fails where the index ends meanwhile, or is damaged: the next call of a user's says so.
  const isDone = warmUp(context).catch(() => true);
  // Where it found no time, as during a long load, the next write or loaded index begins it again.
  void isDone.then((done) => {
    hasBegun = done;
  });
}

/** False: there was no time for all of it. */
async function warmUp(context: WarmUpContext): Promise<boolean> {
  const { limits, memory, ended, name } = context;
  if (!(await isFree(context))) return false;
  await context.ready();
  const version = apartFrom(context.version());
  const queries = version === undefined ? [] : queriesOf(version);
  for (const params of queries) {
    if (!(await isFree(context))) return false;
    const warn = (): void => {};
    const reading: ParamsContext = { limits, strict: false, warn, dimensions: 0 };
    await runQuery(readParams(params, reading), {
      ...{ name, limits, memory, ended, warn, signal: ended },
      version: () => version!,
      whileThere: (wait) => wait(ended),
      clock: new PhaseClock(),
    });
  }
  return true;
}

/** Waits until nothing else asks the index; false: that took too long, or the index has ended. */
async function isFree({ isBusy, ended }: WarmUpContext): Promise<boolean> {
  for (let looks = 0; looks < MOST_LOOKS && !ended.aborted; looks++) {
    await pauseFor(PAUSE_MS, [ended], true);
    if (!isBusy()) return !ended.aborted;
  }
  return false;
}

/** The largest segment of a version as a version of its own, without vectors, and without what others have computed. */
function apartFrom(version: IndexVersion): IndexVersion | undefined {
  const { snapshot, settings } = version;
  const [{ segment } = { segment: undefined }] = [...snapshot.segments].sort((a, b) => b.liveCount - a.liveCount);
  if (segment === undefined) return undefined;
  const { records, postings, attributes, caches } = segment;
  // Titles that are read from a file replace those of this copy.
  const apart = createSegment(records, { ...postings, titles: { ...postings.titles } }, null, attributes);
  for (const attribute of caches.declared) apart.caches.declared.add(attribute);
  for (const [attribute, column] of caches.columns) apart.caches.columns.set(attribute, { ...column, references: 0 });
  for (const [attribute, column] of caches.stored) apart.caches.stored.set(attribute, column);
  const effective = { ...settings.effective, boosts: [], customRanking: [] };
  return {
    ...version,
    snapshot: IndexSnapshot.empty().with({ added: [apart] }),
    settings: { ...settings, embedder: undefined, wordModel: undefined, effective },
    graphFor: () => undefined,
  };
}

/** By round a typing error, the beginning of a word, three frequent words, and a filter where an attribute has a column. */
function queriesOf({ snapshot }: IndexVersion): object[] {
  const { postings, caches } = snapshot.segments[0]!.segment;
  const terms = postings.titles.terms.subarray(0, MOST_SEEN);
  const written = Array.from(terms, (term) => writtenForm(postings.dictionary.textAt(term)));
  const words = [...new Set(written)].filter((word) => word.length >= LEAST_LENGTH && isWord(word));
  const column = [...caches.declared].find((name) => caches.columns.has(name) || caches.stored.has(name));
  const plain = { enableRules: false, understand: false, distinct: false, facets: [] };
  const queries: object[] = [];
  for (let at = 0; at < WORDS_A_ROUND * ROUNDS && at + WORDS_A_ROUND <= words.length; at += WORDS_A_ROUND) {
    const [first, second, third, fourth] = words.slice(at) as [string, string, string, string];
    queries.push(
      { ...plain, query: `${first[0]}${first[2]}${first[1]}${first.slice(3)}` },
      { ...plain, query: second.slice(0, 3) },
      { ...plain, query: `${first} ${third} ${fourth}` },
    );
    if (column !== undefined) queries.push({ ...plain, query: fourth, filters: { [column]: { exists: true } } });
  }
  return queries;
}
