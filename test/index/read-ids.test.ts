import { describe, expect, it } from "vitest";
import { readId, readIds } from "../../src/index/read-batch.js";
import { resolveLimits } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const limits = resolveLimits({ batchRecords: 2, idBytes: 4 });

/** An array that cannot even be told from others. */
function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([1], {});
  revoke();
  return proxy;
}

describe("ids", () => {
  it("are texts, in the order given, as often as given", () => {
    expect(readIds(["b", 1], limits)).toEqual(["b", "1"]);
    expect([readIds(["a", "a"], limits), readIds([], limits)]).toEqual([["a", "a"], []]);
    expect(readId(7, limits)).toBe("7");
  });

  it("are refused together, each by its place", () => {
    const error = thrownBy(() => readIds(["", "12345"], limits));
    const first = "ids[0] is empty, expected at least one character.";
    const second = "ids[1] has more than 4 bytes; shorten it.";
    expect(error).toMatchObject({ code: 400, error: "invalid_id", param: "ids[0]", msg: `${first} ${second}` });
    expect(error.details?.complaints).toEqual([
      { error: "invalid_id", param: "ids[0]", msg: first },
      { error: "invalid_id", param: "ids[1]", msg: second },
    ]);
  });

  it("are refused one by one", () => {
    expect(thrownBy(() => readId("", limits))).toMatchObject({
      code: 400,
      error: "invalid_id",
      param: "id",
      msg: "id is empty, expected at least one character.",
    });
  });

  it("are a list", () => {
    for (const [given, found] of [
      ["ab", '"ab"'],
      [{ length: 1, 0: "a" }, "an object"],
      [{ length: 9 }, "an object"],
      [revoked(), "an object"],
      [null, "null"],
    ] as const)
      expect(thrownBy(() => readIds(given, limits))).toMatchObject({
        code: 400,
        error: "invalid_ids",
        param: "ids",
        msg: `ids is ${found}; pass an array of ids.`,
      });
  });

  it("are no more than one call takes", () => {
    expect(thrownBy(() => readIds(["a", "b", "c"], limits))).toMatchObject({
      code: 413,
      error: "batch_too_large",
      param: "ids",
      msg: "ids holds more ids than one call takes: 2.",
    });
  });
});
