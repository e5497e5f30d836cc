// The lock of a data folder: one writer at a time, in this process, in others, and in other containers that share the folder.
//
// Node cannot lock files on Linux, and process numbers mean nothing in another container. But the kernel knows whether somebody listens to
// a Unix socket in a folder, in whatever container, and refuses connections from the moment that its process is gone. So:
//
// 1. A contender listens to a socket of its own, under a random name.
// 2. It connects to all sockets named `lock-<number>`. If one answers, the folder is locked.
// 3. It links its socket to the lowest number that is free. If another was faster, it goes back to 2.
// 4. It connects to all others again. If one answers, it takes its name back and goes to 2. Else it holds the lock.
// 5. It looks once more for sockets that do not answer, and removes their names.
//
// Never do two hold the lock. Each has its numbered name, and answers, before it looks in step 4; so the later of two sees the
// earlier. And a name stays as long as its owner wants. Only a holder removes names of others, and only names that it found
// dead while it held the lock. Nobody else removes names in that time, so a dead name cannot have become that of a living
// process. One of several wins: when rivals see each other in step 4, the last contender to withdraw meets no rival, or a rival
// that has won.
//
// macOS, BSD and Windows can open a file for one alone, which is simpler; there a full queue of a socket also looks like a dead one.

import { randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { SearchError } from "../util/errors.js";
import { exceptFor, permissionError } from "./file-system.js";
import { storageError } from "./storage-error.js";

/** A data folder that nobody else can write to. */
export interface FolderLock {
  /** Resolves when others can have the folder. No effect when called again. */
  release(): Promise<void>;
}

/** The flag of `open` that lets nobody else open the file (libuv's UV_FS_O_EXLOCK), where the system has one. */
const OPEN_FOR_ONE: Partial<Record<NodeJS.Platform, number>> = {
  darwin: 0x20,
  freebsd: 0x20,
  openbsd: 0x20,
  win32: 0x1000_0000,
};
/** The kernel takes no longer path of a socket; it counts its closing zero, and systems differ by a few bytes. */
const LONGEST_SOCKET_PATH = 100;
const LOCK_MODE = 0o600;
/** What `statfs` calls NFS, SMB, CIFS and SMB 2 on Linux: other machines that have them do not see our sockets. */
const NETWORK_DISKS: readonly number[] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42];
/** What a socket says of its owner: none, none, a full queue, and one that left. All else says nothing. */
const ANSWERS: readonly string[] = ["ECONNREFUSED", "ENOENT", "EAGAIN", "ECONNRESET"];
/** What a holder says to a rival: its process and its host. */
const OWNER = /^(\d{1,10}) ([\w.-]{1,64})$/;
/** A rival waits this long for it. */
const OWNER_MS = 200;
/** Each attempt after the first needs a rival that came in between. */
const MOST_ATTEMPTS = 1000;

/**
 * Takes the lock of a folder that is there. It holds until `release`, or the end of the process or worker, and keeps no process alive.
 * Throws 409 `storage_locked` if someone has it, and 500 `storage_failed` (507 `storage_full`) where none can be made.
 */
export async function acquireLock(folder: string): Promise<FolderLock> {
  const flag = OPEN_FOR_ONE[process.platform];
  try {
    return await (flag === undefined ? lockBySocket(folder) : lockByOpening(folder, flag));
  } catch (error) {
    throw lockError(error, folder);
  }
}

/** `owner` is what the holder says of itself; a busy one says nothing, and neither does a file. */
function locked(owner = ""): SearchError {
  const [, pid, host] = OWNER.exec(owner) ?? [];
  const isHere = host === hostname();
  let who = "Another process, or another engine of this one,";
  if (isHere && pid === String(process.pid)) who = "Another engine of this process";
  else if (pid !== undefined) who = `Process ${pid}${isHere ? "" : ` of host ${host}`}`;
  return new SearchError(
    409,
    "storage_locked",
    `${who} has the data folder open; close it, or open this one with readOnly: true.`,
  );
}

function lockError(cause: unknown, folder: string): SearchError {
  const error = storageError(cause);
  if (cause instanceof SearchError || error.code === 507) return error;
  const refused = permissionError(cause, { path: folder });
  if (refused !== undefined) return refused;
  const { code = "an unknown error" } = cause as NodeJS.ErrnoException;
  const msg = `The data folder cannot be locked (${code}); use a folder of your own on a local disk.`;
  return new SearchError(500, "storage_failed", msg, { cause });
}

