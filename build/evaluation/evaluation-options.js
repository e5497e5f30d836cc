// The options of an evaluation, checked, with their defaults.
import { checkSignal } from "../base/abort.js";
import { Checker, ownEntries, unknownName } from "../base/checks.js";
import { throwValidationErrors } from "../base/errors.js";
import { DEFAULT_ENGINE, isEngine } from "./evaluated-engine.js";
const NAMES = ["engine", "k", "recallAt", "relevantFrom", "resamples", "seed", "signal", "onProgress"];
/** A page holds at most this many hits. */
const DEEPEST = 1000;
/** Checks the common options; `own` names further options of the calling function. Throws 400 with all complaints together. */
export function readOptions(options, own = []) {
    const entries = ownEntries(options, "options", "invalid_options");
    const check = new Checker("invalid_option", "options");
    const known = [...NAMES, ...own];
    for (const name of entries.keys())
        if (!known.includes(name))
            check.complaints.push({ error: "unknown_option", param: name, msg: unknownName("option", name, known) });
    const engine = entries.get("engine") ?? DEFAULT_ENGINE;
    if (engine !== DEFAULT_ENGINE && !isEngine(engine))
        check.complain("engine", engine, "a SearchEngine");
    const k = check.integer("k", entries.get("k"), 1, DEEPEST, 10);
    const recallAt = check.integer("recallAt", entries.get("recallAt"), k, DEEPEST, Math.max(k, 100));
    const relevantFrom = check.number("relevantFrom", entries.get("relevantFrom"), Number.MIN_VALUE, Number.MAX_VALUE, 1);
    const resamples = check.integer("resamples", entries.get("resamples"), 100, 1_000_000, 10_000);
    const seed = check.integer("seed", entries.get("seed"), 0, 2 ** 32 - 1, 1);
    const onProgress = entries.get("onProgress");
    if (onProgress !== undefined && typeof onProgress !== "function")
        check.complain("onProgress", onProgress, "a function");
    throwValidationErrors(check.complaints);
    return {
        engine: engine,
        cutoffs: { k, recallAt, relevantFrom },
        bootstrap: { resamples, seed },
        signal: checkSignal(entries.get("signal")),
        onProgress: quietly(onProgress),
        entries,
        check,
    };
}
/** A caller's handler must not make an evaluation fail. */
function quietly(handler) {
    return (progress) => {
        try {
            handler?.(progress);
        }
        catch {
            // The error belongs to the caller's handler.
        }
    };
}
