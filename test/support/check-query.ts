// What holds for the answer of every query, as Lucene's QueryUtils.check: tests of queries ask through it.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FacetCount, Hit, SearchData, SearchEngine, SearchIndex, SearchParams } from "../../src/index.js";
import { encoded } from "../oracle/same-answer.js";

/** What is asked. */
export type Asked = Pick<SearchIndex, "query" | "whyNot">;
/** What makes and opens the snapshot that is asked, too. */
export type Snapshots = Pick<SearchEngine, "writeSnapshot" | "readSnapshot" | "index">;

type Ask = (params: SearchParams) => Promise<SearchData>;
type Fail = (what: string) => never;

/** So many values of a facet are chosen. */
const VALUES = 3;
/** Larger results are not read page by page. */
const MOST_HITS = 300;

/** Asks the query, and returns its answer if all that always holds does. `engine`: also the index's snapshot is asked. */
export async function checkQuery(index: Asked, params: SearchParams, engine?: Snapshots): Promise<SearchData> {
  const ask: Ask = async (asked) => (await index.query(asked)).data;
  const fail: Fail = (what) => {
    throw new Error(`The query ${JSON.stringify(params)} ${what}.`);
  };
  const data = await ask(params);
  const same = (what: string, other: SearchData): void => {
    const [first, second] = [comparable(data), comparable(other)];
    const keys = [...new Set([...Object.keys(first), ...Object.keys(second)])];
    const name = keys.find((key) => JSON.stringify(first[key]) !== JSON.stringify(second[key]));
    if (name === undefined) return;
    fail(`${what} has other ${name}: ${JSON.stringify(second[name])}, not ${JSON.stringify(first[name])}`);
  };
  same("asked again", await ask(params));
  same("as an encoded text", (await index.query(encoded(params))).data);
  if (engine !== undefined)
    same("of the snapshot", (await (await reopened(index as SearchIndex, engine)).query(params)).data);
  if (data.nbHits <= MOST_HITS) await checkPages(ask, params, data, fail);
  for (const [attribute, counts] of Object.entries(data.facets ?? {}))
    await checkCounts(ask, params, { attribute, counts }, fail);
  for (const hit of (await ask({ ...params, explain: true })).hits) checkExplanation(hit, fail);
  const first = data.hits[0]?.id;
  const why = first === undefined ? { found: true } : await index.whyNot(params, first);
  if (!why.found) fail(`shows ${first} first, of which whyNot says ${why.reason}`);
  return data;
}

function comparable(data: SearchData): Readonly<Record<string, unknown>> {
  return { ...data, serverTimeMS: 0, processingTimeMS: 0, indexUse: "" };
}

async function checkPages(ask: Ask, params: SearchParams, { hits, nbHits }: SearchData, fail: Fail): Promise<void> {
  const { page = 1, hitsPerPage = 12, offset, length = 12, ...rest } = params;
  const whole = (await ask({ ...rest, hitsPerPage: 1000 })).hits;
  const compare = (what: string, got: readonly Hit[], start: number, most: number): void => {
    const expected = whole.slice(start, start + most);
    if (JSON.stringify(got) !== JSON.stringify(expected))
      fail(`shows the hits [${got.map(({ id }) => id)}] on ${what}, not [${expected.map(({ id }) => id)}]`);
  };
  if (whole.length !== nbHits) fail(`says that nbHits is ${nbHits}, and shows ${whole.length} hits`);
  if (params.offset === undefined && params.length === undefined)
    compare("its page", hits, (page - 1) * hitsPerPage, hitsPerPage);
  else compare("its page", hits, offset ?? 0, length);
  const size = Math.max(1, Math.ceil(nbHits / 3));
  for (let start = 0; start < nbHits + size; start += size) {
    const one = await ask({ ...rest, page: start / size + 1, hitsPerPage: size });
    compare(`page ${one.page} of ${size} hits`, one.hits, start, size);
    if (one.nbHits !== nbHits) fail(`says that nbHits is ${nbHits}, and ${one.nbHits} on page ${one.page}`);
  }
  const walked: Hit[] = [];
  for (let cursor: string | null | undefined = "start"; typeof cursor === "string"; ) {
    const one: SearchData = await ask({ ...rest, cursor, hitsPerPage: size });
    walked.push(...one.hits);
    cursor = one.nextCursor;
    if (one.nbHits !== nbHits || (cursor !== null && walked.length >= nbHits))
      fail(`does not end on page ${one.page} by cursor`);
  }
  compare("its pages by cursor", walked, 0, nbHits);
}

