// A 32-bit hash of texts: FNV-1a over the code units, then the finalizer of MurmurHash3, so that all bits are well mixed.

/** The hash of a text, 0 … 2^32 - 1. A `salt` that nobody knows prevents texts that are made up to collide. */
export function hashText(text: string, salt: number): number {
  let hash = salt;
  for (let i = 0; i < text.length; i++) hash = addToHash(hash, text.charCodeAt(i));
  return finishHash(hash);
}

/** Adds one code unit to a hash that began as the salt. {@link finishHash} gives the result. */
export function addToHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** The result, 0 … 2^32 - 1, after all code units are added. */
export function finishHash(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
