// The documented answer, its keys in the documented order, and the part of a record that `attributesToRetrieve` names.
/** Wraps the data of an answer into the success envelope. */
export function buildAnswer(data) {
    const { query, indexUse, recallSource, nbHits, page, hitsPerPage, serverTimeMS, processingTimeMS, hits } = data;
    const documented = { query, indexUse, recallSource, nbHits, page, hitsPerPage, serverTimeMS, processingTimeMS, hits };
    // Own properties only: a polluted Object.prototype must not add to an answer.
    const facets = Object.hasOwn(data, "facets") ? { facets: data.facets } : {};
    const facetStats = Object.hasOwn(data, "facetStats") ? { facetStats: data.facetStats } : {};
    return { msg: "success", code: 200, data: { ...documented, ...facets, ...facetStats } };
}
/**
 * The parts of a record that `attributesToRetrieve` names: paths, `*`, `-path`; undefined: all. Own properties only; arrays
 * of objects are walked item by item. Takes a fresh copy of the record, which it may return.
 */
export function projectRecord(record, paths) {
    if (paths === undefined)
        return record;
    const hidden = paths.filter((path) => path.startsWith("-") && path.length > 1).map((path) => path.slice(1));
    const shown = paths.filter((path) => !path.startsWith("-"));
    // With exclusions only, everything else is shown.
    const whole = shown.includes("*") || (shown.length === 0 && hidden.length > 0);
    let projected = whole ? record : (pick(record, shown) ?? {});
    for (const path of hidden)
        projected = omit(projected, path, record);
    return projected;
}
/** The rest of a path after a name ("" at its end); undefined: the path leads elsewhere. A name may itself contain dots. */
function behind(path, name, names) {
    if (path === name)
        return "";
    // An attribute whose own name is the whole path wins.
    if (!path.startsWith(`${name}.`) || Object.hasOwn(names, path))
        return undefined;
    return path.slice(name.length + 1);
}
function pick(value, paths) {
    if (paths.includes(""))
        return value;
    if (Array.isArray(value)) {
        const items = value.map((item) => pick(item, paths)).filter((item) => item !== undefined);
        return items.length === 0 ? undefined : items;
    }
    if (typeof value !== "object" || value === null)
        return undefined;
    const names = value;
    const entries = [];
    for (const [name, inner] of Object.entries(names)) {
        const deeper = paths.map((path) => behind(path, name, names)).filter((path) => path !== undefined);
        const picked = deeper.length === 0 ? undefined : pick(inner, deeper);
        if (picked !== undefined)
            entries.push([name, picked]);
    }
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
/** Removes a path from `value`. `whole` is the value before any removal; its own names decide where a path leads. */
function omit(value, path, whole = value) {
    if (Array.isArray(value))
        return value.map((item) => omit(item, path));
    if (typeof value !== "object" || value === null)
        return value;
    const names = whole;
    const entries = [];
    for (const [name, inner] of Object.entries(value)) {
        const deeper = behind(path, name, names);
        if (deeper !== "")
            entries.push([name, deeper === undefined ? inner : omit(inner, deeper)]);
    }
    return Object.fromEntries(entries);
}
