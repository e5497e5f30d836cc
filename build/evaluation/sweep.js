// Tries settings on copies of an index, measures each by the same judgements and compares it with the index as it is.
import { Checker, copyList, ownEntries, unknownName } from "../base/checks.js";
import { throwValidationErrors } from "../base/errors.js";
import { askQueries, reweighted, searchedAttributes, withCopy } from "./evaluated-engine.js";
import { compare, scoreRankings } from "./evaluated-run.js";
import { readOptions } from "./evaluation-options.js";
import { readJudgedSet } from "./judged-set.js";
/**
 * Measures each combination of the values on a copy of the index and compares it with the current settings. The index itself
 * is never changed. If the settings name no `searchableAttributes`, a combination with `attributeWeights` names all of them
 * on the copy; named attributes are also searched for numbers and URLs.
 *
 * One in twenty combinations looks significant by chance. Choose on one half of the queries, confirm on the other.
 *
 * @throws SearchError 400 (judgements, options, values), 404, 499
 * @example
 * const { points } = await sweep("products", { queries, qrels }, { vary: { semanticWeight: [0, 0.1, 0.3] } });
 * for (const { values, run, differences } of points) console.log(values, run.means.ndcg, differences.ndcg);
 */
export async function sweep(indexName, judgements, options) {
    const { engine, cutoffs, bootstrap, signal, onProgress, entries } = readOptions(options, ["vary"]);
    const variations = readVariations(entries.get("vary"));
    const set = readJudgedSet(judgements, cutoffs.relevantFrom);
    const { effective } = await engine.getSettings(indexName);
    return withCopy(engine, indexName, async (base) => {
        const names = variations.some(({ attributeWeights }) => attributeWeights !== undefined)
            ? await searchedAttributes(engine, base, effective)
            : [];
        const trials = variations.map((values) => trialOf(values, effective, names));
        const total = (trials.length + 1) * set.queries.length;
        let done = 0;
        const onQuery = () => onProgress({ done: ++done, total });
        const measure = async (name, params) => {
            const asking = { engine, indexName: name, depth: cutoffs.recallAt, params, signal, onQuery };
            return scoreRankings(await askQueries(set.queries, asking), set, cutoffs);
        };
        const baseline = await measure(base, {});
        const points = [];
        for (const alike of grouped(trials))
            await withCopy(engine, base, async (copy) => {
                const { indexSettings } = alike[0];
                if (Object.keys(indexSettings).length > 0)
                    await engine.updateSettings(copy, indexSettings, signal === undefined ? {} : { signal });
                for (const { values, settings, params } of alike) {
                    const run = await measure(copy, params);
                    points.push({ values, settings, run, differences: await compare(run, baseline, bootstrap, signal) });
                }
            });
        return { baseline, points };
    });
}
/** Groups consecutive trials that differ in query parameters alone: they share a copy. */
function grouped(trials) {
    const groups = [];
    for (const trial of trials) {
        const last = groups.at(-1);
        if (last !== undefined && sameSettings(last[0].values, trial.values))
            last.push(trial);
        else
            groups.push([trial]);
    }
    return groups;
}
const SET = ["settings", "attributeWeights", "k1", "b", "matchingRatio"];
function sameSettings(a, b) {
    return SET.every((name) => a[name] === b[name]);
}
function trialOf(values, effective, attributes) {
    const { semanticWeight, semanticFloor, semanticDepth, matchingRatio, k1, b, attributeWeights } = values;
    const fusion = { fusion: { method: "convex", ...(semanticWeight !== undefined && { semanticWeight }) } };
    const indexSettings = {
        ...values.settings,
        ...(attributeWeights !== undefined && { searchableAttributes: reweighted(attributes, attributeWeights) }),
        ...((k1 !== undefined || b !== undefined) && {
            bm25: {
                ...effective.bm25,
                ...values.settings?.bm25,
                ...(k1 !== undefined && { k1 }),
                ...(b !== undefined && { b }),
            },
        }),
        ...(matchingRatio !== undefined && { matchingRatio }),
        ...(semanticWeight !== undefined && effective.fusion.method === "rrf" && fusion),
    };
    const near = {
        ...(semanticFloor !== undefined && { semanticFloor }),
        ...(semanticDepth !== undefined && { semanticDepth }),
    };
    return {
        values,
        indexSettings,
        params: { ...near, ...(semanticWeight !== undefined && { semanticWeight }) },
        settings: { ...indexSettings, ...near, ...(semanticWeight !== undefined && fusion) },
    };
}
/** In this order, settings that require indexing again change least often. */
const NAMES = [
    "settings",
    "attributeWeights",
    "k1",
    "b",
    "matchingRatio",
    "semanticDepth",
    "semanticFloor",
    "semanticWeight",
];
const MOST = 1000;
/** All combinations, the last name changing fastest. Throws 400; the values themselves are checked as settings. */
export function readVariations(given) {
    const entries = ownEntries(given, "options.vary", "invalid_variation");
    const check = new Checker("invalid_variation", "options.vary");
    for (const name of entries.keys())
        if (!NAMES.some((known) => known === name))
            check.complaints.push(unknown(name));
    let all = [{}];
    for (const name of NAMES) {
        const value = entries.get(name);
        const list = value === undefined ? undefined : copyList(value, MOST);
        if (value !== undefined && (list === undefined || list.length === 0 || !list.every(isFit(name))))
            check.complain(name, value, `a list of 1 to ${MOST} ${EXPECTED[name] ?? "numbers"}`);
        if (list === undefined || all.length * list.length > MOST * 10)
            continue;
        all = all.flatMap((variation) => list.map((item) => ({ ...variation, [name]: item })));
    }
    if (all.length > MOST || entries.size === 0)
        check.complain("vary", all.length, `1 to ${MOST} combinations of the values`);
    throwValidationErrors(check.complaints, 400, check.cause);
    return all;
}
const EXPECTED = {
    attributeWeights: "objects of weights by attribute",
    settings: "objects of settings",
};
function isFit(name) {
    if (EXPECTED[name] === undefined)
        return (item) => typeof item === "number" && Number.isFinite(item);
    return (item) => typeof item === "object" && item !== null && !Array.isArray(item);
}
function unknown(name) {
    return { error: "invalid_variation", param: name, msg: unknownName("variation", name, NAMES) };
}
