import { describe, expect, it } from "vitest";
import { embedTexts } from "../../src/embedding/embed-texts.js";
import type { Embedder, EmbedOptions } from "../../src/util/extension-points.js";
import { rejectionOf } from "../support/refusal.js";
import { stored } from "../support/vectors.js";

type Answer = (texts: readonly string[], options: EmbedOptions) => unknown;

/** An embedder of two dimensions that answers as told, and the calls it got. */
function embedder(answer: Answer, maxBatchSize?: number) {
  const calls: { readonly texts: readonly string[]; readonly options: EmbedOptions }[] = [];
  const own: Embedder = {
    id: "test",
    dimensions: 2,
    retries: 0,
    ...(maxBatchSize === undefined ? {} : { maxBatchSize }),
    embed: async (texts, options) => {
      calls.push({ texts, options });
      return (await answer(texts, options)) as readonly number[][];
    },
  };
  return { own, calls };
}

const lengths: Answer = (texts) => texts.map((text) => (text === "none" ? null : [text.length, 1]));
const texts = (count: number) => Array.from({ length: count }, (_, i) => "x".repeat(i + 1));

describe("texts", () => {
  it("get their vectors in order, and null where the embedder gives none", async () => {
    const { own } = embedder(lengths);
    const vectors = await embedTexts(own, { texts: ["aaa", "none", "a"], purpose: "record" });
    expect(vectors).toEqual([stored([3, 1]), null, stored([1, 1])]);
  });

  it("go in batches of maxBatchSize, 256 by default, with their purpose", async () => {
    const { own, calls } = embedder(lengths, 3);
    await embedTexts(own, { texts: texts(7), purpose: "query" });
    expect(calls.map((call) => call.texts.length)).toEqual([3, 3, 1]);
    expect(calls.every(({ options }) => options.purpose === "query")).toBe(true);
    const unbounded = embedder(lengths);
    await embedTexts(unbounded.own, { texts: texts(300), purpose: "record" });
    expect(unbounded.calls.map((call) => call.texts.length)).toEqual([256, 44]);
  });

  it("are counted after each batch", async () => {
    const done: number[] = [];
    const { own, calls } = embedder(lengths, 2);
    await embedTexts(own, { texts: texts(5), purpose: "record", onBatch: (count) => done.push(count) });
    expect(done).toEqual([2, 4, 5]);
    expect(await embedTexts(own, { texts: [], purpose: "record" })).toEqual([]);
    expect(calls).toHaveLength(3);
  });

  it("let the event loop turn between batches of an embedder that never waits", async () => {
    let turns = 0;
    const counter = setInterval(() => turns++, 1);
    const busy: Answer = (batch) => {
      for (const until = performance.now() + 10; performance.now() < until; );
      return lengths(batch, { purpose: "record" });
    };
    await embedTexts(embedder(busy, 1).own, { texts: texts(10), purpose: "record" });
    clearInterval(counter);
    expect(turns).toBeGreaterThan(0);
  });
});

describe("an embedder fails with 502", () => {
  const cause = new Error("no connection");
  const WRONG: Readonly<Record<string, Answer>> = {
    "that throws": () => {
      throw cause;
    },
    "that answers nothing": () => undefined,
    "that answers an object": () => ({ length: 2 }),
    "that answers too few vectors": () => [[1, 0]],
    "that answers too many": () => [
      [1, 0],
      [1, 0],
      [1, 0],
    ],
    "that answers another length": () => [
      [1, 0],
      [1, 0, 0],
    ],
    "that answers NaN": () => [
      [1, 0],
      [Number.NaN, 0],
    ],
    "that answers zeros": () => [
      [1, 0],
      [0, 0],
    ],
    "that answers undefined for a text": () => [[1, 0], undefined],
  };
  for (const [name, answer] of Object.entries(WRONG))
    it(name, async () => {
      const error = await rejectionOf(embedTexts(embedder(answer).own, { texts: ["a", "b"], purpose: "record" }));
      expect(error).toMatchObject({ code: 502, error: "embedder_failed", param: "embedder" });
      expect(error.msg).toContain('"test"');
      expect(error.cause).toBe(name === "that throws" ? cause : undefined);
    });

  it("and the text is told that got a bad vector", async () => {
    const { own } = embedder((batch) => batch.map((text) => (text.length === 5 ? [0, 0] : [1, 0])), 2);
    const error = await rejectionOf(embedTexts(own, { texts: texts(7), purpose: "record" }));
    expect(error.msg).toContain("text 4");
  });
});

describe("a signal", () => {
  it("aborts that of the embedder, with its reason", async () => {
    const controller = new AbortController();
    const { own, calls } = embedder(() => new Promise(() => {}));
    const call = rejectionOf(embedTexts(own, { texts: ["a"], purpose: "record", signal: controller.signal }));
    await Promise.resolve();
    expect(calls[0]?.options.signal?.aborted).toBe(false);
    controller.abort("enough");
    expect((await call).code).toBe(499);
    expect(calls[0]?.options.signal?.reason).toBe("enough");
  });

  it("aborted before keeps the embedder from being called", async () => {
    const { own, calls } = embedder(lengths);
    const error = await rejectionOf(embedTexts(own, { texts: ["a"], purpose: "record", signal: AbortSignal.abort() }));
    expect([error.code, calls.length]).toEqual([499, 0]);
  });

  it("aborted between batches ends the call", async () => {
    const controller = new AbortController();
    const { own, calls } = embedder(lengths, 1);
    const request = { texts: texts(5), purpose: "record", signal: controller.signal } as const;
    const onBatch = () => controller.abort("enough");
    const error = await rejectionOf(embedTexts(own, { ...request, onBatch }));
    expect([error.code, error.cause, calls.length]).toEqual([499, "enough", 1]);
  });

  it("aborted while the embedder hangs ends the call, and what the embedder does later is not heard", async () => {
    const controller = new AbortController();
    let fail = () => {};
    const { own } = embedder(() => new Promise((_, reject) => (fail = () => reject(new Error("late")))));
    setTimeout(() => controller.abort());
    const error = await rejectionOf(embedTexts(own, { texts: ["a"], purpose: "query", signal: controller.signal }));
    fail();
    expect(error).toMatchObject({ code: 499, error: "aborted" });
  });

  it("aborted by the embedder itself, which then hangs, ends the call", { timeout: 5000 }, async () => {
    const controller = new AbortController();
    const { own } = embedder(() => {
      controller.abort();
      return new Promise(() => {});
    });
    const error = await rejectionOf(embedTexts(own, { texts: ["a"], purpose: "record", signal: controller.signal }));
    expect(error.code).toBe(499);
  });

  it("aborted makes an embedder's own failure a 499", async () => {
    const controller = new AbortController();
    const { own } = embedder(async () => {
      controller.abort();
      throw new Error("aborted, says the client");
    });
    const error = await rejectionOf(embedTexts(own, { texts: ["a"], purpose: "record", signal: controller.signal }));
    expect(error.code).toBe(499);
  });
});
