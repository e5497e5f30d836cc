// "Did you mean …": the known name nearest to an unknown one, by optimal string alignment distance without regard to case
// (Damerau 1964: insertions, deletions, substitutions and swaps of neighbours each count one).
const MAX_COMPARED = 64;
/** The known name within a third of the name's length (at least 2) of `name`, or undefined; ties go to the first. */
export function nearestName(name, known) {
    if (name.length > MAX_COMPARED)
        return undefined;
    const wanted = name.toLowerCase();
    let best;
    let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
    for (const candidate of known) {
        const distance = editDistance(wanted, candidate.toLowerCase());
        if (distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}
function editDistance(a, b) {
    let beforePrevious = [];
    let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        const row = [i];
        for (let j = 1; j <= b.length; j++) {
            const same = a[i - 1] === b[j - 1];
            let cost = Math.min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (same ? 0 : 1));
            if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
                cost = Math.min(cost, beforePrevious[j - 2] + 1);
            row.push(cost);
        }
        beforePrevious = previous;
        previous = row;
    }
    return previous[b.length];
}
