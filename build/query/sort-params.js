import { copyList } from "../base/checks.js";
const MOST_SORTS = 16;
/** Reads `["price:asc", "brand:desc"]`; the last colon parts name and direction. */
export function readSort(value, check, limits) {
    if (value === undefined)
        return [];
    const list = copyList(value, MOST_SORTS);
    const sorts = list?.map((item) => readOne(item, limits.attributeName));
    if (sorts !== undefined && sorts.length <= MOST_SORTS && sorts.every((sort) => sort !== undefined))
        return sorts;
    check.refuse("sort", value, `a list of at most ${MOST_SORTS} of "attribute:asc" or "attribute:desc"`);
    return [];
}
function readOne(item, longest) {
    if (typeof item !== "string")
        return undefined;
    const colon = item.lastIndexOf(":");
    const direction = item.slice(colon + 1);
    const attribute = item.slice(0, Math.max(0, colon));
    if (attribute === "" || attribute.length > longest || (direction !== "asc" && direction !== "desc"))
        return undefined;
    return { attribute, direction };
}
