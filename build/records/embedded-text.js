import { valueAt } from "./read-fields.js";
/** The text of a record that is embedded: by default the searchable text without identifiers, the title twice; "" if none. */
export function embeddedText(record, fields, rules) {
    const texts = [];
    if (rules.embedded !== null) {
        for (const path of rules.embedded)
            collectText(valueAt(record, path), texts);
        return texts.join(" ").trim();
    }
    const title = fields.find((field) => field.isTitle);
    if (title !== undefined)
        texts.push(...title.texts, ...title.texts);
    for (const field of fields)
        if (field !== title)
            texts.push(...field.texts);
    return texts.join(" ").trim();
}
function collectText(value, texts) {
    if (typeof value === "string")
        texts.push(value);
    else if (typeof value === "number")
        texts.push(String(value));
    else if (Array.isArray(value))
        for (const item of value)
            collectText(item, texts);
    else if (typeof value === "object" && value !== null)
        for (const item of Object.values(value))
            collectText(item, texts);
}
