// The build for browsers, bundled by a bundler for browsers and run in a context that has what the web has and nothing of Node. How it
// runs in Chromium itself is tried by `npm run test:hosts`.

import { expect, it } from "vitest";
import { runProgram } from "./child.js";

const ENDS_OF_NODE = "--";

it("has every answer of Node, and refuses what needs files by one sentence each", async () => {
  const { status, lines, stderr } = await runProgram({ file: "./in-browser.mjs" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const end = lines.indexOf(ENDS_OF_NODE);
  const node = lines.slice(0, end);
  expect(node.find((line) => line.startsWith("all:"))).toMatch(/^all: [0-9a-f]{16}$/);
  expect(node.at(-1)).toBe("the copy answers as the index: true");
  expect(lines.slice(end + 1, end + 1 + node.length)).toEqual(node);
  expect(lines.slice(end + 1 + node.length)).toEqual([
    "embedder_missing: The index searches by words alone, because in a browser there is no word table of static-en beside the code; pass its bytes or its URL to createStaticEnEmbedder, or put it beside the code in Node, and call updateSettings.",
    "by words: fullTextSearch, found: true",
    "400 invalid_option: dataDir is given in a browser, which has no folders; make an engine in memory by new SearchEngine(), and fill it by importIndex, or by readSnapshot with bytes.",
    "500 storage_failed: A browser has no files; pass the bytes of a snapshot to readSnapshot, and write snapshots in Node.",
    "500 storage_failed: A browser has no files; pass the bytes of a snapshot to readSnapshot, and write snapshots in Node.",
    '{"hnsw":true,"hnswlib":false,"wasm":true,"unavailable":{"hnswlib":"this process may not load native code"}}',
    expect.stringMatching(
      /^\[embedder_missing\] TandemSearchWarning: The index searches by words .* call updateSettings\.$/,
    ),
  ]);
});
