// Asking an index the queries of a judged set, one after the other.
import { throwIfAborted } from "../base/abort.js";
import { pauseIfLong } from "../base/slices.js";
/** The ids that each query found, best first, by its id. */
export async function askQueries(queries, { engine, indexName, depth, params, needs, signal, onQuery }) {
    const rankings = new Map();
    for (const query of queries) {
        throwIfAborted(signal);
        const asked = { ...query.params, ...params, page: 1, hitsPerPage: depth, attributesToRetrieve: [] };
        const { data } = await engine.query(indexName, asked, signal === undefined ? {} : { signal });
        const counts = needs === undefined || data.recallSource.includes(needs);
        rankings.set(query.id, counts ? data.hits.map(({ id }) => id) : []);
        onQuery();
        await pauseIfLong();
    }
    return rankings;
}
