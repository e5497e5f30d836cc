// Rows of the catalogue that cannot be run: what they speak of is not in the library yet, or never will be.

/** By row: why it is not tested. */
export const NOT_YET: Readonly<Record<string, string>> = {
  C15: "no schema: nothing to leave out",
  C17: "no typed fields",
  C20: "no schema: a dotted name and a nested field may stand side by side",
  C23: "no metric: vectors are compared by angle",
  C35: "storage",
  A63: "maxMemory",
  F33: "no geographic filters",
};
