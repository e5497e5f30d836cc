// Which built-in object a value is, also of another realm, such as that of another frame or vm context.

/** The name of the class of a built-in object, such as `Date`, `Map` or `Float32Array`; `Object` for most others. */
export function classOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** True for bytes, also a `Buffer`. */
export function isBytes(value: unknown): value is Uint8Array {
  return classOf(value) === "Uint8Array";
}
