// How a cluster is asked: what is asked again, what is waited for, and which errors its answers become. A small server stands in for the
// nodes, because a real cluster is never broken in just this way.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { Cluster, type ClusterAddress } from "../../src/opensearch/cluster.js";
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

const READ = { method: "POST", path: "/a/_search", body: { size: 0 }, isRead: true } as const;
const WRITE = { method: "PUT", path: "/a/_doc/1", body: { id: "1" }, isRead: false } as const;

describe("a request", () => {
  it("asks the nodes in turn, and says who asks", async () => {
    const { asked, clusterWith } = await nodesThat([json({ ok: true })]);
    const cluster = clusterWith({ authorization: "Basic abc" });
    for (let i = 0; i < 3; i++) expect(await cluster.call(READ)).toEqual({ ok: true });
    expect(asked.map(({ node }) => node)).toEqual([0, 1, 0]);
    expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(new Set(["Basic abc"]));
  });

  it("sends one value as JSON, and several as lines", async () => {
    const { asked, cluster } = await nodesThat([json({})]);
    await cluster.call(READ);
    await cluster.call({ ...WRITE, body: undefined, lines: [{ a: 1 }, '{"b":2}'] });
    expect(asked.map(({ headers }) => headers["content-type"])).toEqual(["application/json", "application/x-ndjson"]);
  });

  it.each([
    ["the answer says so", { mayAnswer: [404] }, { status: 404, body: { error: "none" } }],
  ] as const)("may have an answer that is no success where %s", async (_when, more, expected) => {
    const { cluster } = await nodesThat([json({ error: "none" }, 404)]);
    expect(await cluster.send({ ...READ, ...more })).toEqual(expected);
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
    expect(await well.cluster.call(READ)).toEqual({ ok: true });
    expect(well.asked.map(({ node }) => node)).toEqual([0, 1]);
    const away = await nodesThat([failure]);
    const error = await rejectionOf(away.cluster.call(READ));
    expect([error.code, error.error, away.asked.length]).toEqual([503, "cluster_unavailable", 2]);
  });

  it.each([
    ["hangs up", hangingUp],
    ["answers half", cutShort],
    ["shows a page", page(503)],
  ])("%s: a write is not asked again, because it may have been done", async (_what, failure) => {
    const { cluster, asked } = await nodesThat([failure, json({ ok: true })]);
    const error = await rejectionOf(cluster.call(WRITE));
    expect([error.code, error.error, asked.length]).toEqual([503, "cluster_unavailable", 1]);
  });

  it.each([
    ["a read, after one more try", READ, 2],
    ["a write", WRITE, 1],
  ] as const)("is given up after the time-out: %s", async (_what, request, tries) => {
    const { asked, clusterWith } = await nodesThat([silent]);
    const error = await rejectionOf(clusterWith({ requestTimeoutMs: 100 }).call(request));
    expect([error.code, error.error, asked.length]).toEqual([503, "cluster_unavailable", tries]);
  });

  it("may have a time-out of the request's own", async () => {
    const { asked, cluster } = await nodesThat([silent]);
    const error = await rejectionOf(cluster.call({ ...WRITE, timeoutMs: 100 }));
    expect([error.error, asked.length]).toEqual(["cluster_unavailable", 1]);
  });

  it("is told of without the password", async () => {
    const { clusterWith } = await nodesThat([hangingUp]);
    const error = await rejectionOf(clusterWith({ authorization: "Basic c2VjcmV0" }).call(READ));
    expect(JSON.stringify([error.toEnvelope(), error.message])).not.toContain("c2VjcmV0");
  });

  it("listens nowhere", async () => {
    const { nodes } = await nodesThat([json({})], 1);
    servers.at(-1)!.close();
    servers.at(-1)!.closeAllConnections();
    const error = await rejectionOf(
      new Cluster({ nodes, authorization: undefined, requestTimeoutMs: 10_000 }).call(READ),
    );
    expect([error.code, error.error]).toEqual([503, "cluster_unavailable"]);
    expect(error.message).toMatch(/^The cluster cannot be reached: .*ECONNREFUSED.*; check nodes/);
  });
});

