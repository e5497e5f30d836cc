// Answers what a sentence asks of an index: from columns of values, posting lists and titles. Only live records count, so that the
// answers depend on nothing but the records.

import { plainText } from "../../analysis/markup.js";
import { phraseTerms } from "../../analysis/parse-query.js";
import {
  type DocValues,
  docsOfRange,
  isLiveOrdinal,
  numbersOf,
  ordinalOf,
  ordinalsOf,
} from "../../docvalues/doc-values.js";
import { commonHolders } from "../../inverted/find-holders.js";
import type { SearchableSegment } from "../../inverted/text-searcher.js";
import type { CheckedSettings } from "../../settings/resolved-settings.js";
import { type BoundedVersion, textSearcherOf } from "../../state/bounded-snapshot.js";
import { type ColumnReferences, columnOf, ensureColumns } from "../../state/column-store.js";
import { readFields } from "../../state/read-fields.js";
import { RecordReader } from "../../state/record-table.js";
import type { LiveSegment } from "../../state/segment.js";
import { isUsualFacet, usualAttributes } from "../../understanding/attribute-names.js";
import type { FacetValue, IndexFacts, NamedAttributes, NumberRange } from "../../understanding/index-facts.js";
import { spellingOf } from "../../understanding/reading.js";
import type { LocalDoc } from "../../util/doc-set.js";
import { heapBytes } from "../../util/json.js";
import { KeptKey } from "../../util/kept.js";
import { listIn } from "../../util/offset-table.js";
import type { Task } from "../../util/tasks.js";
import { containsRun } from "../prepare/phrases.js";

/** Names of attributes that are looked at, at most. */
const MOST_NAMES = 10_000;
/** Facets whose values are looked up, at most. */
const MOST_FACETS = 64;
/** Records that are read to see whether they have words side by side, at most. */
const MOST_READ = 1000;
const LONGEST_VALUE = 128;
const PAUSE_EVERY_VALUES = 256;
const PAUSE_EVERY_RECORDS = 16;
const PAUSE_EVERY_DOCS = 512;
const ENTRY_BYTES = 88;

/** The attributes that a sentence may speak of. */
interface IntentAttributes {
  readonly settings: CheckedSettings;
  /** Sorted; with the usual names among them. */
  readonly all: readonly string[];
  readonly facets: readonly string[];
  readonly named: NamedAttributes;
  /** The attribute of prices, if it has no numbers. */
  readonly otherPrices: string | null;
}

/** A record, by its segment. */
interface Holder {
  readonly live: LiveSegment;
  readonly doc: LocalDoc;
}

/** What was chosen for a snapshot; it can be chosen again, so it changes no answer. */
const CHOSEN = new KeptKey<{ attributes: IntentAttributes | undefined }>();

/** The facts of one version of an index. */
export class FactsOfIndex implements IndexFacts {
  private readonly version: BoundedVersion;
  private readonly columns: ColumnReferences;
  private chosen: IntentAttributes;
  /** The attribute of prices, if a sentence asked for one and its values are no numbers. */
  missedPrices: string | null = null;

  private constructor(version: BoundedVersion, columns: ColumnReferences, chosen: IntentAttributes) {
    this.version = version;
    this.columns = columns;
    this.chosen = chosen;
  }

  get named(): NamedAttributes {
    return this.chosen.named;
  }

  get attributes(): readonly string[] {
    return this.chosen.all;
  }

  /** The facts of the records of a version. The columns are kept until they are released. */
  static *of(version: BoundedVersion, columns: ColumnReferences): Task<FactsOfIndex> {
    const { snapshot, settings } = version;
    const kept = snapshot.kept.get(CHOSEN, () => ({ attributes: undefined }));
    const known = kept.attributes;
    const attributes = known?.settings === settings.effective ? known : yield* chooseAttributes(version);
    const { facets, named } = attributes;
    // All at once, because records are read for them.
    const used = [...facets, ...Object.values(named).filter((name) => name !== null)];
    yield* ensureColumns(snapshot, used, columns);
    const facts = new FactsOfIndex(version, columns, attributes);
    if (attributes === known) return facts;
    const checked = {
      price: yield* facts.withNumbers(named.price),
      rating: yield* facts.withNumbers(named.rating),
      newest: yield* facts.withValues(named.newest),
    };
    facts.chosen = { ...attributes, named: checked, otherPrices: checked.price === null ? named.price : null };
    kept.attributes = facts.chosen;
    return facts;
  }

