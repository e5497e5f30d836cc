// The slow and obvious twin of the engine: docs/scoring.md spelled out with plain maps and loops, one record at a time. It
// shares the tokeniser and the stored form of vectors with the engine, nothing else: no index, no segments, no shortcuts.

import type { JsonRecord, RecallSource, SearchParams } from "../../src/index.js";
import { squeeze } from "../../src/language/code-forms.js";
import { ENGLISH_WORDS } from "../../src/language/english-words.js";
import { isBlank, normalizeText } from "../../src/language/normalize-text.js";
import { PLAIN_WORDS, type WordForms } from "../../src/language/word-forms.js";
import { type Entry, type NaiveSettings, readEntry, toVector, type Vector } from "./naive-record.js";
import { readTerms, type Term, tokensOf } from "./naive-terms.js";

export interface NaiveHit {
  readonly id: string;
  readonly score: number;
}

/** The whole answer, every hit in order. */
export interface NaiveAnswer {
  readonly nbHits: number;
  readonly recallSource: readonly RecallSource[];
  readonly hits: readonly NaiveHit[];
}

/** One leg: who is a member, and what every record, member or not, earns in it. */
interface Leg {
  readonly members: ReadonlySet<string>;
  readonly scores: ReadonlyMap<string, number>;
}

const MOST_TERMS = 64;

export class NaiveEngine {
  private readonly entries = new Map<string, Entry>();
  private readonly settings: NaiveSettings;
  private readonly words: WordForms;

  constructor(settings: NaiveSettings = {}) {
    this.settings = settings;
    this.words = settings.analyzer === "plain" ? PLAIN_WORDS : ENGLISH_WORDS;
  }

  /** Adds a record, or replaces the one with its id. */
  add(given: object): void {
    const record = JSON.parse(JSON.stringify(given)) as JsonRecord;
    const id = String(record[this.settings.idAttribute ?? "id"]);
    this.entries.set(id, readEntry(record, id, this.settings, this.words));
  }

  delete(id: string | number): void {
    this.entries.delete(String(id));
  }

  /** Answers in full. `semanticMembers`: the members by meaning are exactly these, whatever floor and depth say. */
  query(params: SearchParams, semanticMembers?: readonly string[]): NaiveAnswer {
    const { settings } = this;
    const fusion = settings.fusion ?? { method: "convex" };
    const blank = isBlank(params.query);
    const usual = fusion.method === "convex" ? (fusion.semanticWeight ?? 0.1) : 0.5;
    const asked = params.semanticWeight ?? usual;
    const vector = this.queryVector(params, blank || asked === 0);
    if (blank && vector === null)
      return finish(new Map([...this.entries.keys()].map((id) => [id, 0])), ["fullTextSearch"]);
    const weight = blank ? 1 : asked;
    const semantic = vector !== null && weight > 0 ? this.byMeaning(vector, params, semanticMembers) : null;
    const lexical = semantic === null || weight < 1 ? this.byWords(params) : null;
    const code = squeeze(normalizeText(params.query));
    const exact = [...this.entries.values()].filter((entry) => code !== "" && entry.exactCodes.has(code));
    const isExact = new Set(exact.map((entry) => entry.id));
    const ranks = [lexical, semantic].filter((leg) => leg !== null).map(ranksOf);
    const scores = new Map<string, number>();
    for (const id of [...(lexical?.members ?? []), ...(semantic?.members ?? []), ...isExact]) {
      const score =
        fusion.method === "rrf"
          ? reciprocal(id, ranks, fusion.rankConstant ?? 60)
          : convex(id, lexical, semantic, weight);
      scores.set(id, isExact.has(id) ? 1 : isExact.size > 0 ? Math.min(round6(score), 0.999999) : round6(score));
    }
    const recallSource: RecallSource[] = lexical !== null || isExact.size > 0 ? ["fullTextSearch"] : [];
    if (semantic !== null) recallSource.push("semanticSearch");
    return finish(scores, recallSource);
  }

  // --- words ---

  private byWords(params: SearchParams): Leg {
    const k1 = this.settings.bm25?.k1 ?? 1.2;
    const means = this.meanLengths();
    const terms = this.queryTerms(params.query);
    const bm25 = new Map<string, number>();
    const held = new Map<string, number>();
    let attainable = 0;
    for (const term of terms) {
      const holders = new Map<string, number>();
      for (const entry of this.entries.values()) {
        const f = this.frequency(entry, term, means);
        if (f !== undefined) holders.set(entry.id, f);
      }
      if (holders.size === 0) continue;
      const idf = Math.log(1 + (this.entries.size - holders.size + 0.5) / (holders.size + 0.5));
      attainable += idf * (k1 + 1);
      for (const [id, f] of holders) {
        bm25.set(id, (bm25.get(id) ?? 0) + idf * ((f * (k1 + 1)) / (k1 + f)));
        held.set(id, (held.get(id) ?? 0) + 1);
      }
    }
    const scores = new Map([...bm25].map(([id, sum]) => [id, sum / attainable]));
    const matching = params.matching ?? this.settings.matching ?? "auto";
    const shares = new Map([...scores].map(([id, share]) => [id, Math.round(share * 1e6)]));
    const least = (this.settings.matchingRatio ?? 0.4) * Math.max(0, ...shares.values());
    const isMember = (id: string): boolean =>
      matching === "any" || held.get(id) === terms.length || (matching === "auto" && shares.get(id)! >= least);
    return { members: new Set([...scores.keys()].filter(isMember)), scores };
  }

