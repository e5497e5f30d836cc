// What several copies of the library in one process have in common. A program can load a copy by `require`, another by `import`, and
// more in the folders of its dependencies; an error or an engine of one of them is one for all of them. The number in a symbol changes
// when copies before and after the change could not work together.
// Classes of built-in objects are known in any realm, such as that of another frame or vm context.

/** A symbol that is the same in all copies. */
export function sharedSymbol(name: string): symbol {
  return Symbol.for(`tandem-search.${name}.1`);
}

/** Makes `instanceof` of a class true for the objects of the class with this name in all copies. For a subclass, the prototype decides. */
export function addBrand(branded: { readonly prototype: object }, name: string): void {
  const brand = sharedSymbol(name);
  (branded.prototype as Record<symbol, true>)[brand] = true;
  const hasInstance = function (this: unknown, value: unknown): boolean {
    if (this !== branded) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && brand in value;
  };
  Object.defineProperty(branded, Symbol.hasInstance, { value: hasInstance });
}

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
