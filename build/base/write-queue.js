// Writers stand in line: each begins when the one before has ended, well or badly. Readers never wait here.
/** A line of asynchronous tasks. */
export class WriteQueue {
    tail = Promise.resolve();
    /** Runs the task after all that came before; its result and its failure are the caller's alone. */
    run(task) {
        const result = this.tail.then(task);
        this.tail = result.catch(() => { });
        return result;
    }
    /** Resolves when the line is empty at last. */
    async idle() {
        for (let seen; seen !== this.tail;) {
            seen = this.tail;
            await this.tail;
        }
    }
}
