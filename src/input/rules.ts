// Reads the rules of a shop. All that is wrong with any of them is a complaint, under a path such as `rules[3].consequence.hide`.

import { type WordEdit, WordEdits } from "../analysis/edit-words.js";
import type { AttributeValue } from "../docvalues/doc-values.js";
import type { Filter } from "../docvalues/filter.js";
import type { Demand, Pin, QueryChange, ReadCondition, ReadConsequence, ReadRule } from "../settings/rule-index.js";
import { show, unknownName } from "../util/errors.js";
import { instantOf } from "../util/instant.js";
import { joinKeys, utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import type { Task } from "../util/tasks.js";
import { readFilters } from "./filter-object.js";
import { Checker, LONGEST_CONTEXT, type Reading } from "./kinds.js";
import { kindOf, RULE_PARAMETERS } from "./parameter-table.js";
import { isPlainObject, type PlainObject } from "./plain-data.js";

/** Rules, conditions, periods, ids and words read between two pauses. */
const PAUSE_EVERY = 256;
const MOST_RULES = 10_000;
/** The places behind it are exact numbers, too. */
const LAST_POSITION = Number.MAX_SAFE_INTEGER - 2 ** 32;
const LONGEST_ID = 512;
const LONGEST_PATTERN = 512;
/** Smaller numbers are seconds: so many milliseconds after 1970 was 1973. */
const LEAST_MILLISECONDS = 1e11;
const ANCHORINGS = ["is", "startsWith", "endsWith", "contains", "words"] as const;
const EDIT_TYPES = ["remove", "replace"] as const;

const RULE = ["id", "conditions", "consequence", "validity", "enabled", "stop"];
const CONDITION = ["pattern", "anchoring", "context", "filters"];
const CONSEQUENCE = ["promote", "hide", "params", "userData"];
const PROMOTION = ["id", "ids", "position"];
const PERIOD = ["from", "until"];
const EDIT = ["delete", "insert", "type"];

const NOTHING: PlainObject = {};

/** Reads rules. */
export function* readRules(
  given: unknown,
  name: string,
  { check, limits }: Pick<Reading, "check" | "limits">,
): Task<readonly ReadRule[]> {
  if (!Array.isArray(given)) check.complain(name, given, `a list of at most ${MOST_RULES} rules`);
  else if (given.length > MOST_RULES) check.complain(name, `a list of ${given.length}`, `at most ${MOST_RULES} rules`);
  else {
    const rules: ReadRule[] = [];
    const ids = new Set<unknown>();
    const reader = new RuleReader(check, limits);
    for (const [i, one] of given.entries()) {
      const rule = yield* reader.rule(one, `${name}[${i}]`);
      if (rule === undefined) continue;
      const id: unknown = rule.id;
      if (typeof id === "string" && ids.has(id)) check.complain(`${name}[${i}].id`, id, "an id that no other rule has");
      ids.add(id);
      rules.push(rule);
    }
    return rules;
  }
  return [];
}

/** Whether a filter asks for nothing but values that must all be there. */
function isOfDemands(filter: Filter): boolean {
  return filter.kind === "equals" || (filter.kind === "and" && filter.filters.every(isOfDemands));
}

/** The values that a filter demands, whatever else it demands. */
export function demandedValues(filter: Filter): Demand[] {
  switch (filter.kind) {
    case "equals":
      return [demand(filter.attribute, filter.value)];
    case "in":
      return filter.values.length === 1 ? [demand(filter.attribute, filter.values[0]!)] : [];
    case "and":
      return filter.filters.flatMap(demandedValues);
    default:
      return [];
  }
}

function demand(attribute: string, value: AttributeValue): Demand {
  return joinKeys([attribute, String(value)]);
}

/** Reads one rule after the other. */
class RuleReader {
  private readonly check: Checker;
  private readonly limits: Limits;
  private seen = 0;

  constructor(check: Checker, limits: Limits) {
    this.check = check;
    this.limits = limits;
  }

  /** undefined: it is no object. */
  *rule(given: unknown, at: string): Task<ReadRule | undefined> {
    if (this.isTimeToPause()) yield;
    const rule = this.object(given, at, RULE);
    if (rule === undefined) return undefined;
    const { id, conditions = [], consequence, validity } = rule;
    if (!isText(id, LONGEST_ID) || id === "")
      this.check.complain(`${at}.id`, id, `a text of 1 to ${LONGEST_ID} characters`);
    const read: ReadCondition[] = [];
    for (const [i, each] of this.list(conditions, `${at}.conditions`, "conditions").entries()) {
      if (this.isTimeToPause()) yield;
      read.push(...this.condition(each, `${at}.conditions[${i}]`));
    }
    return {
      id: id as string,
      conditions: read,
      consequence: yield* this.consequence(consequence, `${at}.consequence`),
      validity: validity === undefined ? undefined : yield* this.validity(validity, `${at}.validity`),
      enabled: rule.enabled === undefined || this.check.boolean(`${at}.enabled`, rule.enabled),
      stop: rule.stop !== undefined && this.check.boolean(`${at}.stop`, rule.stop),
    };
  }

  private condition(given: unknown, at: string): ReadCondition[] {
    const condition = this.object(given, at, CONDITION);
    if (condition === undefined) return [];
    const { pattern, anchoring, context, filters } = condition;
    if (pattern !== undefined && !isText(pattern, LONGEST_PATTERN))
      this.check.complain(`${at}.pattern`, pattern, `a text of at most ${LONGEST_PATTERN} characters`);
    const where = this.check.oneOf(`${at}.anchoring`, anchoring, ANCHORINGS, "is");
    if (anchoring !== undefined && pattern === undefined)
      this.check.complain(`${at}.pattern`, pattern, "a pattern beside the anchoring");
    if (typeof pattern === "string" && pattern.trim() === "" && where !== "is")
      this.check.complain(`${at}.pattern`, pattern, `words beside the anchoring ${show(where)}`);
    if (context !== undefined && (!isText(context, LONGEST_CONTEXT) || context === ""))
      this.check.complain(`${at}.context`, context, `a text of 1 to ${LONGEST_CONTEXT} characters`);
    const demands = filters === undefined ? [] : this.demands(filters, `${at}.filters`);
    return [{ pattern, anchoring: where, context, demands } as ReadCondition];
  }

  private demands(given: unknown, at: string): readonly Demand[] {
    const expected = 'names and one value each: { category: "Drills" } or "category:Drills AND inStock:true"';
    const isValue = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
    const filter = this.filter(given, at);
    if (filter === undefined) return [];
    if (!isOfDemands(filter) || (isPlainObject(given) && !Object.values(given).every(isValue)))
      this.check.complain(at, given, expected);
    return [...new Set(demandedValues(filter))];
  }

  private filter(given: unknown, at: string): Filter | undefined {
    return this.check.collect(() => readFilters(given, this.limits, at), { error: "invalid_setting", param: at });
  }

  private *validity(given: unknown, at: string): Task<NonNullable<ReadRule["validity"]>> {
    const periods = this.list(given, at, "periods { from, until }");
    const read: (readonly [from: number, until: number])[] = [];
    if (Array.isArray(given) && given.length === 0)
      this.check.complain(at, given, "one period { from, until } or more");
    for (const [i, each] of periods.entries()) {
      if (this.isTimeToPause()) yield;
      const path = `${at}[${i}]`;
      const period = this.object(each, path, PERIOD);
      if (period === undefined) continue;
      const from = this.instant(period.from, `${path}.from`);
      const until = this.instant(period.until, `${path}.until`);
      if (from !== undefined && until !== undefined && from > until)
        this.check.complain(`${path}.until`, period.until, "an instant that is not before from");
      if (from !== undefined && until !== undefined) read.push([from, until]);
    }
    return read;
  }

  private instant(given: unknown, at: string): number | undefined {
    const instant = typeof given === "string" ? instantOf(given) : given;
    const isTooSmall = typeof given === "number" && given < LEAST_MILLISECONDS;
    if (!isTooSmall && typeof instant === "number" && Number.isFinite(instant)) return instant;
    const expected = isTooSmall
      ? "milliseconds since 1970, of which there are more than 100,000,000,000; it may be seconds"
      : 'a date such as "2026-01-31T10:00Z", or milliseconds since 1970';
    return this.check.complain(at, given, expected);
  }

  *consequence(given: unknown, at: string): Task<ReadConsequence> {
    const own = this.object(given, at, CONSEQUENCE) ?? NOTHING;
    const { promote = [], hide = [], params, userData } = own;
    if (isPlainObject(given) && CONSEQUENCE.every((name) => own[name] === undefined))
      this.check.complain(at, given, `one of ${CONSEQUENCE.join(", ")} or more`);
    if (userData !== undefined && !isJson(userData)) this.check.complain(`${at}.userData`, userData, "a value of JSON");
    const { query, ...rest } =
      (params === undefined ? undefined : this.object(params, `${at}.params`, ["query", ...RULE_PARAMETERS])) ??
      NOTHING;
    return {
      promote: yield* this.promotions(promote, `${at}.promote`),
      hide: yield* this.ids(hide, `${at}.hide`),
      params: this.params(rest, `${at}.params`),
      query: query === undefined ? undefined : yield* this.query(query, `${at}.params.query`),
      userData,
    };
  }

  private *promotions(given: unknown, at: string): Task<Pin[]> {
    const pins: Pin[] = [];
    for (const [i, each] of this.list(given, at, "{ id, position } or { ids, position }").entries()) {
      const path = `${at}[${i}]`;
      const promotion = this.object(each, path, PROMOTION);
      if (promotion === undefined) continue;
      const { id, ids, position } = promotion;
      if ((id === undefined) === (ids === undefined)) this.check.complain(path, each, "an id, or a list of ids");
      const read = yield* ids === undefined ? this.ids([id], `${path}.id`, true) : this.ids(ids, `${path}.ids`);
      if (Array.isArray(ids) && ids.length === 0) this.check.complain(`${path}.ids`, ids, "one id or more");
      if (position === undefined) this.check.complain(`${path}.position`, position, "an integer from 0");
      const place = this.check.integer(`${path}.position`, position, 0, Number.MAX_SAFE_INTEGER, 0);
      for (const one of read) pins.push({ id: one, position: Math.min(place, LAST_POSITION) });
    }
    return pins;
  }

  /** `isSingle`: the list was made of one id, which may be missing. */
  private *ids(given: unknown, at: string, isSingle = false): Task<string[]> {
    const ids: string[] = [];
    const { idBytes } = this.limits;
    const fits = (id: string): boolean => id !== "" && id.length <= idBytes && utf8Length(id) <= idBytes;
    for (const [i, id] of this.list(given, at, "ids").entries()) {
      if (this.isTimeToPause()) yield;
      const isId = Number.isSafeInteger(id) || (typeof id === "string" && fits(id));
      if (isId) ids.push(String(id));
      else if (!isSingle || id !== undefined) this.check.complain(isSingle ? at : `${at}[${i}]`, id, "an id");
    }
    return ids;
  }

  private params(given: PlainObject, at: string): PlainObject {
    const read: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined || !RULE_PARAMETERS.includes(name)) continue;
      const path = `${at}.${name}`;
      const own = new Checker("invalid_setting", "settings");
      read[name] = kindOf(name).read(value, path, { check: own, limits: this.limits, dimensions: 0 });
      // Readers of parameters have codes and names of their own.
      for (const { msg, details } of own.complaints) {
        const named = msg.includes(path) ? msg : `settings.${path}: ${msg}`;
        this.check.add({ error: "invalid_setting", param: path, msg: named, details });
      }
    }
    return read;
  }

  private *query(given: unknown, at: string): Task<QueryChange | undefined> {
    const { queryBytes } = this.limits;
    if (isText(given, queryBytes)) return { text: given };
    const forms = `a text of at most ${queryBytes} characters, { remove: [word] } or { edits: [{ delete, insert }] }`;
    const { remove, edits } = isPlainObject(given) ? given : NOTHING;
    if (!isPlainObject(given) || (remove === undefined) === (edits === undefined))
      return this.check.complain(at, given, forms);
    this.object(given, at, ["remove", "edits"]);
    const read: WordEdit[] = [];
    const [list, path, what] =
      remove === undefined ? [edits, `${at}.edits`, "{ delete, insert }"] : [remove, `${at}.remove`, "words"];
    for (const [i, each] of this.list(list, path, what).entries()) {
      if (this.isTimeToPause()) yield;
      const edit = remove === undefined ? this.edit(each, `${path}[${i}]`) : this.removal(each, `${path}[${i}]`);
      if (edit !== undefined) read.push(edit);
    }
    return { edits: new WordEdits(read) };
  }

  private removal(given: unknown, at: string): WordEdit | undefined {
    const word = this.words(given, at);
    return word === undefined ? undefined : { delete: word, insert: "" };
  }

  private edit(given: unknown, at: string): WordEdit | undefined {
    const edit = this.object(given, at, EDIT);
    if (edit === undefined) return undefined;
    const deleted = this.words(edit.delete, `${at}.delete`);
    const { insert = "" } = edit;
    const isInsert = isText(insert, this.limits.queryBytes);
    if (!isInsert) this.check.complain(`${at}.insert`, insert, "a text");
    this.check.oneOf(`${at}.type`, edit.type, EDIT_TYPES, "replace");
    return deleted === undefined || !isInsert ? undefined : { delete: deleted, insert };
  }

  private words(given: unknown, at: string): string | undefined {
    if (isText(given, LONGEST_PATTERN) && given.trim() !== "") return given;
    return this.check.complain(at, given, `words of at most ${LONGEST_PATTERN} characters`);
  }

  /** An object of known properties; undefined: it is none. */
  private object(given: unknown, at: string, known: readonly string[]): PlainObject | undefined {
    if (!isPlainObject(given))
      return this.check.complain(at, given, `an object of ${known.slice(0, RULE.length).join(", ")}`);
    for (const name of Object.keys(given))
      if (given[name] !== undefined && !known.includes(name)) {
        const msg = `settings.${at}: ${unknownName("property", name, known)}`;
        this.check.add({ error: "invalid_setting", param: at, msg });
      }
    return given;
  }

  /** The items of a list; none: it is no list. */
  private list(given: unknown, at: string, what: string): readonly unknown[] {
    if (Array.isArray(given)) return given;
    this.check.complain(at, given, `a list of ${what}`);
    return [];
  }

  /** Counts one more thing that is read. */
  private isTimeToPause(): boolean {
    return ++this.seen % PAUSE_EVERY === 0;
  }
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === "string" && value.length <= longest;
}

/** Whether plain data says the same as JSON. */
function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== "object" || value === null)
    return ["string", "boolean"].includes(typeof value) || value === null;
  const hasNames = isPlainObject(value) && Object.getOwnPropertySymbols(value).length === 0;
  return hasNames && Object.values(value).every((inner) => inner === undefined || isJson(inner));
}
