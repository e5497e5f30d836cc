// How much the tests try. `npm test` is the fast size, for every change; `npm run test:slow` runs what that left out, and
// all counts in full; `npm run test:long` multiplies the counts. TEST_SCALE=n multiplies the full counts by n in any size.

/** Full counts are multiplied by this: below 1 in the fast size. */
export const SCALE: number = Number(process.env.TEST_SCALE ?? 1);

/** The fast size: tests of great data take less of it. */
export const FAST: boolean = SCALE < 1;

/** How many times to try what would be tried `full` times in the slow size. */
export function scaled(full: number): number {
  return Math.max(1, Math.round(full * SCALE));
}
