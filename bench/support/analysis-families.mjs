// The families of hostile text that the tests feed to the analysis, read from where the tests have them.

import { readFileSync } from "node:fs";
import ts from "typescript";

const SOURCE = new URL("../../test/fuzz/text-families.ts", import.meta.url);

/** All families by name; each gives a text of a length in code units. The file imports nothing, so its types are all to remove. */
export async function readFamilies() {
  const { outputText } = ts.transpileModule(readFileSync(SOURCE, "utf8"), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  });
  const code = `data:text/javascript;base64,${Buffer.from(outputText).toString("base64")}`;
  const { TEXT_FAMILIES } = await import(code);
  return Object.entries(TEXT_FAMILIES);
}

/** As much of a text as has so many UTF-8 bytes. */
export function cutToBytes(text, bytes) {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (Buffer.byteLength(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low);
}
