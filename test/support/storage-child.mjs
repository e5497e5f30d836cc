// Has a data folder open, and makes the calls that it is sent, one after the other; the call "reopen" closes the engine beside reads
// and opens the folder again, and no other call waits for one that is sent as "beside". It says when a call begins, and when it is done, and
// how many files besides the log it has begun to write and not ended, in writes that a kill cannot hold back. The folder with the
// bundles of the engine and the store is the first argument, the data folder the second. Files and checkpoints come soon.

import fs from "node:fs";

const say = (what) => fs.writeSync(1, `${what}\n`);

const { open: openFile, close } = fs;
const begun = new Set();
fs.open = (path, flags, ...rest) => {
  const end = rest.pop();
  openFile(path, flags, ...rest, (error, fd) => {
    if (!error && flags & fs.constants.O_CREAT && !path.includes("log-")) say(`files ${begun.add(fd).size}`);
    end(error, fd);
  });
};
fs.close = (fd, end) => {
  if (begun.delete(fd)) say(`files ${begun.size}`);
  close(fd, end);
};

const { SearchEngine } = await import(`${process.argv[2]}/engine.js`);
const { nodeDisk } = await import(`${process.argv[2]}/store.js`);
const disk = { ...nodeDisk, sizes: { inlineBytes: 2 ** 16, logBytes: 2 ** 20, graphNodes: 1 } };
const onWarning = ({ code, message }) => code !== "change_left_out" && process.emitWarning(message);
const open = () => SearchEngine.openOn(disk, { dataDir: process.argv[3], embedder: false, onWarning });
let engine = await open();
let before = Promise.resolve();
process.on("message", (call) => {
  before = before.then(() => (call.isBeside ? void makeBeside(call) : make(call)));
});
say("open");

async function make({ number, verb, args }) {
  say(`begin ${number}`);
  try {
    if (verb === "reopen") await reopen();
    else await engine[verb](...args);
    say(`done ${number}`);
  } catch (error) {
    say(`done ${number} ${error.error ?? error}`);
  }
}

async function makeBeside({ verb, args }) {
  say("beside");
  await engine[verb](...args);
  say("beside done");
}

/** Whatever the reads say, they hold up nothing. */
async function reopen() {
  for (const { name } of await engine.listIndexes()) {
    await engine.index(name).whenIdle();
    engine.digest(name).catch(() => {});
    engine.query(name, { query: "lamp", facets: ["*"] }).catch(() => {});
  }
  await engine.close();
  engine = await open();
}
