// A segment as the leg of words sees it: its postings, who is deletedDocs, and what its fields count at this moment.
export {};
