import type { JsonRecord, JsonValue } from "../base/json.js";

/** The vector that a record brings, unchecked; null where it brings none. Own properties only. */
export function ownVector(record: JsonRecord, attribute: string | null): JsonValue {
  return attribute !== null && Object.hasOwn(record, attribute) ? record[attribute]! : null;
}
