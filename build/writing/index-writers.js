// Who may write to one index, and when: writers stand in line in the order of their calls, each can be given up while it
// waits, and all of them when the index ends. What a write leaves small is tidied in the background, in line too.
import { firstOf, throwIfAborted, untilAborted } from "../base/abort.js";
import { WriteQueue } from "../base/write-queue.js";
/** Runs a task in a turn of two lines. Both places are taken at once; were they not, two tasks could wait for each other. */
export async function shareTurn(first, second, task) {
    let begin = () => { };
    let giveUp = (_reason) => { };
    const begun = new Promise((resolve, reject) => {
        begin = resolve;
        giveUp = reject;
    });
    let end = () => { };
    const ended = new Promise((resolve) => {
        end = resolve;
    });
    const held = first.write(undefined, undefined, async () => {
        begin();
        await ended;
    });
    held.catch(giveUp);
    try {
        await second.write(begun, undefined, task);
    }
    finally {
        end();
        // The task may have ended the line.
        await held.catch(() => { });
    }
}
/** The line of one index's writers. */
export class IndexWriters {
    queue = new WriteQueue();
    ending = new AbortController();
    tidy;
    gone;
    /** `tidy` runs after each write, in line; it must leave all answers as they are. */
    constructor(tidy) {
        this.tidy = tidy;
    }
    /** Aborted when the index ends. */
    get stop() {
        return this.ending.signal;
    }
    /**
     * Runs a writer in its turn, on what was read meanwhile. A writer is given up when its caller's signal or the end of the
     * index says so: in line at once, at work where it pauses.
     */
    async write(reading, signal, task) {
        const { signal: stop, end } = firstOf(signal === undefined ? [this.stop] : [signal, this.stop]);
        if (reading instanceof Promise)
            reading.catch(() => { }); // it is heard in its turn
        let begun = false;
        const turn = this.queue.run(async () => {
            begun = true;
            const batch = await reading;
            this.check();
            throwIfAborted(stop);
            return task(batch, stop);
        });
        try {
            return await untilAborted(turn, stop, () => !begun);
        }
        catch (error) {
            this.check();
            throw error;
        }
        finally {
            end();
            void this.queue.run(this.tidy).catch(() => { });
        }
    }
    /** Throws the reason when the index has ended. */
    check() {
        if (this.gone !== undefined)
            throw this.gone;
    }
    /** Ends the index: who waits or works is given up, who comes later gets `reason`. */
    end(reason) {
        this.gone ??= reason;
        this.ending.abort();
    }
    /** Resolves when the line is empty at last. */
    async idle() {
        return this.queue.idle();
    }
}
