// Type and see: hits, facets, order, pages, suggestions, what was corrected and understood, and why each hit stands where it stands.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Hit, SearchData, SuggestedText } from "../src/index.js";
import type { ViewProps } from "./app.js";
import { type Facet, Facets } from "./facets.js";
import { HitCard, titleOf } from "./hits.js";
import { Grades } from "./judge.js";
import { paramsOf } from "./state.js";
import { rulesOf, WhyHit, WhyNot } from "./why.js";

const PER_PAGE = 12;
const FACETS = 8;
const BARS = 24;
/** Numbers with fewer different values are listed, not drawn as bars. */
const FEW = 12;

/** What the page counts: listed values, and bars of numbers. Attributes with a value of their own for each record say nothing. */
export function facetsOf({ catalogue }: ViewProps): Facet[] {
  const { attributes, records, effective } = catalogue;
  return attributes
    .filter(
      ({ attribute, kind, values, records: filled }) =>
        attribute !== effective.idAttribute &&
        values > 1 &&
        filled > 1 &&
        (kind === "number" || values < Math.max(FEW, records / 4)),
    )
    .slice(0, FACETS)
    .map(({ attribute, kind, values }) =>
      kind === "number" && values > FEW ? { attribute, histogram: BARS } : attribute,
    );
}

export function SearchView(props: ViewProps) {
  const { engine, catalogue, state, fail } = props;
  const [data, setData] = useState<SearchData>();
  const [took, setTook] = useState(0);
  const asked = useRef(0);
  const facets = useRef<{ readonly of: object; readonly list: readonly Facet[] }>();
  if (facets.current?.of !== catalogue) facets.current = { of: catalogue, list: facetsOf(props) };
  const { list } = facets.current;

  useEffect(() => {
    const own = ++asked.current;
    const begun = performance.now();
    const params = {
      ...paramsOf(state),
      ...{ hitsPerPage: PER_PAGE, attributesToHighlight: ["*"], matchedPositions: true, escapeHTML: false },
      ...{ getParsedQuery: true, getMatchInfo: true, explain: true, facets: list },
    };
    engine
      .query(params)
      // A facet that this catalogue refuses to count is no reason to show nothing.
      .catch(() => engine.query({ ...params, facets: [] }))
      .then(
        (answer) => {
          if (own !== asked.current) return;
          setTook(performance.now() - begun);
          setData(answer);
        },
        (error) => own === asked.current && fail(error),
      );
  }, [engine, list, state, catalogue, fail]);

  return (
    <div class="search">
      <SearchBox {...props} />
      {data && (
        <>
          <Told {...props} data={data} took={took} />
          <div class="columns">
            <aside aria-label="Facets">
              <Facets {...props} entries={list} data={data} />
            </aside>
            <section aria-label="Hits" aria-busy={data.query !== state.query}>
              <ol class="hits" start={(data.page - 1) * PER_PAGE + 1}>
                {data.hits.map((hit, i) => (
                  <HitCard key={hit.id} hit={hit} rank={(data.page - 1) * PER_PAGE + i + 1} pictures={props.pictures}>
                    <HitTools {...props} hit={hit} data={data} />
                  </HitCard>
                ))}
              </ol>
              {data.nbHits === 0 && <p class="empty">Nothing found.</p>}
              <Pages {...props} data={data} />
              <WhyNot {...props} rules={rulesOf(props, data)} />
            </section>
          </div>
        </>
      )}
    </div>
  );
}