describe("a busy cluster", () => {
  it.each([
    ["read", READ],
    ["write", WRITE],
  ] as const)("is asked again later: a %s", async (_what, request) => {
    const busy = refusing("rejected_execution_exception", "queue is full", 429);
    const { cluster, asked } = await nodesThat([busy, busy, busy, json({ ok: true })]);
    expect(await cluster.call(request)).toEqual({ ok: true });
    expect(asked).toHaveLength(4);
  });

  it("is not waited for once the caller gave up", async () => {
    const { cluster, asked } = await nodesThat([refusing("rejected_execution_exception", "queue is full", 429)]);
    const stop = new AbortController();
    const call = rejectionOf(cluster.call({ ...WRITE, signal: stop.signal }));
    setTimeout(() => stop.abort(), 120);
    expect((await call).code).toBe(499);
    expect(asked.length).toBeLessThan(4);
  });
});

describe("a signal of the caller", () => {
  it("ends a request with 499, which is not asked again", async () => {
    const { cluster, asked } = await nodesThat([silent]);
    const stop = new AbortController();
    const call = rejectionOf(cluster.call({ ...READ, signal: stop.signal }));
    setTimeout(() => stop.abort(), 50);
    expect((await call).code).toBe(499);
    expect(asked).toHaveLength(1);
  });

  it("that was given already sends nothing", async () => {
    const { cluster, asked } = await nodesThat([json({})]);
    expect((await rejectionOf(cluster.call({ ...READ, signal: AbortSignal.abort() }))).code).toBe(499);
    expect(asked).toEqual([]);
  });
});

describe("a refusal", () => {
  it.each([
    [401, "security_exception", 502, "cluster_refused", /401 "security_exception".*check auth/],
    [403, "security_exception", 502, "cluster_refused", /403 "security_exception".*check auth/],
    [400, "mapper_parsing_exception", 502, "cluster_refused", /400 "mapper_parsing_exception", "because"/],
    [500, "null_pointer_exception", 502, "cluster_refused", /500 "null_pointer_exception"/],
  ])("%d %s is %d %s", async (status, type, code, name, message) => {
    const { cluster, asked } = await nodesThat([refusing(type, "because", status)]);
    const error = await rejectionOf(cluster.call(READ));
    expect([error.code, error.error, error.details]).toEqual([code, name, { status, type }]);
    expect(error.message).toMatch(message);
    expect(asked).toHaveLength(1);
  });

  it("by a page instead of JSON is told of, too", async () => {
    const { cluster } = await nodesThat([page(401)]);
    const error = await rejectionOf(cluster.call(READ));
    expect([error.code, error.error]).toEqual([502, "cluster_refused"]);
  });

  it("shows no more than a part of a long reason", async () => {
    const { cluster } = await nodesThat([refusing("x".repeat(10), "y".repeat(100_000), 400)]);
    expect((await rejectionOf(cluster.call(READ))).message.length).toBeLessThan(1000);
  });

  it.each([
    "index [a] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];",
    "blocked by: [FORBIDDEN/12/index read-only / allow delete (api)]; read-only-allow-delete",
  ])("of writes because the disk is full is 507, at once: %s", async (reason) => {
    for (const status of [403, 429]) {
      const { cluster, asked } = await nodesThat([refusing("cluster_block_exception", reason, status)]);
      const error = await rejectionOf(cluster.call(WRITE));
      expect([error.code, error.error, asked.length]).toEqual([507, "storage_full", 1]);
    }
  });

  it("that sends elsewhere is not followed, so that no password goes there", async () => {
    const other = await nodesThat([json({ ok: true })], 1);
    const moved: Answer = (_request, response) => {
      response.writeHead(307, { location: `${other.nodes[0]}/a/_search` }).end();
    };
    const { cluster } = await nodesThat([moved]);
    const error = await rejectionOf(cluster.call(READ));
    expect([error.code, error.error, other.asked]).toEqual([503, "cluster_unavailable", []]);
  });
});
