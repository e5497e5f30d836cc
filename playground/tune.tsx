// Tune: settings as forms, and what they would change, side by side, before they are applied.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Boost, IndexSettings, JsonRecord, QueryPreview, Rule, SettingsPreview, Synonym } from "../src/index.js";
import type { ViewProps } from "./app.js";
import { titleOf } from "./hits.js";
import { canMeasure, judgedSet } from "./judge.js";
import { conditionOf, consequencesOf } from "./rules.js";
import { SearchBox } from "./search.js";
import { paramsOf } from "./state.js";

const SHOWN = 10;
const WAIT_MS = 250;
const MOST_WATCHED = 100;
/** An interval over fewer queries says little. */
const ENOUGH = 5;

export function TuneView(props: ViewProps) {
  const { engine, catalogue, state, change, judgements, fail, reopen } = props;
  const [preview, setPreview] = useState<SettingsPreview>();
  const [records, setRecords] = useState<ReadonlyMap<string, JsonRecord | null>>(new Map());
  const [watched, setWatched] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const asked = useRef(0);
  const { draft } = state;
  const count = Object.keys(draft).length;

  useEffect(() => {
    const own = ++asked.current;
    const timer = setTimeout(async () => {
      setBusy(true);
      const texts = [
        ...new Set([...watched.split("\n"), ...Object.keys(judgements)].map((one) => one.trim()).filter(Boolean)),
      ];
      const queries = [
        { ...paramsOf(state), page: 1, hitsPerPage: SHOWN },
        ...texts.slice(0, MOST_WATCHED).map((query) => ({ query, hitsPerPage: SHOWN })),
      ];
      try {
        const judged = canMeasure(judgements) ? judgedSet(judgements) : undefined;
        const answer = await engine.preview(draft, queries, judged);
        const [first] = answer.queries;
        const ids = [...new Set([...(first?.before ?? []), ...(first?.after ?? [])])];
        const found = await engine.records(ids);
        if (own !== asked.current) return;
        setRecords(new Map(ids.map((id, i) => [id, found[i]!])));
        setPreview(answer);
        setProblem("");
      } catch (error) {
        if (own === asked.current) setProblem((error as Error).message);
      }
      if (own === asked.current) setBusy(false);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [engine, draft, state, watched, judgements, catalogue]);

  const edit = (changes: IndexSettings) => change({ draft: { ...draft, ...changes } });
  const apply = () =>
    engine.apply(draft).then((changed) => {
      reopen(changed);
      change({ draft: {} }, true);
    }, fail);
  const first = preview?.queries[0];

  return (
    <div class="tune">
      <section class="forms" aria-label="Changes">
        <h2>Changes</h2>
        <Forms {...props} edit={edit} />
        <p class="buttons">
          <button type="button" class="primary" disabled={count === 0 || problem !== ""} onClick={apply}>
            Apply
          </button>
          <button type="button" disabled={count === 0} onClick={() => change({ draft: {} }, true)}>
            Discard
          </button>
        </p>
      </section>
      <section aria-label="Before and after" aria-busy={isBusy}>
        <SearchBox {...props} />
        {problem !== "" && (
          <p class="error" role="alert">
            {problem}
          </p>
        )}
        {first !== undefined && <BeforeAndAfter {...props} page={first} records={records} edit={edit} />}
        {preview?.measures !== undefined && (
          <Measured measures={preview.measures} judged={judgedSet(judgements).queries.length} />
        )}
        <Watched {...props} watched={watched} watch={setWatched} pages={preview?.queries.slice(1) ?? []} />
      </section>
    </div>
  );
}

function BeforeAndAfter(
  props: ViewProps & {
    readonly page: QueryPreview;
    readonly records: ReadonlyMap<string, JsonRecord | null>;
    readonly edit: (changes: IndexSettings) => void;
  },
) {
  const { page, records, state, catalogue, edit } = props;
  const { draft, query } = state;
  const rules = draft.rules ?? catalogue.settings.rules ?? [];
  const act = (id: string, consequence: Rule["consequence"]) => {
    const name = `${query.trim() || "all"} ${"hide" in consequence ? "hide" : "pin"} ${id}`;
    const conditions = query.trim() === "" ? [] : [{ pattern: query.trim(), anchoring: "is" as const }];
    edit({ rules: [...rules.filter((rule) => rule.id !== name), { id: name, conditions, consequence }] });
  };
  const nameOf = (id: string) => {
    const record = records.get(id);
    return record ? titleOf(record) || id : id;
  };
  const moved = new Map(page.moved.map(({ id, from, to }) => [id, from - to]));
  const entered = new Set(page.entered.map(({ id }) => id));
  const left = new Set(page.left.map(({ id }) => id));
  return (
    <div class="beside">
      <div>
        <h3>Before: {page.nbHits.before.toLocaleString("en")} hits</h3>
        <ol>
          {page.before.map((id) => (
            <li key={id} class={left.has(id) ? "left" : ""}>
              <bdi>{nameOf(id)}</bdi> {left.has(id) && <span class="move">leaves</span>}
            </li>
          ))}
        </ol>
      </div>
      <div>
        <h3>After: {page.nbHits.after.toLocaleString("en")} hits</h3>
        <ol>
          {page.after.map((id) => {
            const up = moved.get(id);
            return (
              <li key={id} class={entered.has(id) ? "entered" : up === undefined ? "" : "moved"}>
                <bdi>{nameOf(id)}</bdi>{" "}
                <span class="move">
                  {entered.has(id) ? "enters" : up === undefined ? "" : up > 0 ? `▲ ${up}` : `▼ ${-up}`}
                </span>
                <span class="tools">
                  <button
                    type="button"
                    title="Pin it to the first place for this query"
                    onClick={() => act(id, { promote: [{ id, position: 0 }] })}
                  >
                    Pin first
                  </button>
                  <button type="button" title="Hide it for this query" onClick={() => act(id, { hide: [id] })}>
                    Hide
                  </button>
                </span>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}

function Measured({
  measures,
  judged,
}: {
  readonly measures: NonNullable<SettingsPreview["measures"]>;
  readonly judged: number;
}) {
  const { before, after, difference, interval } = measures;
  const { low, high, significant } = interval.ndcg;
  const sign = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
  const verdict = significant ? "no chance" : "this may be chance";
  return (
    <p class="measures" role="status">
      nDCG at 10 of your judgements of {judged} {judged === 1 ? "query" : "queries"}: <b>{before.ndcg.toFixed(3)}</b>{" "}
      before, <b>{after.ndcg.toFixed(3)}</b> after; {sign(difference.ndcg)}
      {judged > 1 && `, with 95 % confidence between ${sign(low)} and ${sign(high)}`}:{" "}
      {difference.ndcg === 0
        ? "no difference"
        : judged < ENOUGH
          ? `judge ${ENOUGH} queries or more to tell it from chance`
          : verdict}
      .
    </p>
  );
}

function Watched({
  change,
  watched,
  watch,
  pages,
}: ViewProps & {
  readonly watched: string;
  readonly watch: (text: string) => void;
  readonly pages: readonly QueryPreview[];
}) {
  const changed = pages.filter(
    ({ moved, entered, left, nbHits }) =>
      moved.length + entered.length + left.length > 0 || nbHits.before !== nbHits.after,
  );
  return (
    <div class="watched">
      <label>
        Other queries to watch, one a line
        <textarea
          rows={4}
          value={watched}
          onInput={(event) => watch(event.currentTarget.value)}
          placeholder={"drill\ndesk lamp"}
        />
      </label>
      {pages.length > 0 && (
        <p role="status">
          {changed.length} of {pages.length} {pages.length === 1 ? "query" : "queries"} would change.
        </p>
      )}
      {changed.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">query</th>
              <th scope="col">hits</th>
              <th scope="col">moved</th>
              <th scope="col">entered</th>
              <th scope="col">left</th>
            </tr>
          </thead>
          <tbody>
            {changed.map(({ query, nbHits, moved, entered, left }) => (
              <tr key={query}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => change({ query, page: 1 }, true)}>
                    {query}
                  </button>
                </th>
                <td class="number">
                  {nbHits.before} → {nbHits.after}
                </td>
                <td class="number">{moved.length}</td>
                <td class="number">{entered.length}</td>
                <td class="number">{left.length}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

interface FormProps extends ViewProps {
  readonly edit: (changes: IndexSettings) => void;
}

function Forms(props: FormProps) {
  const { catalogue, state, edit } = props;
  const { settings, effective } = catalogue;
  const { draft } = state;
  const weight = draft.semanticWeight ?? ("semanticWeight" in effective.fusion ? effective.fusion.semanticWeight : 0);
  const boosts = draft.boosts ?? settings.boosts ?? [];
  const rules = draft.rules ?? settings.rules ?? [];
  return (
    <>
      <Weights {...props} />
      {catalogue.byMeaning && (
        <label>
          Weight of meaning <span class="count">{weight}</span>
          <input
            type="range"
            min="0"
            max="1"
            step="0.05"
            value={weight}
            onInput={(event) => edit({ semanticWeight: Number(event.currentTarget.value) })}
          />
        </label>
      )}
      <details open={boosts.length > 0}>
        <summary>Boosts ({boosts.length})</summary>
        <Boosts {...props} boosts={boosts} />
      </details>
      <details open={(draft.synonyms ?? settings.synonyms ?? []).length > 0}>
        <summary>Synonyms ({(draft.synonyms ?? settings.synonyms ?? []).length})</summary>
        <Lines
          label="A line each: couch, sofa — or one way: tv => television"
          text={synonymLines(draft.synonyms ?? settings.synonyms ?? [])}
          onText={(text) => edit({ synonyms: readSynonyms(text) })}
        />
      </details>
      <details open={Array.isArray(draft.stopWords ?? settings.stopWords)}>
        <summary>Stop words</summary>
        <Lines
          label="Words that are not searched, in place of the usual ones of the language; a line each"
          text={[draft.stopWords ?? settings.stopWords ?? []]
            .flat()
            .filter((one) => typeof one === "string")
            .join("\n")}
          onText={(text) => edit({ stopWords: linesOf(text) })}
        />
      </details>
      <details open={rules.length > 0}>
        <summary>Rules ({rules.length})</summary>
        <p>“Pin first” and “Hide” beside a hit make rules for the query.</p>
        <ul class="rules">
          {rules.map((rule) => (
            <li key={rule.id}>
              {conditionOf(rule)}: {consequencesOf(rule).join("; ")}{" "}
              <button
                type="button"
                aria-label={`Remove the rule ${rule.id}`}
                onClick={() => edit({ rules: rules.filter(({ id }) => id !== rule.id) })}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      </details>
      <Json {...props} />
    </>
  );
}

/** The searched attributes and their weights. */
function Weights({ catalogue, state, edit }: FormProps) {
  const given = state.draft.searchableAttributes ?? catalogue.settings.searchableAttributes;
  const texts = catalogue.attributes
    .filter(({ kind }) => kind === "text" || kind === "mixed")
    .map(({ attribute }) => attribute);
  const weights = useMemo(
    () => new Map((given ?? []).map((one) => (typeof one === "string" ? [one, 1] : [one.attribute, one.weight ?? 1]))),
    [given],
  );
  const set = (attribute: string, weight: number) => {
    const next = new Map(given === undefined ? texts.map((name) => [name, 1]) : weights);
    if (weight > 0) next.set(attribute, weight);
    else next.delete(attribute);
    edit({
      searchableAttributes: [...next].map(([name, own]) => (own === 1 ? name : { attribute: name, weight: own })),
    });
  };
  return (
    <details open={given !== undefined}>
      <summary>Searched attributes and weights{given === undefined && " (all texts)"}</summary>
      {texts.map((attribute) => (
        <label key={attribute} class="weight">
          {attribute}
          <input
            type="number"
            min="0"
            max="100"
            step="0.5"
            value={given === undefined ? "" : (weights.get(attribute) ?? 0)}
            placeholder="auto"
            onChange={(event) => set(attribute, Number(event.currentTarget.value))}
          />
        </label>
      ))}
      {catalogue.attributesLeft > 0 && (
        <p>{catalogue.attributesLeft.toLocaleString("en")} attributes of fewer records are left out here.</p>
      )}
    </details>
  );
}

function Boosts({ catalogue, boosts, edit }: FormProps & { readonly boosts: readonly Boost[] }) {
  const [attribute, setAttribute] = useState("");
  const [filters, setFilters] = useState("");
  const [weight, setWeight] = useState(0.1);
  const numbers = catalogue.attributes.filter(({ kind }) => kind === "number");
  const add = (event: Event) => {
    event.preventDefault();
    if (attribute === "" && filters.trim() === "") return;
    edit({ boosts: [...boosts, attribute === "" ? { filters: filters.trim(), weight } : { attribute, weight }] });
    setAttribute("");
    setFilters("");
  };
  return (
    <>
      <ul>
        {boosts.map((boost, i) => {
          const text = JSON.stringify(boost);
          return (
            <li key={text}>
              <code>{text}</code>
              <button
                type="button"
                aria-label={`Remove the boost ${text}`}
                onClick={() => edit({ boosts: boosts.filter((_, other) => other !== i) })}
              >
                ✕
              </button>
            </li>
          );
        })}
      </ul>
      <form onSubmit={add} class="boost">
        <label>
          Numbers{" "}
          <select value={attribute} onChange={(event) => setAttribute(event.currentTarget.value)}>
            <option value="">-</option>
            {numbers.map((one) => (
              <option key={one.attribute} value={one.attribute}>
                {one.attribute}
              </option>
            ))}
          </select>
        </label>
        <label>
          or a filter{" "}
          <input
            value={filters}
            disabled={attribute !== ""}
            placeholder="brand:Forge"
            onInput={(event) => setFilters(event.currentTarget.value)}
          />
        </label>
        <label>
          weight{" "}
          <input
            type="number"
            min="-1"
            max="1"
            step="0.05"
            value={weight}
            onInput={(event) => setWeight(Number(event.currentTarget.value))}
          />
        </label>
        <button type="submit">Add</button>
      </form>
    </>
  );
}

function Lines({
  label,
  text,
  onText,
}: {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  return (
    <label>
      {label}
      <textarea
        rows={4}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => onText(event.currentTarget.value)}
      />
    </label>
  );
}

/** All changes as JSON, for settings without a form. */
function Json({ state, change }: FormProps) {
  const text = JSON.stringify(state.draft, null, 2);
  const [typed, setTyped] = useState(text);
  const [problem, setProblem] = useState("");
  useEffect(() => setTyped(text), [text]);
  const read = (given: string) => {
    try {
      change({ draft: JSON.parse(given) }, true);
      setProblem("");
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <details>
      <summary>All changes as JSON</summary>
      <label>
        Any settings
        <textarea
          rows={8}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => read(event.currentTarget.value)}
        />
      </label>
      {problem !== "" && <p class="error">{problem}</p>}
    </details>
  );
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

function synonymLines(synonyms: readonly Synonym[]): string {
  return synonyms
    .map((one) => (one.type === "synonym" ? one.synonyms.join(", ") : `${one.input} => ${one.synonyms.join(", ")}`))
    .join("\n");
}

function readSynonyms(text: string): Synonym[] {
  const words = (list: string) =>
    list
      .split(",")
      .map((word) => word.trim())
      .filter(Boolean);
  return linesOf(text).map((line) => {
    const [left, right] = line.split("=>") as [string, string?];
    return right === undefined
      ? { type: "synonym", synonyms: words(left) }
      : { type: "oneWaySynonym", input: left.trim(), synonyms: words(right) };
  });
}
