import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { aborted, checkSignal, throwIfAborted, untilAborted } from "../../src/util/tasks.js";
import { rejectionOf, thrownBy } from "../support/refusal.js";

describe("signals", () => {
  it("throw 499 with their reason as the cause once they are aborted, and nothing before, nor where there is none", () => {
    const reason = new Error("the user left");
    expect(thrownBy(() => throwIfAborted(AbortSignal.abort(reason)))).toMatchObject({ code: 499, cause: reason });
    for (const none of [new AbortController().signal, undefined]) expect(throwIfAborted(none)).toBeUndefined();
  });

  it("are taken as they are, of another realm or library by their shape, or left out", () => {
    const foreign = runInNewContext("({ aborted: false, addEventListener() {}, removeEventListener() {} })") as object;
    for (const signal of [new AbortController().signal, foreign, undefined]) expect(checkSignal(signal)).toBe(signal);
  });

  const looksLikeOne = Object.assign(() => {}, { aborted: false, addEventListener: () => {} });
  const wrong = [null, true, {}, { aborted: false }, { aborted: "no", addEventListener() {} }, looksLikeOne];
  it.each(wrong.map((value) => [value]))("are refused in the form %o", (value) => {
    expect(thrownBy(() => checkSignal(value))).toMatchObject({ code: 400, error: "invalid_signal", param: "signal" });
  });

  it("are refused with what was found, and abort with what was not changed", () => {
    expect(thrownBy(() => checkSignal("now")).msg).toBe('signal is "now"; pass an AbortSignal.');
    const msg = "The call was aborted by its signal; nothing was changed.";
    expect(aborted(AbortSignal.abort())).toMatchObject({ code: 499, error: "aborted", param: "signal", msg });
  });
});

describe("waiting until a signal aborts", () => {
  const never = new Promise<never>(() => {});

  it("gives the promise's own result or failure first", async () => {
    const { signal } = new AbortController();
    const failure = new Error("theirs");
    for (const given of [undefined, signal]) expect(await untilAborted(Promise.resolve(1), given)).toBe(1);
    await expect(untilAborted(Promise.reject(failure), signal)).rejects.toBe(failure);
  });

  it("ends with 499 at once, whether the signal aborts now or did before", async () => {
    const controller = new AbortController();
    const waiting = untilAborted(never, controller.signal);
    controller.abort("enough");
    expect(await rejectionOf(waiting)).toMatchObject({ code: 499, cause: "enough" });
    expect((await rejectionOf(untilAborted(never, controller.signal))).code).toBe(499);
  });

  it("goes on where the work may no longer be given up", async () => {
    const controller = new AbortController();
    const work = new Promise<string>((resolve) => setImmediate(resolve, "done"));
    const waiting = untilAborted(work, controller.signal, () => false);
    controller.abort();
    expect(await waiting).toBe("done");
  });

  it("listens once, and no longer than it waits", async () => {
    const calls: unknown[][] = [];
    const signal = Object.assign(new EventTarget(), { aborted: false, reason: undefined }) as object as AbortSignal;
    signal.addEventListener = (...args: unknown[]) => void calls.push(["add", ...args]);
    signal.removeEventListener = (...args: unknown[]) => void calls.push(["remove", args[0], args[1]]);
    await untilAborted(Promise.resolve(), signal);
    const listener = calls[0]?.[2];
    expect(calls).toEqual([
      ["add", "abort", listener],
      ["remove", "abort", listener],
    ]);
  });
});
