// The number of a record, of two kinds that are both whole numbers from 0. The types keep them apart and cost nothing at runtime.

declare const numberedIn: unique symbol;

/** The number of a record in one snapshot of an index. */
export type Doc = number & { readonly [numberedIn]: "index" };

/** The number of a record within its segment: that in the index minus the segment's `base`. */
export type LocalDoc = number & { readonly [numberedIn]: "segment" };

/** Record numbers of one kind. Who fills such an array writes to a plain one. */
export interface DocArray<D extends Doc | LocalDoc> extends Uint32Array<ArrayBuffer> {
  readonly [index: number]: D;
  [Symbol.iterator](): ArrayIterator<D>;
  filter(test: (doc: D, place: number, docs: this) => unknown): DocArray<D>;
}

/** The number in the index of a record of the segment with this base. */
export function toDoc(base: number, doc: LocalDoc): Doc {
  return (base + doc) as Doc;
}

/** The number of a record within its segment, which has this base. */
export function toLocal(base: number, doc: Doc): LocalDoc {
  return (doc - base) as LocalDoc;
}
