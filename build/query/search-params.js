// The parameters of a query as callers write them, with filters typed by the record: a wrong attribute or operator does not
// compile. Types only.
export {};
