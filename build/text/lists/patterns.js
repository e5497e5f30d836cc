// How records hold a term: in which of their fields, and how often in each. A term has few such patterns (a brand stands once
// in each of two fields, a common word once in a text), so a list tells them first, and of each record only which it is.
/** Room for more is given back before the next list is read. */
const MOST_KEPT = 1 << 16;
/** The patterns of one list, by rank; those of most records come first. What is behind them is of no meaning. */
export class Patterns {
    size = 0;
    /** The places of pattern r are starts[r] … starts[r + 1] - 1. */
    starts = [];
    /** Of each place which of its record's slots it is, counted from the first. */
    offsets = [];
    freqs = [];
    /** Reads those of a list, in place of what is here: their number, and of each the number of places, distances, frequencies. */
    read(bits) {
        const { starts, offsets, freqs } = this;
        if (offsets.length > MOST_KEPT)
            for (const list of [starts, offsets, freqs])
                list.length = 0;
        // Lists are never made shorter otherwise: it would take longer than to read the patterns.
        const size = bits.gamma();
        let to = 0;
        starts[0] = 0;
        for (let rank = 0; rank < size; rank++) {
            let offset = -1;
            for (let places = bits.gamma(); places > 0; places--) {
                offset += bits.gamma();
                offsets[to] = offset;
                freqs[to++] = bits.gamma();
            }
            starts[rank + 1] = to;
        }
        this.size = size;
    }
}
