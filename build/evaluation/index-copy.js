// Work on a copy of an index, which is deleted afterwards whatever happens: the caller's own is never changed.
/** Makes a copy, hands its name to `work`, deletes it, and answers what `work` did. */
export async function withCopy(engine, indexName, work) {
    const copyName = await freeName(engine);
    await engine.copyIndex(indexName, copyName);
    try {
        return await work(copyName);
    }
    finally {
        await engine.deleteIndex(copyName);
    }
}
let copies = 0;
/** A name that no index has, and no other evaluation of this process takes. */
async function freeName(engine) {
    const taken = new Set((await engine.listIndexes()).map(({ name }) => name));
    let name;
    do
        name = `evaluation-copy-${++copies}`;
    while (taken.has(name));
    return name;
}
