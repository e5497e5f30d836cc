// How a cluster is asked: what is asked again, what is waited for, and which errors its answers become. A small server stands in for the
// nodes, because a real cluster is never broken in just this way.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { Cluster, type ClusterAddress } from "../../src/opensearch/cluster.js";
import type { SearchError } from "../../src/util/errors.js";
import { at } from "../../src/util/json.js";
import { rejectionOf } from "../support/refusal.js";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Nodes that give these answers, one after the other, whichever is asked; the last one again and again. */
async function nodesThat(answers: readonly Answer[], count = 2) {
  const asked: { readonly node: number; readonly line: string; readonly headers: IncomingMessage["headers"] }[] = [];
  const nodes: string[] = [];
  for (let node = 0; node < count; node++) {
    const server = createServer((request, response) => {
      const answer = answers[Math.min(asked.length, answers.length - 1)]!;
      asked.push({ node, line: `${request.method} ${request.url}`, headers: request.headers });
      request.resume().on("end", () => answer(request, response));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    nodes.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  const clusterWith = (address: Partial<ClusterAddress> = {}): Cluster =>
    new Cluster({ nodes, authorization: undefined, requestTimeoutMs: 10_000, ...address });
  return { asked, nodes, cluster: clusterWith(), clusterWith };
}

const json = (body: object, status = 200): Answer => {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
};
const page = (status: number): Answer => {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "text/html" }).end("<h1>Sorry</h1>");
  };
};
const refusing = (type: string, reason: string, status: number): Answer =>
  json({ error: { type, reason }, status }, status);
const hangingUp: Answer = (request) => request.socket.destroy();
const silent: Answer = () => {};
const cutShort: Answer = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end('{"took": 1, "hits');
};

/** An answer is whole if it says `ok`. */
const read = (body: unknown, status: number): unknown => (at(body, "ok") === true ? status : undefined);
const READ = { method: "POST", path: "/a/_search", body: { size: 0 }, isRead: true, read } as const;
const WRITE = { method: "PUT", path: "/a/_doc/1", body: { id: "1" }, isRead: false, read } as const;
const NOBODY = { authorization: undefined, requestTimeoutMs: 10_000 } as const;

/** An error says nothing of the cluster to strangers, and to its own people in `cause`. */
function expectDiscreet(error: SearchError, said: string): void {
  const told = JSON.stringify([error.toEnvelope(), error.message, error.details]);
  for (const secret of [said, "127.0.0.1", "secret-index", "secret-user", "c2VjcmV0", "ECONN"])
    expect(told).not.toContain(secret);
  let causes = "";
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) causes += `${cause.message}\n`;
  expect(causes).toContain(said);
}

describe("a request", () => {
  it("asks the nodes in turn, and says who asks", async () => {
    const { asked, clusterWith } = await nodesThat([json({ ok: true })]);
    const cluster = clusterWith({ authorization: "Basic abc" });
    for (let i = 0; i < 3; i++) expect(await cluster.send(READ)).toBe(200);
    expect(asked.map(({ node }) => node)).toEqual([0, 1, 0]);
    expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(new Set(["Basic abc"]));
  });

  it("sends one value as JSON, and several as lines", async () => {
    const { asked, cluster } = await nodesThat([json({ ok: true })]);
    await cluster.send(READ);
    await cluster.send({ ...WRITE, body: undefined, lines: ['{"a":1}', '{"b":2}'] });
    expect(asked.map(({ headers }) => headers["content-type"])).toEqual(["application/json", "application/x-ndjson"]);
  });

  it("may have an answer that is no success, for its reader to understand", async () => {
    const { cluster } = await nodesThat([json({ error: "none", status: 404 }, 404)]);
    const none = (body: unknown, status: number): unknown => [at(body, "error"), status];
    expect(await cluster.send({ ...READ, mayAnswer: [404], read: none })).toEqual(["none", 404]);
  });

  it("takes no page of what stands before the cluster for that answer", async () => {
    for (const away of [page(404), json({ error: "no route" }, 404)]) {
      const { cluster } = await nodesThat([away]);
      const error = await rejectionOf(cluster.send({ ...READ, mayAnswer: [404], read: () => true }));
      expect([error.code, error.error]).toEqual([502, "cluster_refused"]);
    }
  });
});

