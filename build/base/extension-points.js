// What a user may replace: how text becomes terms, and how text becomes vectors. Each extension point states its contract.
export {};
