// The parameters that say what a hit shows.
const LONGEST_TAG = 64;
/** Reads the parameters that say what a hit shows. */
export function readShape(named, check, limits) {
    const names = (name) => check.names(name, named.get(name), limits.attributeName, limits.attributesToRetrieve);
    const tag = (name, fallback) => {
        const value = named.has(name) ? named.get(name) : fallback;
        if (typeof value === "string" && value.length <= LONGEST_TAG)
            return value;
        check.refuse(name, value, `a text of at most ${LONGEST_TAG} characters`);
        return fallback;
    };
    return {
        attributesToRetrieve: names("attributesToRetrieve"),
        attributesToHighlight: names("attributesToHighlight") ?? [],
        attributesToSnippet: names("attributesToSnippet") ?? [],
        preTag: tag("highlightPreTag", "<em>"),
        postTag: tag("highlightPostTag", "</em>"),
        ellipsis: tag("snippetEllipsisText", "…"),
        explain: check.boolean("explain", named.get("explain"), false),
    };
}
