// A record as a hit: its title with marks, its lines, its picture, and links that lead to http and https alone.

import type { ComponentChildren } from "preact";
import type { Hit, JsonRecord, JsonValue } from "../src/index.js";
import { own } from "./state.js";

const TITLES = ["title", "name", "product_name", "productName", "headline"];
const PICTURES = /image|picture|photo|thumb|img/i;
const HIDDEN = /^_/;
const LONGEST = 160;
const MOST_LINES = 6;
/** Longer values have a line of their own. */
const LINE = 60;

/** The attribute of the titles, as a page guesses it; the engine's own is not told. */
export function titleOf(record: JsonRecord): string {
  const name =
    TITLES.find((one) => typeof record[one] === "string") ??
    Object.keys(record).find((one) => typeof record[one] === "string" && one !== "id");
  return name === undefined ? "" : String(record[name]);
}

const titleName = (record: JsonRecord) => TITLES.find((one) => typeof record[one] === "string");

/** Only addresses of the web: no script, no data. */
function webAddress(value: JsonValue | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first !== "string" || !/^https?:\/\//i.test(first)) return undefined;
  return URL.canParse(first) ? first : undefined;
}

/** A text with what matched in bold. Places are those of the engine, in UTF-16 units. */
export function Marked({
  text,
  positions = [],
}: {
  readonly text: string;
  readonly positions?: readonly { readonly start: number; readonly length: number }[];
}) {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { start, length } of positions) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, start + length)}</mark>);
    at = start + length;
  }
  return <>{[...parts, text.slice(at)]}</>;
}

interface Highlighted {
  readonly matchedPositions?: readonly { readonly start: number; readonly length: number }[];
}

function shown(value: JsonValue): string {
  const text =
    Array.isArray(value) && value.every((one) => typeof one !== "object")
      ? value.join(", ")
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** A hit; `children` stand below it. */
export function HitCard({
  hit,
  rank,
  pictures,
  children,
}: {
  readonly hit: Hit;
  readonly rank: number;
  readonly pictures: boolean;
  readonly children?: ComponentChildren;
}) {
  const { source } = hit;
  const marks = (hit._highlightResult ?? {}) as Readonly<Record<string, Highlighted>>;
  const title = titleName(source);
  const link = webAddress(source.url ?? source.link ?? source.product_url);
  const picture = Object.keys(source).find((name) => PICTURES.test(name) && webAddress(source[name]) !== undefined);
  const lines = Object.entries(source).filter(
    ([name, value]) =>
      name !== title && !HIDDEN.test(name) && value !== null && value !== "" && webAddress(value) === undefined,
  );
  const text = title === undefined ? titleOf(source) : String(source[title]);
  const positions = title === undefined ? undefined : own(marks, title)?.matchedPositions;
  return (
    <li class="hit" id={`hit-${hit.id}`}>
      {pictures && picture !== undefined && (
        <img src={webAddress(source[picture])} alt="" loading="lazy" referrerpolicy="no-referrer" />
      )}
      <div>
        <h2>
          <span class="rank">{rank}</span> <Marked text={text || hit.id} {...(positions && { positions })} />
        </h2>
        <dl>
          {lines.slice(0, MOST_LINES).map(([name, value]) => {
            const places =
              typeof value === "string" && value.length <= LONGEST ? own(marks, name)?.matchedPositions : undefined;
            return (
              <div key={name} class={shown(value!).length > LINE ? "long" : ""}>
                <dt>{name}</dt>
                <dd>
                  <Marked text={shown(value!)} {...(places && { positions: places })} />
                </dd>
              </div>
            );
          })}
        </dl>
        {lines.length > MOST_LINES && (
          <details>
            <summary>all {lines.length + 1} attributes</summary>
            <pre>{JSON.stringify(source, null, 2)}</pre>
          </details>
        )}
        {link !== undefined && (
          <a href={link} target="_blank" rel="noreferrer noopener">
            {new URL(link).hostname}
          </a>
        )}
        {children}
      </div>
    </li>
  );
}
