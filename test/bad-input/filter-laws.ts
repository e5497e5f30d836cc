// Row F31: random filters as text and as object, and forms of them that logic says are equal, all against a reading of their
// own in a few lines.

import { expect } from "vitest";
import { quoteFilterValue } from "../../src/index.js";
import type { Row } from "./row.js";
import { idsOf, type World } from "./world.js";

type Thing = Readonly<Record<string, unknown>>;
interface Leaf {
  readonly text: string;
  readonly object: object;
  readonly holds: (thing: Thing) => boolean;
}
type Tree =
  | { readonly kind: "leaf"; readonly leaf: Leaf }
  | { readonly kind: "not"; readonly inner: Tree }
  | { readonly kind: "and" | "or"; readonly parts: readonly Tree[] };

const COLORS = ["red", "blue", "AND", "__proto__"];
const THINGS: readonly Thing[] = Array.from({ length: 60 }, (_, id) => ({
  id,
  color: id % 5 === 4 ? null : COLORS[id % 5],
  size: id % 7 === 6 ? undefined : (id * 13) % 17,
  marks: id % 3 === 0 ? [] : [COLORS[id % 4], id % 6],
  sold: id % 2 === 0,
}));

const LEAVES: readonly Leaf[] = [
  ...COLORS.map(
    (color): Leaf => ({
      text: `color:${quoteFilterValue(color)}`,
      object: { color },
      holds: (thing) => thing.color === color,
    }),
  ),
  ...COLORS.map(
    (color): Leaf => ({
      text: `marks:${quoteFilterValue(color)}`,
      object: { marks: { in: [color] } },
      holds: (thing) => (thing.marks as unknown[]).includes(color),
    }),
  ),
  ...[0, 3, 8, 16].flatMap((size): Leaf[] => [
    { text: `size < ${size}`, object: { size: { lt: size } }, holds: (thing) => Number(thing.size ?? 99) < size },
    { text: `size >= ${size}`, object: { size: { gte: size } }, holds: (thing) => Number(thing.size ?? -1) >= size },
    { text: `size != ${size}`, object: { size: { ne: size } }, holds: (thing) => thing.size !== size },
    {
      text: `size:3 TO ${size}`,
      object: { size: { between: [3, size] } },
      holds: (thing) => Number(thing.size ?? -1) >= 3 && Number(thing.size) <= size,
    },
  ]),
  { text: "color EXISTS", object: { color: { exists: true } }, holds: (thing) => thing.color !== null },
  { text: "NOT size EXISTS", object: { size: null }, holds: (thing) => thing.size === undefined },
  { text: "sold:true", object: { sold: true }, holds: (thing) => thing.sold === true },
];

let state = 5;
function random(below: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function grow(depth: number): Tree {
  const kind = depth === 0 ? 0 : random(4);
  if (kind === 0) return { kind: "leaf", leaf: LEAVES[random(LEAVES.length)]! };
  if (kind === 1) return { kind: "not", inner: grow(depth - 1) };
  return { kind: kind === 2 ? "and" : "or", parts: Array.from({ length: 1 + random(3) }, () => grow(depth - 1)) };
}

function asText(tree: Tree): string {
  if (tree.kind === "leaf") return tree.leaf.text;
  if (tree.kind === "not") return `NOT (${asText(tree.inner)})`;
  return `(${tree.parts.map(asText).join(tree.kind === "and" ? " AND " : " OR ")})`;
}

function asObject(tree: Tree): object {
  if (tree.kind === "leaf") return tree.leaf.object;
  if (tree.kind === "not") return { NOT: asObject(tree.inner) };
  return { [tree.kind === "and" ? "AND" : "OR"]: tree.parts.map(asObject) };
}

function holds(tree: Tree, thing: Thing): boolean {
  if (tree.kind === "leaf") return tree.leaf.holds(thing);
  if (tree.kind === "not") return !holds(tree.inner, thing);
  return tree.kind === "and"
    ? tree.parts.every((part) => holds(part, thing))
    : tree.parts.some((part) => holds(part, thing));
}

/** By De Morgan, turned around and denied twice: always the same records. */
function otherwise(tree: Tree): Tree {
  if (tree.kind === "leaf") return { kind: "not", inner: { kind: "not", inner: tree } };
  if (tree.kind === "not") return { kind: "not", inner: otherwise(tree.inner) };
  const parts = tree.parts.map((part): Tree => ({ kind: "not", inner: otherwise(part) })).reverse();
  return { kind: "not", inner: { kind: tree.kind === "and" ? "or" : "and", parts } };
}

async function disagreements(world: World): Promise<unknown> {
  await world.create("new");
  await world.add(THINGS, "new");
  const wrong: unknown[] = [];
  for (let n = 0; n < 300; n++) {
    const tree = grow(3);
    const expected = THINGS.filter((thing) => holds(tree, thing))
      .map(({ id }) => String(id))
      .sort()
      .join();
    for (const filters of [asText(tree), asObject(tree), asText(otherwise(tree)), asObject(otherwise(tree))]) {
      const seen = await world.ask({ query: "", filters, hitsPerPage: 1000 }, "new");
      if (idsOf(seen).sort().join() !== expected) wrong.push(filters);
    }
  }
  return wrong;
}

/** Row F31. */
export const LAWS: readonly Row[] = [
  {
    row: "F31",
    what: "300 random filters in four forms",
    run: disagreements,
    expect: (result) => expect(result).toEqual([]),
  },
];
