// Serves some of docs/examples on loopback, one after the other, against the built package, and prints what clients found as a line of JSON
// for each.
//
//   node example-child.mjs NAME,NAME           the contract kit, hostile clients
//   node --expose-gc example-child.mjs NAME,NAME COUNT      three times so many requests of 200 parallel clients, too

import { once } from "node:events";
import { Agent, request as ask } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import autocannon from "autocannon";
import { SearchEngine } from "tandem-search";
import { hashKey } from "tandem-search/service";
import { contractChecks, contractIndex } from "tandem-search/service/contract";

const [names, count] = process.argv.slice(2);
const applicationId = "contract";
const apiKey = "contract-0123456789abcdef";
const path = `/1/indexes/${contractIndex.name}/query`;

const engine = new SearchEngine();
await engine.createIndex(contractIndex.name, contractIndex.settings);
await engine.addRecords(contractIndex.name, contractIndex.records);

/** The number of requests by what became of them. */
let events = {};
const credential = { applicationId, keyHash: hashKey(apiKey), permissions: ["search"], indexes: [contractIndex.name] };
const access = {
  credentials: [credential],
  limits: { timeoutMs: 1000 },
  onRequest: ({ status, error = "none" }) => {
    events[`${status} ${error}`] = (events[`${status} ${error}`] ?? 0) + 1;
  },
};
const headers = {
  "x-search-application-id": applicationId,
  "x-search-api-key": apiKey,
  "content-type": "application/json",
};

/** Of the server that is looked at. */
let port;

/** One request of node:http; `write` sends the body. */
async function send({ agent, method = "POST", path: to = path, headers: own = headers, body = "", write }) {
  const length = write === undefined ? { "content-length": Buffer.byteLength(body) } : {};
  const request = ask({ agent, port, method, path: to, headers: { ...own, ...length } });
  const answered = once(request, "response");
  if (write === undefined) request.end(body);
  else await write(request);
  const [response] = await answered;
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += piece;
  return { status: response.statusCode, headers: response.headers, body: text };
}

const query = '{"query":"red lamp","hitsPerPage":2}';
const statusOf = async (one) => (await send(one)).status;

/** What clients find of an example. */
async function look(name) {
  events = {};
  access.limits.timeoutMs = 1000;
  const { searchServer } = await import(new URL(`../../docs/examples/${name}.mjs`, import.meta.url));
  const server = await searchServer(engine, access);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = server.address().port;
  const found = { failedChecks: [] };

  const agent = new Agent({ keepAlive: true });
  const operations = ["searchForFacetValues", "similar", "suggest", "multiQuery"];
  const target = { send: (one) => send({ agent, ...one }), applicationId, apiKey, operations };
  for (const { name: check, run } of contractChecks(target))
    await run().catch((error) => found.failedChecks.push(`${check}: ${error.message}`));
  agent.destroy();

  found.slow = await Promise.all(
    Array.from({ length: 10 }, () =>
      statusOf({
        write: async (request) => {
          for (const letter of query) {
            request.write(letter);
            await pause(5);
          }
          request.end();
        },
      }),
    ),
  );
  found.stalled = await Promise.all(
    Array.from({ length: 10 }, () => statusOf({ write: async (request) => request.write('{"query":') })),
  );

  /** Clients that hang up in the middle of the body. */
  const before = events["499 aborted"] ?? 0;
  const head = Object.entries({ ...headers, host: "localhost", "content-length": "1000" }).map((each) =>
    each.join(": "),
  );
  for (let i = 0; i < 20; i++) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n{"query":`);
    await pause(10);
    socket.destroy();
  }
  for (let waited = 0; (events["499 aborted"] ?? 0) < before + 20 && waited < 5000; waited += 20) await pause(20);
  found.aborted = (events["499 aborted"] ?? 0) - before;
  found.after = await statusOf({ body: query });
  if (name === "fastify") found.ordered = (await send({ path: "/orders", body: '{"id":[1,"ä"]}' })).body;

  if (count !== undefined) {
    const load = (amount) =>
      autocannon({
        ...{ url: `http://127.0.0.1:${port}`, connections: 200, amount, timeout: 60 },
        requests: [query, '{"params":"query=drill&page=2"}', '{"query":', '{"query":"","page":0}'].map((body) => ({
          ...{ method: "POST", path, headers, body },
        })),
      });
    access.limits.timeoutMs = 60_000;
    await load(Number(count) / 4);
    const used = async () => {
      // Until the sockets of the clients are closed.
      await pause(200);
      globalThis.gc();
      globalThis.gc();
      return process.memoryUsage().heapUsed;
    };
    for (const status in events) delete events[status];
    const rounds = [];
    for (let round = 0; round < 3; round++) {
      const start = await used();
      const { errors, timeouts, mismatches, "2xx": right, "4xx": refused, "5xx": failed } = await load(Number(count));
      rounds.push({ errors, timeouts, mismatches, right, refused, failed, grownBytes: (await used()) - start });
    }
    found.load = { rounds, told: { ...events } };
  }
  server.closeAllConnections();
  server.close();
  return { ...found, events };
}

for (const name of names.split(",")) process.stdout.write(`${JSON.stringify(await look(name))}\n`);
await engine.close();
