// What of a record a hit shows: paths, `*`, `-path`. Own properties only; arrays of objects are walked item by item.
/** The parts of a record that `attributesToRetrieve` names; undefined: all. Takes a fresh copy, which it may return. */
export function projectRecord(record, paths) {
    if (paths === undefined)
        return record;
    const hidden = paths.filter((path) => path.startsWith("-") && path.length > 1).map((path) => path.slice(1));
    const shown = paths.filter((path) => !path.startsWith("-"));
    // Only exclusions: everything else is shown.
    const whole = shown.includes("*") || (shown.length === 0 && hidden.length > 0);
    let projected = whole ? record : (pick(record, shown) ?? {});
    for (const path of hidden)
        projected = omit(projected, path, record);
    return projected;
}
/** What is left of a path behind a name; undefined: it leads elsewhere. A name with dots is the steps it spells. */
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
/** `whole`: what `value` was before anything was left out; its own names decide where a path leads. */
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
