import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, resolveLimits } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

describe("limits", () => {
  it("are the documented ones by default, and cannot be changed in place", () => {
    expect(resolveLimits(undefined)).toBe(DEFAULT_LIMITS);
    expect(Object.isFrozen(DEFAULT_LIMITS)).toBe(true);
    expect(DEFAULT_LIMITS).toMatchObject({ queryBytes: 4096, queryTerms: 64, hitsPerPage: 1000, recordBytes: 100_000 });
  });

  it("take the caller's own and keep the rest", () => {
    const limits = resolveLimits({ idBytes: 8, recordDepth: undefined });
    expect(limits).toEqual({ ...DEFAULT_LIMITS, idBytes: 8 });
    expect(Object.isFrozen(limits)).toBe(true);
  });

  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "8", null, 8n])
    it(`refuse ${String(value)} (${typeof value}) as a limit`, () => {
      const error = thrownBy(() => resolveLimits({ idBytes: value }));
      expect(error).toMatchObject({ code: 400, error: "invalid_option", param: "limits" });
      expect(error.msg).toContain("limits.idBytes");
    });

  it("say what was found and what to pass", () => {
    const saidOf = (own: unknown) => thrownBy(() => resolveLimits(own)).msg;
    expect(saidOf({ idBytes: 0 })).toBe("limits.idBytes is 0; pass a positive integer.");
    expect(saidOf(5)).toBe("limits is 5; pass an object.");
    expect(saidOf({ bytes: 1 })).toBe(
      `limits has the unknown name "bytes"; known are ${Object.keys(DEFAULT_LIMITS).slice(0, 20).join(", ")}, … (${Object.keys(DEFAULT_LIMITS).length - 20} more).`,
    );
  });

  it("may be as low as 1 and as high as an integer goes", () => {
    const own = { idBytes: 1, page: Number.MAX_SAFE_INTEGER };
    expect(resolveLimits(own)).toMatchObject(own);
  });

  it("refuse what is no object", () => {
    for (const own of [null, 5, "x", () => 1]) expect(thrownBy(() => resolveLimits(own)).error).toBe("invalid_option");
  });

  it("refuse unknown names, those of Object's prototype included, and list the known", () => {
    const error = thrownBy(() => resolveLimits({ toString: 1 }));
    expect(error.msg).toContain('"toString"');
    expect(error.msg).toContain("queryBytes");
    expect(thrownBy(() => resolveLimits({ bytes: 1 })).code).toBe(400);
  });
});
