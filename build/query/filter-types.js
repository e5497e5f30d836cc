// Filters and clicks, typed by the record: a wrong attribute or operator does not compile. Types only.
export {};