/** The query, with what is suggested while somebody types. */
export function SearchBox({ engine, state, change, catalogue }: ViewProps) {
  const [suggested, setSuggested] = useState<readonly SuggestedText[]>([]);
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const typed = useRef(0);

  const type = (query: string) => {
    change({ query, page: 1, why: "", except: [] });
    const own = ++typed.current;
    setActive(-1);
    engine.suggest(query).then(
      (list) => {
        if (own !== typed.current) return;
        setSuggested(list);
        setOpen(list.length > 0);
      },
      () => setSuggested([]),
    );
  };
  const choose = (query: string) => {
    typed.current++;
    setOpen(false);
    change({ query, page: 1, why: "", except: [] }, true);
  };
  const onKey = (event: KeyboardEvent) => {
    const count = suggested.length;
    if (event.key === "ArrowDown" && count > 0) {
      setOpen(true);
      setActive((active + 1) % count);
    } else if (event.key === "ArrowUp" && count > 0) setActive((active + count - 1) % count);
    else if (event.key === "Enter") choose(isOpen && active >= 0 ? suggested[active]!.text : state.query);
    else if (event.key === "Escape") setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <div class="searchbox">
      <input
        type="search"
        role="combobox"
        aria-label={`Search in ${catalogue.name}`}
        aria-expanded={isOpen}
        aria-controls="suggestions"
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active >= 0 ? `suggestion-${active}` : undefined}
        placeholder="What are you looking for?"
        autocomplete="off"
        value={state.query}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKey}
        onBlur={() => setOpen(false)}
      />
      <div id="suggestions" role="listbox" aria-label="Suggestions" hidden={!isOpen}>
        {suggested.map(({ text, nbHits }, i) => (
          <div
            key={text}
            id={`suggestion-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(text);
            }}
          >
            {text} <span class="count">{nbHits.toLocaleString("en")}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** How many were found and how, what was corrected, what was understood; and in which order. */
function Told({
  data,
  took,
  state,
  change,
  catalogue,
}: ViewProps & { readonly data: SearchData; readonly took: number }) {
  const { nbHits, parsedQuery, matchInfo, understood, appliedRules } = data;
  const words = matchInfo?.nbHitsByWords ?? nbHits;
  const { attributes, effective } = catalogue;
  const sorts = attributes.filter(
    ({ attribute, kind, values }) => attribute !== effective.idAttribute && kind === "number" && values > 1,
  );
  return (
    <div class="told">
      <p role="status">
        <b>{nbHits.toLocaleString("en")}</b> {nbHits === 1 ? "hit" : "hits"}
        {state.query.trim() !== "" &&
          `: ${words.toLocaleString("en")} by words, ${(nbHits - words).toLocaleString("en")} by meaning alone`}
        , {Math.max(1, Math.round(took))} ms
        {matchInfo !== undefined &&
          !matchInfo.allWords &&
          words > 0 &&
          state.query.trim() !== "" &&
          ". No hit has all words"}
      </p>
      <p class="orders">
        <label>
          Order{" "}
          <select value={state.sort} onChange={(event) => change({ sort: event.currentTarget.value, page: 1 }, true)}>
            <option value="">best first</option>
            {sorts.flatMap(({ attribute }) => [
              <option key={`${attribute}:asc`} value={`${attribute}:asc`}>
                {attribute}, least first
              </option>,
              <option key={`${attribute}:desc`} value={`${attribute}:desc`}>
                {attribute}, greatest first
              </option>,
            ])}
          </select>
        </label>
        <label title="Reads prices, exclusions and orders in the text">
          <input
            type="checkbox"
            checked={state.understand}
            onChange={(event) => change({ understand: event.currentTarget.checked, except: [], page: 1 }, true)}
          />
          Understand sentences
        </label>
      </p>
      {(parsedQuery?.corrected ?? []).map(({ from, to }) => (
        <p key={from}>
          Searched for <b>{to.slice(0, 3).join(", ")}</b> in place of <i>{from}</i>. Did you mean{" "}
          <button type="button" class="link" onClick={() => change({ query: parsedQuery!.text, page: 1 }, true)}>
            {parsedQuery!.text}
          </button>
          ?
        </p>
      ))}
      {parsedQuery !== undefined && parsedQuery.unknown.length > 0 && (
        <p>No record has: {parsedQuery.unknown.join(", ")}.</p>
      )}
      {understood !== undefined && understood.parts.length > 0 && (
        <p class="chips">
          Understood:{" "}
          {understood.parts.map(({ text, became, kind }, i) => {
            const isBack = state.except.includes(i);
            return (
              <button
                type="button"
                key={`${i}${text}`}
                class={isBack ? "chip back" : "chip"}
                title={isBack ? "Take it as understood again" : "Take it back: search for these words"}
                aria-pressed={!isBack}
                onClick={() =>
                  change(
                    { except: isBack ? state.except.filter((one) => one !== i) : [...state.except, i], page: 1 },
                    true,
                  )
                }
              >
                {text} {isBack ? "" : `→ ${became || kind}`} <span aria-hidden="true">{isBack ? "↺" : "✕"}</span>
              </button>
            );
          })}
        </p>
      )}
      {appliedRules !== undefined && <p>Rules held: {appliedRules.join(", ")}.</p>}
    </div>
  );
}

/** Under a hit: why it is there, what is similar, and how relevant somebody finds it. */
function HitTools(props: ViewProps & { readonly hit: Hit; readonly data: SearchData }) {
  const { hit, state, change, engine, fail } = props;
  const [similar, setSimilar] = useState<SearchData>();
  const isOpen = state.why === hit.id;
  const query = props.data.query.trim();
  return (
    <>
      <p class="tools">
        <button type="button" aria-expanded={isOpen} onClick={() => change({ why: isOpen ? "" : hit.id }, true)}>
          Why? <span class="count">{hit.score.toFixed(3)}</span>
        </button>
        <button
          type="button"
          aria-expanded={similar !== undefined}
          onClick={() =>
            similar === undefined ? engine.similar(hit.id).then(setSimilar, fail) : setSimilar(undefined)
          }
        >
          Similar
        </button>
        {query !== "" && <Grades {...props} id={hit.id} query={query} />}
      </p>
      {isOpen && <WhyHit hit={hit} rules={rulesOf(props, props.data)} query={query} />}
      {similar !== undefined && (
        <ul class="similar">
          {similar.hits.map(({ id, source }) => (
            <li key={id}>{titleOf(source) || id}</li>
          ))}
          {similar.hits.length === 0 && <li>nothing similar</li>}
        </ul>
      )}
    </>
  );
}

function Pages({ data, change }: ViewProps & { readonly data: SearchData }) {
  const last = Math.ceil(data.nbHits / PER_PAGE);
  if (last <= 1) return null;
  const go = (page: number) => {
    change({ page, why: "" }, true);
    scrollTo(0, 0);
  };
  return (
    <nav class="pages" aria-label="Pages">
      <button type="button" disabled={data.page <= 1} onClick={() => go(data.page - 1)}>
        Before
      </button>
      <span>
        page {data.page.toLocaleString("en")} of {last.toLocaleString("en")}
      </span>
      <button type="button" disabled={data.page >= last} onClick={() => go(data.page + 1)}>
        Next
      </button>
    </nav>
  );
}
