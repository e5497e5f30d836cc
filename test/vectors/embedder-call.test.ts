// An embedder in a network: tries, pauses, time limits, calls at a time, and what is remembered.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type EmbedRequest, embedTexts } from "../../src/embedding/embed-texts.js";
import { EmbeddingJob, RememberedVectors } from "../../src/embedding/remembered-vectors.js";
import { createStaticEnEmbedder } from "../../src/index.js";
import type { Embedder, EmbedOptions } from "../../src/util/extension-points.js";
import { rejectionOf } from "../support/refusal.js";
import { stored } from "../support/vectors.js";

type Answer = (texts: readonly string[], options: EmbedOptions, call: number) => unknown;

interface Call {
  readonly texts: readonly string[];
  readonly at: number;
  readonly signal: AbortSignal | undefined;
}

/** An embedder of two dimensions that answers as told, and the calls it got. */
function embedder(answer: Answer, more: Partial<Embedder> = {}) {
  const calls: Call[] = [];
  const own: Embedder = {
    id: "test",
    dimensions: 2,
    ...more,
    embed: async (texts, options) => {
      calls.push({ texts: [...texts], at: Date.now(), signal: options.signal });
      return (await answer(texts, options, calls.length)) as number[][];
    },
  };
  return { own, calls };
}

const lengths: Answer = (texts) => texts.map((text) => [text.length, 1]);
const texts = (count: number) => Array.from({ length: count }, (_, i) => "x".repeat(i + 1));
const vectors = (count: number) => texts(count).map((text) => stored([text.length, 1]));
const hanging = () => new Promise<never>(() => {});
const failing =
  (times: number, thrown: unknown): Answer =>
  (batch, options, call) => {
    if (call <= times) throw thrown;
    return lengths(batch, options, call);
  };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Embeds the texts of records. */
const embed = (own: Embedder, given: readonly string[], more: Partial<EmbedRequest> = {}) =>
  embedTexts(own, { texts: given, purpose: "record", ...more });

/** The error in which the embedding of so many texts ends. */
const refusalOf = (own: Embedder, count = 1, more?: Partial<EmbedRequest>) =>
  rejectionOf(outcomeOf(embed(own, texts(count), more)));

/** An embedder that fails at its third call, as told. */
const failingAtThird = (fail: () => void) =>
  embedder(
    (batch, options, call) => {
      if (call === 3) fail();
      return lengths(batch, options, call);
    },
    { maxBatchSize: 1 },
  );

/** As {@link lengths}, after so many milliseconds. */
const late =
  (ms: (call: number) => number): Answer =>
  async (batch, options, call) => {
    await new Promise((resolve) => setTimeout(resolve, ms(call)));
    return lengths(batch, options, call);
  };

const errorOf = (more: object): Error => Object.assign(new Error("no"), more);

/** The lengths of the first texts of the calls. */
const firstsOf = (calls: readonly Call[]) => calls.map((call) => call.texts[0]!.length);

/** The milliseconds between the calls. */
const pauses = (calls: readonly Call[]) => calls.slice(1).map(({ at }, i) => at - calls[i]!.at);

/** The outcome, with as many milliseconds as it takes. */
async function outcomeOf<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  // The event loop turns before each timer, so that no timer fires that the work would have cleared.
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (await turn(); !isOver; await turn()) await vi.advanceTimersToNextTimerAsync();
  return work;
}

