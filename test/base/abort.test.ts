import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { aborted, checkSignal, throwIfAborted } from "../../src/base/abort.js";
import { thrownBy } from "../support/refusal.js";

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

  it("of another realm or library are known by their shape, and followed", () => {
    const foreign = runInNewContext(
      "({ aborted: false, addEventListener(type, listener) { this.fire = listener; }, reason: 'enough' })",
    ) as { fire(): void };
    const followed = checkSignal(foreign);
    expect(followed?.aborted).toBe(false);
    foreign.fire();
    expect([followed?.aborted, followed?.reason]).toEqual([true, "enough"]);
  });

  it("that are aborted already are followed as such, even where the reason cannot be read", () => {
    const tricky = {
      aborted: true,
      addEventListener() {},
      get reason() {
        throw new Error("no");
      },
    };
    expect(checkSignal(tricky)?.aborted).toBe(true);
  });

  it("of our own are taken as they are, frozen ones too", () => {
    const signal = Object.freeze(new AbortController().signal);
    expect(checkSignal(signal)).toBe(signal);
  });

  for (const wrong of [null, true, "signal", {}, { aborted: false }, { aborted: "no", addEventListener() {} }])
    it(`are refused in the form ${JSON.stringify(wrong)}`, () => {
      expect(thrownBy(() => checkSignal(wrong))).toMatchObject({ code: 400, error: "invalid_signal", param: "signal" });
    });
});
