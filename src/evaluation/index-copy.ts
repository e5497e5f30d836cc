// Work on a copy of an index, which is deleted afterwards whatever happens: the caller's own is never changed.

import type { EvaluatedEngine } from "./evaluated-engine.js";

/** Makes a copy, hands its name to `work`, deletes it, and answers what `work` did. */
export async function withCopy<T>(
  engine: EvaluatedEngine,
  indexName: string,
  work: (copyName: string) => Promise<T>,
): Promise<T> {
  const copyName = await freeName(engine);
  await engine.copyIndex(indexName, copyName);
  try {
    return await work(copyName);
  } finally {
    await engine.deleteIndex(copyName);
  }
}

let copies = 0;

/** A name that no index has, and no other evaluation of this process takes. */
async function freeName(engine: EvaluatedEngine): Promise<string> {
  const taken = new Set((await engine.listIndexes()).map(({ name }) => name));
  let name: string;
  do name = `evaluation-copy-${++copies}`;
  while (taken.has(name));
  return name;
}
