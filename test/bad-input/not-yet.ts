// Rows of the catalogue that cannot be run: what they speak of is not in the library yet, or never will be.

/** By row: why it is not tested. */
export const NOT_YET: Readonly<Record<string, string>> = {
  C15: "no schema: nothing to leave out",
  C17: "no typed fields",
  C20: "no schema: a dotted name and a nested field may stand side by side",
  C23: "no metric: vectors are compared by angle",
  C32: "synonyms",
  C33: "synonyms",
  C35: "storage",
  A37: "no typed fields",
  A38: "no typed fields",
  A40: "no typed fields, no facets",
  A41: "facets",
  A63: "maxMemory",
  A67: "deleteBy",
  Q34: "attributesToRetrieve",
  Q35: "attributesToRetrieve",
  Q36: "attributesToRetrieve",
  Q37: "facets",
  Q38: "facets",
  Q39: "facets",
  Q40: "sort",
  Q41: "sort",
  Q51: "highlighting",
  P21: "no parameter is true or false yet",
};