  private *withNumbers(attribute: string | null): Task<string | null> {
    return attribute !== null && (yield* this.rangeOf(attribute)) !== undefined ? attribute : null;
  }

  private *withValues(attribute: string | null): Task<string | null> {
    if (attribute === null) return null;
    for (const { live, column } of yield* this.columnsOf(attribute))
      for (let ordinal = 0; ordinal < column.values.length; ordinal++)
        if (isLiveOrdinal(column, ordinal, live.deletedDocs)) return attribute;
    return null;
  }

  lacksPrices(): void {
    this.missedPrices = this.chosen.otherPrices;
  }

  *prepare(attributes: readonly string[]): Task<void> {
    yield* ensureColumns(this.version.snapshot, attributes, this.columns);
  }

  *rangeOf(attribute: string): Task<NumberRange | undefined> {
    let least = Number.POSITIVE_INFINITY;
    let greatest = Number.NEGATIVE_INFINITY;
    for (const { live, column } of yield* this.columnsOf(attribute)) {
      const numbers = numbersOf(column);
      const first = numbers.findIndex((_, ordinal) => isLiveOrdinal(column, ordinal, live.deletedDocs));
      if (first < 0) continue;
      const last = numbers.findLastIndex((_, ordinal) => isLiveOrdinal(column, ordinal, live.deletedDocs));
      least = Math.min(least, numbers[first]!);
      greatest = Math.max(greatest, numbers[last]!);
      yield;
    }
    return least <= greatest ? { least, greatest } : undefined;
  }

  *valuesOf(words: string): Task<readonly FacetValue[]> {
    const found: FacetValue[] = [];
    for (const attribute of this.chosen.facets) {
      const values = new Set<string>();
      for (const { live, column } of yield* this.columnsOf(attribute))
        for (const ordinal of (yield* spellingsOf(column)).get(words) ?? [])
          if (isLiveOrdinal(column, ordinal, live.deletedDocs)) values.add(column.values[ordinal] as string);
      if (values.size > 0) found.push({ attribute, values: [...values].sort() });
    }
    return found;
  }

  *standsInTitle(words: string, other?: FacetValue): Task<boolean> {
    const holders = yield* this.holdersOf(words, true);
    if (other === undefined) return yield* this.anyHasRun(holders, words, true);
    // Words of so many titles are no name.
    if (holders.length > MOST_READ) return false;
    yield* this.prepare([other.attribute]);
    const [having, lacking]: [Holder[], Holder[]] = [[], []];
    for (const holder of holders) (hasValue(holder.live, holder.doc, other) ? having : lacking).push(holder);
    yield;
    return !(yield* this.anyHasRun(having, words, true)) && (yield* this.anyHasRun(lacking, words, true));
  }

  *meets(value: FacetValue, other: string | FacetValue): Task<boolean> {
    yield* this.prepare([value.attribute]);
    for (const { live, searchable } of this.segments()) {
      const docs =
        typeof other === "string" ? yield* this.holdersIn(searchable, other) : yield* this.docsWith(live, other);
      let seen = 0;
      for (const doc of docs) {
        if (++seen % PAUSE_EVERY_DOCS === 0) yield;
        if (isLive(live, doc) && hasValue(live, doc, value)) return true;
      }
    }
    return false;
  }

  /** The records of a segment with a value, deleted ones too. */
  private *docsWith(live: LiveSegment, { attribute, values }: FacetValue): Task<readonly LocalDoc[]> {
    yield* this.prepare([attribute]);
    const column = columnOf(live.segment, attribute);
    if (column === undefined) return [];
    const ranges = values.map((value) => ordinalOf(column, value)).filter((ordinal) => ordinal >= 0);
    return ranges.flatMap((from) => [...docsOfRange(column, { from, to: from + 1 })] as LocalDoc[]);
  }

  *holds(words: string): Task<boolean> {
    return yield* this.anyHasRun(yield* this.holdersOf(words, false), words, false);
  }

  /** The live records that hold all of the words, or hold them in attributes of titles; of more than MOST_READ, some. */
  private *holdersOf(words: string, inTitle: boolean): Task<Holder[]> {
    const found: Holder[] = [];
    let seen = 0;
    for (const { live, searchable } of this.segments()) {
      const { fields } = searchable.postings;
      const others = inTitle
        ? new Set(fields.filter((field) => !this.version.settings.fields.isTitleName(field)))
        : undefined;
      for (const doc of yield* this.holdersIn(searchable, words, others)) {
        if (++seen % PAUSE_EVERY_DOCS === 0) yield;
        found.push({ live, doc });
        if (found.length > MOST_READ) return found;
      }
      yield;
    }
    return found;
  }

