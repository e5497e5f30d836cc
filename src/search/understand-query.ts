// What a text would be understood to ask for on an index, without searching it.

import { ColumnReferences } from "../index/column-store.js";
import { loadEnglishReader } from "../understanding/english-reader.js";
import type { Intent } from "../understanding/intent.js";
import { readIntent } from "../understanding/read-intent.js";
import { SearchError } from "../util/errors.js";
import { utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";
import { runTask, type Task } from "../util/tasks.js";
import { FactsOfIndex } from "./intent-facts.js";
import type { QueryContext } from "./search.js";

/** Reads what a text asks for. Rejects with 400 where it is no text, is too long, or the language of the index is not English. */
export async function understandQuery(text: unknown, context: QueryContext): Promise<Intent> {
  const checked = checkText(text, context.limits);
  requireEnglish(context.version().settings.effective.language);
  const reader = await loadEnglishReader();
  const version = context.version();
  requireEnglish(version.settings.effective.language);
  const columns = new ColumnReferences();
  try {
    return await runTask(read(), context.signal);
  } finally {
    columns.release(context.memory.columnsToKeep());
  }

  function* read(): Task<Intent> {
    return yield* readIntent(checked, yield* FactsOfIndex.of(version, columns), reader);
  }
}

function checkText(text: unknown, { queryBytes }: Limits): string {
  if (typeof text !== "string")
    throw new SearchError(400, "invalid_query", `The query is ${show(text)}; pass a text.`, { param: "query" });
  if (text.length > queryBytes || utf8Length(text) > queryBytes)
    throw new SearchError(400, "query_too_long", `The query has more than ${queryBytes} bytes; shorten it.`, {
      param: "query",
    });
  return text;
}

function requireEnglish(language: string | null): void {
  if (language !== null && new Intl.Locale(language).language === "en") return;
  const is = language === null ? "has none" : `has ${show(language)}`;
  const msg = `Queries are understood in English only, and this index ${is} as its language; set language to "en" if its texts are English.`;
  throw new SearchError(400, "invalid_parameter", msg, { param: "understand" });
}
