// The hash of a name: FNV-1a over code units (Fowler, Noll, Vo), begun with a secret, its bits mixed (the finish of MurmurHash3),
// so that the first of them tell names apart as the last do.
import { randomBytes } from "node:crypto";
/** Drawn anew in each process: nobody can make up names that all fall on one place. No answer depends on it. */
export const SALT = randomBytes(4).readUInt32LE();
/** The hash of a name: 32 bits, not negative. */
export function hashOf(name, salt) {
    let hash = salt;
    for (let i = 0; i < name.length; i++)
        hash = hashedUnit(hash, name.charCodeAt(i));
    return mixed(hash);
}
/** A hash with one more code unit; the last is to be {@link mixed}. */
export function hashedUnit(hash, unit) {
    return Math.imul(hash ^ unit, 0x01000193);
}
/** The hash of all code units. */
export function mixed(hash) {
    let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
    return (mix ^ (mix >>> 16)) >>> 0;
}