  /** Whether the words stand side by side in one of the records. Where many hold them, they are taken to do so. */
  private *anyHasRun(holders: readonly Holder[], words: string, inTitle: boolean): Task<boolean> {
    if (holders.length > MOST_READ) return true;
    for (const [i, { live, doc }] of holders.entries()) {
      if (i % PAUSE_EVERY_RECORDS === PAUSE_EVERY_RECORDS - 1) yield;
      if (yield* this.isRunIn(live, doc, words, inTitle)) return true;
    }
    return false;
  }

  /** The live records of a segment that hold all of the words, outside some fields. */
  private *holdersIn(
    searchable: SearchableSegment,
    words: string,
    notIn?: ReadonlySet<string>,
  ): Task<Iterable<LocalDoc>> {
    return yield* commonHolders(searchable, phraseTerms(words, this.version.settings.language.words), notIn);
  }

  /** Whether the words stand side by side in a text of a record, or in its title. */
  private *isRunIn(live: LiveSegment, doc: LocalDoc, words: string, inTitle: boolean): Task<boolean> {
    const { language, fields } = this.version.settings;
    const { records } = live.segment;
    const record = yield* new RecordReader(records).parsed(doc);
    const terms = phraseTerms(words, language.words);
    return readFields(record, records.ids.textAt(doc), fields).some(
      ({ isTitle, texts }) =>
        (isTitle || !inTitle) && texts.some((text) => containsRun(phraseTerms(plainText(text), language.words), terms)),
    );
  }

  private segments(): { readonly live: LiveSegment; readonly searchable: SearchableSegment }[] {
    const { snapshot, settings } = this.version;
    const searcher = textSearcherOf(snapshot, settings.effective);
    return snapshot.segments.map((live, i) => ({ live, searchable: searcher.segments[i]! }));
  }

  private *columnsOf(attribute: string): Task<{ readonly live: LiveSegment; readonly column: DocValues }[]> {
    const { snapshot } = this.version;
    yield* ensureColumns(snapshot, [attribute], this.columns);
    return snapshot.segments.flatMap((live) => {
      const column = columnOf(live.segment, attribute);
      return column === undefined ? [] : [{ live, column }];
    });
  }
}

/** The attributes that filters take; those of usual names are facets where none are declared. */
function* chooseAttributes({ attributes, settings: { effective } }: BoundedVersion): Task<IntentAttributes> {
  const { attributesForFaceting: declared, understanding } = effective;
  const names = declared === null ? yield* attributes.someValueAttributes(MOST_NAMES) : [...declared.keys()];
  const all = [...new Set(names)].sort();
  yield;
  const usual = usualAttributes(all);
  const choose = (kind: keyof NamedAttributes): string | null => {
    const name = understanding[kind] ?? usual[kind];
    return name !== null && all.includes(name) ? name : null;
  };
  const facets = declared === null ? all.filter(isUsualFacet) : all;
  return {
    settings: effective,
    all,
    facets: facets.slice(0, MOST_FACETS),
    named: { price: choose("price"), rating: choose("rating"), newest: choose("newest") },
    otherPrices: null,
  };
}

function isLive({ deletedDocs }: LiveSegment, doc: LocalDoc): boolean {
  return deletedDocs?.has(doc) !== true;
}

/** Whether a record has a value, whose column is there. */
function hasValue(live: LiveSegment, doc: LocalDoc, { attribute, values }: FacetValue): boolean {
  const column = columnOf(live.segment, attribute);
  if (column === undefined) return false;
  return ordinalsOf(column, doc).some((ordinal) => values.includes(column.values[ordinal] as string));
}

/** The ordinals of a column's texts by their words; computed once per column. */
function* spellingsOf({ values, caches }: DocValues): Task<ReadonlyMap<string, readonly number[]>> {
  if (caches.spellings !== undefined) return caches.spellings.byWords;
  const byWords = new Map<string, number[]>();
  let bytes = 0;
  for (const [ordinal, value] of values.entries()) {
    if (ordinal % PAUSE_EVERY_VALUES === 0) yield;
    const words = typeof value === "string" && value.length <= LONGEST_VALUE ? spellingOf(value) : "";
    if (words === "") continue;
    const ordinals = listIn(byWords, words);
    bytes += ordinals.length === 0 ? ENTRY_BYTES + heapBytes(words) : 8;
    ordinals.push(ordinal);
  }
  caches.spellings = { byWords, bytes };
  return byWords;
}
