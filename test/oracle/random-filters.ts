// Random filters in three forms that mean the same: a text, an object, and a plain function of a record.

import type { JsonRecord } from "../../src/index.js";
import { instantIn } from "../support/naive-dates.js";
import { valuesAt, valuesInItem } from "../support/naive-filters.js";
import { isObject, placedAt } from "../support/naive-items.js";
import type { Random } from "../support/random.js";
import { LISTS, type Scalar, VALUES } from "./random-attributes.js";

export interface MadeFilter {
  readonly text: string;
  readonly object: object;
  readonly passes: (record: JsonRecord) => boolean;
}

/** A filter over these attributes, at most so many levels deep; `list`: seen from the items of this list. */
export function randomFilter(random: Random, held: readonly string[], depth: number, list = ""): MadeFilter {
  const shape = depth === 0 ? 0 : random.between(0, 6);
  if (shape === 6 || (shape === 0 && depth > 0)) {
    const made = ofItem(random, held, depth, list);
    if (made !== undefined) return made;
  }
  if (shape <= 2 || shape === 6) return randomCondition(random, random.pick(held), list);
  if (shape === 3) return negated(randomFilter(random, held, depth - 1, list));
  const parts = random.list(2, 3, () => randomFilter(random, held, depth - 1, list));
  return shape === 4 ? both(parts) : either(parts);
}

/** A filter that binds a list, where there is one of which attributes are held, alone or beside others. */
export function randomBinding(random: Random, held: readonly string[]): MadeFilter {
  const ofList = (path?: string): MadeFilter =>
    ofItem(random, held, random.between(1, 2), "", path) ?? randomFilter(random, held, 1);
  // A list and one within it.
  if (random.chance(0.3)) {
    const outer = random.pick(["variants", "category"]);
    const inner = Object.keys(LISTS).find((path) => path.startsWith(`${outer}.`))!;
    return random.pick([both, either])([ofList(outer), ofList(inner)]);
  }
  const one = (): MadeFilter => ofList();
  const parts = [one(), ...random.list(0, 2, () => (random.chance(0.6) ? one() : randomFilter(random, held, 1)))];
  return parts.length === 1 ? parts[0]! : random.chance(0.4) ? both(parts) : either(parts);
}

/** A condition on an item of a list, where there is one of which attributes are held. */
function ofItem(
  random: Random,
  held: readonly string[],
  depth: number,
  list: string,
  only?: string,
): MadeFilter | undefined {
  const within = (path: string): string[] => held.filter((name) => name.startsWith(`${path}.`));
  const lists = (only === undefined ? Object.keys(LISTS) : [only]).filter(
    (path) => (list === "" || path.startsWith(`${list}.`)) && within(path).length > 0,
  );
  if (lists.length === 0) return undefined;
  const path = random.pick(lists);
  const inner = randomFilter(random, within(path), depth - 1, path);
  const shown = list === "" ? path : path.slice(list.length + 1);
  return {
    text: `${shown}${random.pick(["", " "])}{${inner.text}}`,
    object: { [shown]: { some: inner.object } },
    passes: (record) => placedAt(record, shown.split(".")).some((item) => isObject(item) && inner.passes(item)),
  };
}

function negated({ text, object, passes }: MadeFilter): MadeFilter {
  return { text: `NOT (${text})`, object: { NOT: object }, passes: (record) => !passes(record) };
}

function both(parts: readonly MadeFilter[]): MadeFilter {
  const names = parts.flatMap(({ object }) => Object.keys(object));
  const objects = parts.map(({ object }) => object);
  return {
    text: parts.map(({ text }) => `(${text})`).join(" AND "),
    // Different keys may stand beside each other in one object.
    object: new Set(names).size === names.length ? Object.assign({}, ...objects) : { AND: objects },
    passes: (record) => parts.every(({ passes }) => passes(record)),
  };
}

function either(parts: readonly MadeFilter[]): MadeFilter {
  return {
    text: parts.map(({ text }) => `(${text})`).join(" OR "),
    object: { OR: parts.map(({ object }) => object) },
    passes: (record) => parts.some(({ passes }) => passes(record)),
  };
}

/** How a record, or an item of a list, has values at a path. */
type Reader = (record: JsonRecord, name: string) => readonly Scalar[];

function randomCondition(random: Random, path: string, list: string): MadeFilter {
  const name = list === "" ? path : path.slice(list.length + 1);
  const read: Reader = list === "" ? valuesAt : valuesInItem;
  const some = (test: (value: Scalar) => boolean) => (record: JsonRecord) => read(record, name).some(test);
  const value = random.pick(VALUES[path]!);
  const numbers = VALUES[path]!.filter((one) => typeof one === "number");
  if (random.chance(0.15))
    return { text: `${name} EXISTS`, object: { [name]: { exists: true } }, passes: some(() => true) };
  const dates = VALUES[path]!.filter((one) => typeof one === "string" && instantIn(one) !== undefined).map(String);
  const bounds = random.pick([numbers, dates]);
  if (bounds.length > 0 && random.chance(0.35)) return ofOneValue(random, name, bounds, read);
  if (dates.length > 0 && random.chance(0.4)) return randomDates(random, name, dates, read);
  if (numbers.length > 0 && random.chance(0.5)) return randomComparison(random, name, numbers, read);
  if (typeof value === "string" && random.chance(0.4)) {
    const text = `${name}${random.pick([":", " = "])}${JSON.stringify(value)}`;
    return { text, object: { [name]: value }, passes: some((one) => one === value) };
  }
  if (random.chance(0.2)) {
    const values = random.list(1, 3, () => random.pick(VALUES[path]!)).filter((one) => typeof one === "string");
    const text = values.map((one) => `${name}:${JSON.stringify(one)}`).join(" OR ");
    const isOne = (one: Scalar): boolean => typeof one === "string" && values.includes(one);
    if (values.length > 0) return { text, object: { [name]: values }, passes: some(isOne) };
  }
  return asPrinted(random, name, value, read);
}

