// What a record type may hold, so that a record which no index takes does not compile. Types only.

/** The depth to which attributes are looked at. */
type Depth = [never, 0, 1, 2];

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The text after the path of an attribute that no record may hold, or after the part of the path that is known; else `never`. */
type Fault<V, D extends number> =
  IsAny<V> extends true
    ? never
    : V extends Date
      ? never
      : V extends (...args: never) => unknown
        ? " is a function; records are plain objects"
        : V extends bigint
          ? " is a bigint; store a number or a text"
          : V extends symbol
            ? " is a symbol; store a text"
            : V extends PromiseLike<unknown>
              ? " is a promise; await it"
              : V extends { has(key: never): boolean }
                ? " is a Map or a Set; store a plain object or a list"
                : V extends ArrayBufferView
                  ? never
                  : [D] extends [never]
                    ? never
                    : V extends readonly (infer Item)[]
                      ? Fault<Item, Depth[D]>
                      : V extends object
                        ? `.${FaultIn<V, Depth[D]>}`
                        : never;

type FaultIn<R, D extends number> = { [K in keyof R & string]-?: `${K}${Fault<R[K], D>}` }[keyof R & string];

/**
 * `V`; or, if the record type has an attribute that no record may hold, a text that says which and what to store instead. `V` is given
 * in such a form that records of a type parameter are taken too: TypeScript then looks at the second branch alone.
 *
 * @typeParam R - the record type
 * @typeParam V - what is given of such records
 */
export type Storable<R extends object, V> = [Faultless<FaultIn<R, 2>>] extends [never] ? FaultIn<R, 2> : V;

type Faultless<F> = [F] extends [never] ? true : never;
