// Rows of the catalogue that cannot be run yet: what they speak of is not in the library.

/** By row: why it is not tested. */
export const NOT_YET: Readonly<Record<string, string>> = {
  C35: "storage",
};
