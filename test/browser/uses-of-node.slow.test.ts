// The build for browsers uses no more of Node than what stands for it, as TypeScript sees it: with the types of the web alone, and each
// module and each global of Node typed as its stand-in.

import { dirname, join, relative, sep } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

/** Types of them are named by what runs in a browser, but nothing of them runs there. */
const OF_THE_DATA_FOLDER = [
  "file-system",
  "folder-lock",
  "followed-folder",
  "store",
  "write-log",
  "written-folder",
].map((name) => `src/storage/${name}.ts`);

it.each([
  ["the library", "tsconfig.browser.json", /^src\/(?!command)/],
  // The types of the reader of CSV bring those of Node for the rest.
  ["the playground", "playground/tsconfig.json", /^(playground|src\/command)\//],
])("every use of Node has a stand-in in %s", (_, config, own) => {
  const file = join(ROOT, config);
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, ts.sys.readFile).config,
    ts.sys,
    dirname(file),
    undefined,
    file,
  );
  const program = ts.createProgram(fileNames, options);
  const complaints = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const path = file === undefined ? "" : relative(ROOT, file.fileName).split(sep).join("/");
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    return { path, text: `${path}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}` };
  });
  const files = program.getSourceFiles().map(({ fileName }) => relative(ROOT, fileName).split(sep).join("/"));
  expect(files).toEqual(expect.arrayContaining(["src/storage/disk.browser.ts", "src/embedding/table-file.browser.ts"]));
  expect(
    complaints.filter(({ path }) => own.test(path) && !OF_THE_DATA_FOLDER.includes(path)).map(({ text }) => text),
  ).toEqual([]);
  expect(complaints.filter(({ path }) => !own.test(path) || OF_THE_DATA_FOLDER.includes(path))).not.toEqual([]);
});
