// Positions of engines of one cluster: a number for each index.

import { describe, expect, it } from "vitest";
import { clusterPosition, comparePositions, isPosition, progressIn } from "../../src/util/position.js";
import { thrownBy } from "../support/refusal.js";

const CLUSTER = "0123456789abcdef".repeat(2);
const [A, B] = ["a".repeat(16), "b".repeat(16)] as const;
const at = (indexes: Readonly<Record<string, number>>, cluster = CLUSTER): string =>
  clusterPosition({ cluster, indexes: new Map(Object.entries(indexes)) });
const IN_FOLDER = `${CLUSTER}-7`;

describe("positions in a cluster", () => {
  it("are texts that say the same whatever the order of indexes", () => {
    expect(at({ [B]: 2, [A]: 1 })).toBe(`${CLUSTER}:${A}=1,${B}=2`);
    for (const position of [at({}), at({ [A]: -1 }), at({ [A]: 1, [B]: 2 })]) expect(isPosition(position)).toBe(true);
    for (const indexes of [{ [A]: 1, [B]: 2 }, {}])
      expect(progressIn(at(indexes), CLUSTER).indexes).toEqual(new Map(Object.entries(indexes)));
  });

  it.each([
    [{}, {}, 0],
    [{ [A]: 1, [B]: 2 }, { [A]: 1, [B]: 2 }, 0],
    [{ [A]: 1, [B]: 2 }, { [A]: 1, [B]: 3 }, -1],
    [{ [A]: 4 }, { [A]: 1, [B]: 3 }, 1],
    [{ [A]: 1 }, { [A]: 1, [B]: 0 }, -1],
  ])("are compared index by index: %j, %j", (a, b, sign) => {
    expect(Math.sign(comparePositions(at(a), at(b)))).toBe(sign);
    expect(Math.sign(comparePositions(at(b), at(a)))).toBe(sign === 0 ? 0 : -sign);
  });

  it("are refused where neither comes before the other, or they are of two clusters, or of a folder", () => {
    const wrong = [at({ [A]: 2, [B]: 1 }), at({ [A]: 1, [B]: 2 }, "f".repeat(32)), IN_FOLDER];
    const refused = { code: 400, error: "invalid_position" };
    for (const other of wrong)
      expect(thrownBy(() => comparePositions(at({ [A]: 1, [B]: 2 }), other))).toMatchObject(refused);
    for (const other of [at({}, "f".repeat(32)), IN_FOLDER])
      expect(thrownBy(() => progressIn(other, CLUSTER)).error).toBe("invalid_position");
  });
});
