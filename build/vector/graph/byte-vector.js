// A vector as the graph sees it: a byte a component, the greatest being 127. So rounded, some neighbours change places; the
// graph only finds candidates, whose cosines are exact.
const GREATEST = 127;
/** Writes a vector's bytes to `bytes`, which must be 0 behind them, and gives one over their length. */
export function writeBytes({ components }, bytes) {
    let greatest = 0;
    for (let i = 0; i < components.length; i++)
        greatest = Math.max(greatest, Math.abs(components[i]));
    const scale = GREATEST / greatest;
    let square = 0;
    for (let i = 0; i < components.length; i++) {
        const byte = Math.round(components[i] * scale);
        bytes[i] = byte;
        square += byte * byte;
    }
    return 1 / Math.sqrt(square);
}