  /** f of a term in a record; undefined: the record does not hold it. */
  private frequency(entry: Entry, term: Term, means: ReadonlyMap<string, number>): number | undefined {
    const b = this.settings.bm25?.b ?? 0.6;
    const one = (word: string): number | undefined => {
      let sum: number | undefined;
      for (const [name, { counts, length, weight }] of entry.fields) {
        const tf = counts.get(word);
        if (tf === undefined) continue;
        sum = (sum ?? 0) + tf * (weight / (1 - b + (b * length) / means.get(name)!));
      }
      return sum;
    };
    let best: number | undefined;
    for (const { terms, weight } of term.alternatives) {
      const parts = terms.map(one).filter((f) => f !== undefined);
      if (parts.length < terms.length) continue;
      best = Math.max(best ?? 0, Math.min(...parts) * weight);
    }
    return best;
  }

  /** Over the living records that have the field; 1 where the field has no token anywhere. */
  private meanLengths(): Map<string, number> {
    const sums = new Map<string, { length: number; records: number }>();
    for (const { fields } of this.entries.values())
      for (const [name, { length }] of fields) {
        const sum = sums.get(name) ?? { length: 0, records: 0 };
        sums.set(name, { length: sum.length + length, records: sum.records + 1 });
      }
    return new Map([...sums].map(([name, { length, records }]) => [name, length === 0 ? 1 : length / records]));
  }

  /** The query's terms: equal ones are one, held by any form; a stop word only if all are. */
  private queryTerms(query: string): Term[] {
    const terms = new Map<string, Term>();
    for (const token of tokensOf(query))
      for (const term of readTerms(token, this.words)) {
        const { stop, alternatives } = terms.get(term.key) ?? { stop: true, alternatives: [] };
        terms.set(term.key, {
          ...term,
          stop: stop && term.stop,
          alternatives: [...alternatives, ...term.alternatives],
        });
      }
    const telling = [...terms.values()].filter((term) => !term.stop);
    return (telling.length > 0 ? telling : [...terms.values()]).slice(0, MOST_TERMS);
  }

  // --- meaning ---

  private queryVector({ query, vector }: SearchParams, unwanted: boolean): Vector | null {
    const { embedder, wordsOnly } = this.settings;
    if (vector !== undefined) return toVector([...vector]);
    if (embedder === undefined || unwanted) return null;
    const tokens = tokensOf(query);
    const squeezed = tokens.map(([kind, token]) => (kind === "code" ? squeeze(token) : token)).join(" ");
    const text = wordsOnly ? squeezed : tokens.some(([kind]) => kind !== "code") ? query : "";
    return text === "" ? null : toVector(embedder(text));
  }

  private byMeaning(vector: Vector, params: SearchParams, given: readonly string[] | undefined): Leg {
    const floor = params.semanticFloor ?? this.settings.semanticFloor ?? 0;
    const depth = params.semanticDepth ?? this.settings.semanticDepth ?? 100;
    const cosines = [...this.entries.values()]
      .filter((entry) => entry.vector !== null)
      .map((entry) => ({ id: entry.id, cosine: cosine(entry.vector!, vector) }));
    const near = cosines
      .filter((entry) => Math.round(entry.cosine * 1e6) >= Math.round(floor * 1e6))
      .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1))
      .slice(0, depth);
    return {
      members: new Set(given ?? near.map((entry) => entry.id)),
      scores: new Map(cosines.map((entry) => [entry.id, Math.max(0, entry.cosine)])),
    };
  }
}

function convex(id: string, lexical: Leg | null, semantic: Leg | null, weight: number): number {
  const word = lexical?.scores.get(id) ?? 0;
  const meaning = semantic?.scores.get(id) ?? 0;
  if (lexical === null) return meaning;
  return semantic === null ? word : (1 - weight) * word + weight * meaning;
}

/** The mean over the legs that ran; a leg counts for its members only. */
function reciprocal(id: string, legs: readonly ReadonlyMap<string, number>[], k: number): number {
  let sum = 0;
  for (const ranks of legs) if (ranks.has(id)) sum += (k + 1) / (k + ranks.get(id)!);
  return sum / legs.length;
}

/** One more than the number of members that are better, to six decimals. */
function ranksOf({ members, scores }: Leg): Map<string, number> {
  const rounded = [...members].map((id) => round6(scores.get(id)!));
  return new Map([...members].map((id, i) => [id, 1 + rounded.filter((score) => score > rounded[i]!).length]));
}

/** Of integers up to the last step; then as stored vectors keep it, by what one over each length is. */
function cosine(stored: Vector, asked: Vector): number {
  let sum = 0;
  for (const [i, component] of stored.components.entries()) sum += component * asked.components[i]!;
  return Math.max(-1, Math.min(1, sum * stored.inverseLength * asked.inverseLength));
}

function round6(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}

function finish(scores: ReadonlyMap<string, number>, recallSource: readonly RecallSource[]): NaiveAnswer {
  const hits = [...scores].map(([id, score]) => ({ id, score }));
  hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return { nbHits: hits.length, recallSource, hits };
}
