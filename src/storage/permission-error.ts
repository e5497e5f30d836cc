// The errors for what the user of the process may not do: most often, one user made a data folder, and another one opens it.

import { basename } from "node:path";
import { SearchError } from "../util/errors.js";

const NOT_ALLOWED: readonly string[] = ["EACCES", "EPERM", "EROFS"];

/** What may not be read or written: a file of the data folder, or the folder itself, and its path. */
export interface Place {
  readonly file?: string | undefined;
  readonly path: string;
}

/** The system's code of a failure, or of the failure that a SearchError is about. */
function codeOf(error: unknown): string {
  const cause = error instanceof SearchError ? error.cause : error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? "";
}

/**
 * The error for a failure of the system: 500 `storage_failed`, or undefined where it was no lack of rights. Its message names the file
 * within the data folder; `details` have the whole path, and the number of the user where the system has one. Without a place, it is
 * about the path that the system names: of the data folder, or of a snapshot.
 */
export function permissionError(error: unknown, place?: Place): SearchError | undefined {
  const code = codeOf(error);
  if (!NOT_ALLOWED.includes(code)) return undefined;
  const cause = error instanceof SearchError ? error.cause : error;
  const { syscall, path = undefined } = { ...(cause as NodeJS.ErrnoException), ...place };
  const user = process.geteuid?.();
  const who = user === undefined ? "the user of this process" : `user ${user}`;
  const isMade = syscall === "mkdir";
  const what = `${subjectOf(place, path)} cannot be ${isMade ? "made" : "read or written"} by ${who} (${code})`;
  const details = { ...place, ...(path !== undefined && { path }), ...(user !== undefined && { user }) };
  return new SearchError(500, "storage_failed", `${what}; ${remedyFor(code, isMade, user)}.`, { details, cause });
}

function subjectOf(place: Place | undefined, path: string | undefined): string {
  if (place?.file !== undefined) return `The file "${place.file}" of the data folder`;
  return place === undefined && path !== undefined ? `"${basename(path)}"` : "The data folder";
}

function remedyFor(code: string, isMade: boolean, user: number | undefined): string {
  if (code === "EROFS")
    return "its disk is read only: open the data folder with readOnly: true, or choose a place on another disk";
  if (isMade) return "make it for that user, or let that user write to the folder above it";
  const how = user === undefined ? "" : ` (chown -R ${user} FOLDER)`;
  return `let that user own the folder with all its files${how}, or run the process as their owner`;
}
