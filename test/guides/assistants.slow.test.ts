// The programs of assistants.md, with the packages that they name: a server of the Model Context Protocol, asked by the SDK's own
// client, and tools of the AI SDK, called by its stand-in for a model.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { expect, it } from "vitest";
import { makeProject, readGuide } from "../support/guide.js";
import { ROOT } from "../support/source-tree.js";

const files = new Map([...readGuide("assistants.md").files, ["package.json", '{ "type": "module" }']]);
const folder = makeProject(files, ["@modelcontextprotocol/sdk", "ai", "zod"]);

/** What a program prints. */
const run = async (file: string) =>
  (await promisify(execFile)(process.execPath, [file], { cwd: folder, timeout: 60_000 })).stdout;

it("the server answers the client of the Model Context Protocol", async () => {
  expect(await run("client.mjs")).toBe(
    "search_catalog, lookup_catalog, get_product\n1 product is found.\n8: Tea cup, 9.00 EUR; in stock\n",
  );
});

it("the AI SDK calls the tools, and the model gets their texts", async () => {
  const { outputText } = ts.transpileModule(files.get("assistant.ts")!, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  writeFileSync(join(folder, "assistant.mjs"), outputText);
  const program = `import { MockLanguageModelV3 } from "ai/test";
    import { answer } from "./assistant.mjs";
    import { tools } from "./shop.mjs";
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const input = (args) => ({ type: "tool-call", toolCallId: "1", toolName: "search_catalog", input: JSON.stringify(args) });
    const replies = [input({ query: "tea", filters: { brand: ["hem"] } }), { type: "text", text: "There is a pot." }];
    const seen = [];
    const doGenerate = async (call) => {
      seen.push(call);
      const content = [replies[seen.length - 1]];
      return { content, finishReason: { unified: seen.length === 1 ? "tool-calls" : "stop" }, usage, warnings: [] };
    };
    const { text, steps } = await answer("Tea?", new MockLanguageModelV3({ doGenerate }), tools);
    const { name, inputSchema } = seen[0].tools[0];
    const brands = inputSchema.properties.filters.properties.brand.items.enum;
    const { output } = seen[1].prompt.at(-1).content[0];
    console.log(JSON.stringify({ text, name, brands, output, isError: steps[0].toolResults[0].output.isError }));`;
  writeFileSync(join(folder, "program.mjs"), program);
  expect(JSON.parse(await run("program.mjs"))).toEqual({
    ...{ text: "There is a pot.", name: "search_catalog", brands: ["Hem", "Seam"], isError: true },
    output: { type: "text", value: '$.filters.brand[0]: there is no "hem"; did you mean "Hem"?' },
  });
});

it("the samples agree with the types of the packages", async () => {
  const compilerOptions = {
    ...{ strict: true, module: "nodenext", target: "es2023", lib: ["es2023", "dom", "dom.iterable"], types: [] },
    ...{ noEmit: true, allowJs: true, checkJs: true, skipLibCheck: true },
  };
  // What a tool of the SDK's client answers is of no known type.
  const files = ["shop.mjs", "server.mjs", "assistant.ts"];
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch((error) => error);
  expect(stdout).toBe("");
});
