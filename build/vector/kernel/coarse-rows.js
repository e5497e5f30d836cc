// Rows once more in 4 bits a component, half the bytes of a first look. Four components share a lane of 16 bits: shifted to
// the left, each stands highest once, and what is below it counts as its fraction, which was taken into account when it was
// rounded. So a kernel needs no masks. What is left out bounds the cosine, as it does for the high bytes.
const LANES = 8;
const NIBBLE = 4;
/** Components that share a register: component i, i + 8, i + 16 and i + 24 a lane. */
const GROUP = 4 * LANES;
/** A component of one unit, in its lane. */
const ONE = 4096;
/** The step of 16 even ones that leaves out least of a normal distribution (Max, "Quantizing for Minimum Distortion", 1960). */
const BEST_STEP = 0.3352;
/** A greater step than to the greatest component is waste. */
const MOST_STEPS = 7.5;
/** More than all that 32-bit floats can lose between the exact cosine and what a kernel compares. */
const FLOAT_LOSS = 2e-6;
/** Lanes reach 2^15 each, so a query of this length over the root of their number keeps their sum within 32 bits. */
const MOST_LENGTH = 65_000;
/** Writes a row. */
export function writeCoarse(to, row, { components, inverseLength }) {
    const unit = unitOf(components);
    const units = 1 / unit;
    const end = (row + 1) * to.stride;
    let rest = 0;
    for (let at = row * to.stride, first = 0; at < end; at++, first += first % LANES === LANES - 1 ? GROUP - LANES + 1 : 1) {
        let bits = 0;
        // The last of the four first: it is a fraction of those above it.
        for (let i = first + GROUP - LANES; i >= first; i -= LANES) {
            const component = i < components.length ? components[i] : 0;
            const fraction = bits / ONE / 16;
            const nibble = Math.max(-8, Math.min(7, Math.floor(component * units - fraction + 0.5)));
            bits = (bits >>> NIBBLE) | ((nibble & 15) << 12);
            const left = component - unit * (nibble + fraction);
            if (i < components.length)
                rest += left * left;
        }
        to.lanes[at] = bits;
    }
    to.factors[row] = (unit / ONE) * inverseLength;
    to.slacks[row] = Math.sqrt(rest) * inverseLength + FLOAT_LOSS;
}
/** Writes a row as it is in other rows. */
export function copyCoarse(to, row, from, fromRow) {
    const start = fromRow * from.stride;
    to.lanes.set(from.lanes.subarray(start, start + from.stride), row * to.stride);
    to.factors[row] = from.factors[fromRow];
    to.slacks[row] = from.slacks[fromRow];
}
function unitOf(components) {
    let most = 0;
    let square = 0;
    for (let i = 0; i < components.length; i++) {
        most = Math.max(most, Math.abs(components[i]));
        square += components[i] * components[i];
    }
    return Math.min(most / MOST_STEPS, BEST_STEP * Math.sqrt(square / components.length)) || 1;
}
/** Rounds a query to where its products with lanes add up in 32 bits. */
export function writeCoarseQuery({ components, inverseLength }, to) {
    const root = Math.sqrt(components.length);
    const unit = 1 / ((MOST_LENGTH / root - root / 2) * inverseLength);
    let rest = 0;
    for (let i = 0; i < components.length; i++) {
        const rounded = Math.round(components[i] / unit);
        to[i] = rounded;
        const left = components[i] - unit * rounded;
        rest += left * left;
    }
    // A row by its lanes is at most as long as the row and what they leave out of it.
    const leeway = Math.sqrt(rest) * inverseLength;
    return { scale: unit * inverseLength, growth: 1 + leeway, leeway };
}
