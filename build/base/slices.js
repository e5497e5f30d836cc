// Long work in short pieces. Whatever may take long is written as a generator that yields wherever it may pause; it is
// driven here so that no piece blocks the event loop for longer than a few milliseconds.
import { throwIfAborted } from "./abort.js";
/** A slice ends at the first pause after this many milliseconds; with pauses every 1-2 ms no block passes 10 ms. */
const SLICE_MS = 5;
/** When the present turn of the event loop began to be used; undefined: not yet. All work of a turn shares its slice. */
let turnBegan;
/** Works that wait, one of which goes on in each turn: were all to go on at once, long work would leave the others a step. */
const waiting = [];
function nextTurn() {
    return new Promise((resume) => {
        waiting.push(resume);
        if (waiting.length === 1)
            setImmediate(resumeFirst);
    });
}
function resumeFirst() {
    const resume = waiting.shift();
    if (waiting.length > 0)
        setImmediate(resumeFirst);
    beginTurn();
    resume();
}
function beginTurn() {
    const now = performance.now();
    turnBegan = now;
    setImmediate(() => {
        if (turnBegan === now)
            turnBegan = undefined;
    });
    return now;
}
/** Milliseconds that work in slices has used of the present turn. */
function usedOfTurn() {
    return performance.now() - (turnBegan ?? beginTurn());
}
/** Waits for the next turn of the event loop when the present one has been used up. */
export async function pauseIfLong() {
    if (usedOfTurn() >= SLICE_MS)
        await nextTurn();
}
/** Runs the steps to their end, giving the event loop a turn after each slice. Rejects with 499 when the signal aborts. */
export async function runInSlices(steps, signal) {
    for (;;) {
        throwIfAborted(signal);
        const step = steps.next();
        if (step.done)
            return step.value;
        if (usedOfTurn() >= SLICE_MS)
            await nextTurn();
    }
}
/** Runs the steps without a pause: for small work, and for tests. */
export function runAtOnce(steps) {
    for (;;) {
        const step = steps.next();
        if (step.done)
            return step.value;
    }
}
