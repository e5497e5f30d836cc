// Which records of a state pass a filter, by the columns of its segments.
import { evaluateFilter } from "../attributes/evaluate-filter.js";
import { conditionsOf } from "../attributes/filter.js";
import { DocSet } from "../base/doc-set.js";
import { columnOf } from "./column-store.js";
/** The living records of a state that pass a filter. */
export function* passFilter(filter, state) {
    const passed = new DocSet(state.docSpan);
    for (const { segment, dead, base } of state.segments) {
        const found = evaluateFilter(filter, (attribute) => columnOf(segment, attribute), segment.size);
        if (dead !== null)
            found.andNot(dead);
        passed.orFrom(found, base);
        yield;
    }
    return passed;
}
/** The attributes that a filter asks for; their columns must be there before it is evaluated. */
export function attributesOf(filter) {
    return conditionsOf(filter).map((condition) => condition.attribute);
}
