// The methods that fuse the lexical and the semantic matches, and what each needs. On the way of a query, no other file but `fuse`
// asks for a method by name, and every switch is exhaustive: a new method does not compile until it has said here what it needs.

/** How the lexical and the semantic matches become one list. */
export type FusionMethod =
  | {
      readonly method: "convex";
      /** The share of the cosine where words and vectors were both searched, 0 … 1. */
      readonly semanticWeight: number;
    }
  | { readonly method: "rrf"; readonly rankConstant: number };

/** What a fusion method needs to know of the matches. */
export interface FusionNeeds {
  /** A score depends on ranks among all matches, also those that facet refinements hide: so every match is scored. */
  readonly ranks: boolean;
  /** Only records in the rank window get a cosine and title evidence. */
  readonly window: boolean;
  /** Records behind the rank window get a cosine all the same. */
  readonly allCosines: boolean;
  readonly titles: boolean;
  /** The share of the cosine in the score, where that is a weighted sum of both searches; else 0. */
  readonly cosineShare: number;
}

/** Above this weight the cosine counts more than words, so every record gets its cosine. */
const MAX_WINDOWED_WEIGHT = 0.5;

/** What a method needs. */
export function needsOf(fusion: FusionMethod): FusionNeeds {
  switch (fusion.method) {
    case "convex": {
      const { semanticWeight } = fusion;
      const allCosines = semanticWeight > MAX_WINDOWED_WEIGHT;
      return { ranks: false, window: true, allCosines, titles: true, cosineShare: semanticWeight };
    }
    case "rrf":
      return { ranks: true, window: false, allCosines: true, titles: false, cosineShare: 0 };
  }
}

/** The semantic weight of a query that names none: 0 or 1 would leave out one of the searches. */
export function semanticWeightOf(fusion: FusionMethod): number {
  switch (fusion.method) {
    case "convex":
      return fusion.semanticWeight;
    case "rrf":
      // Ranks have no weights: both searches run.
      return 0.5;
  }
}

/** The same method with the semantic weight of one query. */
export function withSemanticWeight(fusion: FusionMethod, semanticWeight: number): FusionMethod {
  switch (fusion.method) {
    case "convex":
      return { ...fusion, semanticWeight };
    case "rrf":
      return fusion;
  }
}
