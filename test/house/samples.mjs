// Runs samples of one page, one after the other, each in a folder of its own and with a default engine of its own; the next one begins
// when nothing of the last goes on. Prints a line of JSON for each: what it printed, and the error that ended it. The arguments are files.

import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { SearchEngine, setDefaultEngine } from "../../dist/index.js";

const write = process.stdout.write.bind(process.stdout);
let printed = "";
let error;
process.stdout.write = (text) => {
  printed += text;
  return true;
};
const fail = (reason) => {
  error ??= String(reason?.stack ?? reason);
};
process.on("uncaughtException", fail).on("unhandledRejection", fail);

for (const file of process.argv.slice(2)) {
  [printed, error] = ["", undefined];
  process.chdir(dirname(file));
  setDefaultEngine(new SearchEngine());
  await import(pathToFileURL(file).href).catch(fail);
  await new Promise((resolve) => process.once("beforeExit", resolve));
  if (process.exitCode) fail(`it set the exit code ${process.exitCode}`);
  process.exitCode = undefined;
  write(`${JSON.stringify({ printed, error })}\n`);
}
