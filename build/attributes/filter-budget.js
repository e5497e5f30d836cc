// How much of a filter has been read, against the limits: refusing while reading is what keeps a hostile filter cheap.
import { SearchError } from "../base/errors.js";
/** Counts the levels, conditions and list values of one filter; over a limit it throws 400 `filter_too_complex`. */
export class FilterBudget {
    limits;
    param;
    conditions = 0;
    values = 0;
    constructor(limits, param) {
        this.limits = limits;
        this.param = param;
    }
    /** Enters a level; the outermost is 1. */
    level(level, span) {
        const most = this.limits.filterDepth;
        if (level > most)
            throw this.refusal(`is nested deeper than ${most} levels; write it flatter.`, span);
    }
    /** Takes up one condition. */
    condition(span) {
        this.affords(1, span);
        this.conditions++;
    }
    /** Refuses what would bring so many more conditions, before any of it is read. */
    affords(count, span) {
        const most = this.limits.filterConditions;
        if (this.conditions + count > most)
            throw this.refusal(`has more than ${most} conditions; pass fewer, or a list.`, span);
    }
    /** Takes up the values of one list. */
    list(count) {
        this.values += count;
        const most = this.limits.filterValues;
        if (this.values > most)
            throw this.refusal(`has more than ${most} values in its lists; pass fewer.`);
    }
    /** The refusal of what is too much, for limits that are counted elsewhere. */
    refusal(msg, span) {
        const details = span === undefined ? {} : { details: { start: span.start, end: span.end } };
        return new SearchError(400, "filter_too_complex", `${this.param} ${msg}`, { param: this.param, ...details });
    }
}
