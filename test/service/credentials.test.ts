// What a credential may say, and that a wrong one opens nothing.

import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { SearchEngine } from "../../src/api/search-engine.js";
import { answerRequest, type ServiceEvent } from "../../src/service/answer-request.js";
import { type Credential, hashKey } from "../../src/service/credentials.js";
import { SearchError } from "../../src/util/errors.js";
import { property, type Random } from "../support/random.js";

const KEY = "key-0123456789abcdef";
const RIGHT = { applicationId: "app", keyHash: hashKey(KEY), permissions: ["search"], name: "test" };
const FULL = {
  ...RIGHT,
  indexes: ["shop"],
  filters: { tenant: "a" },
  parameters: ["facets"],
  maxHitsPerPage: 5,
  validUntil: "2999-01-01T00:00:00Z",
};

let engine: SearchEngine;
beforeAll(async () => {
  engine = new SearchEngine({ embedder: false });
  for (const name of ["shop", "payroll"]) {
    const index = await engine.createIndex(name);
    await index.addRecords(Array.from("aabc", (tenant, id) => ({ id, tenant, title: "lamp" })));
  }
});

/** Asks for all records with the key of these credentials. */
async function ask(credentials: readonly unknown[], params: object = { query: "" }, indexName = "shop") {
  const events: ServiceEvent[] = [];
  const headers = { "x-search-application-id": "app", "x-search-api-key": KEY, "content-type": "application/json" };
  const request = { indexName, headers, body: JSON.stringify(params) };
  const access = { credentials: credentials as Credential[], onRequest: (event: ServiceEvent) => events.push(event) };
  const { status, body } = await answerRequest(engine, request, access);
  return { status, body, ids: body.data?.hits.map(({ id }) => id).sort(), event: events[0]! };
}

/** Requires that a credential opens nothing and that only the server learns why; the reason. */
async function closed(credential: unknown): Promise<SearchError> {
  const { status, body, event } = await ask([credential]);
  const msg = "The search failed on the server; try again later.";
  expect([status, body]).toEqual([500, { msg, code: 500, data: null, error: "internal_error" }]);
  expect(event.cause).toBeInstanceOf(SearchError);
  const cause = event.cause as SearchError;
  expect([cause.code, cause.error]).toEqual([500, "invalid_credential"]);
  expect(cause.msg).toMatch(/^[\x20-\x7e…]{1,400}$/);
  expect(cause.msg).not.toContain(RIGHT.keyHash);
  return cause;
}

describe("a field that is not known", () => {
  const misspelt: [name: string, meant: keyof Credential][] = [
    ["filter", "filters"],
    ["Filters", "filters"],
    ["indices", "indexes"],
    ["valid_until", "validUntil"],
    ["maxhitsperpage", "maxHitsPerPage"],
    ["permission", "permissions"],
  ];
  it.each(misspelt)("closes the key, and says which is meant: %s", async (name, meant) => {
    const { param, msg } = await closed({ ...RIGHT, [name]: FULL[meant] });
    expect([param, msg]).toEqual([
      name,
      `credential field "${name}" is unknown; did you mean "${meant}"? It is an error, because ignoring it might allow the key too much.`,
    ]);
  });

  it.each(["expires", "", "\u202e", "constructor", "x".repeat(5000)])("closes the key: %s", async (name) =>
    expect((await closed({ ...FULL, [name]: false })).param).toBe(name));

  it("does not close another key", async () => {
    const others = [
      { ...RIGHT, keyHash: hashKey(`${KEY}x`), filter: "" },
      { ...RIGHT, applicationId: "b", filter: "" },
    ];
    expect((await ask([...others, FULL])).ids).toEqual(["0", "1"]);
  });

  it("leaves the event the name of the key", async () => {
    const { event } = await ask([{ ...RIGHT, filter: "" }]);
    expect(event).toMatchObject({ status: 500, applicationId: "app", credential: "test" });
  });

  property("closes the key, however it is misspelt and whatever it holds", 400, async (random) => {
    const known = random.pick(Object.keys(FULL) as (keyof Credential)[]);
    const name = random.chance(0.2) ? randomName(random) : misspell(known, random);
    if (Object.hasOwn(FULL, name)) return;
    const credential: Record<string, unknown> = random.chance(0.5) ? { ...FULL } : { ...RIGHT };
    if (known !== "applicationId" && known !== "keyHash" && random.chance(0.5)) delete credential[known];
    const value = random.pick<unknown>([FULL[known], null, false, 0, "", [], {}]);
    await closed(random.chance(0.5) ? { [name]: value, ...credential } : { ...credential, [name]: value });
  });
});

