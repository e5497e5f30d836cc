// The user's own analyzer and embedder, judged by their shape before anything relies on them.
import { copyList } from "../base/checks.js";
import { SearchError } from "../base/errors.js";
const MOST_TEXTS = 1_000_000;
const MOST_TERMS = 1_000_000;
const DEFAULT_BATCH = 256;
const EMBEDDER_PARTS = ["id", "dimensions", "maxBatchSize", "wordsOnly", "knows", "meaningOf", "embedParts", "embed"];
/** The analyzer a setting names; English by default. */
export function readAnalyzer(value, check) {
    if (value === undefined || value === "english")
        return "english";
    if (value === "plain")
        return "plain";
    const shape = shapeOf(value, ["id", "analyze"]);
    const id = shape?.get("id");
    if (isId(id) && typeof shape?.get("analyze") === "function")
        return sameAgain(value, { id, analyze: (text) => analyzeSafely(value, text) });
    check.refuse("analyzer", value, '"english", "plain" or { id, analyze(text) }', "invalid_analyzer");
    return "english";
}
/** The embedder a setting names: the engine's by default, none where records bring their own vectors. */
export function readEmbedder(value, ownVectors, check, choice) {
    if (value === undefined)
        return ownVectors || choice.defaultEmbedder === false ? undefined : choice.defaultEmbedder;
    if (value === false)
        return undefined;
    if (value === "static-en")
        return choice.staticEn;
    return checkEmbedder("embedder", value, check, choice.limits);
}
/** A user's embedder with what it says of itself read once, or undefined with a complaint. */
export function checkEmbedder(name, value, check, limits) {
    const shape = shapeOf(value, EMBEDDER_PARTS);
    const id = shape?.get("id");
    if (shape === undefined || !isId(id) || typeof shape.get("embed") !== "function") {
        check.refuse(name, value, '"static-en", false or { id, dimensions, embed(texts, options) }', "invalid_embedder");
        return undefined;
    }
    const before = check.complaints.length;
    const most = limits.dimensions;
    const size = shape.get("maxBatchSize");
    const wordsOnly = shape.get("wordsOnly") === true;
    const dimensions = check.integer(`${name}.dimensions`, shape.get("dimensions") ?? null, 1, most, 1, "invalid_embedder");
    const maxBatchSize = check.integer(`${name}.maxBatchSize`, size, 1, MOST_TEXTS, DEFAULT_BATCH, "invalid_embedder");
    if (check.complaints.length > before)
        return undefined;
    const own = value;
    return sameAgain(own, {
        id,
        dimensions,
        maxBatchSize,
        wordsOnly,
        embed: async (...args) => own.embed(...args),
        knows: (word) => typeof shape.get("knows") === "function" && knowsSafely(own, word),
        ...(typeof shape.get("meaningOf") === "function" ? { meaningOf: (word) => meaningSafely(own, word) } : {}),
        ...(typeof shape.get("embedParts") === "function"
            ? { embedParts: async (parts, options) => own.embedParts(parts, options) }
            : {}),
    });
}
/** The last reading of each user's object: one that still says the same of itself is the same embedder or analyzer. */
const readings = new WeakMap();
function sameAgain(own, reading) {
    const last = readings.get(own);
    if (last !== undefined && saysTheSame(last, reading))
        return last;
    readings.set(own, reading);
    return Object.freeze(reading);
}
function saysTheSame(a, b) {
    const [first, second] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
    return ["id", "dimensions", "maxBatchSize", "wordsOnly"].every((name) => first.get(name) === second.get(name));
}
/** What the user's model makes of a word; what fails means nothing. */
function meaningSafely(embedder, word) {
    try {
        const meaning = embedder.meaningOf?.(word) ?? null;
        return meaning === null ? null : new OwnMeaning(meaning);
    }
    catch {
        return null;
    }
}
/** The user's meaning of a word; what is no number or fails is 0. */
class OwnMeaning {
    own;
    constructor(own) {
        this.own = own;
    }
    nearnessTo(other) {
        try {
            const nearness = other instanceof OwnMeaning ? this.own.nearnessTo(other.own) : 0;
            return typeof nearness === "number" && Number.isFinite(nearness) ? nearness : 0;
        }
        catch {
            return 0;
        }
    }
}
/** Whether the user's model knows a word; one that cannot say does not. */
function knowsSafely(embedder, word) {
    try {
        return embedder.knows?.(word) === true;
    }
    catch {
        return false;
    }
}
/** The terms of a user's analyzer, checked: what it throws or answers must not tear an index apart. */
function analyzeSafely(analyzer, text) {
    try {
        const terms = copyList(analyzer.analyze(text), MOST_TERMS);
        if (terms?.every((term) => typeof term === "string"))
            return terms.filter((term) => term !== "");
    }
    catch (cause) {
        throw new SearchError(502, "analyzer_failed", "The analyzer threw an error (see cause); nothing was changed.", {
            param: "analyzer",
            cause,
        });
    }
    throw new SearchError(502, "analyzer_failed", "The analyzer did not answer a list of texts; nothing was changed.", {
        param: "analyzer",
    });
}
/** Named properties of an object or class instance (inherited ones too: methods live there), each read once. What stands on
 * Object.prototype is nobody's. */
function shapeOf(value, names) {
    if (typeof value !== "object" || value === null)
        return undefined;
    try {
        const own = names.filter((name) => !Object.hasOwn(Object.prototype, name) || stands(value, name));
        return new Map(own.map((name) => [name, value[name]]));
    }
    catch {
        return undefined;
    }
}
function stands(value, name) {
    for (let at = value; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
        if (Object.hasOwn(at, name))
            return true;
    return false;
}
function isId(value) {
    return typeof value === "string" && value.length > 0 && value.length <= 256;
}
