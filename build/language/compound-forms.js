/** The forms of a compound token, given as normalised text; not stemmed. */
export function compoundForms(token) {
    const parts = token
        .split(/[-_&]/)
        .map(cleanWord)
        .filter((part) => part !== "");
    return { joined: parts.join(""), parts };
}
/** A word without its apostrophes: "men's" -> "men", "l'oreal" -> "loreal". */
export function cleanWord(word) {
    if (!word.includes("'"))
        return word;
    const owner = word.endsWith("'s") ? word.slice(0, -2) : word;
    return owner.replaceAll("'", "");
}
