// What may be installed beside this package, or not.

// The whole module, because webpack follows a createRequire that is imported by name, and warns where it cannot.
import * as nodeModule from "node:module";

/**
 * The path of this code, or of the bundle that it is in, best first. Each is missing or wrong in some bundles: `__filename` is of CommonJS,
 * where some bundlers leave `import.meta` empty, and webpack makes `import.meta.url` the address at which the bundle was built.
 */
const OWN_PATHS = [() => __filename, () => import.meta.filename, () => import.meta.url];

/**
 * The exports of what is installed under a name; undefined: it is not found from any of our own paths. What its code throws is thrown.
 * The name must be one that no bundler can compute.
 */
export function requireInstalled(name: string): unknown {
  for (const ownPath of OWN_PATHS) {
    try {
      const load = nodeModule.createRequire(ownPath());
      return load(name);
    } catch (error) {
      if (!isElsewhere(error)) throw error;
    }
  }
  return undefined;
}

/** Whether there is no such path of our own, or nothing is found from it. */
function isElsewhere(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof ReferenceError || code === "ERR_INVALID_ARG_VALUE" || code === "MODULE_NOT_FOUND";
}
