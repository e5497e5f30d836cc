// The settings that speak of values: faceting, ranking, grouping.
import { copyList, isName } from "../base/checks.js";
const MOST_ATTRIBUTES = 1000;
const MOST_RANKINGS = 16;
const RANKING = /^(asc|desc)\((.+)\)$/s;
/** Reads the settings about values. */
export function readOrder(entries, longest, check) {
    const group = entries.get("attributeForDistinct");
    const attributeForDistinct = group === undefined ? null : check.name("attributeForDistinct", group, longest, "");
    const distinct = check.boolean("distinct", entries.get("distinct"), false);
    if (distinct && attributeForDistinct === null)
        check.refuse("distinct", true, "an attributeForDistinct beside it");
    return {
        attributesForFaceting: check.names("attributesForFaceting", entries.get("attributesForFaceting"), longest, MOST_ATTRIBUTES) ?? null,
        customRanking: readRanking(entries.get("customRanking"), longest, check),
        attributeForDistinct,
        distinct,
    };
}
/** `desc(popularity)` taken apart; undefined when it is not of that form. */
export function parseRanking(text) {
    const parts = RANKING.exec(text);
    return parts === null ? undefined : { direction: parts[1], attribute: parts[2] };
}
function readRanking(value, longest, check) {
    if (value === undefined)
        return [];
    const list = copyList(value, MOST_RANKINGS);
    if (list?.every((item) => typeof item === "string" && isName(parseRanking(item)?.attribute, longest)))
        return list;
    check.refuse("customRanking", value, `a list of at most ${MOST_RANKINGS} of "asc(attribute)" or "desc(attribute)"`);
    return [];
}
