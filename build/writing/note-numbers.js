// The numbers by which a segment's writer knows the terms of a token that stands in a memo. The memo keeps them for the next time.
/** Where among the numbers of the memo's cells the writer's of a token's terms stand. */
export function numbersFor(memo, token, writer) {
    const at = memo.cells.numbersAt(token);
    if (memo.cells.ownerOf(token) !== writer.id)
        note(memo, token, at, writer);
    return at;
}
/** Notes those of all its terms, in place of those of another writer. */
function note({ cells, terms }, token, at, writer) {
    const first = cells.firstTerm(token);
    const { numbers } = cells;
    for (let term = 0, count = cells.termCount(token); term < count; term++)
        numbers[at + term] = writer.numberOf(terms[first + term]);
    cells.setOwner(token, writer.id);
}
