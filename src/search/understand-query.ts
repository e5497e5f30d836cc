// What a text would be understood to ask for on an index, without searching it.

import { type BoundedVersion, unboundedVersion } from "../index/bounded-snapshot.js";
import { ColumnReferences } from "../index/column-store.js";
import type { IndexVersion } from "../index/index-data.js";
import type { MemoryBudget } from "../index/memory-budget.js";
import { warnOfPrices } from "../index/warn-value-kinds.js";
import { loadEnglishReader } from "../understanding/english-reader.js";
import type { Intent } from "../understanding/intent.js";
import { type LeftAlone, readIntent } from "../understanding/read-intent.js";
import { SearchError } from "../util/errors.js";
import type { Warn } from "../util/extension-points.js";
import { utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";
import { runTask, type Task } from "../util/tasks.js";
import { FactsOfIndex } from "./intent-facts.js";

/** What a text is read with. */
export interface IntentContext {
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  readonly memory: MemoryBudget;
  readonly warn: Warn;
}

/** Reads what a text asks for. Rejects with 400 where it is no text, is too long, or the language of the index is not English. */
export async function understandQuery(
  text: unknown,
  context: IntentContext & { readonly version: () => IndexVersion },
): Promise<Intent> {
  const checked = checkText(text, context.limits);
  requireEnglish(context.version());
  await loadEnglishReader();
  return readOnIndex(checked, unboundedVersion(context.version()), context);
}

/** What a text asks for, read against a version of an index. Rejects with 400 where its language is not English. */
export async function readOnIndex(
  text: string,
  version: BoundedVersion,
  { signal, memory, warn }: IntentContext,
  scope?: LeftAlone,
): Promise<Intent> {
  requireEnglish(version);
  const reader = await loadEnglishReader();
  const columns = new ColumnReferences();
  const read = function* (): Task<Intent> {
    const facts = yield* FactsOfIndex.of(version, columns);
    const intent = yield* readIntent(text, facts, reader, scope);
    if (facts.missedPrices !== null) yield* warnOfPrices(facts.missedPrices, version.snapshot, warn);
    return intent;
  };
  try {
    return await runTask(read(), signal);
  } finally {
    columns.release(memory.columnsToKeep());
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

function requireEnglish({ settings: { effective } }: Pick<IndexVersion, "settings">): void {
  const { language } = effective;
  if (language !== null && new Intl.Locale(language).language === "en") return;
  const is = language === null ? "has none" : `has ${show(language)}`;
  const msg = `Queries are understood in English only, and this index ${is} as its language; set language to "en" if its texts are English.`;
  throw new SearchError(400, "invalid_parameter", msg, { param: "understand" });
}
