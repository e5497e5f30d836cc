// Runs in a thread of its own: analyses the records that it is sent, and sends back what it found. What goes wrong here is
// done again, and reported, by the thread that asked.
import { parentPort } from "node:worker_threads";
import { doJob } from "./writing/threads/analysis-job.js";
/** Texts in a message: who reads it does nothing else meanwhile. */
const TEXTS_AT_ONCE = 512;
let entries = [];
function send(message, handed = []) {
    parentPort?.postMessage(message, handed);
}
parentPort?.on("message", (message) => {
    if ("ids" in message) {
        for (const [i, id] of message.ids.entries())
            entries.push({
                id,
                json: message.jsons[i],
                vector: message.vectors?.[i],
                record: undefined,
                position: undefined,
            });
        return;
    }
    const all = entries;
    entries = [];
    void answer(all, message.job);
});
async function answer(all, job) {
    try {
        const { reply, texts, handed } = await doJob(all, job);
        for (let at = 0; at < texts.length; at += TEXTS_AT_ONCE)
            send({ texts: texts.slice(at, at + TEXTS_AT_ONCE) });
        send({ reply }, handed);
    }
    catch {
        send({ failed: true });
    }
}
