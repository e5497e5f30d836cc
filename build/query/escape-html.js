const ESCAPES = new Map(Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }));
/** A text as it stands in HTML, between tags or in a quoted attribute. */
export function escapeHtml(text) {
    return text.replace(/[&<>"']/g, (character) => ESCAPES.get(character));
}
