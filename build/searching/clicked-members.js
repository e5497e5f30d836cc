// The members of one segment after the other, by the clicks that they pass. Facets that are counted over the same members share
// one set of them, and what all of them ask for is asked once.
import { DocSet } from "../base/doc-set.js";
/** Members by choices of clicks; each answer is used up before the next segment. */
export class ClickedMembers {
    members;
    clicked;
    /** By facet. */
    choices;
    /** What all choices ask for. */
    shared;
    words;
    /** Of the segment at hand. */
    found = new DocSet(0);
    base = 0;
    /** `asked`: by facet, which of the clicks its members pass. No segment has more than `most` records. */
    constructor(members, clicked, asked, most) {
        this.members = members;
        this.clicked = clicked;
        const wordsOf = () => new Uint32Array((most + 31) >>> 5);
        this.words = wordsOf();
        this.shared = [...clicked.keys()].filter((click) => asked.every((refinements) => refinements.includes(click)));
        const choices = new Map();
        this.choices = asked.map((all) => {
            const refinements = all.filter((click) => !this.shared.includes(click));
            const key = refinements.join();
            const choice = choices.get(key) ?? { refinements, words: wordsOf(), passing: null };
            choices.set(key, choice);
            return choice;
        });
    }
    /** Goes on to the segment whose records are `base` … `end` - 1. */
    begin(base, end) {
        this.base = base;
        this.found = this.members.within(base, end, this.words);
        for (const click of this.shared)
            this.keepClicked(this.found, click);
        for (const choice of this.choices)
            choice.passing = null;
    }
    /** Over whom a facet is counted. */
    of(facet) {
        const choice = this.choices[facet];
        choice.passing ??= this.pass(choice);
        return choice.passing;
    }
    pass({ refinements, words }) {
        const { found } = this;
        let docs = found;
        if (refinements.length > 0) {
            docs = new DocSet(found.size, words.subarray(0, found.words.length));
            docs.words.set(found.words);
            for (const click of refinements)
                this.keepClicked(docs, click);
        }
        return { docs, size: docs.count() };
    }
    keepClicked(docs, click) {
        docs.andFrom(this.clicked[click], this.base);
    }
}
