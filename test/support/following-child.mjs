// Follows a data folder that another process writes to. Says each state that it shows, with the position, and how many milliseconds
// ago the log was written; when it is told to, it refreshes once more and says that it is done. The folder with the bundle of the
// engine is the first argument, the data folder the second.

import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const { SearchEngine } = await import(`${process.argv[2]}/engine.js`);
const say = (line) => fs.writeSync(1, `${JSON.stringify(line)}\n`);
const warnings = [];
const engine = await SearchEngine.open({
  dataDir: process.argv[3],
  embedder: false,
  readOnly: true,
  follow: true,
  onWarning: (warning) => warnings.push(`${warning.message} ${warning.cause}`),
});

async function state() {
  const position = engine.position();
  const content = [];
  for (const { name, records } of await engine.listIndexes())
    content.push([name, `${records} ${await engine.digest(name)}`]);
  // What changed meanwhile may be of two states.
  return engine.position() === position ? { position, content: JSON.stringify(content.sort()) } : undefined;
}

let said;
async function tell() {
  const now = await state().catch((error) => {
    // An index may go while it is read.
    if (error.code !== 404) throw error;
  });
  if (now === undefined || now.position === said) return;
  said = now.position;
  say(now);
}

let isAsked = false;
process.on("message", () => {
  isAsked = true;
});
say("open");
for (;;) {
  await tell();
  if (isAsked) {
    isAsked = false;
    await engine.refresh();
    while (said !== engine.position()) await tell();
    say({ done: engine.position(), warnings: warnings.splice(0) });
  }
  await pause(2);
}
