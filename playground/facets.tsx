// The facets: values with their counts, and numbers as bars with two sliders.

import { useState } from "preact/hooks";
import type { FacetCount, FacetEntry, SearchData } from "../src/index.js";
import type { ViewProps } from "./app.js";
import { own } from "./state.js";

/** An attribute whose values are listed, or whose numbers are bars. */
export type Facet = string | FacetEntry;

const MOST = 8;

export function Facets(props: ViewProps & { readonly entries: readonly Facet[]; readonly data: SearchData }) {
  const { entries, data, state, change } = props;
  const isChosen = Object.keys(state.chosen).length + Object.keys(state.ranges).length > 0;
  return (
    <>
      {isChosen && (
        <button type="button" onClick={() => change({ chosen: {}, ranges: {}, page: 1 }, true)}>
          Remove all choices
        </button>
      )}
      {entries.map((entry) => {
        const name = typeof entry === "string" ? entry : entry.attribute;
        const counts = own(data.facets, name) ?? [];
        if (counts.length === 0 && !own(state.chosen, name) && !own(state.ranges, name)) return null;
        return typeof entry === "string" ? (
          <Values key={name} {...props} name={name} counts={counts} />
        ) : (
          <Bars key={name} {...props} name={name} counts={counts} />
        );
      })}
    </>
  );
}

interface FacetProps extends ViewProps {
  readonly name: string;
  readonly counts: readonly FacetCount[];
}

function Values({ name, counts, state, change }: FacetProps) {
  const [isAll, setAll] = useState(false);
  const chosen = own(state.chosen, name) ?? [];
  const listed = counts.map(({ value, count }) => ({ value: String(value), count }));
  const missing = chosen
    .filter((value) => !listed.some((one) => one.value === value))
    .map((value) => ({ value, count: 0 }));
  const all = [...missing, ...listed];
  const toggle = (value: string) => {
    const values = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    const { [name]: _, ...others } = state.chosen;
    change({ chosen: values.length > 0 ? { ...others, [name]: values } : others, page: 1 }, true);
  };
  return (
    <fieldset>
      <legend>{name}</legend>
      {(isAll ? all : all.slice(0, MOST)).map(({ value, count }) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          <span class="value">{value || "(empty)"}</span> <span class="count">{count.toLocaleString("en")}</span>
        </label>
      ))}
      {all.length > MOST && (
        <button type="button" class="link" onClick={() => setAll(!isAll)}>
          {isAll ? "fewer" : `${all.length - MOST} more`}
        </button>
      )}
    </fieldset>
  );
}

function Bars({ name, counts, data, state, change }: FacetProps & { readonly data: SearchData }) {
  const stats = own(data.facetStats, name);
  if (stats === undefined) return null;
  const { min, max } = stats;
  const [from, to] = own(state.ranges, name) ?? [min, max];
  const most = Math.max(1, ...counts.map(({ count }) => count));
  const step = max - min > 20 ? 1 : (max - min) / 100 || 1;
  const set = (low: number, high: number) => {
    const { [name]: _, ...others } = state.ranges;
    const isAll = low <= min && high >= max;
    change({ ranges: isAll ? others : { ...others, [name]: [Math.min(low, high), Math.max(low, high)] }, page: 1 });
  };
  return (
    <fieldset>
      <legend>{name}</legend>
      <div class="bars" aria-hidden="true">
        {counts.map((one, i) => {
          const bar = one as { readonly from?: number | null; readonly to?: number | null; readonly count: number };
          const isIn = (bar.to ?? max) >= from && (bar.from ?? min) <= to;
          return (
            <i
              key={i}
              class={isIn ? "in" : ""}
              style={{ height: `${Math.round((100 * bar.count) / most)}%` }}
              title={`${bar.count}`}
            />
          );
        })}
      </div>
      <label>
        from
        <input
          type="range"
          min={min}
          max={max}
          step={step}
          value={from}
          onInput={(event) => set(Number(event.currentTarget.value), to)}
        />
        <output>{from.toLocaleString("en")}</output>
      </label>
      <label>
        to
        <input
          type="range"
          min={min}
          max={max}
          step={step}
          value={to}
          onInput={(event) => set(from, Number(event.currentTarget.value))}
        />
        <output>{to.toLocaleString("en")}</output>
      </label>
    </fieldset>
  );
}
