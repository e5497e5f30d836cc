// Judging: how relevant each hit is for its query, by a click; and what the judgements say of the index.

import { useEffect, useState } from "preact/hooks";
import type { JudgedSet, Measures } from "../src/evaluation.js";
import type { JsonRecord } from "../src/index.js";
import type { ViewProps } from "./app.js";
import { titleOf } from "./hits.js";
import { download } from "./settings.js";
import { own } from "./state.js";

/** How relevant records are, by query and id. */
export type Judgements = Readonly<Record<string, Readonly<Record<string, number>>>>;

const GRADES = ["no", "fair", "good", "best"];
const MEASURES = [
  ["ndcg", "nDCG at 10"],
  ["recall", "recall at 100"],
  ["mrr", "first relevant hit (MRR)"],
  ["precision", "precision at 10"],
] as const;

const keyOf = (name: string) => `tandem-search judgements of ${name}`;

export function readJudgements(name: string): Judgements {
  try {
    return JSON.parse(localStorage.getItem(keyOf(name)) ?? "{}");
  } catch {
    return {};
  }
}

export function storeJudgements(name: string, judgements: Judgements): void {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(judgements));
  } catch {
    // Some browsers keep nothing for pages that are files; the judgements last as long as the page, and can be taken home.
  }
}

/** Judgements as `evaluate` takes them. */
export function judgedSet(judgements: Judgements): JudgedSet {
  const asked = Object.entries(judgements).filter(([, records]) => Object.keys(records).length > 0);
  return {
    queries: asked.map(([query]) => ({ id: query, query })),
    qrels: asked.flatMap(([queryId, records]) =>
      Object.entries(records).map(([recordId, relevance]) => ({ queryId, recordId, relevance })),
    ),
  };
}

/** Whether they say something: a query with a relevant record. */
export const canMeasure = (judgements: Judgements): boolean =>
  Object.values(judgements).some((records) => Object.values(records).some((one) => one > 0));

/** Buttons that say how relevant a hit of a query is; somebody may be typing another query by now. */
export function Grades({ id, query, judgements, judge }: ViewProps & { readonly id: string; readonly query: string }) {
  const given = own(own(judgements, query), id);
  return (
    <fieldset class="grades" aria-label="How relevant is it?">
      <span aria-hidden="true">Relevant?</span>
      {GRADES.map((name, grade) => (
        <button
          type="button"
          key={name}
          aria-pressed={given === grade}
          onClick={() => judge(query, id, given === grade ? undefined : grade)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

export function JudgeView({ engine, catalogue, judgements, judge, change, fail }: ViewProps) {
  const [measures, setMeasures] = useState<Measures>();
  const [titles, setTitles] = useState<Readonly<Record<string, string>>>({});
  const set = judgedSet(judgements);
  const isMeasured = canMeasure(judgements);

  useEffect(() => {
    setMeasures(undefined);
    if (isMeasured) engine.measure(judgedSet(judgements)).then(setMeasures, fail);
    const ids = [...new Set(judgedSet(judgements).qrels.map(({ recordId }) => String(recordId)))];
    engine.records(ids).then((records) => {
      setTitles(
        Object.fromEntries(
          ids.map((id, i) => [id, records[i] ? titleOf(records[i] as JsonRecord) : "(not in this catalogue)"]),
        ),
      );
    }, fail);
  }, [engine, judgements, isMeasured, catalogue, fail]);

  const queries = set.queries.map(({ id, query }) => JSON.stringify({ id, query }));
  const qrels = set.qrels.map(({ queryId, recordId, relevance }) => [queryId, recordId, relevance].join("\t"));
  return (
    <div class="judge">
      <h2>Judgements</h2>
      {set.queries.length === 0 && (
        <p>
          None yet. Search for something, and say by the buttons under each hit how relevant it is: {GRADES.join(", ")}.
          Ten queries that are asked often, ten hits each, are a good beginning.
        </p>
      )}
      {measures !== undefined && (
        <table>
          <caption>What they say of the settings as they are</caption>
          <tbody>
            {MEASURES.map(([name, text]) => (
              <tr key={name}>
                <th scope="row">{text}</th>
                <td class="number">{measures[name]?.toFixed(3)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {set.queries.length > 0 && (
        <p class="buttons">
          <button type="button" onClick={() => download("queries.jsonl", `${queries.join("\n")}\n`)}>
            Save queries.jsonl
          </button>
          <button type="button" onClick={() => download("qrels.tsv", `${qrels.join("\n")}\n`)}>
            Save qrels.tsv
          </button>{" "}
          <span>
            for <code>npx tandem-search evaluate FOLDER</code> in your tests
          </span>
        </p>
      )}
      {set.queries.map(({ query }) => (
        <section key={query}>
          <h3>
            <button type="button" class="link" onClick={() => change({ view: "search", query, page: 1 }, true)}>
              {query}
            </button>
          </h3>
          <ul>
            {Object.entries(own(judgements, query) ?? {})
              .sort(([, a], [, b]) => b - a)
              .map(([id, grade]) => (
                <li key={id}>
                  <b>{GRADES[grade]}</b> <bdi>{own(titles, id) ?? id}</bdi>{" "}
                  <button
                    type="button"
                    aria-label={`Remove the judgement of ${id}`}
                    onClick={() => judge(query, id, undefined)}
                  >
                    ✕
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
