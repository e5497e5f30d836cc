// Which parts of a record are searched, and as what, by the settings and by the names of attributes.

import { wordsOf } from "../analysis/language-rules.js";
import { customsOf } from "../analysis/languages.js";
import { normalizeText } from "../analysis/normalize-text.js";
import { lastName, plainName } from "../util/attribute-path.js";
import { type ShownSettings, searchedName, type WeightedAttribute } from "./settings.js";

/** The {@link plainName}s of title attributes, the preferred ones first. A record's title is the first of them that has a text. */
const TITLE_NAMES: readonly string[] =
  "title producttitle productname itemtitle itemname displayname name headline label".split(" ");
/** The names of attributes that hold categories, at any depth. */
const CATEGORY_NAMES = new Set(
  "category categories productcategory googleproductcategory producttype type department collection".split(" "),
);

/** The place of a name among those of titles that it has not. */
export const NO_TITLE: number = Number.POSITIVE_INFINITY;

/** What attributes of a name hold, as bits. */
export const IDENTIFIER = 1;
export const CATEGORY = 2;

/** A limited number of names is remembered. */
const MAX_NAMES = 1 << 14;

/** The rules by which records are read. */
export class FieldRules {
  readonly idAttribute: string;
  /** Dotted paths to search; null: every text attribute, by its top-level name. */
  readonly searchable: readonly string[] | null;
  /** The paths to search, and the last name of each. */
  readonly searched: readonly { readonly path: string; readonly key: string }[];
  /** The attribute that holds the record's vector; undefined: there is none. */
  readonly vectorAttribute: string | undefined;
  /** Dotted paths whose text is embedded; null: the searchable text without identifiers, with the title twice. */
  readonly embedded: readonly string[] | null;
  /** Whether titles are also stored word by word, for the title evidence of a score. */
  readonly titles: boolean;
  /** Of attributes with a language of their own that their names end with: the names without it, "title" for "title_de". */
  private readonly translated: ReadonlyMap<string, string>;
  /** Whether ids are searched as codes are: where no attribute holds codes, they are none either. */
  readonly findsIds: boolean;
  /** The {@link plainName}s of attributes that hold identifiers, at any depth. */
  private readonly identifiers: ReadonlySet<string>;
  /** The {@link foldedName}s that titles, the preferred ones first, and categories have besides the English names. */
  private readonly ownTitles: readonly string[];
  private readonly ownCategories: ReadonlySet<string>;
  private readonly isEnglish: boolean;
  private readonly titleRanks = new Map<string, number>();
  private readonly meanings = new Map<string, number>();

  constructor(settings: Omit<ShownSettings, "semanticFloor">) {
    const searched = settings.searchableAttributes ?? [];
    this.idAttribute = settings.idAttribute;
    this.searchable = settings.searchableAttributes === null ? null : searched.map(searchedName);
    this.searched = searched.map(searchedName).map((path) => ({ path, key: lastName(path) }));
    this.vectorAttribute = settings.vectorAttribute ?? undefined;
    this.embedded = settings.embeddedAttributes;
    this.titles = settings.titleEvidence;
    this.translated = new Map(searched.flatMap(withoutLanguage));
    this.identifiers = new Set(settings.identifierAttributes.map(plainName));
    this.findsIds = settings.identifierAttributes.length > 0;
    const { attributes } = customsOf(settings);
    this.isEnglish = attributes === undefined;
    this.ownTitles = attributes === undefined ? [] : wordsOf(attributes.title);
    this.ownCategories = new Set(attributes === undefined ? [] : wordsOf(attributes.category));
  }

  /** Whether an attribute has the name of a title. */
  isTitleName(name: string): boolean {
    return this.rankOf(name) !== NO_TITLE;
  }

  /** Whether an attribute of this name holds codes. */
  isIdentifierName(name: string): boolean {
    return this.identifiers.has(plainName(name)) || (!this.isEnglish && this.identifiers.has(foldedName(name)));
  }

  /** Whether some of these attributes are searched and have names of categories. */
  namesCategories(paths: Iterable<string>): boolean {
    return [...paths].some(
      (path) =>
        [path, lastName(path)].some((name) => this.isCategoryName(name)) &&
        (this.searchable?.some((name) => path === name || path.startsWith(`${name}.`)) ?? true),
    );
  }

  /** The place of a top-level name among those of titles; {@link NO_TITLE}: it is not searched, or has none. */
  titleRank(name: string): number {
    return this.titleRanks.get(name) ?? remember(this.titleRanks, name, this.rankOfField(name));
  }

  /** What attributes of a name hold: {@link IDENTIFIER}, {@link CATEGORY}. */
  meaningOf(name: string): number {
    return this.meanings.get(name) ?? remember(this.meanings, name, this.meaningIn(name));
  }

  private rankOfField(name: string): number {
    return this.searchable?.includes(name) === false ? NO_TITLE : this.rankOf(this.translated.get(name) ?? name);
  }

  private meaningIn(name: string): number {
    return (this.isIdentifierName(name) ? IDENTIFIER : 0) | (this.isCategoryName(name) ? CATEGORY : 0);
  }

  private rankOf(name: string): number {
    const place = TITLE_NAMES.indexOf(plainName(name));
    if (place >= 0) return place;
    const own = this.isEnglish ? -1 : this.ownTitles.indexOf(foldedName(name));
    return own < 0 ? NO_TITLE : TITLE_NAMES.length + own;
  }

  private isCategoryName(name: string): boolean {
    return CATEGORY_NAMES.has(plainName(name)) || (!this.isEnglish && this.ownCategories.has(foldedName(name)));
  }
}

function remember(known: Map<string, number>, name: string, found: number): number {
  if (known.size >= MAX_NAMES) known.clear();
  known.set(name, found);
  return found;
}

function withoutLanguage(entry: string | WeightedAttribute): (readonly [string, string])[] {
  if (typeof entry === "string" || entry.language === undefined) return [];
  const name = plainName(entry.attribute);
  const tag = plainName(entry.language);
  const ends = [tag, tag.slice(0, entry.language.search(/-|$/))].filter((end) => name.endsWith(end));
  return ends.map((end) => [entry.attribute, name.slice(0, -end.length)]);
}

/** A name as those of other languages compare: without accents and points, too. "Art.-Nr." is "artnr". */
function foldedName(name: string): string {
  return normalizeText(plainName(name)).replaceAll(".", "");
}
