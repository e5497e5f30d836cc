import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { aborted, checkSignal, throwIfAborted, untilAborted } from "../../src/util/tasks.js";
import { rejectionOf, thrownBy } from "../support/refusal.js";

describe("signals", () => {
  it("throw 499 with their reason as the cause once they are aborted", () => {
    const reason = new Error("the user left");
    expect(thrownBy(() => throwIfAborted(AbortSignal.abort(reason)))).toMatchObject({ code: 499, cause: reason });
    expect(aborted(AbortSignal.abort(reason)).param).toBe("signal");
  });

  it("throw nothing before, nor where there is none", () => {
    expect(throwIfAborted(new AbortController().signal)).toBeUndefined();
    expect(throwIfAborted(undefined)).toBeUndefined();
  });

  it("are taken as they are, or left out", () => {
    const { signal } = new AbortController();
    expect(checkSignal(signal)).toBe(signal);
    expect(checkSignal(undefined)).toBeUndefined();
  });

  it("of another realm or library are known by their shape", () => {
    const foreign = runInNewContext("({ aborted: false, addEventListener() {}, removeEventListener() {} })") as object;
    expect(checkSignal(foreign)).toBe(foreign);
  });

  const looksLikeOne = Object.assign(() => {}, { aborted: false, addEventListener: () => {} });
  for (const wrong of [null, true, {}, { aborted: false }, { aborted: "no", addEventListener() {} }, looksLikeOne])
    it(`are refused in the form ${wrong === looksLikeOne ? "of a function" : JSON.stringify(wrong)}`, () => {
      expect(thrownBy(() => checkSignal(wrong))).toMatchObject({ code: 400, error: "invalid_signal", param: "signal" });
    });

  it("are refused with what was found, and abort with what was not changed", () => {
    expect(thrownBy(() => checkSignal("now")).msg).toBe('signal is "now"; pass an AbortSignal.');
    expect(aborted(AbortSignal.abort())).toMatchObject({
      code: 499,
      error: "aborted",
      msg: "The call was aborted by its signal; nothing was changed.",
    });
  });
});

describe("waiting until a signal aborts", () => {
  const never = new Promise<never>(() => {});

  it("gives the promise's own result or failure first", async () => {
    const { signal } = new AbortController();
    const failure = new Error("theirs");
    expect([await untilAborted(Promise.resolve(1), undefined), await untilAborted(Promise.resolve(2), signal)]).toEqual(
      [1, 2],
    );
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
