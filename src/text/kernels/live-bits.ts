// Which records of a segment count.

/** One bit a record of a segment: `words` from `offset` on, turned round where `flip` is 1. */
export interface LiveBits {
  readonly words: Uint32Array;
  readonly offset: number;
  readonly flip: 0 | 1;
}

/** All of them: nobody is dead. */
export const ALL_LIVE: LiveBits = { words: new Uint32Array(65_536 / 32), offset: 0, flip: 1 };
