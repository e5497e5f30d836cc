// What the page shows, as one value: in the address behind #, so that back, forward and a copied link work.

import type { IndexSettings, SearchParams } from "../src/index.js";

export type View = "search" | "tune" | "judge" | "settings";

/** What the page shows. */
export interface PageState {
  readonly view: View;
  readonly query: string;
  readonly page: number;
  /** As the parameter `sort`; "": by score. */
  readonly sort: string;
  /** The chosen values of facets, as texts. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  /** The chosen ranges of numbers. */
  readonly ranges: Readonly<Record<string, readonly [from: number, to: number]>>;
  readonly understand: boolean;
  /** Which of the understood parts are taken back. */
  readonly except: readonly number[];
  /** The hit whose score is explained. */
  readonly why: string;
  /** Changes of settings that were not applied. */
  readonly draft: IndexSettings;
}

export const START: PageState = {
  ...{ view: "search", query: "", page: 1, sort: "", chosen: {}, ranges: {} },
  ...{ understand: false, except: [], why: "", draft: {} },
};

/** What an object has of its own: names come from records, which may name "constructor". */
export function own<V>(values: Readonly<Record<string, V>> | undefined, name: string): V | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** A state as the text behind #. */
export function writeState(state: PageState): string {
  const address = new URLSearchParams();
  const { view, query, page, sort, chosen, ranges, understand, except, why, draft } = state;
  if (view !== "search") address.set("view", view);
  if (query !== "") address.set("query", query);
  if (page > 1) address.set("page", String(page));
  if (sort !== "") address.set("sort", sort);
  for (const [name, values] of Object.entries(chosen)) for (const value of values) address.append(`f.${name}`, value);
  for (const [name, [from, to]] of Object.entries(ranges)) address.set(`n.${name}`, `${from}..${to}`);
  if (understand) address.set("understand", except.length > 0 ? `but ${except.join()}` : "true");
  if (why !== "") address.set("why", why);
  if (Object.keys(draft).length > 0) address.set("draft", JSON.stringify(draft));
  return address.toString();
}

/** The state that a text behind # names; what is no state is left out. */
export function readState(text: string): PageState {
  const address = new URLSearchParams(text);
  const chosen = new Map<string, string[]>();
  const ranges = new Map<string, [number, number]>();
  for (const [key, value] of address) {
    const name = key.slice(2);
    if (key.startsWith("f.")) chosen.set(name, [...(chosen.get(name) ?? []), value]);
    const [from, to] = value.split("..").map(Number) as [number, number?];
    if (key.startsWith("n.") && Number.isFinite(from) && Number.isFinite(to)) ranges.set(name, [from, to!]);
  }
  const view = address.get("view") as View;
  const understand = address.get("understand");
  return {
    view: ["tune", "judge", "settings"].includes(view) ? view : "search",
    query: address.get("query") ?? "",
    page: Math.max(1, Math.trunc(Number(address.get("page"))) || 1),
    sort: address.get("sort") ?? "",
    ...{ chosen: Object.fromEntries(chosen), ranges: Object.fromEntries(ranges) },
    understand: understand !== null,
    except: (understand?.match(/\d+/g) ?? []).map(Number),
    why: address.get("why") ?? "",
    draft: readDraft(address.get("draft")),
  };
}

function readDraft(text: string | null): IndexSettings {
  try {
    const draft: unknown = JSON.parse(text ?? "{}");
    return typeof draft === "object" && draft !== null && !Array.isArray(draft) ? draft : {};
  } catch {
    return {};
  }
}

/** The query that a state asks. Values of facets that read as numbers or booleans are compared as they are written. */
export function paramsOf({ query, page, sort, chosen, ranges, understand, except }: PageState): SearchParams {
  const facetFilters = Object.entries(chosen)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => values.map((value) => `${name}:${value.startsWith("-") ? "\\" : ""}${value}`));
  const numericFilters = Object.entries(ranges).map(([name, [from, to]]) => `${name}:${from} TO ${to}`);
  return {
    query,
    ...(page > 1 && { page }),
    ...(sort !== "" && { sort: [sort] }),
    ...(facetFilters.length > 0 && { facetFilters }),
    ...(numericFilters.length > 0 && { numericFilters }),
    ...(understand && { understand: except.length > 0 ? { except } : true }),
  };
}
