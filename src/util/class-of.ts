// Which built-in object a value is, also of another realm, such as that of another frame or vm context.

/** The name of the class of a built-in object, such as `Date`, `Map` or `Float32Array`; `Object` for most others. */
export function classOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** True for a `Float32Array` or a `Float64Array`. */
export function isFloats(value: unknown): value is Float32Array | Float64Array {
  return ArrayBuffer.isView(value) && ["Float32Array", "Float64Array"].includes(classOf(value));
}

/** True for bytes, also a `Buffer`. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && classOf(value) === "Uint8Array";
}
