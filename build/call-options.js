// What a caller may pass beside the arguments of a verb.
import { checkSignal, throwIfAborted } from "./base/abort.js";
import { Checker, ownEntries } from "./base/checks.js";
import { SearchError, throwValidationErrors } from "./base/errors.js";
import { show } from "./base/show.js";
/** What to do when the name exists; throws 400 for wrong options. */
export function readCreateOptions(options) {
    const entries = ownEntries(options, "options", "invalid_options");
    const check = new Checker("invalid_option", "options");
    const ifExists = check.oneOf("ifExists", entries.get("ifExists"), ["error", "open"], "error");
    throwValidationErrors(check.complaints);
    return ifExists;
}
/** Reads the options of a call; throws 400 for wrong ones, 499 when the signal has been aborted already. */
export function readOptions(options) {
    const entries = ownEntries(options, "options", "invalid_options");
    const signal = checkSignal(entries.get("signal"));
    const onProgress = entries.get("onProgress");
    if (onProgress !== undefined && typeof onProgress !== "function")
        throw new SearchError(400, "invalid_options", `options.onProgress is ${show(onProgress)}; pass a function.`, {
            param: "onProgress",
        });
    const createIfNotExists = entries.has("createIfNotExists") ? entries.get("createIfNotExists") : true;
    if (typeof createIfNotExists !== "boolean")
        throw new SearchError(400, "invalid_options", `options.createIfNotExists is ${show(createIfNotExists)}; pass true or false.`, {
            param: "createIfNotExists",
        });
    throwIfAborted(signal);
    return {
        signal,
        createIfNotExists,
        onProgress: onProgress === undefined ? undefined : quietly(onProgress),
    };
}
/** A handler of the caller's must not make a write fail. */
function quietly(handler) {
    return (progress) => {
        try {
            handler(progress);
        }
        catch {
            // theirs, not ours
        }
    };
}
