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

  it("of another realm or library are known by their shape", () => {
    const foreign: unknown = runInNewContext("({ aborted: false, addEventListener() {}, removeEventListener() {} })");
    expect(checkSignal(foreign)).toBe(foreign);
  });

  for (const wrong of [null, true, "signal", {}, { aborted: false }, { aborted: "no", addEventListener() {} }])
    it(`are refused in the form ${JSON.stringify(wrong)}`, () => {
      expect(thrownBy(() => checkSignal(wrong))).toMatchObject({ code: 400, error: "invalid_signal", param: "signal" });
    });
});