const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyzABCXYZ019_-$ é");

function randomName(random: Random): string {
  return random.list(0, 20, () => random.pick(LETTERS)).join("");
}

function misspell(name: string, random: Random): string {
  const at = random.between(0, name.length - 1);
  const [before, letter, after] = [name.slice(0, at), name[at]!, name.slice(at + 1)];
  const words = name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`).split(" ");
  return random.pick([
    () => before + after,
    () => before + letter + letter + after,
    () => before + random.pick(LETTERS) + after,
    () => before + random.pick(LETTERS) + letter + after,
    () => before + (after[0] ?? "") + letter + after.slice(1),
    () => name.toLowerCase(),
    () => name.toUpperCase(),
    () => name[0]!.toUpperCase() + name.slice(1),
    () => words.join(random.pick(["_", "-", "", " ", "."])),
    () => (name.endsWith("s") ? name.slice(0, -1) : `${name}s`),
    () => random.pick([" ", "_", "$", "is", "own"]) + name,
    () => name + random.pick([" ", "_", "2", "List", "\u0000"]),
  ])();
}

describe("a credential", () => {
  it("may have fields that are undefined, known or not: they count as not there", async () => {
    const nothing = Object.fromEntries(
      ["name", "indexes", "filters", "filter", "expires"].map((name) => [name, undefined]),
    );
    expect((await ask([{ ...RIGHT, ...nothing }])).ids).toHaveLength(4);
    expect((await closed({ ...RIGHT, permissions: undefined })).param).toBe("permissions");
  });

  class Row {
    readonly #tenant: string;
    readonly applicationId = "app";
    readonly keyHash = RIGHT.keyHash;
    readonly permissions = ["search"];
    constructor(tenant: string) {
      this.#tenant = tenant;
    }
    get filters() {
      return { tenant: this.#tenant };
    }
    describe() {}
  }
  class Misspelt extends Row {
    get index() {
      return ["shop"];
    }
  }
  const A = ["0", "1"];
  const right: [string, () => unknown][] = [
    ["without a prototype", () => Object.assign(Object.create(null), FULL)],
    ["that inherits", () => Object.assign(Object.create({ filters: { tenant: "a" } }), RIGHT)],
    ["of a class", () => new Row("a")],
    ["of another realm", () => runInNewContext(`(${JSON.stringify(FULL)})`)],
  ];
  it.each(right)("%s is read as it is", async (_, make) => expect((await ask([make()])).ids).toEqual(A));

  const wrong: [what: string, field: string, make: () => unknown][] = [
    ["with a hidden field", "filter", () => Object.defineProperty({ ...RIGHT }, "filter", { value: "tenant:a" })],
    ["that inherits a wrong field", "filter", () => Object.assign(Object.create({ filter: "tenant:a" }), RIGHT)],
    ["of a class with a wrong getter", "index", () => new Misspelt("a")],
    [
      "with __proto__ from JSON",
      "__proto__",
      () => JSON.parse(JSON.stringify({ ...RIGHT, x: 1 }).replace('"x"', '"__proto__"')),
    ],
    ["of two keys, of which the first is wrong", "filter", () => ({ ...RIGHT, filter: "" })],
  ];
  it.each(wrong)("%s opens nothing", async (_, field, make) => expect((await closed(make())).param).toBe(field));

  it.each([...Object.keys(FULL), "filter"])("opens nothing when a getter throws: %s", async (name) => {
    const secret = new SearchError(404, "index_not_found", "the store at 10.0.0.1");
    const get = () => {
      throw secret;
    };
    const credential = Object.defineProperty({ ...FULL }, name, { get, enumerable: true });
    expect((await closed(credential)).cause).toBe(secret);
  });

  it("that cannot be read does not close another key", async () => {
    const get = () => {
      throw new Error("theirs");
    };
    for (const name of ["applicationId", "keyHash"])
      expect((await ask([Object.defineProperty({ ...RIGHT }, name, { get }), FULL])).ids).toEqual(A);
  });

  it("has lists without holes, of texts", async () => {
    for (const [field, value] of [
      ["permissions", []],
      ["indexes", []],
      ["indexes", [""]],
    ])
      expect((await ask([{ ...RIGHT, [field as string]: value }])).status).toBe(403);
    expect((await ask([{ ...RIGHT, indexes: ["*"] }])).status).toBe(200);
    for (const field of ["permissions", "indexes", "parameters"])
      for (const value of [null, "search", {}, [1], ["search", null], new Array(1), new Array(4e9)])
        expect((await closed({ ...RIGHT, [field]: value })).param).toBe(field);
  });
});

describe("validUntil", () => {
  const open = async (validUntil: unknown) => (await ask([{ ...RIGHT, validUntil }])).status;

  it.each([
    "2999-02-28T00:00:00Z",
    "2996-02-29T23:59:59.999Z",
    "2999-12-31T23:59:59+23:59",
    "2999-01-01T00:00:00.123456-0330",
    8.64e15,
    2 ** 60,
  ])("%s is an instant", async (validUntil) => expect(await open(validUntil)).toBe(200));

  it.each([
    "2999-02-29T00:00:00Z",
    "2900-02-29T00:00:00Z",
    "2999-04-31T00:00:00+0200",
    "2999-00-10T00:00:00Z",
    "2999-01-00T00:00:00Z",
    "2999-01-01T24:00:00Z",
    "2999-01-01T10:60:00Z",
    "2999-01-01T10:10:10+24:00",
    "2999-01-01T10:10:10+02:60",
    "2999-01-01T10:10:10",
    "2999-01-01",
    " 2999-01-01T10:10:10Z",
    "2999-01-01T10:10:10Z\n",
    "",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    new Date(8e15),
  ])("%s is none, and closes the key", async (validUntil) =>
    expect((await closed({ ...RIGHT, validUntil })).param).toBe("validUntil"));

  it("is over at its instant, whatever the zone", async () => {
    const soon = (minutes: number, zone: string) =>
      new Date(Date.now() + minutes * 60_000).toISOString().replace("Z", zone);
    expect(await open(soon(59, "+01:00"))).toBe(401);
    expect(await open(soon(61, "+01:00"))).toBe(200);
    expect(await open(soon(-59, "-0100"))).toBe(200);
  });
});

describe("explanations", () => {
  const forms = (more: Record<string, unknown>): object[] => [
    { query: "lamp", ...more },
    {
      params: `query=lamp${Object.entries(more)
        .map(([name, value]) => `&${name}=${String(value)}`)
        .join("")}`,
    },
  ];
  const hitsFor = async (own: Partial<Credential>, more: Record<string, unknown>) =>
    Promise.all(forms(more).map(async (params) => (await ask([{ ...RIGHT, ...own }], params)).body.data?.hits));
  const explained = async (own: Partial<Credential>) =>
    (await hitsFor(own, { explain: true })).map((hits) => hits?.map((hit) => Object.hasOwn(hit, "explanation")));

  it.each(["tenant:a", { tenant: "a" }, " ", {}])("are left out for a key with filters: %j", async (filters) => {
    const plain = await hitsFor({ filters }, {});
    expect(plain[0]?.length).toBeGreaterThan(0);
    expect(await hitsFor({ filters }, { explain: true })).toEqual(plain);
  });

  it("are given to a key without filters, and to one whose parameters name them", async () => {
    const all = [true, true, true, true];
    expect(await explained({})).toEqual([all, all]);
    expect(await explained({ filters: "tenant:a", parameters: ["explain"] })).toEqual([all.slice(2), all.slice(2)]);
  });

  it("are refused where parameters do not name them, and where they are no boolean", async () => {
    const answers = async (own: Partial<Credential>, explain: unknown) =>
      Promise.all(
        forms({ explain }).map(async (params) => {
          const { status, body } = await ask([{ ...RIGHT, filters: "tenant:a", ...own }], params);
          return [status, (body as { error?: string }).error];
        }),
      );
    const forbidden = [403, "parameter_not_allowed"];
    expect(await answers({ parameters: ["facets"] }, true)).toEqual([forbidden, forbidden]);
    expect(await answers({}, 5)).toEqual([
      [400, "invalid_parameter"],
      [400, "invalid_parameter"],
    ]);
  });
});
