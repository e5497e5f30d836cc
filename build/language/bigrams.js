/** The characters of a run, and its pairs of neighbours. */
export function bigrams(run) {
    const characters = [...run];
    const pairs = [];
    for (let i = 1; i < characters.length; i++)
        pairs.push(characters[i - 1] + characters[i]);
    return { characters, pairs };
}
