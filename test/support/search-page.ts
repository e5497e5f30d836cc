// A page of InstantSearch without a screen: widgets of the real library, whose state is what they would show. Its types are for
// bundlers, so that what is used of them stands here.

import { createRequire } from "node:module";
import type { InstantSearchClient } from "../../src/instantsearch.js";

export interface ShownItem {
  /** What choosing it passes on. */
  readonly value: string;
  readonly label: string;
  /** Of the values of a facet that were searched: with what was typed marked. */
  readonly highlighted?: string;
  readonly count: number;
  readonly isRefined: boolean;
  /** Of a hierarchical menu. */
  readonly data: readonly ShownItem[] | null;
}

export interface List {
  readonly items: readonly ShownItem[];
  readonly isFromSearch: boolean;
  refine(value: string): void;
  searchForItems(text: string): void;
}

interface Pages {
  readonly currentRefinement: number;
  readonly nbHits: number;
  readonly nbPages: number;
  readonly pages: readonly number[];
  refine(page: number): void;
}

type ShownHit = Readonly<Record<string, unknown>> & { readonly objectID: string; readonly __position: number };

interface Ends {
  readonly range: { readonly min: number; readonly max: number };
  refine(ends: readonly (number | undefined)[]): void;
}

interface Toggle {
  readonly value: { readonly isRefined: boolean; readonly onFacetValue: { readonly count: number | null } };
  refine(value: { readonly isRefined: boolean }): void;
}

/** What widgets show, by their kinds. */
interface Shown {
  readonly searchBox: { refine(text: string): void };
  readonly hits: { readonly items: readonly ShownHit[] };
  readonly infiniteHits: { readonly items: readonly ShownHit[]; readonly isLastPage: boolean; showMore(): void };
  readonly stats: { readonly nbHits: number; readonly nbPages: number; readonly processingTimeMS: number };
  readonly pagination: Pages;
  readonly hitsPerPage: { refine(size: number): void };
  readonly refinementList: Readonly<Record<string, List>>;
  readonly hierarchicalMenu: Readonly<Record<string, List>>;
  readonly numericMenu: Readonly<Record<string, List>>;
  readonly range: Readonly<Record<string, Ends>>;
  readonly toggleRefinement: Readonly<Record<string, Toggle>>;
  readonly sortBy: { refine(name: string): void };
  readonly currentRefinements: { readonly items: readonly { readonly attribute: string }[] };
  readonly clearRefinements: { readonly canRefine: boolean; refine(): void };
}

/** What was chosen, as the address of the page would say it. */
interface Chosen {
  readonly query?: string;
  readonly refinementList?: Readonly<Record<string, readonly string[]>>;
  readonly hierarchicalMenu?: Readonly<Record<string, readonly string[]>>;
  readonly range?: Readonly<Record<string, string>>;
  readonly toggle?: Readonly<Record<string, boolean>>;
  readonly sortBy?: string;
}

interface Search {
  readonly status: "idle" | "loading" | "stalled" | "error";
  readonly renderState: Readonly<Record<string, Shown>>;
  addWidgets(widgets: readonly object[]): void;
  start(): void;
  dispose(): void;
  getUiState(): Readonly<Record<string, Chosen>>;
  on(event: "render" | "error", listener: (error: unknown) => void): void;
  removeAllListeners(): void;
}

type Library = Readonly<Record<string, (draw: (shown: List) => void) => (params: object) => object>>;
type Open = (options: { readonly indexName: string; readonly searchClient: object }) => Search;

// Node finds its modules by require alone.
const require = createRequire(import.meta.url);
const { default: open } = require("instantsearch.js") as { readonly default: Open };
const library = require("instantsearch.js/cjs/connectors") as Library;

/** A widget of the library, by the name of its connector without "connect". What is drawn can be read from the page, mostly. */
export function widget(name: string, params: object = {}, draw: (shown: List) => void = () => {}): object {
  return library[`connect${name}`]!(draw)(params);
}

export class SearchPage {
  private readonly search: Search;
  private readonly indexName: string;

  constructor(searchClient: InstantSearchClient, indexName: string, widgets: readonly object[]) {
    this.indexName = indexName;
    this.search = open({ indexName, searchClient });
    this.search.addWidgets(widgets);
  }

  /** Opens the page, and waits until all is shown. */
  async start(): Promise<void> {
    await this.settled(() => this.search.start());
  }

  /** Does something, and waits until its answer is shown. Rejects when the search fails. */
  async after(act: () => void): Promise<void> {
    await this.settled(act, () => this.search.status === "idle");
  }

  private async settled(act: () => void, isNothing: () => boolean = () => false): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const done = (): void => {
        if (this.search.status === "idle") resolve();
      };
      this.search.on("render", done);
      this.search.on("error", reject);
      act();
      if (isNothing()) resolve();
    });
    this.search.removeAllListeners();
  }

  get shown(): Shown {
    return this.search.renderState[this.indexName]!;
  }

  get chosen(): Chosen {
    return this.search.getUiState()[this.indexName] ?? {};
  }

  close(): void {
    this.search.dispose();
  }
}
