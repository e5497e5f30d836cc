// One posting list as a whole. A list begins with the number of its records and with their patterns; then come the records, each
// as the number of records between it and the one before, and, where there are several, the rank of its pattern.
import { BitReader, bitsAt, gapWidth, LONGEST_RUN, WHOLE_GAP } from "./bits.js";
import { Patterns } from "./patterns.js";
/** Records of a segment. */
const MOST = 65_536;
// Used until the next list is decoded.
const DOCS = new Uint16Array(MOST);
const RANKS = new Uint16Array(MOST);
const PATTERNS = new Patterns();
/** The postings of a term; valid until the next list is decoded. */
export function decodeList({ words, starts, docCount }, term) {
    const head = new BitReader(words, starts[term]);
    const size = starts[term] === starts[term + 1] ? 0 : head.gamma();
    if (size > 0)
        PATTERNS.read(head);
    const hasRanks = PATTERNS.size > 1;
    const width = gapWidth(docCount, size);
    let { at } = head;
    for (let i = 0, doc = -1; i < size; i++) {
        let bits = bitsAt(words, at);
        let used = Math.clz32(bits);
        if (used < LONGEST_RUN) {
            doc += 1 + ((used << width) | (((bits << (used + 1)) >>> 1) >>> (31 - width)));
            used += 1 + width;
        }
        else {
            used = LONGEST_RUN + WHOLE_GAP;
            doc += 1 + (bitsAt(words, at + LONGEST_RUN) >>> (32 - WHOLE_GAP));
        }
        DOCS[i] = doc;
        RANKS[i] = 0;
        if (hasRanks) {
            bits <<= used;
            let zeros = Math.clz32(bits);
            if (used + 2 * zeros + 1 <= 32)
                bits <<= zeros;
            else {
                // It does not stand whole in what was read.
                zeros = Math.clz32(bitsAt(words, at + used));
                bits = bitsAt(words, at + used + zeros);
            }
            RANKS[i] = (bits >>> (31 - zeros)) - 1;
            used += 2 * zeros + 1;
        }
        at += used;
    }
    return { docs: DOCS, ranks: RANKS, patterns: PATTERNS, size };
}
