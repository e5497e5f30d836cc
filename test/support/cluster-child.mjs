// Has an engine on a cluster open, and makes the calls that it is sent, as soon as they come. Each is answered by { number, ok } or
// { number, refused }, the envelope of the error with its details; `failed` is an error that no engine may throw. The folder with the
// bundle of the engine is the first argument, the options of `open` the second, as JSON.

const { OpenSearchEngine } = await import(`${process.argv[2]}/opensearch.js`);
const options = JSON.parse(process.argv[3]);
let engine;

/** What is no verb, or gives no JSON. */
const acts = {
  open: async () => {
    engine = await OpenSearchEngine.open({ ...options, onWarning: () => {} });
  },
  position: async () => engine.position(),
  browseRecords: async (name) => {
    const records = [];
    for await (const record of engine.browseRecords(name)) records.push(record);
    return records;
  },
  createIndex: async (...args) => void (await engine.createIndex(...args)),
};

process.on("message", async ({ number, verb, args }) => {
  process.send({ number, ...(await outcomeOf(acts[verb] ?? ((...given) => engine[verb](...given)), args)) });
});

async function outcomeOf(act, args) {
  try {
    return { ok: (await act(...args)) ?? null };
  } catch (error) {
    if (typeof error.toEnvelope !== "function") return { failed: String(error.stack) };
    return { refused: { ...error.toEnvelope(), details: error.details } };
  }
}
