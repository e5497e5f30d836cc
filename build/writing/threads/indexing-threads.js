// Other threads that analyse records. One job a thread at a time; a thread that has nothing to do keeps no process alive, and
// ends after a while. Whoever asks must be able to do without: a thread that cannot start, or dies, answers nothing.
import { Worker } from "node:worker_threads";
import { has } from "../../base/checks.js";
import { pauseIfLong } from "../../base/tasks.js";
import { entryBytes } from "../../records/record-table.js";
import { readReply } from "./analysis-job.js";
/** A thread that starts has to learn the words anew. */
const IDLE_MS = 30_000;
/** Sending fewer records takes longer than analysing them. */
const LEAST_RECORDS = 256;
/** JSON characters in a message: copying them is one block of time. */
const CHARACTERS_AT_ONCE = 1 << 18;
/** Up to `size` threads, started when they are needed. */
export class IndexingThreads {
    size;
    /** The embedder that the threads have too. */
    embedder;
    script;
    waiting = [];
    idle = [];
    working = new Map();
    timer;
    /** One that never answered is not tried again. */
    isBroken = false;
    /** `script`: the file that a thread runs. */
    constructor(size, script, embedder) {
        this.size = size;
        this.embedder = embedder;
        this.script = script;
    }
    /** So many records make a job, of a batch of `records`. */
    recordsOfJob(records) {
        return Math.max(LEAST_RECORDS, Math.ceil(records / Math.max(1, this.size)));
    }
    /** What the records were found to be; undefined: nobody could tell. Never rejects. */
    async analyse(entries, job) {
        if (this.isBroken || entries.length < LEAST_RECORDS)
            return undefined;
        return new Promise((answer) => {
            this.waiting.push({ entries, job, texts: [], answer });
            this.next();
        });
    }
    /** Ends all threads; who waits is answered nothing. */
    end() {
        this.isBroken = true;
        this.answerNothing();
        this.endIdle();
        for (const worker of this.working.keys())
            void worker.terminate();
    }
    next() {
        clearTimeout(this.timer);
        while (this.waiting.length > 0 && (this.idle.length > 0 || this.working.size < this.size)) {
            const worker = this.idle.pop() ?? this.start();
            if (worker === undefined) {
                this.answerNothing();
                return;
            }
            void this.hand(this.waiting.shift(), worker);
        }
        if (this.idle.length > 0)
            this.timer = setTimeout(() => this.endIdle(), IDLE_MS).unref();
    }
    async hand(waiting, worker) {
        this.working.set(worker, waiting);
        worker.ref();
        for (const message of messagesOf(waiting)) {
            worker.postMessage(message);
            await pauseIfLong();
        }
    }
    start() {
        try {
            const worker = new Worker(this.script, { name: "tandem-search indexing" });
            worker.on("message", (message) => this.hear(message, worker));
            worker.on("error", () => {
                this.isBroken = true;
            });
            worker.on("exit", () => this.leave(worker));
            return worker;
        }
        catch {
            // Where no threads are allowed.
            this.isBroken = true;
            return undefined;
        }
    }
    hear(message, worker) {
        const job = this.working.get(worker);
        if (has(message, "texts")) {
            for (const text of message.texts)
                job?.texts.push(text);
            return;
        }
        this.working.delete(worker);
        const ids = job?.entries.map(({ id }) => id) ?? [];
        job?.answer(has(message, "reply") ? readReply(message.reply, ids, job.texts) : undefined);
        worker.unref();
        this.idle.push(worker);
        this.next();
    }
    leave(worker) {
        this.working.get(worker)?.answer(undefined);
        this.working.delete(worker);
        const place = this.idle.indexOf(worker);
        if (place >= 0)
            this.idle.splice(place, 1);
        if (this.isBroken)
            this.answerNothing();
        else
            this.next();
    }
    answerNothing() {
        for (const { answer } of this.waiting.splice(0))
            answer(undefined);
    }
    endIdle() {
        for (const worker of this.idle.splice(0))
            void worker.terminate();
    }
}
function* messagesOf({ entries, job }) {
    for (let from = 0; from < entries.length;) {
        let to = from;
        for (let size = 0; to < entries.length && size < CHARACTERS_AT_ONCE; to++)
            size += entryBytes(entries[to]);
        const some = entries.slice(from, to);
        const vectors = some.some(({ vector }) => vector !== undefined) ? some.map(({ vector }) => vector) : undefined;
        yield { ids: some.map(({ id }) => id), jsons: some.map(({ json }) => json), vectors };
        from = to;
    }
    yield { job };
}
