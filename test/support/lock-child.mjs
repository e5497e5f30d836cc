// Takes and frees locks of folders as it is told, in a process, a worker of a cluster, or a worker thread. The bundle with `acquireLock` is
// the first argument. A message { act, folder, times } is answered by what the act says, or by the
// code of the SearchError.
import fs from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort } from "node:worker_threads";

const { acquireLock } = await import(process.argv[2]);
let goOn;
const id = `${process.pid} ${Math.random()}`;
let lock;

/** Takes and frees the lock many times, and looks each time whether it stayed the only holder. */
async function hammer(folder, times) {
  let held = 0;
  for (let i = 0; i < times; i++) {
    try {
      lock = await acquireLock(folder);
    } catch (error) {
      if (error.error !== "storage_locked") throw error;
      await pause(Math.random() * 2);
      continue;
    }
    held++;
    const owner = join(folder, "owner");
    fs.writeFileSync(owner, `${id} ${i}`);
    await pause(Math.random() * 2);
    if (fs.readFileSync(owner, "utf8") !== `${id} ${i}`) return "two held the lock";
    await lock.release();
  }
  return held;
}

const acts = {
  acquire: async (folder) => {
    lock = await acquireLock(folder);
    return "held";
  },
  release: async () => {
    await lock.release();
    return "released";
  },
  hammer,
  /** From now on the disk is slow, at random: what others do comes in between more often. */
  dawdle: async () => {
    for (const name of ["readdir", "link", "chmod"]) {
      const real = fs.promises[name];
      fs.promises[name] = async (...args) => {
        await pause(Math.random() * 4);
        const result = await real(...args);
        await pause(Math.random() * 4);
        return result;
      };
    }
    return "slow";
  },
  /** Stops before a call of the disk, at its `times`-th time from now, until it is told to go on. */
  stopAt: async (name, times) => {
    const real = fs.promises[name];
    let calls = 0;
    fs.promises[name] = async (...args) => {
      if (++calls === times) {
        answer("stopped");
        await new Promise((resolve) => {
          goOn = resolve;
        });
      }
      return real(...args);
    };
    return "will stop";
  },
  goOn: async () => goOn(),
  /** Answers nothing more: the thread never rests again. */
  block: async () => {
    answer("blocked");
    for (;;);
  },
  /** Uses up all file numbers. */
  exhaust: async () => {
    for (;;)
      try {
        fs.openSync("/dev/null");
      } catch (error) {
        return error.code;
      }
  },
};

const answer = (value) => (parentPort ?? process)[parentPort ? "postMessage" : "send"](value);
(parentPort ?? process).on("message", async ({ act, folder, times }) => {
  try {
    const said = await acts[act](folder, times);
    if (said !== undefined) answer(said);
  } catch (error) {
    answer(error.error ? `${error.code} ${error.error}` : String(error.stack));
  }
});
answer("ready");
