// Facet counts that tell the truth: the number beside a value is `nbHits` after choosing it. So each facet is counted over
// the members that pass all clicks but those of its own disjunctive groups.
import { FacetCounter } from "../attributes/facet-counts.js";
import { columnOf } from "../state/column-store.js";
import { ClickedMembers } from "./clicked-members.js";
/** Of more values in all, a facet is counted by itself: what counts them takes room. */
const MANY_VALUES = 1 << 14;
/** Counts the facets. */
export function* countFacets(input) {
    const facets = Object.create(null);
    const stats = Object.create(null);
    const told = new Map();
    for (const round of roundsOf(input)) {
        for (const [attribute, counter] of yield* countSegments(round, input)) {
            const counts = counter.counts(input.mostValues, input.accept);
            yield;
            told.set(attribute, { counts, stats: counter.stats() });
        }
    }
    for (const attribute of input.facets) {
        const { counts, stats: numbers } = told.get(attribute);
        facets[attribute] = counts;
        if (numbers !== undefined)
            stats[attribute] = numbers;
    }
    return { facets: { ...facets }, facetStats: { ...stats } };
}
/** The facets, those together that are counted together. */
function roundsOf({ facets, snapshot }) {
    const valuesOf = (attribute) => snapshot.segments.reduce((sum, { segment }) => sum + (columnOf(segment, attribute)?.values.length ?? 0), 0);
    const few = facets.filter((attribute) => valuesOf(attribute) <= MANY_VALUES);
    const alone = facets.filter((attribute) => !few.includes(attribute)).map((attribute) => [attribute]);
    return few.length === 0 ? alone : [few, ...alone];
}
/** Gives each facet's members to its counter. */
function* countSegments(facets, input) {
    const { members, clicked, groupOf, snapshot } = input;
    const counters = facets.map((attribute) => [attribute, new FacetCounter()]);
    const asked = facets.map((attribute) => clicksFor(attribute, input));
    const most = snapshot.segments.reduce((largest, { segment }) => Math.max(largest, segment.size), 0);
    const choices = new ClickedMembers(members, clicked, asked, most);
    for (const { segment, base } of snapshot.segments) {
        choices.begin(base, base + segment.size);
        for (const [facet, [attribute, counter]] of counters.entries()) {
            const column = columnOf(segment, attribute);
            if (column === undefined)
                continue;
            const { docs, size } = choices.of(facet);
            if (size === 0)
                continue;
            if (groupOf === undefined)
                yield* counter.add(column, docs, size);
            else
                counter.addGrouped(column, docs.toArray(), (doc) => groupOf(base + doc));
            yield;
        }
        yield;
    }
    return counters;
}
/** The clicks that the members of a facet pass: not those of its own disjunctive groups. */
function clicksFor(attribute, { refinements }) {
    return [...refinements.keys()].filter((click) => {
        const group = refinements[click];
        return !(group.disjunctive && group.attribute === attribute);
    });
}
