// SQLite's FTS5 through better-sqlite3: bm25() with a weight for each column.

const WORD = /[\p{L}\p{N}]+/gu;

export const fts5 = {
  label: "SQLite FTS5",
  settings: "columns as ours, title x 2, words joined by OR, tokenize porter unicode61",
  async open({ fields, rows }) {
    const { default: Database } = await import("better-sqlite3");
    const db = new Database(":memory:");
    const columns = fields.map((_, i) => `c${i}`);
    db.exec(
      `create virtual table records using fts5(id unindexed, ${columns.join(", ")}, tokenize = 'porter unicode61')`,
    );
    const insert = db.prepare(`insert into records values (?, ${columns.map(() => "?").join(", ")})`);
    db.transaction(() => {
      for (const { id, texts } of rows) insert.run(id, ...fields.map((name) => texts[name] ?? ""));
    })();
    const weights = [0, ...fields.map((_, i) => (i === 0 ? 2 : 1))].join(", ");
    const select = db.prepare(
      `select id from records where records match ? order by bm25(records, ${weights}), id limit ?`,
    );
    return (query, depth) => {
      const words = [...new Set(query.toLowerCase().match(WORD) ?? [])];
      if (words.length === 0) return [];
      return select.all(words.map((word) => `"${word}"`).join(" OR "), depth).map(({ id }) => id);
    };
  },
};
