// Units of measure as shops write them, in normalised spelling, each with its dimension and the exact factor to the base unit
// of that dimension. Sources: the SI brochure (BIPM, 9th edition), NIST SP 811 (2008), appendix B.8, for customary units (US
// gallon, fluid ounce, pint, quart; avoirdupois ounce and pound), IEC 80000-13 for KiB. Units without an agreed factor (horsepower,
// cups, pixels) are dimensions of their own. Other languages name the same units in their own words, too.

import { Kept } from "../util/kept.js";
import { type MeasureRules, wordsOf } from "./language-rules.js";
import { type Rational, rational } from "./quantity/rational.js";

/** One unit of measure. */
export interface Unit {
  /** What it measures. Quantities of one dimension can be compared. */
  readonly dimension: string;
  /** One of it, in base units of its dimension. */
  readonly factor: Rational;
}

/** Dimension, factor to its base unit, and spellings; `_` is a blank within a spelling. */
const TABLE: readonly (readonly [dimension: string, factor: string, spellings: string])[] = [
  ["voltage", "1", "v volt volts vdc vac v_dc v_ac"],
  ["voltage", "1000", "kv kilovolt kilovolts"],
  ["voltage", "0.001", "mv millivolt millivolts"],
  ["power", "1", "w watt watts"],
  ["power", "1000", "kw kilowatt kilowatts"],
  ["power", "0.001", "mw milliwatt milliwatts"],
  ["power", "1000000", "megawatt megawatts"],
  ["apparent-power", "1", "va volt_ampere volt_amperes"],
  ["apparent-power", "1000", "kva"],
  ["horsepower", "1", "hp bhp horsepower"],
  ["current", "1", "a amp amps ampere amperes"],
  ["current", "0.001", "ma milliamp milliamps milliampere milliamperes"],
  ["charge", "1", "ah amp_hour amp_hours ampere_hour ampere_hours"],
  ["charge", "0.001", "mah milliamp_hour milliamp_hours"],
  ["energy", "1", "joule joules"],
  ["energy", "1000", "kj kilojoule kilojoules"],
  ["energy", "3600", "wh watt_hour watt_hours"],
  ["energy", "3600000", "kwh kilowatt_hour kilowatt_hours"],
  ["energy", "4184", "kcal kilocalorie kilocalories"],
  ["heat", "1", "btu btus"],
  ["resistance", "1", "ω ohm ohms"],
  ["resistance", "1000", "kω kohm kilohm kilohms"],
  ["length", "1", "m meter meters metre metres"],
  ["length", "1000", "km kilometer kilometers kilometre kilometres"],
  ["length", "0.1", "dm decimeter decimeters decimetre decimetres"],
  ["length", "0.01", "cm cms centimeter centimeters centimetre centimetres"],
  ["length", "0.001", "mm mms millimeter millimeters millimetre millimetres"],
  ["length", "0.000001", "μm um micron microns micrometer micrometers micrometre micrometres"],
  ["length", "0.0254", "in inch inches"],
  ["length", "0.3048", "ft foot feet"],
  ["length", "0.9144", "yd yds yard yards"],
  ["length", "1609.344", "mile miles"],
  // In lower case, nanometres and newton metres are spelt alike.
  ["nm", "1", "nm"],
  ["area", "1", "m2 sqm sq_m square_meter square_meters square_metre square_metres"],
  ["area", "0.0001", "cm2 sq_cm square_centimeter square_centimeters square_centimetre square_centimetres"],
  ["area", "0.000001", "mm2 sqmm sq_mm square_millimeter square_millimeters square_millimetre square_millimetres"],
  ["area", "0.09290304", "ft2 sqft sq_ft square_foot square_feet"],
  ["area", "0.00064516", "in2 sq_in square_inch square_inches"],
  ["mass", "1", "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes"],
  ["mass", "0.001", "g gr gm gms gram grams gramme grammes"],
  ["mass", "0.000001", "mg milligram milligrams milligramme milligrammes"],
  ["mass", "0.000000001", "mcg μg microgram micrograms microgramme microgrammes"],
  ["mass", "1000", "tonne tonnes"],
  ["mass", "0.028349523125", "oz ounce ounces"],
  ["mass", "0.45359237", "lb lbs pound pounds"],
  ["volume", "1", "l ltr ltrs liter liters litre litres dm3"],
  ["volume", "0.1", "dl deciliter deciliters decilitre decilitres"],
  ["volume", "0.01", "cl centiliter centiliters centilitre centilitres"],
  ["volume", "0.001", "ml milliliter milliliters millilitre millilitres cc cm3"],
  ["volume", "1000", "m3 cubic_meter cubic_meters cubic_metre cubic_metres"],
  ["volume", "3.785411784", "gal gals gallon gallons"],
  ["volume", "0.946352946", "qt qts quart quarts"],
  ["volume", "0.473176473", "pt pint pints"],
  ["volume", "0.0295735295625", "floz fl_oz fluid_ounce fluid_ounces fl_ounce fl_ounces"],
  ["volume", "28.316846592", "ft3 cuft cu_ft cubic_foot cubic_feet"],
  ["volume", "0.016387064", "in3 cu_in cubic_inch cubic_inches"],
  ["cups", "1", "cup cups"],
  ["storage", "1", "b byte bytes"],
  ["storage", "1000", "kb kilobyte kilobytes"],
  ["storage", "1000000", "mb megabyte megabytes"],
  ["storage", "1000000000", "gb gigabyte gigabytes"],
  ["storage", "1000000000000", "tb terabyte terabytes"],
  ["storage", "1024", "kib kibibyte kibibytes"],
  ["storage", "1048576", "mib mebibyte mebibytes"],
  ["storage", "1073741824", "gib gibibyte gibibytes"],
  ["storage", "1099511627776", "tib tebibyte tebibytes"],
  ["bit-rate", "1000", "kbps kbit/s"],
  ["bit-rate", "1000000", "mbps mbit/s"],
  ["bit-rate", "1000000000", "gbps gbit/s"],
  ["byte-rate", "1000", "kb/s"],
  ["byte-rate", "1000000", "mb/s"],
  ["byte-rate", "1000000000", "gb/s"],
  ["frequency", "1", "hz hertz"],
  ["frequency", "1000", "khz kilohertz"],
  ["frequency", "1000000", "mhz megahertz"],
  ["frequency", "1000000000", "ghz gigahertz"],
  ["rotation", "1", "rpm"],
  ["frame-rate", "1", "fps"],
  ["time", "1", "s sec secs second seconds"],
  ["time", "0.001", "ms millisecond milliseconds"],
  ["time", "60", "min mins minute minutes"],
  ["time", "3600", "h hr hrs hour hours"],
  ["time", "86400", "day days"],
  ["time", "604800", "week weeks"],
  ["months", "1", "month months"],
  ["months", "12", "year years"],
  ["celsius", "1", "°c"],
  ["fahrenheit", "1", "°f"],
  ["kelvin", "1", "kelvin"],
  ["pressure", "1", "pascal pascals"],
  ["pressure", "100", "mbar millibar millibars hpa"],
  ["pressure", "1000", "kpa kilopascal kilopascals"],
  ["pressure", "100000", "bar bars"],
  ["pressure", "1000000", "mpa megapascal megapascals"],
  ["pressure", "4.4482216152605/0.00064516", "psi"],
  ["speed", "1", "m/s"],
  ["speed", "1/3.6", "kmh kph km/h"],
  ["speed", "0.44704", "mph"],
  ["light", "1", "lm lumen lumens"],
  ["illuminance", "1", "lux"],
  ["sound", "1", "db dba decibel decibels"],
  ["megapixels", "1", "mp megapixel megapixels"],
  ["pixel-density", "1", "dpi ppi"],
  ["percent", "1", "% percent"],
  ["pieces", "1", "pc pcs pce pces piece pieces count"],
  ["pieces", "12", "dozen dozens"],
  ["packs", "1", "pk packs pack"],
  ["karats", "1", "karat karats carat carats"],
  ["grammage", "1", "gsm g/m2"],
];