/** The same query with this value as the only choice of its attribute, but for what must hold beside any other choice. */
function choosing(
  { facetFilters = {}, ...rest }: SearchParams,
  attribute: string,
  value: FacetCount["value"],
): SearchParams {
  const { offset: _, length: __, ...asked } = { ...rest, facets: [], hitsPerPage: 0 };
  if (!Array.isArray(facetFilters)) return { ...asked, facetFilters: { ...facetFilters, [attribute]: [value] } };
  const isOther = (group: string | readonly string[]): boolean =>
    typeof group === "string" || group[0]?.startsWith(`${attribute}:`) !== true;
  const text = `${attribute}:${String(value).replace(/^\\*-/, "\\$&")}`;
  return { ...asked, facetFilters: [...facetFilters.filter(isOther), [text]] };
}

type Facet = { readonly attribute: string; readonly counts: readonly FacetCount[] };

async function checkCounts(ask: Ask, params: SearchParams, { attribute, counts }: Facet, fail: Fail): Promise<void> {
  // Choices of its numbers would have to be left out, too.
  if (JSON.stringify(params.numericFilters ?? []).includes(attribute)) return;
  // One text may stand for several values.
  const isClear = ({ value }: FacetCount): boolean =>
    counts.filter((other) => String(other.value) === String(value)).length === 1;
  for (const one of counts.filter((count) => !("from" in count) && isClear(count)).slice(0, VALUES)) {
    const { nbHits } = await ask(choosing(params, attribute, one.value));
    if (nbHits !== one.count)
      fail(`counts ${one.count} for the ${attribute} ${JSON.stringify(one.value)}, which finds ${nbHits} hits`);
  }
}

function checkExplanation({ id, score, explanation = {} }: Hit, fail: Fail): void {
  const { lexical, semantic, title, exactCode, boosts } = explanation;
  const parts = [lexical, semantic, title, exactCode, ...(boosts ?? [])];
  const sum = parts.reduce((all, part) => all + (part?.contribution ?? 0), 0);
  // Boosts may leave nothing of a score, and make none of 1.
  const most = boosts === undefined || exactCode !== undefined ? 1 : 0.999999;
  const total = boosts === undefined ? sum : Math.min(most, Math.max(0, sum));
  if (!(Math.abs(total - score) <= 2e-6)) fail(`explains ${total} of the score ${score} of ${id}`);
}

const copies = new WeakMap<SearchIndex, readonly [content: string, copy: SearchIndex]>();

/** The index as its snapshot has it; made again only where its content is another. */
async function reopened(index: SearchIndex, engine: Snapshots): Promise<SearchIndex> {
  const content = JSON.stringify([await index.digest(), (await index.getSettings()).settings]);
  const [known, made] = copies.get(index) ?? [];
  if (made !== undefined && known === content) return made;
  const folder = await mkdtemp(join(tmpdir(), "tandem-check-"));
  await engine.writeSnapshot(index.name, join(folder, "index"));
  const bytes = await readFile(join(folder, "index")).finally(() => rm(folder, { recursive: true }));
  await engine.readSnapshot(`${index.name}-reopened`, bytes, { ifExists: "replace" });
  const copy = engine.index(`${index.name}-reopened`);
  copies.set(index, [content, copy]);
  return copy;
}
