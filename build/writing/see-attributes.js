// Counts the values of records in a catalogue. Paths are put together once and found again by their steps: putting
// "a.b.c" together for every value, and hashing it, cost more than all else about it.
import { pathsOf } from "../attributes/attribute-values.js";
/** Shows records, but for the attribute of their vector, to a catalogue. */
export function attributeSeer(attributes, vectorAttribute) {
    const root = { path: "", children: new Map() };
    const see = (value, node) => {
        if (typeof value !== "object")
            attributes.see(node.path, value);
        else if (Array.isArray(value))
            for (const item of value)
                see(item, node);
        else if (value !== null)
            for (const name of Object.keys(value))
                see(value[name], childOf(node, name, `${node.path}.`));
    };
    return (record) => {
        const names = Object.keys(record);
        // A name with dots may hide a path of the same name.
        if (names.some((name) => name.includes("."))) {
            for (const [path, value] of pathsOf(record))
                if (path !== vectorAttribute)
                    attributes.see(path, value);
        }
        else
            for (const name of names)
                if (name !== vectorAttribute)
                    see(record[name], childOf(root, name, ""));
    };
}
function childOf(node, name, before) {
    let child = node.children.get(name);
    if (child === undefined) {
        child = { path: before + name, children: new Map() };
        node.children.set(name, child);
    }
    return child;
}