describe("texts", () => {
  it("get their vectors in order and null where the embedder gives none, in batches of at most 256 with their purpose", async () => {
    const purposes: string[] = [];
    const { own, calls } = embedder((batch, { purpose }) => {
      purposes.push(purpose);
      return batch.map((text) => (text === "none" ? null : [text.length, 1]));
    });
    const given = ["aaa", "none", ...texts(300)];
    const expected = [stored([3, 1]), null, ...vectors(300)];
    expect(await embedTexts(own, { texts: given, purpose: "query" })).toEqual(expected);
    expect(calls.map((call) => call.texts.length)).toEqual([256, 46]);
    expect(purposes).toEqual(["query", "query"]);
    expect([await embed(own, []), calls.length]).toEqual([[], 2]);
  });

  it("let the event loop turn between batches of an embedder that never waits", async () => {
    vi.useRealTimers();
    let turns = 0;
    const counter = setInterval(() => turns++, 1);
    const { own } = embedder(
      (batch, options, call) => {
        for (const until = performance.now() + 10; performance.now() < until; );
        return lengths(batch, options, call);
      },
      { maxBatchSize: 1 },
    );
    await embed(own, texts(10));
    clearInterval(counter);
    expect(turns).toBeGreaterThan(0);
  });
});

describe("an answer is refused", () => {
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["an object", { length: 2 }],
    ["too few vectors", [[1, 0]]],
    ["too many vectors", Array(3).fill([1, 0])],
    ["a vector of another length", [[1, 0], Array(3).fill(1)]],
    ["NaN", [[1, 0], Array(2).fill(Number.NaN)]],
    ["zeros", [[1, 0], Array(2).fill(0)]],
    ["undefined for a text", [[1, 0], undefined]],
  ])("that is %s, and not asked for again", async (_, answer) => {
    const { own, calls } = embedder((batch) => (batch.length === 2 ? answer : batch.map(() => [1, 0])), {
      maxBatchSize: 4,
    });
    const error = await refusalOf(own, 6);
    expect(error).toMatchObject({ code: 502, error: "embedder_failed", param: "embedder" });
    expect(error.cause).toBeUndefined();
    expect(error.msg).toMatch(/^The embedder "test" answered .+; nothing was changed\.$/);
    if (Array.isArray(answer) && answer.length === 2) expect(error.msg).toContain("a bad vector for text 5:");
    expect(calls).toHaveLength(2);
  });
});

describe("a signal ends the call with its reason", () => {
  it("before the embedder is called", async () => {
    const { own, calls } = embedder(lengths);
    const error = await rejectionOf(embed(own, texts(1), { signal: AbortSignal.abort("enough") }));
    expect([error.code, error.cause, calls.length]).toEqual([499, "enough", 0]);
  });

  it.each<[string, (abort: () => void) => unknown, boolean]>([
    ["between two batches", () => [[1, 0]], true],
    [
      "while the embedder waits, whose later failure is not heard",
      (abort) => {
        setImmediate(abort);
        return new Promise((_, reject) => setImmediate(() => setImmediate(() => reject(new Error("late")))));
      },
      false,
    ],
    [
      "that the embedder itself aborts, which then hangs",
      (abort) => {
        abort();
        return hanging();
      },
      false,
    ],
    [
      "that the embedder itself aborts, which then fails",
      (abort) => {
        abort();
        throw new Error("aborted, says the client");
      },
      false,
    ],
  ])("%s", { timeout: 5000 }, async (_, answer, isBetween) => {
    const controller = new AbortController();
    const abort = () => controller.abort("enough");
    const { own, calls } = embedder(() => answer(abort), { maxBatchSize: 1 });
    const onBatch = isBetween ? abort : () => {};
    const error = await rejectionOf(embed(own, texts(5), { signal: controller.signal, onBatch }));
    expect(error).toMatchObject({ code: 499, error: "aborted", cause: "enough" });
    expect(calls).toHaveLength(1);
    if (!isBetween) expect(calls[0]!.signal?.reason).toBe("enough");
  });
});

