// For browsers, what the library uses of the `types` of Node's `node:util`: what a value is, whatever its prototype and its realm.

/** Reads the slot that only values of one kind have; false for all others. */
function hasSlot(read: (value: unknown) => unknown): (value: unknown) => boolean {
  return (value) => {
    try {
      read(value);
      return true;
    } catch {
      return false;
    }
  };
}

function getterOf(prototype: object, name: string | symbol): (value: unknown) => unknown {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name)!;
  return (value) => Reflect.apply(get!, value, []);
}

const { getTime } = Date.prototype;
const nameOf = getterOf(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const isDate = hasSlot((value) => Reflect.apply(getTime, value, []));
const isMap = hasSlot(getterOf(Map.prototype, "size"));
const isSet = hasSlot(getterOf(Set.prototype, "size"));

/** Only those of this realm; nothing in the language sees the others. A proxy may throw when it is asked for its prototype. */
function isPromise(value: unknown): value is Promise<unknown> {
  try {
    return value instanceof Promise;
  } catch {
    return false;
  }
}

export const types = {
  isUint8Array: (value: unknown): value is Uint8Array => nameOf(value) === "Uint8Array",
  isFloat32Array: (value: unknown): value is Float32Array => nameOf(value) === "Float32Array",
  isFloat64Array: (value: unknown): value is Float64Array => nameOf(value) === "Float64Array",
  isTypedArray: (value: unknown): boolean => nameOf(value) !== undefined,
  isDate: (value: unknown): value is Date => isDate(value),
  isMap: (value: unknown): value is Map<unknown, unknown> => isMap(value),
  isSet: (value: unknown): value is Set<unknown> => isSet(value),
  isPromise: (value: unknown): value is Promise<unknown> => isPromise(value),
  /** Nothing in a browser tells a proxy. */
  isProxy: (_value: unknown): boolean => false,
};
