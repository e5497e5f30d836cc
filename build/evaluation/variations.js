// The settings that a sweep tries: each list of values, all combinations of them.
import { Checker, copyList, ownEntries, unknownName } from "../base/checks.js";
import { refuse } from "../base/errors.js";
/** What has to be indexed again changes last. */
const NAMES = [
    "settings",
    "attributeWeights",
    "k1",
    "b",
    "matchingRatio",
    "semanticDepth",
    "semanticFloor",
    "semanticWeight",
];
const MOST = 1000;
/** All combinations, the last name changing fastest; throws 400. The values are checked where they become settings. */
export function readVariations(given) {
    const entries = ownEntries(given, "options.vary", "invalid_variation");
    const check = new Checker("invalid_variation", "options.vary");
    for (const name of entries.keys())
        if (!NAMES.some((known) => known === name))
            check.complaints.push(unknown(name));
    let all = [{}];
    for (const name of NAMES) {
        const value = entries.get(name);
        const list = value === undefined ? undefined : copyList(value, MOST);
        if (value !== undefined && (list === undefined || list.length === 0 || !list.every(isFit(name))))
            check.refuse(name, value, `a list of 1 to ${MOST} ${EXPECTED[name] ?? "numbers"}`);
        if (list === undefined || all.length * list.length > MOST * 10)
            continue;
        all = all.flatMap((variation) => list.map((item) => ({ ...variation, [name]: item })));
    }
    if (all.length > MOST || entries.size === 0)
        check.refuse("vary", all.length, `1 to ${MOST} combinations of the values`);
    refuse(check.complaints, 400, check.cause);
    return all;
}
const EXPECTED = {
    attributeWeights: "objects of weights by attribute",
    settings: "objects of settings",
};
function isFit(name) {
    if (EXPECTED[name] === undefined)
        return (item) => typeof item === "number" && Number.isFinite(item);
    return (item) => typeof item === "object" && item !== null && !Array.isArray(item);
}
function unknown(name) {
    return { error: "invalid_variation", param: name, msg: unknownName("variation", name, NAMES) };
}