describe("a call that fails", () => {
  it("is tried twice more, with growing pauses", async () => {
    const { own, calls } = embedder(failing(2, new Error("busy")));
    expect(await outcomeOf(embed(own, texts(1)))).toEqual(vectors(1));
    expect(pauses(calls)).toEqual([500, 1000]);
  });

  it("is tried as often as retries says, and the error names the cause and the tries", async () => {
    const cause = new TypeError("fetch failed\u0007", { cause: new Error("connect ECONNREFUSED") });
    const { own, calls } = embedder(failing(9, cause), { retries: 5 });
    const error = await refusalOf(own);
    expect(pauses(calls)).toEqual([500, 1000, 2000, 4000, 8000]);
    expect(error).toMatchObject({ code: 502, error: "embedder_failed", cause });
    expect(error.msg).toBe(
      'The embedder "test" threw "fetch failed\\u0007: connect ECONNREFUSED", in 6 tries; nothing was changed.',
    );
  });

  it("is not tried again for an error of the caller, but for a full or slow server", async () => {
    for (const status of [400, 401, 404, 499, 408, 429, 399, 500, "401"]) {
      const { own, calls } = embedder(failing(9, errorOf({ status })));
      await refusalOf(own);
      expect([status, calls.length]).toEqual([
        status,
        [400, 401, 404, 499].includes(Number(status)) && status !== "401" ? 1 : 3,
      ]);
    }
  });

  it.each<[retryAfter: unknown, waited: readonly number[]]>([
    [7000, [7000, 7000]],
    [60_001, []],
    ...["7000", Number.NaN, -1, {}].map((wrong): [unknown, number[]] => [wrong, [500, 1000]]),
  ])("waits as long as the error says, unless that is more than a minute: %o", async (retryAfter, waited) => {
    const { own, calls } = embedder(failing(9, errorOf({ status: 429, retryAfter })));
    await refusalOf(own);
    expect(pauses(calls)).toEqual(waited);
  });

  it.each([
    ["plain", 'threw "plain"'],
    [null, "threw null"],
    [{ message: "as an object" }, 'threw "as an object"'],
    [{ message: 5 }, "threw an object"],
    [new Error("y".repeat(5000)), `threw "${"y".repeat(197)}…"`],
  ])("may throw anything: %o", async (thrown, shown) => {
    const { msg } = await refusalOf(embedder(failing(1, thrown), { retries: 0 }).own);
    expect(msg).toBe(`The embedder "test" ${shown}; nothing was changed.`);
  });

  it("gets a list of its own for each try", async () => {
    const { own, calls } = embedder((batch, options, call) => {
      (batch as string[]).length = call === 1 ? 0 : 3;
      if (call === 1) throw new Error("busy");
      return lengths(batch, options, call);
    });
    expect(await outcomeOf(embed(own, texts(3)))).toEqual(vectors(3));
    expect(calls[1]!.texts).toEqual(texts(3));
  });

  it("stops at once when aborted in a pause, and leaves no timer", async () => {
    const { own, calls } = embedder(failing(9, new Error("busy")));
    const controller = new AbortController();
    const call = rejectionOf(embed(own, texts(1), { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(100);
    controller.abort("enough");
    expect(await call).toMatchObject({ code: 499, cause: "enough" });
    expect([calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });
});

describe("a call that hangs", () => {
  it("has failed after timeoutMs, which its signal tells, and what it does later is not heard", async () => {
    const unheard: (() => void)[] = [];
    const { own, calls } = embedder(
      (batch, options, call) =>
        call === 1
          ? new Promise((resolve) => unheard.push(() => resolve(batch.map(() => [0, 9]))))
          : lengths(batch, options, call),
      { timeoutMs: 300 },
    );
    const answer = await outcomeOf(embed(own, texts(1)));
    for (const each of unheard) each();
    expect(pauses(calls)).toEqual([800]);
    expect(calls.map(({ signal }) => signal?.reason?.name)).toEqual(["TimeoutError", undefined]);
    expect(answer).toEqual(vectors(1));
  });

  it("fails after 60 seconds and three tries", async () => {
    const { own, calls } = embedder(hanging);
    const error = await refusalOf(own);
    expect(pauses(calls)).toEqual([60_500, 61_000]);
    expect(error.msg).toBe(
      'The embedder "test" gave no answer in 60000 ms (timeoutMs), in 3 tries; nothing was changed.',
    );
  });

  it("for a query has all its tries within the time of the query", async () => {
    const slow = embedder(hanging);
    const began = Date.now();
    const request = { texts: ["a"], purpose: "query", withinMs: 2000 } as const;
    const error = await rejectionOf(outcomeOf(embedTexts(slow.own, request)));
    expect([slow.calls.length, Date.now() - began]).toEqual([1, 2000]);
    expect(error.msg).toBe('The embedder "test" gave no answer in 2000 ms (queryTimeoutMs).');
    const short = embedder(hanging, { timeoutMs: 100, retries: 1 });
    expect((await rejectionOf(outcomeOf(embedTexts(short.own, request)))).msg).toBe(
      'The embedder "test" gave no answer in 100 ms (timeoutMs), in 2 tries.',
    );
    const busy = embedder(failing(2, new Error("busy")));
    expect(await outcomeOf(embedTexts(busy.own, request))).toEqual(vectors(1));
    expect(pauses(busy.calls)).toEqual([100, 200]);
  });
});

describe("calls at a time", () => {
  it.each([
    [{}, 1],
    [{ concurrency: 1 }, 1],
    [{ concurrency: 3 }, 3],
    [{ concurrency: 100 }, 10],
  ])("are one by default, and as many as concurrency says: %o", async (more, due) => {
    let [now, most] = [0, 0];
    const { own } = embedder(
      async (...call) => {
        most = Math.max(most, ++now);
        const answer = await late(() => 10)(...call);
        now--;
        return answer;
      },
      { maxBatchSize: 1, ...more },
    );
    expect(await outcomeOf(embed(own, texts(10)))).toEqual(vectors(10));
    expect(most).toBe(due);
  });

  it("may answer in any order, and progress never goes back", async () => {
    const done: number[] = [];
    const { own } = embedder(
      late((call) => 100 - 10 * call),
      { maxBatchSize: 2, concurrency: 4 },
    );
    const onBatch = (count: number) => done.push(count);
    expect(await outcomeOf(embed(own, texts(7), { onBatch }))).toEqual(vectors(7));
    expect(done).toEqual([1, 3, 5, 7]);
  });

  it("end when one fails: no other begins, and the vectors of those under way are kept", async () => {
    let isDown = true;
    const { own, calls } = embedder(
      async (batch, ...more) => {
        if (batch.includes("xx") && isDown) throw errorOf({ status: 400 });
        return late(() => 50)(batch, ...more);
      },
      { maxBatchSize: 1, concurrency: 3 },
    );
    expect((await refusalOf(own, 9, { job: new EmbeddingJob() })).code).toBe(502);
    expect(firstsOf(calls)).toEqual([1, 2, 3]);
    isDown = false;
    calls.length = 0;
    expect(await outcomeOf(embed(own, texts(9)))).toEqual(vectors(9));
    expect(firstsOf(calls)).toEqual([2, 4, 5, 6, 7, 8, 9]);
  });

  it("end a pause of another when one fails for good", async () => {
    const { own } = embedder(
      (batch) => {
        throw errorOf(batch.includes("xx") ? { status: 400 } : { retryAfter: 50_000 });
      },
      { maxBatchSize: 1, concurrency: 2 },
    );
    const began = Date.now();
    await refusalOf(own, 2);
    expect([Date.now() - began, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe("what waits", () => {
  const limited = () =>
    failingAtThird(() => {
      throw errorOf({ status: 403 });
    });

  it("is not asked for again, and gone when the work has succeeded", async () => {
    const { own, calls } = limited();
    await refusalOf(own, 5);
    const done: number[] = [];
    const again = await outcomeOf(embed(own, texts(5), { onBatch: (count) => done.push(count) }));
    expect([again, done]).toEqual([vectors(5), [2, 3, 4, 5]]);
    expect(firstsOf(calls)).toEqual([1, 2, 3, 3, 4, 5]);
    await embed(own, texts(5));
    expect(calls).toHaveLength(11);
  });

  it.each([
    [10 * 60_000 - 1, 3],
    [10 * 60_000, 5],
  ])("waits for ten minutes after the last vector came: after %d ms %d are asked for", async (ms, asked) => {
    const { own, calls } = limited();
    await refusalOf(own, 5);
    await vi.advanceTimersByTimeAsync(ms);
    await embed(own, texts(5));
    expect(calls.length - 3).toBe(asked);
  });

  it("also waits where the caller aborted", async () => {
    const controller = new AbortController();
    const { own, calls } = failingAtThird(() => controller.abort());
    expect((await refusalOf(own, 5, { signal: controller.signal })).code).toBe(499);
    await embed(own, texts(5));
    expect(calls).toHaveLength(6);
  });

  it("takes at most 64 MB, of which the oldest goes", () => {
    const store = new RememberedVectors(Number.POSITIVE_INFINITY);
    const vector = { components: new Int16Array(4 * 1024 * 1024), inverseLength: 1 };
    for (let i = 0; i < 20; i++) store.set(String(i), vector);
    expect(store.size).toBe(7);
    expect([store.get("12"), store.get("13")]).toEqual([undefined, vector]);
    store.set("20", vector);
    expect([store.get("13"), store.get("14")]).toEqual([vector, undefined]);
  });
});

describe("queries", () => {
  it("are asked once for each of the last thousand texts, also if they have no vector", async () => {
    const { own, calls } = embedder((batch) => batch.map((text) => (text === "none" ? null : [text.length, 1])));
    const ask = (text: string) => embedTexts(own, { texts: [text], purpose: "query" });
    expect(await ask("none")).toEqual([null]);
    expect(await ask("none")).toEqual([null]);
    expect(calls).toHaveLength(1);
    for (let i = 0; i < 999; i++) await ask(`q${i}`);
    await ask("none");
    expect(calls).toHaveLength(1000);
    await ask("another");
    await ask("q0");
    expect(calls).toHaveLength(1002);
  });

  it("have vectors of their own, beside records with the same text", async () => {
    const { own, calls } = embedder((batch, { purpose }) => batch.map(() => (purpose === "query" ? [1, 0] : [0, 1])));
    const ask = (purpose: "query" | "record") => embedTexts(own, { texts: ["a"], purpose, job: new EmbeddingJob() });
    const purposes = ["query", "record", "query", "record"] as const;
    const answers: unknown[] = [];
    for (const purpose of purposes) answers.push((await ask(purpose))[0]);
    expect(answers).toEqual([stored([1, 0]), stored([0, 1]), stored([1, 0]), stored([0, 1])]);
    expect(calls).toHaveLength(2);
  });
});

describe("a long text", () => {
  it("is cut at maxTextLength, never within a character", async () => {
    const { own, calls } = embedder((batch) => batch.map(() => [1, 0]), { maxTextLength: 4 });
    const given = ["abcd", "abcde", "abc\u{1f600}", "ab\u{1f600}c", "abc\ud83dx", "    x"];
    expect((await embedTexts(own, { texts: given, purpose: "record" })).at(-1)).toBeNull();
    expect(calls[0]!.texts).toEqual(["abcd", "abcd", "abc", "ab\u{1f600}", "abc\ud83d"]);
  });
});

it("the built-in embedder is waited for without a timer, and nothing of it is remembered", async () => {
  const own = createStaticEnEmbedder();
  const request = { texts: ["sofa"], purpose: "query", withinMs: 1 } as const;
  const [first] = await embedTexts(own, request);
  expect((await embedTexts(own, request))[0]).not.toBe(first);
  expect(vi.getTimerCount()).toBe(0);
});
