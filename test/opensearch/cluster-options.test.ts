// The options of an engine on a cluster: what is refused, by which message, and what the others become.

import { describe, expect, it } from "vitest";
import { readClusterOptions } from "../../src/opensearch/cluster-options.js";
import { OpenSearchEngine } from "../../src/opensearch.js";
import { rejectionOf } from "../support/refusal.js";

const NODES = ["http://127.0.0.1:9200"];
const open = (options: object) => rejectionOf(OpenSearchEngine.open({ nodes: NODES, ...options }));

describe("a wrong option", () => {
  const NODE = /a URL of http or https, without a user, such as http:\/\/127\.0\.0\.1:9200/;
  const PREFIX = /indexPrefix is .*; pass 1 to 40 of a-z 0-9 \. - that begin with a letter or a digit/;
  const AUTH = /auth is no user; pass \{ username, password \}, or the value of the Authorization header as a text/;
  const WRONG: readonly (readonly [param: string, message: RegExp, ...values: unknown[]])[] = [
    [
      "nodes",
      /nodes is .*; pass a list of URLs, such as \["http:\/\/127\.0\.0\.1:9200"\]/,
      undefined,
      NODES[0],
      [],
      Array(101).fill(NODES[0]),
    ],
    [
      "nodes[0]",
      NODE,
      [5],
      ["127.0.0.1:9200"],
      ["file:///etc/passwd"],
      ["http://a:9200?x=1"],
      ["http://:secret@127.0.0.1:9200"],
    ],
    ["nodes[1]", NODE, [NODES[0], ""]],
    ["indexPrefix", PREFIX, "", "Shop", "-a", "a_b", "a/b", "a".repeat(41), 5],
    ["dataDir", /dataDir is .*; pass the path of a folder/, "", 5, "a\0b"],
    ["refreshIntervalMs", /refreshIntervalMs is (9|-1); pass an integer from 10 to 86400000/, 9, -1],
    ["tombstoneMs", /tombstoneMs is (-1|"7d"); pass an integer from 0/, -1, "7d"],
    ["replicas", /replicas is (-1|101); pass an integer from 0 to 100/, -1, 101],
    [
      "requestTimeoutMs",
      /requestTimeoutMs is (0|600001|Infinity); pass an integer from 1 to 600000/,
      0,
      600_001,
      Number.POSITIVE_INFINITY,
    ],
    ["search", /search is/, "both"],
    ["shards", /shards is/, 0, 1.5, 1001],
    ["auth", AUTH, "", "Basic a\r\nx: y", "Bäsic", 5, {}, { username: "a" }],
    ["auth", AUTH, { username: "a", password: 5 }, { username: "a:b", password: "c" }],
  ];
  it.each(
    WRONG.flatMap(([param, message, ...values]) => values.map((value) => ({ param, value, message }))),
  )("$param: $value", async ({ param, value, message }) => {
    const error = await open({ [param.replace(/\[.*/, "")]: value });
    expect([error.code, error.error, error.param]).toEqual([400, "invalid_option", param]);
    expect(error.message).toMatch(message);
  });

  it.each([undefined, 5, NODES])("instead of all of them: %j", async (options) => {
    const error = await rejectionOf(OpenSearchEngine.open(options as never));
    expect(error.code).toBe(400);
  });

  it("that no engine has is refused by a strict one, and so is one of folders", async () => {
    for (const name of ["node", "index_prefix", "shards", "readOnly", "follow"]) {
      const error = await open({ strict: true, [name]: "x" });
      expect([error.code, error.param]).toEqual([400, name]);
    }
  });

  it("of every engine is refused as by the others", async () => {
    for (const [name, value] of [
      ["limits", { queryBytes: -1 }],
      ["embedder", 5],
      ["strict", "yes"],
    ] as const)
      expect((await open({ [name]: value })).code).toBe(400);
  });

  it.each([
    { auth: { username: "a:b", password: "s3cret" } },
    { nodes: ["http://me:s3cret@127.0.0.1:9200"] },
    { nodes: ["ftp://me:s3cret@127.0.0.1"] },
  ])("is told of without the password: %j", async (options) => {
    const error = await open(options);
    expect(error.code).toBe(400);
    expect(JSON.stringify([error.toEnvelope(), error.message])).not.toContain("s3cret");
  });
});

describe("options", () => {
  it("have defaults", () => {
    expect(readClusterOptions({ nodes: NODES })).toEqual({
      address: { nodes: NODES, authorization: undefined, requestTimeoutMs: 30_000 },
      prefix: "tandem",
      replicas: undefined,
      dataDir: undefined,
      refreshIntervalMs: 1000,
      tombstoneMs: 7 * 24 * 3600 * 1000,
      search: "replica",
      shards: 1,
      rest: {},
    });
    expect(readClusterOptions({ nodes: NODES, search: "remote", shards: 9 })).toMatchObject({
      search: "remote",
      shards: 9,
    });
    expect(readClusterOptions({ nodes: NODES, refreshIntervalMs: 0 }).refreshIntervalMs).toBe(0);
  });

  it.each([
    ["http://127.0.0.1:9200/", "http://127.0.0.1:9200"],
    ["https://search.example/cluster/", "https://search.example/cluster"],
    ["http://[::1]:9200", "http://[::1]:9200"],
  ])("take the node %s", (node, expected) => {
    expect(readClusterOptions({ nodes: [node] }).address.nodes).toEqual([expected]);
  });

  it.each([
    [{ username: "me", password: "it" }, "Basic bWU6aXQ="],
    [{ username: "me", password: "a:b" }, "Basic bWU6YTpi"],
    [{ username: "mé", password: "ü\n" }, "Basic bcOpOsO8Cg=="],
    ["Bearer abc", "Bearer abc"],
    [null, undefined],
  ])("say who asks: %j", (auth, expected) => {
    expect(readClusterOptions({ nodes: NODES, auth }).address.authorization).toBe(expected);
  });
});
