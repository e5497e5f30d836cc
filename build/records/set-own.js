// Values are put into records as JSON.parse puts them, whatever somebody put on the prototypes.
/** Gives a new object an attribute of its own. */
export function setOwn(record, name, value) {
    // What every object has may be a setter, as "__proto__" is, or frozen; a descriptor would have it too.
    if (name in record) {
        const own = Object.create(null);
        own.value = value;
        own.enumerable = true;
        own.configurable = true;
        own.writable = true;
        Object.defineProperty(record, name, own);
    }
    else
        record[name] = value;
}
