// Why a hit stands where it stands: the parts of its score as bars, with the sentences of the explanation. And why a record is no hit.

import { useState } from "preact/hooks";
import type { Absence, Explanation, Hit, Rule, SearchData } from "../src/index.js";
import type { ViewProps } from "./app.js";
import { conditionOf, effectsOn, hiddenBy } from "./rules.js";
import { paramsOf } from "./state.js";

interface Part {
  readonly name: string;
  readonly contribution: number;
  readonly lines: readonly string[];
}

const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

function partsOf({ lexical, semantic, title, boosts = [], exactCode }: Explanation): Part[] {
  const parts: Part[] = [];
  if (exactCode !== undefined)
    parts.push({ name: "code", contribution: exactCode.contribution, lines: ["The query is a code of this record."] });
  if (lexical !== undefined) {
    const lines = lexical.terms.map(({ term, heldAs, fields, docFreq, score }) => {
      const as = heldAs.every((held) => held === term) ? "" : ` as ${heldAs.join(", ")}`;
      return `“${term}”${as} in ${fields.map(({ field }) => field).join(", ")}; ${docFreq.toLocaleString("en")} records have it: ${score.toFixed(3)}`;
    });
    parts.push({ name: "words", contribution: lexical.contribution, lines });
  }
  if (title !== undefined) {
    const lines = title.parts.map(({ contribution, text }) => `${text}: ${signed(contribution)}`);
    parts.push({ name: "title", contribution: title.contribution, lines });
  }
  if (semantic !== undefined)
    parts.push({
      name: "meaning",
      contribution: semantic.contribution,
      lines: [`cosine ${semantic.cosine.toFixed(3)}`],
    });
  for (const { attribute, filters, aroundLatLng, contribution, value, weight } of boosts) {
    const what =
      attribute ??
      (filters === undefined
        ? `near ${aroundLatLng}`
        : typeof filters === "string"
          ? filters
          : JSON.stringify(filters));
    const lines = [`weight ${weight}${value === undefined ? "" : `, ${what} is ${value.toLocaleString("en")}`}`];
    parts.push({ name: `boost: ${what}`, contribution, lines });
  }
  return parts;
}

/** The rules that held for an answer. */
export function rulesOf({ catalogue }: ViewProps, { appliedRules = [] }: SearchData): readonly Rule[] {
  return (catalogue.settings.rules ?? []).filter(({ id }) => appliedRules.includes(id));
}

/** The parts of a hit's score. */
export function WhyHit({
  hit,
  rules,
  query,
}: {
  readonly hit: Hit;
  /** Those that held. */
  readonly rules: readonly Rule[];
  readonly query: string;
}) {
  const { explanation } = hit;
  const parts = explanation === undefined ? [] : partsOf(explanation);
  const most = Math.max(0.001, ...parts.map(({ contribution }) => Math.abs(contribution)));
  const ruled = rules
    .map((rule) => ({ rule, effects: effectsOn(hit.id, rule, explanation) }))
    .filter(({ effects }) => effects.length > 0);
  return (
    <div class="why">
      {ruled.map(({ rule, effects }) => (
        <p key={rule.id}>
          The rule <b>{rule.id}</b> ({conditionOf(rule)}) {effects.join(", and ")}.
        </p>
      ))}
      {query.trim() === "" && (
        <p>A blank query finds all records, in the order of the custom ranking, then of the ids.</p>
      )}
      <table>
        <caption>Score {hit.score.toFixed(6)}</caption>
        <tbody>
          {parts.map(({ name, contribution, lines }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="bar">
                <i
                  class={contribution < 0 ? "less" : ""}
                  style={{ width: `${(100 * Math.abs(contribution)) / most}%` }}
                />
              </td>
              <td class="number">{signed(contribution)}</td>
              <td>
                {lines.map((line) => (
                  <div key={line}>{line}</div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {explanation?.beyondRankWindow && <p>It is behind the rank window: its meaning and its title do not count.</p>}
    </div>
  );
}

const REASONS: Readonly<Record<NonNullable<Absence["reason"]>, string>> = {
  unknown: "No record has this id.",
  deleted: "The record was deleted.",
  filters: "It does not pass what all hits have to pass.",
  facetFilters: "It matches, but it does not have the chosen values of the facets.",
  numericFilters: "It matches, but its numbers are outside of the chosen ranges.",
  understanding: "It matches, but it is not what the sentence was understood to ask for.",
  rules: "It matches, but a rule hides it.",
  distinct: "It matches, but a better record of its group is shown.",
  relevancyStrictness: "It matches, but its score is too small beside the best one.",
  minScore: "It matches, but its score is below the least one that is shown.",
  membership: "It matches neither by words nor by meaning.",
};

/** Asks why a record is not among the hits. */
export function WhyNot({ engine, state, rules }: ViewProps & { readonly rules: readonly Rule[] }) {
  const [id, setId] = useState("");
  const [told, setTold] = useState<{ readonly id: string; readonly lines: readonly string[] }>();
  const ask = async (event: Event) => {
    event.preventDefault();
    const asked = id.trim();
    if (asked === "") return;
    try {
      const { found, reason, words, meaning, relevancy, final } = await engine.whyNot(paramsOf(state), asked);
      const lines = [found ? "It is among the hits." : REASONS[reason!]];
      for (const rule of hiddenBy(asked, reason, rules)) lines.push(`The rule ${rule}.`);
      if (words !== undefined) {
        if (words.missing.length > 0) lines.push(`It lacks: ${words.missing.join(", ")}.`);
        lines.push(
          `By words it has ${(100 * words.share).toFixed(1)} % of the greatest score; the best record has ${(100 * words.bestShare).toFixed(1)} %.`,
        );
      }
      if (meaning !== undefined)
        lines.push(
          `By meaning its cosine is ${meaning.cosine.toFixed(3)}; at least ${meaning.floor.toFixed(3)} is asked for (${meaning.reason.replace("_", " ")}).`,
        );
      if (relevancy !== undefined)
        lines.push(`Its score is ${relevancy.score.toFixed(3)}, the best ${relevancy.bestScore.toFixed(3)}.`);
      if (final !== undefined) lines.push(`Its score is ${final.score.toFixed(3)}, the least ${final.minScore}.`);
      setTold({ id: asked, lines });
    } catch (error) {
      setTold({ id: asked, lines: [(error as Error).message] });
    }
  };
  return (
    <form class="whynot" onSubmit={ask}>
      <label>
        Why is a record missing? Its id: <input value={id} onInput={(event) => setId(event.currentTarget.value)} />
      </label>
      <button type="submit">Tell me</button>
      {told && (
        <p role="status">
          <b>{told.id}</b>: {told.lines.join(" ")}
        </p>
      )}
    </form>
  );
}
