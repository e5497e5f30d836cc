import { PathReader } from "../../src/docvalues/attribute-values.js";
import type { AttributeValue } from "../../src/docvalues/doc-values.js";
import type { JsonRecord } from "../../src/util/json.js";

/** The distinct values of a record at a path; 10 and "10" are two. */
export function valuesAt(record: JsonRecord, path: string): AttributeValue[] {
  const found = new Set<AttributeValue>();
  new PathReader([path]).read(record, (_, value) => found.add(value));
  return [...found];
}