/** What things have a number of, each line with all its names: a number of these tells one product from another. */
const COUNTED = `
  seat seats seater seaters
  person persons people man men
  player players
  drawer drawers
  door doors
  shelf shelves
  tier tiers
  step steps
  panel panels
  pocket pockets
  slice slices
  burner burners
  wheel wheels
  speed speeds
  string strings
  key keys
  blade blades
  hole holes
  ring rings
  pair pairs
  ply
  layer layers
  way ways
  zone zones
  gang gangs
  stage stages
  channel channels
  port ports
  core cores
  bay bays
  outlet outlets socket sockets
  sheet sheets
  page pages
  room rooms`;
export const COUNTED_NAMES: readonly (readonly string[])[] = COUNTED.trim()
  .split("\n")
  .map((line) => line.trim().split(" "));

/** The dimension of each counted thing begins so. */
export const COUNTED_MARK = "n-";
/** Names of units of less than four letters that are words of their own, not abbreviations. */
export const SHORT_NAMES: ReadonlySet<string> = new Set(["bay", "cup", "day", "key", "man", "men", "ply", "way"]);
/** What packs are called before "of" and their number of pieces, in the singular. */
export const CONTAINERS: readonly string[] = wordsOf("pack packet package set box bag case bundle carton tub jar");

