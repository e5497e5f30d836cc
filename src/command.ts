#!/usr/bin/env node
// The command `tandem-search`. Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 130 interrupted.

import { EXPLAIN, QUERY, SIMILAR, SUGGEST, WHY_NOT } from "./command/ask.js";
import { readCommandLine } from "./command/command-line.js";
import { CommandError, UsageError } from "./command/errors.js";
import { IMPORT } from "./command/import-feed.js";
import { CHECK, DELETE, EVALUATE, EXPORT, RESTORE, SETTINGS, SNAPSHOT, STATS } from "./command/manage.js";
import { PLAYGROUND } from "./command/playground.js";
import { painterFor } from "./command/terminal.js";
import { plain } from "./command/texts.js";
import { SearchError } from "./index.js";

const COMMANDS = [
  ...[IMPORT, QUERY, SUGGEST, EXPLAIN, WHY_NOT, SIMILAR, SETTINGS, EVALUATE, PLAYGROUND, STATS, CHECK],
  ...[EXPORT, SNAPSHOT, RESTORE, DELETE],
];

// The reader of the output may stop reading, as `head` does.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });

const interrupted = new AbortController();
// Once: a second one ends the process at once.
process.once("SIGINT", () => interrupted.abort());

try {
  const asked = readCommandLine(COMMANDS, process.argv.slice(2));
  if ("help" in asked) process.stdout.write(asked.help);
  else await asked.command.run(asked.args, interrupted.signal);
} catch (error) {
  const message = explain(error);
  if (message === undefined && !interrupted.signal.aborted) throw error;
  process.stderr.write(`${painterFor(process.stderr)("red", "error")}: ${message}\n`);
  process.exitCode = interrupted.signal.aborted ? 130 : error instanceof UsageError ? 2 : 1;
}

function explain(error: unknown): string | undefined {
  if (interrupted.signal.aborted && !(error instanceof CommandError)) return "interrupted; nothing was changed.";
  // A file or folder that cannot be read or written.
  if (error instanceof Error && "syscall" in error) return plain(error.message);
  if (error instanceof SearchError) return `${error.error} (${error.code}): ${plain(error.msg)}`;
  if (error instanceof CommandError || error instanceof UsageError)
    return error.message
      .split("\n")
      .map((line) => plain(line))
      .join("\n  ");
  return undefined;
}
