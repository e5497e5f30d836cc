// Whether an answer is the one the naive twin gives: hits in order with their scores, counts, facets, and what hits show.

import type { JsonRecord, SearchData, SearchParams } from "../../src/index.js";
import type { NaiveAnswer } from "../support/naive-engine.js";
import { project } from "../support/naive-projection.js";
import type { Version } from "./engine-model.js";

/** Without a difference undefined, else what differs. */
export type Difference = string | undefined;

/** How two values differ, compared as JSON. */
export function differ(what: string, actual: unknown, expected: unknown): Difference {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a === b) return undefined;
  let at = 0;
  while (a?.[at] === b?.[at]) at++;
  const part = (text: string | undefined): string => `${text}`.slice(Math.max(0, at - 60), at + 200);
  return `${what} is …${part(a)}… and must be …${part(b)}…`;
}

/** Throws unless one of these versions has no difference; tells that of the last. */
export function agree(versions: readonly Version[], differenceFrom: (version: Version) => Difference): void {
  let last: Difference = "an answer where none can be";
  for (const version of versions) {
    last = differenceFrom(version);
    if (last === undefined) return;
  }
  const of = versions.length > 1 ? ` (in the last of ${versions.length} versions)` : "";
  throw new Error(`${last}${of}`);
}

/** How an answer differs from the twin's. */
export function answerDifference(
  data: SearchData,
  expected: NaiveAnswer,
  params: SearchParams,
  version: Version,
): Difference {
  const { page = 1, hitsPerPage = 12 } = params;
  const { nbHits, recallSource, hits, facets, facetStats } = expected;
  const seen = data.hits.map(({ id, score }) => ({ id, score }));
  const [from, to] = [(page - 1) * hitsPerPage, page * hitsPerPage];
  return (
    differ("nbHits", data.nbHits, nbHits) ??
    differ("recallSource", data.recallSource, recallSource) ??
    differ("hits", seen, hits.slice(from, to)) ??
    differ("facets", data.facets, facets) ??
    differ("facetStats", data.facetStats, facetStats) ??
    differ("page", [data.query, data.page, data.hitsPerPage], [params.query, page, hitsPerPage]) ??
    sourcesDifference(data, params, version)
  );
}

function sourcesDifference(data: SearchData, params: SearchParams, { naive }: Version): Difference {
  if (data.hits.length === 0) return undefined;
  const byId = new Map(naive.records.map((record) => [String(record.id), record]));
  for (const { id, source, score, explanation, _highlightResult, _snippetResult } of data.hits) {
    const record = byId.get(id)!;
    const shown = differ(`the source of ${id}`, source, project(record, params.attributesToRetrieve));
    if (shown !== undefined) return shown;
    if ((explanation !== undefined) !== (params.explain === true)) return `${id} has no explanation, or too many`;
    const parts = [explanation?.lexical, explanation?.semantic, explanation?.title, explanation?.exactCode];
    const sum = parts.reduce((all, part) => all + (part?.contribution ?? 0), 0);
    if (explanation !== undefined && !(Math.abs(sum - score) < 1e-6))
      return `the explanation of ${id} is ${sum}, not ${score}`;
    if ((_highlightResult !== undefined) !== asked(params.attributesToHighlight)) return `${id} has other highlights`;
    if ((_snippetResult !== undefined) !== asked(params.attributesToSnippet)) return `${id} has other snippets`;
    const marked = plainTexts(_highlightResult).find((text) => !holdsText(record, text));
    if (marked !== undefined) return `${id} highlights ${JSON.stringify(marked)}, which it does not hold`;
  }
  return undefined;
}

function asked(names: readonly string[] | undefined): boolean {
  return names !== undefined && names.length > 0;
}

/** The highlighted texts without their marks. */
function plainTexts(shaped: unknown): string[] {
  if (typeof shaped !== "object" || shaped === null) return [];
  const { value, matchLevel } = shaped as { readonly value?: unknown; readonly matchLevel?: unknown };
  if (typeof value === "string" && typeof matchLevel === "string") return [plain(value)];
  return Object.values(shaped).flatMap(plainTexts);
}

function plain(html: string): string {
  const text = html.replace(/<\/?em>/g, "");
  const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => named[name]!);
}

function holdsText(value: JsonRecord[string] | JsonRecord, text: string): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some((inner) => holdsText(inner, text));
  return String(value) === text;
}
