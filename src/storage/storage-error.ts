// The errors of storage. Their messages have no path; where a file is to blame, `details.file` is its name within the data folder.

import { SearchError } from "../util/errors.js";

const FULL: readonly string[] = ["ENOSPC", "EDQUOT", "EFBIG"];
const OUT_OF_FILES: readonly string[] = ["EMFILE", "ENFILE"];

/** The system's code of a failure, or of the failure that a SearchError is about; "": it has none. */
export function codeOf(error: unknown): string {
  const cause = error instanceof SearchError ? error.cause : error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? "";
}

/** {@link storageError} of a failure that the system does not report by itself. */
export function failure(code: string, message: string): SearchError {
  return storageError(Object.assign(new Error(message), { code }));
}

/**
 * The error for a failure of the disk: 507 `storage_full` when there is no room, else 500 `storage_failed`. Its message has no path;
 * `cause` is the system's error.
 */
export function storageError(cause: unknown): SearchError {
  if (cause instanceof SearchError) return cause;
  const { code = "an unknown error" } = cause as NodeJS.ErrnoException;
  if (FULL.includes(code))
    return new SearchError(507, "storage_full", `There is no room left in the data folder (${code}); free some.`, {
      cause,
    });
  const msg = `The data folder could not be read or written (${remedyFor(code)}).`;
  return new SearchError(500, "storage_failed", msg, { cause });
}

function remedyFor(code: string): string {
  const isOut = OUT_OF_FILES.includes(code);
  return isOut ? "the limit of open files is reached; raise it (ulimit -n), or open fewer files" : code;
}

/** Whether a file could not be opened because the process, or the system, has too many open. */
export function isOutOfFiles(error: unknown): boolean {
  return OUT_OF_FILES.includes(codeOf(error));
}

/**
 * The error for a file that is not as it was written: 500 `storage_corrupt`. `what` ends a sentence about the file, such as
 * `"is shorter than its header"`; `offset` is the place of the damage in bytes, if it is known.
 */
export function damagedFile(
  file: string,
  offset?: number,
  what = "is not as it was written",
  cause?: unknown,
): SearchError {
  const details = offset === undefined ? { file } : { file, offset };
  const place = offset === undefined ? "" : ` (at byte ${offset})`;
  const msg = `The data folder is damaged: its file "${file}" ${what}${place}; restore it from a backup.`;
  return new SearchError(500, "storage_corrupt", msg, cause === undefined ? { details } : { details, cause });
}

/** The error for a file of the data folder that is not there. */
export function missingFile(name: string): SearchError {
  return damagedFile(name, undefined, "is missing");
}

/**
 * The error of what failed when a file was read. What is no SearchError says that the file is none that we wrote, although its checksums
 * hold.
 */
export function fileError(error: unknown, name: string): SearchError {
  return error instanceof SearchError ? error : damagedFile(name, undefined, undefined, error);
}

/** The error of what failed when a snapshot was read or written, which is no file of a data folder. */
export function snapshotError(thrown: unknown, done: "read" | "written"): unknown {
  if (!(thrown instanceof SearchError) || thrown.param !== undefined) return thrown;
  const { code, error, details, cause } = thrown;
  const say = (msg: string): SearchError =>
    new SearchError(code, error, msg, cause === undefined ? { details } : { details, cause });
  const failed = codeOf(thrown);
  if (error === "storage_corrupt") {
    const place = details?.offset === undefined ? "" : ` (at byte ${details.offset})`;
    return say(`The snapshot is damaged, or is none${place}; pass what writeSnapshot wrote, or write it anew.`);
  }
  if (error === "storage_full") return say(`There is no room left for the snapshot (${failed}); free some.`);
  // A lack of rights has a message of its own, and details.
  if (error !== "storage_failed" || failed === "" || details !== undefined) return thrown;
  if (failed !== "ENOENT" && failed !== "ENOTDIR")
    return say(`The snapshot could not be ${done} (${remedyFor(failed)}).`);
  return say(
    done === "read"
      ? `The snapshot could not be read: there is no such file (${failed}); check the path.`
      : `The snapshot could not be written: its folder is not there (${failed}); make it first.`,
  );
}

/**
 * The error for a file of another format: 500 `storage_version`. A newer version of the library wrote it, or one from before the first
 * release. `newest` is the newest format that we read.
 */
export function storageVersion(file: string, found: number, newest: number): SearchError {
  const other = `The file "${file}" has format ${found}, and this version of tandem-search reads format ${newest}`;
  const remedy =
    found > newest ? "use a newer version" : "it is from before the first release, so index the records again";
  return new SearchError(500, "storage_version", `${other}; ${remedy}.`, { details: { file } });
}

/** The error for a folder that nobody has written to: 404 `storage_not_found`. Only readers are refused; writers make it. */
export function noStore(): SearchError {
  const msg = "There is no data folder to read; check dataDir, or open it without readOnly to make one.";
  return new SearchError(404, "storage_not_found", msg, { param: "dataDir" });
}

/** The error of what needs a data folder, in an engine in memory: 404 `storage_not_found`. */
export function noFolder(): SearchError {
  const msg = "The engine is in memory; open it by SearchEngine.open({ dataDir }).";
  return new SearchError(404, "storage_not_found", msg);
}

/** The error of every verb that writes, on an engine that was opened with `readOnly: true`: 403 `storage_read_only`. */
export function readOnlyStore(): SearchError {
  const msg = "The engine was opened with readOnly: true and takes no writes; open the data folder without it.";
  return new SearchError(403, "storage_read_only", msg);
}

/** The error for a data folder that has more files than the process may open. */
export function tooManyFiles(count: number, cause: unknown): SearchError {
  const msg = `The data folder has ${count} files, which a reader keeps open, and the limit of open files is reached; raise it (ulimit -n).`;
  return new SearchError(500, "storage_failed", msg, { cause });
}