/** Without quotes: whatever prints like it. */
function asPrinted(random: Random, name: string, value: Scalar, read: Reader): MadeFilter {
  const printed = String(value);
  const isPlain = /^[a-z0-9.]+$/i.test(printed) && printed !== "AND";
  const forms: Scalar[] = isPlain ? [printed, Number(printed), printed === "true"] : [printed];
  const alike = forms.filter((one) => String(one) === printed);
  const written = isPlain ? printed : JSON.stringify(printed);
  const isOne = (record: JsonRecord): boolean => read(record, name).some((one) => alike.includes(one));
  if (alike.length === 1 && random.chance(0.3))
    return { text: `${name} != ${written}`, object: { [name]: { ne: alike[0]! } }, passes: (record) => !isOne(record) };
  return { text: `${name}:${written}`, object: { [name]: { in: alike } }, passes: isOne };
}

function randomDates(random: Random, name: string, dates: readonly string[], read: Reader): MadeFilter {
  const [a, b] = [random.pick(dates), random.pick(dates)];
  const [from, to] = [instantIn(a)!, instantIn(b)!];
  const quote = random.pick(['"', "'"]);
  const written = (text: string): string => `${quote}${text}${quote}`;
  const given = (text: string): string | Date => (random.chance(0.3) ? new Date(instantIn(text)!) : text);
  const within = (test: (instant: number) => boolean) => (record: JsonRecord) =>
    read(record, name).some((value) => test(instantIn(value) ?? Number.NaN));
  return random.pick<MadeFilter>([
    { text: `${name} < ${written(a)}`, object: { [name]: { lt: given(a) } }, passes: within((at) => at < from) },
    { text: `${name}<=${written(a)}`, object: { [name]: { lte: given(a) } }, passes: within((at) => at <= from) },
    { text: `${name} > ${written(a)}`, object: { [name]: { gt: given(a) } }, passes: within((at) => at > from) },
    { text: `${name}>=${written(a)}`, object: { [name]: { gte: given(a) } }, passes: within((at) => at >= from) },
    {
      text: `${name}:${written(a)} TO ${written(b)}`,
      object: { [name]: { between: [given(a), given(b)] } },
      passes: within((at) => from <= at && at <= to),
    },
  ]);
}

/** Bounds that one and the same value meets, mostly such that one can; in the text one of them may stand twice. */
function ofOneValue(random: Random, name: string, values: readonly (number | string)[], read: Reader): MadeFilter {
  const areDates = typeof values[0] === "string";
  const placeOf = (value: Scalar): number => (areDates ? instantIn(value) : value) as number;
  const ends = (): [low: number | string, high: number | string] => {
    const [a, b] = [random.pick(values), random.pick(values)];
    return placeOf(a) > placeOf(b) && random.chance(0.8) ? [b, a] : [a, b];
  };
  const [low, high] = ends();
  const [from, to] = ends();
  const [above, below] = [placeOf(low), placeOf(high)];
  const quoted = (value: number | string): string => random.pick(["", " "]) + JSON.stringify(value);
  type Bound = readonly [given: object, text: string, holds: (at: number) => boolean];
  const lower = random.pick<Bound | undefined>([
    [{ gt: low }, `>${quoted(low)}`, (at) => at > above],
    [{ gte: low }, `>=${quoted(low)}`, (at) => at >= above],
    undefined,
  ]);
  const upper = random.pick<Bound | undefined>([
    [{ lt: high }, `<${quoted(high)}`, (at) => at < below],
    [{ lte: high }, `<=${quoted(high)}`, (at) => at <= below],
    undefined,
  ]);
  const isWithin = (at: number): boolean => placeOf(from) <= at && at <= placeOf(to);
  const between: Bound = [{ between: [from, to] }, `${quoted(from)} TO ${quoted(to)}`, isWithin];
  const some = [lower, upper].filter((bound) => bound !== undefined);
  const bounds = some.length === 0 || random.chance(0.2) ? [...some, between] : some;
  const texts = bounds.map(([, text]) => text);
  const isMet = (value: Scalar): boolean =>
    (areDates || typeof value === "number") && bounds.every(([, , holds]) => holds(placeOf(value)));
  return {
    text: `${name}{${random.shuffle([...texts, ...random.some(texts, 0.1)]).join(" AND ")}}`,
    object: { [name]: { some: Object.assign({}, ...bounds.map(([given]) => given)) } },
    passes: (record) => read(record, name).some(isMet),
  };
}

function randomComparison(random: Random, name: string, numbers: readonly number[], read: Reader): MadeFilter {
  const [a, b] = [random.pick(numbers), random.pick(numbers)];
  const within = (test: (value: number) => boolean) => (record: JsonRecord) =>
    read(record, name).some((value) => typeof value === "number" && test(value));
  return random.pick<MadeFilter>([
    { text: `${name} < ${a}`, object: { [name]: { lt: a } }, passes: within((value) => value < a) },
    { text: `${name}<=${a}`, object: { [name]: { lte: a } }, passes: within((value) => value <= a) },
    { text: `${name} > ${a}`, object: { [name]: { gt: a } }, passes: within((value) => value > a) },
    { text: `${name} >= ${a}`, object: { [name]: { gte: a } }, passes: within((value) => value >= a) },
    { text: `${name}:${a} TO ${b}`, object: { [name]: { between: [a, b] } }, passes: within((x) => a <= x && x <= b) },
  ]);
}
