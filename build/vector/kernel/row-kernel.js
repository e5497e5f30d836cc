// The inner loops over the rows of a segment, for one query at a time. There are two: WebAssembly for rows in a memory of its
// own, plain JavaScript for all others. They are twins: the same rows and the same bits come out of both.
export {};