describe("a node that does not answer", () => {
  it.each([
    ["hangs up", hangingUp],
    ["answers half", cutShort],
    ["shows a page", page(503)],
    ["is behind a gateway", page(502)],
    ["is late for a gateway", page(504)],
  ])("%s: a read is asked of another node, once", async (_what, failure) => {
    const well = await nodesThat([failure, json({ ok: true })]);
    expect(await well.cluster.send(READ)).toBe(200);
    expect(well.asked.map(({ node }) => node)).toEqual([0, 1]);
    const away = await nodesThat([failure]);
    const error = await rejectionOf(away.cluster.send(READ));
    expect([error.code, error.error, away.asked.length]).toEqual([503, "cluster_unavailable", 2]);
  });

  it.each([
    ["hangs up", hangingUp],
    ["answers half", cutShort],
    ["shows a page", page(503)],
  ])("%s: a write is not asked again, because it may have been done", async (_what, failure) => {
    const { cluster, asked } = await nodesThat([failure, json({ ok: true })]);
    const error = await rejectionOf(cluster.send(WRITE));
    expect([error.code, error.error, asked.length]).toEqual([503, "cluster_unavailable", 1]);
  });

  it.each([
    ["a read, after one more try", READ, 2],
    ["a write", WRITE, 1],
  ] as const)("is given up after the time-out: %s", async (_what, request, tries) => {
    const { asked, clusterWith } = await nodesThat([silent]);
    const error = await rejectionOf(clusterWith({ requestTimeoutMs: 100 }).send(request));
    expect([error.code, error.error, asked.length]).toEqual([503, "cluster_unavailable", tries]);
  });

  it("may have a time-out of the request's own", async () => {
    const { asked, cluster } = await nodesThat([silent]);
    const error = await rejectionOf(cluster.send({ ...WRITE, timeoutMs: 100 }));
    expect([error.error, asked.length]).toEqual(["cluster_unavailable", 1]);
  });

  it("listens nowhere", async () => {
    const { nodes } = await nodesThat([json({})], 1);
    servers.at(-1)!.close();
    servers.at(-1)!.closeAllConnections();
    const error = await rejectionOf(new Cluster({ ...NOBODY, nodes, authorization: "Basic c2VjcmV0" }).send(READ));
    expect([error.code, error.error]).toEqual([503, "cluster_unavailable"]);
    expectDiscreet(error, "ECONNREFUSED");
  });
});

describe("a busy cluster", () => {
  it.each([
    ["read", READ],
    ["write", WRITE],
  ] as const)("is asked again later: a %s", async (_what, request) => {
    const busy = refusing("rejected_execution_exception", "queue is full", 429);
    const { cluster, asked } = await nodesThat([busy, busy, busy, json({ ok: true })]);
    expect(await cluster.send(request)).toBe(200);
    expect(asked).toHaveLength(4);
  });
});

const WHOLE = { _shards: { failed: 0 } };
describe.each([
  ["nothing", ""],
  ["half", '{"took": 1, "hits'],
  ["a page", "<h1>Sorry</h1>"],
  ["null", "null"],
  ["a number", "5"],
  ["a list", "[]"],
  ["an empty object", "{}"],
  ["less than its reader needs", JSON.stringify(WHOLE)],
])("an answer of success that is not whole: %s", (_what, text) => {
  const answer: Answer = (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  };
  it("is asked for once more by a read, not by a write, and is 503", async () => {
    for (const [request, tries] of [
      [READ, 2],
      [WRITE, 1],
    ] as const) {
      const { cluster, asked } = await nodesThat([answer]);
      const error = await rejectionOf(cluster.send(request));
      expect([error.code, error.error, asked.length]).toEqual([503, "cluster_unavailable", tries]);
      expectDiscreet(error, "The answer is not whole");
    }
    const { cluster } = await nodesThat([answer, json({ ok: true })]);
    expect(await cluster.send(READ)).toBe(200);
  });
});

describe("a refusal", () => {
  it.each([
    [
      401,
      "security_exception",
      /^The cluster refused a request \(see cause\); check auth, and what that user may do\.$/,
    ],
    [403, "security_exception", /; check auth/],
    [400, "mapper_parsing_exception", /^The cluster refused a request \(see cause\)\.$/],
    [500, "null_pointer_exception", /\(see cause\)\.$/],
  ])("%d %s is 502, and says nothing of the cluster but in its cause", async (status, type, message) => {
    const { cluster, asked } = await nodesThat([refusing(type, "secret-user may not write to secret-index", status)]);
    const error = await rejectionOf(cluster.send(READ));
    expect([error.code, error.error, asked.length]).toEqual([502, "cluster_refused", 1]);
    expect(error.message).toMatch(message);
    expectDiscreet(error, "secret-user may not write");
  });

  it("by a page instead of JSON is told of, too", async () => {
    const { cluster } = await nodesThat([page(401)]);
    const error = await rejectionOf(cluster.send(READ));
    expect([error.code, error.error]).toEqual([502, "cluster_refused"]);
  });

  it.each([
    "index [a] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];",
    "blocked by: [FORBIDDEN/12/index read-only / allow delete (api)]; read-only-allow-delete",
  ])("of writes because the disk is full is 507, at once: %s", async (reason) => {
    for (const status of [403, 429]) {
      const { cluster, asked } = await nodesThat([refusing("cluster_block_exception", reason, status)]);
      const error = await rejectionOf(cluster.send(WRITE));
      expect([error.code, error.error, asked.length]).toEqual([507, "storage_full", 1]);
    }
  });

  it("that sends elsewhere is not followed, so that no password goes there", async () => {
    const other = await nodesThat([json({ ok: true })], 1);
    const moved: Answer = (_request, response) => {
      response.writeHead(307, { location: `${other.nodes[0]}/a/_search` }).end();
    };
    const { cluster } = await nodesThat([moved]);
    const error = await rejectionOf(cluster.send(READ));
    expect([error.code, error.error, other.asked]).toEqual([503, "cluster_unavailable", []]);
  });
});
