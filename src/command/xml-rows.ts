// The records of XML: the items of a feed of Google Shopping, or the elements of any list, as objects.

import { SaxesParser } from "saxes";
import { CommandError } from "./errors.js";
import type { Row } from "./json-rows.js";

/** Elements that are records, in whatever list. */
const RECORD_NAMES = /^(item|entry|product|offer|article|record|row|produkt|artikel)$/i;
/** Entities of HTML that feeds have, though XML does not know them. */
const ENTITIES = {
  nbsp: "\u00a0",
  euro: "€",
  copy: "©",
  reg: "®",
  trade: "™",
  deg: "°",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
};
/** Prefixes of Google's attributes, which win over those of RSS and Atom. */
const GOOGLE = /^[gc]:/;
const MAX_RECORD = 4 << 20;

type Values = Record<string, unknown>;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Values;
  text: string;
}

/** The records; `head`: the first part of the text, which shows what they are. */
export async function* xmlRows(pieces: AsyncIterable<string>, head: string): AsyncGenerator<Row[], void, undefined> {
  const record = recordPath(head);
  let rows: Row[] = [];
  let depth = 0;
  /** The elements that are open, from the record on. */
  const open: Element[] = [];
  const path: string[] = [];
  let started = 1;
  let length = 0;
  let problem: string | undefined;
  const parser = new SaxesParser();
  Object.assign(parser.ENTITIES, ENTITIES);
  const addText = (text: string) => {
    const last = open.at(-1);
    length += text.length;
    if (length > MAX_RECORD) throw new CommandError(`line ${started}: too long for a record.`);
    if (last !== undefined) last.text += text;
  };
  parser.on("error", ({ message }) => {
    problem ??= message.replace(/^(\d+:)+\s*|\.$/g, "");
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("opentag", ({ name, attributes }) => {
    path.push(name);
    if (open.length === 0 && path.join("/") !== record) return;
    if (open.length === 0) {
      started = parser.line;
      length = 0;
      depth = path.length;
    }
    open.push({ name, attributes: attributes as Element["attributes"], children: Object.create(null), text: "" });
  });
  parser.on("closetag", () => {
    path.pop();
    const closed = open.pop();
    if (closed === undefined) return;
    const parent = open.at(-1);
    if (parent !== undefined) return addElement(parent.children, closed);
    const values = { ...plainNames(closed.attributes), ...plainNames(closed.children) };
    rows.push(problem === undefined ? { line: started, values } : { line: started, values: {}, problem });
    problem = undefined;
  });
  for await (const piece of withoutBareAmpersands(pieces)) {
    parser.write(piece);
    yield rows;
    rows = [];
  }
  const isWithin = path.length >= Math.max(depth, 1);
  parser.close();
  // What is wrong behind the last record.
  if (problem !== undefined)
    yield [
      { line: isWithin ? started : parser.line, values: {}, problem: isWithin ? "the file ends within it" : problem },
    ];
}

/** Escapes each "&" that begins no entity, as many feeds have it; in CDATA it means itself. */
async function* withoutBareAmpersands(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = "";
  let isData = false;
  const escaped = (found: string) => {
    if (found === "&") return isData ? found : "&amp;";
    isData = found !== "]]>";
    return found;
  };
  for await (const piece of pieces) {
    // Nothing that is looked for is cut behind a ">".
    const all = rest + piece;
    const end = all.lastIndexOf(">") + 1;
    if (end > 0) yield all.slice(0, end).replace(/<!\[CDATA\[|\]\]>|&(?!#?\w{1,31};)/g, escaped);
    rest = all.slice(end);
    if (rest.length > MAX_RECORD) throw new CommandError("the XML has a text that is too long for a record.");
  }
  yield rest;
}

/** The path of the elements that are records. */
function recordPath(head: string): string {
  const found = new Map<string, { readonly depth: number; count: number; parts: number }>();
  const path: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", () => {});
  parser.on("closetag", () => void path.pop());
  parser.on("opentag", ({ name, attributes }) => {
    const parent = found.get(path.join("/"));
    if (parent !== undefined) parent.parts++;
    path.push(name);
    const one = found.get(path.join("/")) ?? { depth: path.length, count: 0, parts: 0 };
    one.count++;
    one.parts += Object.keys(attributes).length;
    found.set(path.join("/"), one);
  });
  parser.write(head);
  const isNamed = (one: string) => RECORD_NAMES.test(one.slice(one.lastIndexOf("/") + 1));
  const [best] = [...found]
    .filter(([one, { depth, count, parts }]) => depth > 1 && parts > 0 && (count > 1 || isNamed(one)))
    .sort(
      ([a, first], [b, second]) =>
        Number(isNamed(b)) - Number(isNamed(a)) || first.depth - second.depth || second.parts - first.parts,
    );
  if (best === undefined) throw new CommandError("the XML has no list of elements, such as item, entry or product.");
  return best[0];
}

function addElement(into: Values, { name, attributes, children, text: given }: Element): void {
  const text = given.trim();
  const more = Object.entries(attributes).filter(([key]) => !/^xml|^type$/.test(key));
  const isObject = Object.keys(children).length > 0;
  if (isObject) add(into, name, { ...Object.fromEntries(more), ...plainNames(children) });
  else if (text === "" && more.length > 0) add(into, name, attributes.href ?? Object.fromEntries(more));
  if (isObject || text === "") return;
  // <param name="colour">red</param> is an attribute of that name.
  const own = attributes.name?.trim() || name;
  add(into, own, text);
  for (const [key, value] of more)
    if (key !== "name") add(into, `${own}${key.slice(0, 1).toUpperCase()}${key.slice(1)}`, value);
}

/** Adds a value; several of a name are a list. */
function add(into: Values, name: string, value: unknown): void {
  const before = into[name];
  if (before === undefined) into[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else into[name] = [before, value];
}

function plainNames(values: Readonly<Values>): Values {
  const names = Object.keys(values);
  const plain: Values = Object.create(null);
  for (const name of [...names.filter((one) => !GOOGLE.test(one)), ...names.filter((one) => GOOGLE.test(one))])
    if (!name.startsWith("xmlns")) plain[name.replace(GOOGLE, "")] = values[name];
  return plain;
}
