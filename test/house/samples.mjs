// Runs samples of pages, one after the other, each in a folder of its own and with a default engine of its own; the next one begins
// when nothing of the last goes on. Prints a line of JSON for each: what it printed, and the error that ended it. The arguments are files.

import channels from "node:diagnostics_channel";
import { syncBuiltinESMExports } from "node:module";
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

/** What a sample subscribed to; the next one must not hear of it. */
let subscribed = [];
const { subscribe } = channels;
channels.subscribe = (name, listener) => {
  subscribed.push([name, listener]);
  subscribe(name, listener);
};
syncBuiltinESMExports();

for (const file of process.argv.slice(2)) {
  [printed, error] = ["", undefined];
  process.chdir(dirname(file));
  setDefaultEngine(new SearchEngine());
  await import(pathToFileURL(file).href).catch(fail);
  await new Promise((resolve) => process.once("beforeExit", resolve));
  if (process.exitCode) fail(`it set the exit code ${process.exitCode}`);
  process.exitCode = undefined;
  for (const [name, listener] of subscribed) channels.unsubscribe(name, listener);
  subscribed = [];
  write(`${JSON.stringify({ printed, error })}\n`);
}
