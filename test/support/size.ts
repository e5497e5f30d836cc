// How much the tests try. `npm test` is the fast size, for every change: a tenth of the counts. `npm run test:slow` runs what that left
// out, and a quarter of the counts; `npm run test:long` twenty times as many. TEST_SCALE=n multiplies the full counts by n in any size.

/** Full counts are multiplied by this: below 1 in the fast size. */
export const SCALE: number = Number(process.env.TEST_SCALE ?? 1);

/** Fewer tries than the full counts: tests of large data use less of it. */
export const FAST: boolean = SCALE < 1;

/** How many times to try what has `full` tries where all are made. */
export function scaled(full: number): number {
  return Math.max(1, Math.round(full * SCALE));
}
