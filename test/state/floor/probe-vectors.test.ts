import { expect, it } from "vitest";
import { ENGLISH_PROBES } from "../../../src/state/probe-queries.js";
import { rejectionOf } from "../../support/refusal.js";
import { WordEmbedder } from "../../support/word-embedder.js";

/** An embedder that answers when told to, and the signals it was given. */
function waiting() {
  const embedder = new WordEmbedder();
  const signals: AbortSignal[] = [];
  let answer = (): void => {};
  embedder.wait = (_, { signal }) => {
    signals.push(signal!);
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  return { embedder, signals, answer: () => answer() };
}

it("asks once for all who wait, and never again", async () => {
  const { embedder, answer } = waiting();
  const both = [
    ENGLISH_PROBES.vectors(embedder, {}),
    ENGLISH_PROBES.vectors(embedder, { signal: new AbortController().signal }),
  ];
  await Promise.resolve();
  answer();
  const [first, second] = await Promise.all(both);
  expect([first!.count, second === first]).toEqual([128, true]);
  expect(await ENGLISH_PROBES.vectors(embedder, {})).toBe(first);
  expect(embedder.calls.map(({ options }) => options.purpose)).toEqual(["query"]);
});

it("ends when nobody waits any more, and begins anew for the next", async () => {
  const { embedder, signals, answer } = waiting();
  const callers = [new AbortController(), new AbortController()];
  const left = callers.map(({ signal }) => rejectionOf(ENGLISH_PROBES.vectors(embedder, { signal })));
  for (const caller of callers) caller.abort();
  expect((await Promise.all(left)).map(({ code }) => code)).toEqual([499, 499]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  const next = ENGLISH_PROBES.vectors(embedder, {});
  await Promise.resolve();
  answer();
  expect((await next).count).toBe(128);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

it("asks nothing for a caller that has given up already", async () => {
  const { embedder } = waiting();
  expect(await rejectionOf(ENGLISH_PROBES.vectors(embedder, { signal: AbortSignal.abort() }))).toMatchObject({
    code: 499,
  });
  expect(embedder.calls).toEqual([]);
});

it("tells all who wait of a failure, and asks again for the next", async () => {
  const embedder = new WordEmbedder();
  embedder.wait = async () => {
    throw new Error("down");
  };
  const both = [ENGLISH_PROBES.vectors(embedder, {}), ENGLISH_PROBES.vectors(embedder, {})].map(rejectionOf);
  expect((await Promise.all(both)).map(({ error }) => error)).toEqual(["embedder_failed", "embedder_failed"]);
  expect(embedder.calls.length).toBe(1);
  embedder.wait = async () => {};
  expect((await ENGLISH_PROBES.vectors(embedder, {})).count).toBe(128);
});
