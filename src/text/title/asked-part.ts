/** What an index term of a title is to one query. */
export class AskedPart {
  /** The query's numbers of the index terms that it is. */
  readonly answers: readonly number[];
  /** How rare it is among titles; 0: no word. */
  readonly rarity: number;
  /** By term of the query, how near it is, 0 … 1; null: to none. */
  readonly nearness: readonly number[] | null;
  /** The greatest of these. */
  readonly nearest: number;
  /** What follows it says what a thing goes with. */
  readonly isTurn: boolean;

  constructor(answers: readonly number[], rarity: number, nearness: readonly number[] | null, isTurn: boolean) {
    this.answers = answers;
    this.rarity = rarity;
    this.nearest = nearness === null ? 0 : Math.max(0, ...nearness);
    this.nearness = this.nearest === 0 ? null : nearness;
    this.isTurn = isTurn;
  }
}
