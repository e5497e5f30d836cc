// Text that people read, told from text that machines read. Each test looks at the whole value, is linear, and needs no
// blank in it: a sentence that mentions an address is still a sentence.
const URL = /^(?:[a-z][a-z0-9+.-]{1,15}:\/\/|www\.|data:|mailto:)[^\s]*$/i;
const UUID = /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
/** False for URLs, data URIs, UUIDs and ISO dates: they are stored, but not searched unless an attribute is named. */
export function isFreeText(value) {
    const text = value.trim();
    return !(URL.test(text) || (text.length < 48 && (UUID.test(text) || DATE.test(text))));
}
