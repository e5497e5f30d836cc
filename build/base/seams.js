// What a user may replace: how text becomes terms, and how text becomes vectors. Each seam states its contract; a contract
// test runs against every implementation.
export {};
