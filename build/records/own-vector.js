/** The vector that a record brings, unchecked; null where it brings none. Own properties only. */
export function ownVector(record, attribute) {
    return attribute !== null && Object.hasOwn(record, attribute) ? record[attribute] : null;
}
