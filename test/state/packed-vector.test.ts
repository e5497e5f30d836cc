import { expect, it } from "vitest";
import { packedBytes, readPacked, unpack, writePacked } from "../../src/state/record-table.js";

const vectorOf = (numbers: readonly number[]) => ({ attribute: "v", numbers: Float64Array.from(numbers), at: 3 });

/** Written at an odd offset, between others. */
function packed(numbers: readonly number[], offset = 5) {
  const vector = vectorOf(numbers);
  const size = packedBytes(vector);
  const bytes = Buffer.alloc(size + 3, 0xff);
  writePacked(vector, offset, bytes.subarray(1, 1 + size));
  expect([bytes[0], bytes[size + 1], bytes[size + 2]]).toEqual([0xff, 0xff, 0xff]);
  return { size, read: readPacked(bytes.subarray(1, 1 + size)) };
}

it("numbers come back to the last bit, with their offset", () => {
  for (const numbers of [[0.1, -1e300, 5e-324, 1], [0.5, -2, 0], [Math.fround(0.1), 3], [0.1], []]) {
    const { read } = packed(numbers, 70_000);
    expect(read.offset).toBe(70_000);
    expect([...read.numbers]).toEqual(numbers);
  }
});

it("numbers that 32 bits hold exactly take 4 bytes each, others 8", () => {
  expect(packed([0.5, -2, Math.fround(0.1)]).size).toBe(8 + 12);
  expect(packed([0.5, -2, 0.1]).size).toBe(8 + 24);
});

it("a record gets its vector where its JSON has it, whatever the attribute is called", () => {
  expect(JSON.stringify(unpack({ a: 1, v: null, z: 2 }, "v", Float64Array.of(0.5, 1)))).toBe(
    '{"a":1,"v":[0.5,1],"z":2}',
  );
  const odd = unpack(JSON.parse('{"__proto__":null,"z":2}') as { z: number }, "__proto__", Float64Array.of(0.5));
  expect(JSON.stringify(odd)).toBe('{"__proto__":[0.5],"z":2}');
  expect(Object.getPrototypeOf(odd)).toBe(Object.prototype);
});
