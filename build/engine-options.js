// The options of an engine, checked, with their defaults.
import { Checker, ownEntries, unknownName } from "./base/checks.js";
import { throwValidationErrors } from "./base/errors.js";
import { resolveLimits } from "./base/limits.js";
import { nearestName } from "./base/show.js";
import { checkEmbedder } from "./settings/check-extensions.js";
import { MemoryBudget } from "./state/memory-budget.js";
import { createStaticEnEmbedder } from "./vector/static-en/static-en-embedder.js";
import { IndexingThreads } from "./writing/threads/indexing-threads.js";
const OPTION_NAMES = ["embedder", "onWarning", "strict", "limits", "indexingThreads"];
const MOST_THREADS = 64;
/** Beside this file, once the library's files are joined too. */
const THREAD_SCRIPT = new URL("./indexing-thread.js", import.meta.url);
/** Checks the options of an engine; throws 400 with all complaints together. */
export function readEngineOptions(options) {
    const entries = ownEntries(options, "options", "invalid_options");
    const check = new Checker("invalid_option", "options");
    const limits = resolveLimits(entries.get("limits"));
    const strict = entries.get("strict") ?? false;
    if (typeof strict !== "boolean")
        check.complain("strict", strict, "true or false");
    const onWarning = entries.get("onWarning");
    if (onWarning !== undefined && typeof onWarning !== "function")
        check.complain("onWarning", onWarning, "a function");
    const warn = (warning) => tell(onWarning, warning);
    const staticEn = createStaticEnEmbedder();
    const embedder = entries.get("embedder") ?? "static-en";
    const defaultEmbedder = embedder === "static-en"
        ? staticEn
        : embedder === false
            ? false
            : checkEmbedder("embedder", embedder, check, limits);
    const size = check.integer("indexingThreads", entries.get("indexingThreads"), 0, MOST_THREADS, 0);
    for (const name of entries.keys()) {
        if (OPTION_NAMES.includes(name))
            continue;
        const message = unknownName("option", name, OPTION_NAMES);
        if (strict === true)
            check.complaints.push({ error: "unknown_option", param: name, msg: message });
        else
            warn({
                code: "unknown_option",
                message: `${message} It was ignored.`,
                param: nearestName(name, OPTION_NAMES) ?? name,
            });
    }
    throwValidationErrors(check.complaints);
    const memory = new MemoryBudget(limits.maxMemory);
    const threads = size > 0 ? new IndexingThreads(size, THREAD_SCRIPT, staticEn) : undefined;
    return {
        limits,
        strict: strict === true,
        warn,
        staticEn,
        defaultEmbedder: defaultEmbedder ?? false,
        threads,
        memory,
    };
}
function tell(handler, warning) {
    try {
        handler?.(warning);
    }
    catch {
        // A handler that throws must not turn a warning into a failure.
    }
}