async function lockByOpening(folder: string, flag: number): Promise<FolderLock> {
  const { O_RDWR, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  let fd: number | undefined;
  try {
    // Not a FileHandle, which is closed when it is forgotten.
    fd = fs.openSync(join(folder, "lock"), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | flag, LOCK_MODE);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw ["EAGAIN", "EBUSY"].includes(code) ? locked() : error;
  }
  return {
    // The file stays: another process may have it open already, and would hold a lock on a file without a name.
    async release() {
      if (fd !== undefined) fs.closeSync(fd);
      fd = undefined;
    },
  };
}

async function lockBySocket(folder: string): Promise<FolderLock> {
  if (NETWORK_DISKS.includes((await fs.promises.statfs(folder)).type))
    throw Object.assign(new Error("Other machines would not see the lock."), { code: "ENOTSUP" });
  const name = `lock-new-${randomBytes(6).toString("hex")}`;
  const isLong = Buffer.byteLength(join(folder, name)) > LONGEST_SOCKET_PATH;
  // Linux has a short path for what is open.
  const fd = isLong ? fs.openSync(folder, "r") : undefined;
  const sockets = fd === undefined ? folder : `/proc/self/fd/${fd}`;
  try {
    const server = await listenTo(join(sockets, name));
    try {
      await withOwnName(fs.promises.chmod(join(folder, name), LOCK_MODE));
      const path = join(folder, await claimNumber(folder, name, sockets));
      const { ino } = fs.lstatSync(path, { bigint: true });
      return { release: () => releaseSocket(server, path, ino) };
    } catch (error) {
      server.close();
      throw error;
    } finally {
      removeNow(join(folder, name));
    }
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** Removes the name before it stops listening: a rival that still sees the name finds us or nobody, and both are true. */
async function releaseSocket(server: net.Server, path: string, ino: bigint): Promise<void> {
  if (!server.listening) return;
  try {
    // The folder may have been moved away, and another be in its place.
    if (fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino === ino) removeNow(path);
  } catch {
    // The name is only in the way: a process that does not listen holds no lock.
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

/** A server that says whose it is and closes the connection. It keeps no process alive. */
async function listenTo(path: string): Promise<net.Server> {
  const server = net.createServer((rival) => {
    // A rival that only looked has left already.
    rival.on("error", () => {});
    rival.end(`${process.pid} ${hostname()}`, () => rival.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // Exclusive: else the primary of a cluster would listen in place of its worker, and go on after the worker has ended.
    server.listen({ path, exclusive: true }, resolve);
  });
  // A connection that cannot be accepted (no file number is free) is an error here; the rival has its answer all the same.
  server.on("error", () => {});
  return server.unref();
}

/** Steps 2 to 5: the numbered name under which the socket holds the lock. */
async function claimNumber(folder: string, own: string, sockets: string): Promise<string> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const { names, numbered } = await lookAround(folder);
    const holder = await firstToAnswer(sockets, numbered);
    if (holder !== undefined) throw locked(await ownerOf(join(sockets, holder)));
    let number = 1;
    while (names.has(`lock-${number}`)) number++;
    const name = `lock-${number}`;
    const linked = fs.promises.link(join(folder, own), join(folder, name)).then(() => true);
    if (!(await withOwnName(exceptFor("EEXIST", linked)))) continue;
    const others = (await lookAround(folder)).numbered.filter((each) => each !== name);
    if ((await firstToAnswer(sockets, others)) === undefined) {
      await removeDead(folder, sockets, [own, name]);
      return name;
    }
    removeNow(join(folder, name));
  }
  throw Object.assign(new Error("No number was free."), { code: "EEXIST" });
}

/** Step 5, for the holder alone. */
async function removeDead(folder: string, sockets: string, own: readonly string[]): Promise<void> {
  const { numbered, random } = await lookAround(folder);
  for (const name of [...numbered, ...random])
    if (!own.includes(name) && !(await answers(join(sockets, name)))) removeNow(join(folder, name));
}

/** Without waiting: a worker that is stopped frees its lock, and a call that it has begun might take effect after that. */
function removeNow(path: string): void {
  fs.rmSync(path, { force: true });
}

/** The result of a call that needs the random name. Only a holder can have removed that name. It took us for dead before we listened. */
async function withOwnName<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ENOENT" ? locked() : error;
  }
}

/** What is in a folder: all names, and those of the sockets of locks, numbered and random. */
async function lookAround(folder: string) {
  const entries = await fs.promises.readdir(folder, { withFileTypes: true });
  // What is no socket was put there by someone else; a link is not followed.
  const sockets = entries.filter((entry) => entry.isSocket()).map(({ name }) => name);
  return {
    names: new Set(entries.map(({ name }) => name)),
    numbered: sockets.filter((name) => /^lock-[1-9][0-9]*$/.test(name)),
    random: sockets.filter((name) => /^lock-new-[0-9a-f]{12}$/.test(name)),
  };
}

async function firstToAnswer(sockets: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) if (await answers(join(sockets, name))) return name;
  return undefined;
}

/** What the process behind a socket says of itself; nothing if it is busy or gone. */
function ownerOf(path: string): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    const socket = net.connect(path).setEncoding("utf8").setTimeout(OWNER_MS);
    socket.on("data", (text: string) => {
      said = (said + text).slice(0, 100);
    });
    socket.on("timeout", () => socket.destroy());
    socket.on("error", () => {});
    socket.on("close", () => resolve(said));
  });
}

/** Whether a process listens to a socket, even a process that is busy or was stopped. */
async function answers(path: string): Promise<boolean> {
  for (;;) {
    const code = await new Promise<string | undefined>((resolve, reject) => {
      const socket = net.connect(path, () => {
        socket.destroy();
        resolve(undefined);
      });
      socket.on("error", (error: NodeJS.ErrnoException) => {
        if (ANSWERS.includes(error.code ?? "")) resolve(error.code);
        else reject(error);
      });
    });
    // Reset: it stopped listening while we waited in its queue.
    if (code !== "ECONNRESET") return code === undefined || code === "EAGAIN";
  }
}
