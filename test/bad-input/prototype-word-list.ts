// Words that built-in objects know, for the tests that put them wherever a caller may name something.

/** Names and values that built-in objects or JavaScript itself know. */
export const WORDS: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"],
  ...["isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "__defineGetter__", "__defineSetter__"],
  ...["__lookupGetter__", "__lookupSetter__", "length", "name", "caller", "callee", "arguments", "apply", "call"],
  ...["bind", "catch", "finally", "get", "set", "has", "size", "keys", "values", "entries", "forEach", "inspect"],
  ...["null", "undefined", "NaN", "Infinity", "true", "false", "default", "eval", "this", "class", "await", "exports"],
  ...["require", "module", "globalThis", "process", "Symbol.iterator", "nodejs.util.inspect.custom"],
];

/** An object with one own key, whatever it is called. */
export function keyed(key: string, value: unknown, rest = "{}"): Record<string, unknown> {
  const inner = rest.slice(1, -1);
  return JSON.parse(`{${inner}${inner === "" ? "" : ","}${JSON.stringify(key)}:${JSON.stringify(value)}}`);
}