/** All units by their English spellings. */
export const UNITS: ReadonlyMap<string, Unit> = new Map(
  [...TABLE, ...COUNTED_NAMES.map((names) => [COUNTED_MARK + names[0]!, "1", names.join(" ")] as const)].flatMap(
    ([dimension, factor, spellings]) => {
      const unit: Unit = { dimension, factor: rational(factor) };
      return spellings.split(" ").map((spelling) => [spelling.replace("_", " "), unit] as const);
    },
  ),
);

/** Small numbers in English words, from one on. */
export const SMALL_NUMBERS: readonly string[] = wordsOf(
  "one two three four five six seven eight nine ten eleven twelve",
);

/** The units and small numbers that the texts of a language name, and what packs are called there. */
export class UnitTable {
  /** From one on, each in all its forms; the first is the usual one. */
  readonly numbers: readonly (readonly string[])[];
  /** All units by their spellings. */
  readonly named: ReadonlyMap<string, Unit>;
  /** The first words of units of two words. */
  readonly firstWords: ReadonlySet<string>;
  /** What stands before the number of a pack, "pack of", as a pattern; and the same at the end of a text, with its blank. */
  readonly packPhrases: string;
  readonly packOf: RegExp;
  /** A pack behind its number, the first group: "2er Pack". Sticky; undefined: there is no such form. */
  readonly packBehind: RegExp | undefined;
  readonly kept: Kept = new Kept();
  /** Ends what may be before the number of a pack, as a fast test: " of ". */
  readonly packWords: readonly string[];

  constructor(rules?: MeasureRules) {
    const numbers = rules === undefined ? SMALL_NUMBERS : wordsOf(rules.numbers);
    this.numbers = numbers.map((forms) => forms.split("/"));
    const own = rules?.units.trim().split("\n") ?? [];
    this.named = new Map([
      ...UNITS,
      ...own.flatMap((line) => {
        const [name, ...others] = line.trim().split(" ");
        const unit = UNITS.get(name!.replace("_", " "))!;
        return others.map((other) => [other.replace("_", " "), unit] as const);
      }),
    ]);
    const spellings = [...this.named.keys()];
    this.firstWords = new Set(
      spellings.filter((spelling) => spelling.includes(" ")).map((spelling) => spelling.split(" ")[0]!),
    );
    const phrases = rules?.packsOf?.split(",").map((phrase) => phrase.trim());
    this.packPhrases = `(?:${phrases?.join("|") ?? `(?:${CONTAINERS.join("|")})(?:e?s)? of`})`;
    this.packOf = new RegExp(`(?<![\\p{L}\\p{N}_&'./-])${this.packPhrases} $`, "u");
    this.packWords = [...new Set(phrases?.map((phrase) => ` ${phrase.split(" ").at(-1)} `) ?? [" of "])];
    this.packBehind = rules?.packsBehind;
  }
}

/** Units that can also be model names, sizes or words: they must directly follow their number ("10a", "500m2"). */
export const ATTACHED_ONLY: ReadonlySet<string> = new Set(["a", "b", "s", "h", "m2", "m3"]);

/** Dimensions whose numbers may be fractions ("1/2 inch", "3/4 l"); in others, "12/24 v" and "4/64 gb" are pairs. */
export const IN_FRACTIONS: ReadonlySet<string> = new Set(["length", "mass", "volume", "cups", "horsepower"]);

/** The units of English texts, and of texts in no known language. */
export const ENGLISH_UNITS: UnitTable = new UnitTable();
