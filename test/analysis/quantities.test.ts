import { describe, expect, it } from "vitest";
import { normalizeText } from "../../src/analysis/normalize-text.js";
import { quantitiesIn } from "../../src/analysis/quantities.js";
import { nineDigits, rational } from "../../src/analysis/quantity/rational.js";
import { scanTokens } from "../../src/analysis/scan-tokens.js";
import { ENGLISH_UNITS, UNITS } from "../../src/analysis/units.js";
import { property } from "../support/random.js";

const termsOf = (text: string) => quantitiesIn(normalizeText(text)).map(({ term }) => term);
const shownOf = (text: string) => {
  const normal = normalizeText(text);
  return quantitiesIn(normal).map(({ start, end }) => normal.slice(start, end));
};

/** term <- spellings, separated by bars */
const SPELLINGS: readonly (readonly [term: string, spellings: string])[] = [
  [
    "#volume:1.5",
    "1.5 l|1.5l|1.5 L|1,5 l|1,5l|1.5-l|1500 ml|1500ml|1,500 ml|150 cl|150cl|15 dl|1.5 litres|1.5 liter|1 1/2 l|1½ l|１．５ ｌ",
  ],
  [
    "#volume:3.78541178",
    "1 gal|1 gallon|1-gallon|4 quarts|8 pints|128 fl oz|128 fl. oz|128 fl.oz|128 floz|128 fluid ounces",
  ],
  ["#volume:0.25", "0,250 l|0.25 l|1/4 l|¼ l|250 ml|250 cc|250 cm³"],
  ["#voltage:18", "18 v|18v|18V|18 volt|18-volt|18 volts|18-v|18,0 v|18 VDC|18 V DC|0.018 kV"],
  [
    "#length:1.397",
    "55 inch|55-inch|55inch|55 inches|55\"|55”|55″|55''|55in|55-in|55 in|55 in.|139.7 cm|1397mm|4' 7\"|4'7\"|4 ft 7 in|4ft7in",
  ],
  ["#length:0.009525", '3/8 in|3/8"|3/8-inch|3/8 in drive|3⁄8 inch|0.375 inch|.375 inch'],
  ["#length:0.0381", '1 1/2 inch|1-1/2 in.|1½"|1 ½ inch|1.5"|38.1 mm'],
  ["#length:0.3048", "1 ft|1'|1 foot|12 in|30.48 cm"],
  ["#storage:500000000000", "500 gb|500gb|500-GB|0.5 tb|0.5TB"],
  ["#storage:1073741820", "1 GiB|1024 MiB"],
  ["#storage:1000000000", "1 GB|1000 MB"],
  ["#size:2x4", "2 x 4|2x4|2×4|2 × 4|2 X 4"],
  ["#size:2x4x8", "2 x 4 x 8|2x4x8"],
  [
    "#size:0.2x0.3m",
    "20 x 30 cm|20x30cm|20x30 cm|200 x 300 mm|20 cm x 30 cm|20cm x 30cm|20cmx30cm|200mm x 30cm|20×30 cm|0.2 x 0.3 m",
  ],
  ["#size:1.6002x2.286m", '5\'3" x 7\'6"|5\' 3" x 7\' 6"|63" x 90"|63x90 in'],
  ["#size:0.0127x0.01905m", '1/2 x 3/4 inch|1/2" x 3/4"'],
  ["#size:1.8288x2.4384m", "6' x 8'|6'x8'|6 x 8 ft|6 ft x 8 ft"],
  ["#thread:m8x1.25", "M8x1.25|m8 x 1.25|M8×1.25|M8-1.25|M8 x 1,25"],
  ["#thread:m8x30", "M8x30|M8 x 30 mm|m8x30mm"],
  ["#thread:m8x1.25x30", "M8x1.25x30|M8 x 1.25 x 30 mm"],
  ["#mass:0.5", "500 g|500g|0.5 kg|1/2 kg|500000 mg|0,5 kilo"],
  ["#mass:0.45359237", "1 lb|16 oz|1 pound|16 ounces|453.59237 g"],
  ["#power:1200", "1200 w|1200W|1.2 kW|1,200 watt|1200-watt"],
  ["#horsepower:0.5", "1/2 hp|0.5 hp|½ HP"],
  ["#current:10", "10a|10A|10 amp|10-amp|10000 mA"],
  ["#charge:4", "4 ah|4.0Ah|4000 mAh|4,000 mah|4 amp hours"],
  ["#energy:266400", "74 wh|74Wh|74 watt-hours|0.074 kWh"],
  ["#frequency:2400000000", "2.4 GHz|2.4ghz|2400 MHz"],
  ["#time:2700", "45 min|45 minutes|45-minute|0.75 hours|2700 sec|2700s"],
  ["#months:24", "2 years|24 months|2-year"],
  ["#bit-rate:1000000000", "1 Gbps|1000 Mbit/s|1000 mbps"],
  ["#byte-rate:550000000", "550 MB/s"],
  ["#megapixels:12", "12 mp|12MP|12 megapixels|12-megapixel"],
  ["#percent:100", "100%|100 %|100 percent"],
  ["#celsius:-20", "-20°C|-20 °C|−20 ℃"],
  ["#celsius:200", "200°C|200 ° C"],
  ["#area:120", "120 square metres|120 sq m|120sqm|120m²"],
  ["#area:0.0000025", "2.5 mm²|2.5mm2|2.5 sq mm"],
  ["#resistance:8", "8 ohm|8Ω|8 Ω|8-ohm"],
  ["#light:806", "806 lm|806 lumens|806lm"],
  ["#rotation:3000", "3000 rpm|3,000rpm"],
  ["#sound:38", "38 dB|38db|38 decibel"],
  ["#pressure:1100000", "11 bar|1100 kPa|1.1 MPa"],
  ["#volume:0.33", "6 x 330 ml|6x330ml|6 x 33 cl|330ml"],
  ["#pieces:12", "12 pcs|12 pieces|12-piece"],
  ["#cups:0.333333333", "1/3 cup|⅓ cup"],
];

const NO_QUANTITY =
  "2024|1999 edition|in 2024 we|wh-1000xm4|WH-1000XM4|d-100|d-100 g|qc-45|7-in-1|7 in 1|2-in-1 laptop|3 in one|ps4|mp3|lap-14-16|" +
  "10 a|10 b|5 s|2 h|10-a|5 m²|macbook air 13 m2|m8|m4-16|12/24 v|12/24v|4/64gb|1.2.3 v|16:9|1,2,3 v|" +
  "$20 g|20 q|5 stars|5 in stock|55 in tv|80's|men's 6's|18v-li-ion|18 v-neck|10 w/m|5 g/l|10 a/c|360 xbox|4k|1080p|5 l'oreal|3 m&ms|" +
  "v 18|l 1.5|m|x|2 x|12v5|4gb64|5cm25|6lb3oz|x 4|10x zoom|2x4k|iphone 15 pro|the \"galaxy 10\" tablet|the “galaxy 10” tablet|'pro 10' set|6'2|a18v|" +
  "1234567890123 g|05/06/2024 g|192.168.1.1 m|20 °|45°|6 / 8|size 10|no 5|1/2|1/2 gb|3/2 inch|5/7 inch|1:2 l";

describe("quantitiesIn", () => {
  for (const [term, spellings] of SPELLINGS)
    for (const spelling of spellings.split("|"))
      it(`reads ${spelling} as ${term}`, () => {
        expect(termsOf(spelling)).toEqual([term]);
        expect(termsOf(`new ${spelling}, blue`)).toEqual([term]);
      });

  for (const text of NO_QUANTITY.split("|"))
    it(`reads no quantity in ${text}`, () => expect(termsOf(text)).toEqual([]));

  it.each([
    ["100-240v", "voltage", 100, 240],
    ["5-10 kg", "mass", 5, 10],
    ["desk, 140-200 cm", "length", 1.4, 2],
    ["rod, 120 - 210 cm,", "length", 1.2, 2.1],
    ["1.5 to 3 m", "length", 1.5, 3],
    ["2-4 persons", "n-person", 2, 4],
  ])("reads both ends of the range in %s, in one place", (text, dimension, low, high) => {
    expect(termsOf(text)).toEqual([`#${dimension}:${low}`, `#${dimension}:${high}`]);
    const [first, second] = quantitiesIn(text);
    expect([first!.start, first!.end]).toEqual([second!.start, second!.end]);
  });

  const NO_RANGES = ["10-5 kg", "2024-2025", "1-2-3 cm", "5 - kg", "3 to a kg", "12/24 v", "18v-li-ion"];
  it.each(NO_RANGES)("reads no range in %s", (text) => expect(termsOf(text).length).toBeLessThan(2));

  it.each([
    ["Kettle 1500 ml, 2,200 W (glass)", "1500 ml|2,200 w"],
    ['TV 55" 100 Hz', '55"|100 hz'],
    ["drill 18v/2.0ah", "18v|2.0ah"],
    ["bottle 1 l/glass", "1 l"],
    ["cola 6 x 330 ml", "330 ml"],
    ["cola 6x330ml", "6x330ml"],
    ["0.5 l and .5 l and vol.5 l", "0.5 l|.5 l|5 l"],
    ["6 x 330 ml cans", "330 ml"],
    ["2 x 10 home, 2 x 1,5 l, 2 x 4/5", "2 x 10|1,5 l|2 x 4/5"],
    ["6 ft 2 inch tall, 6 ft 2 tall, 12 kg 5 pcs", "6 ft 2 inch|6 ft|12 kg|5 pcs"],
    ["2 fl oz, 2 fl. oz, 2 sq m, 2 sq mile", "2 fl oz|2 fl. oz|2 sq m"],
  ])("covers number and unit, and nothing beside them: %s", (text, shown) => {
    expect(shownOf(text).join("|")).toBe(shown);
  });

  it.each([
    ["cd 700mb 52x speed", "#storage:700000000"],
    ["3.5in sata drive, 2.5in in stock", "#length:0.0889 #length:0.0635"],
    ["120v outlets, 230v dc, 230 v ac.", "#voltage:120 #voltage:230 #voltage:230"],
    ["cat.6a patch", "#current:6"],
    ["1920 x 1080 pixels, 1366x768 (hd)", "#size:1920x1080 #size:1366x768"],
    ["20 x 30 x 40 cm box, 20x30, 10 x 15.5.", "#size:0.2x0.3x0.4m #size:20x30 #size:10x15.5"],
    // What has a unit counts where the other side of a cross has none of its kind.
    ["20 cm x 30", "#length:0.2"],
    ["5 l x 3 kg", "#volume:5 #mass:3"],
    ["2 x 4 q", "#size:2x4"],
    // Before a script without blanks.
    ["18V电池", "#voltage:18"],
  ])("reads what stands among other words, whichever these are: %s", (text, terms) => {
    expect(termsOf(text).join(" ")).toBe(terms);
  });

  it("keeps units of equal look and other meaning apart", () => {
    expect(termsOf("450 nm")).toEqual(["#nm:450"]);
    expect(termsOf("12 oz")).not.toEqual(termsOf("12 fl oz"));
    expect(termsOf("1 GB")).not.toEqual(termsOf("1 GiB"));
    expect(termsOf("2 x 4")).not.toEqual(termsOf("2 x 4 m"));
  });

  it("does not drift", () => {
    for (let ml = 1; ml <= 3000; ml++) expect(termsOf(`${ml} ml`)).toEqual(termsOf(`${(ml / 1000).toFixed(3)} l`));
    expect(termsOf("0.3 m")).toEqual(["#length:0.3"]);
    expect(termsOf("300 mm")).toEqual(["#length:0.3"]);
  });

  property("ranges ascend, stay inside the text and end with tokens", 300, (random) => {
    const bits = [..."1|20|1.5|1/2| | | x |x|-|v|mm|in|\"|'|m8|fl oz".split("|"), ...",.東é"];
    const normal = normalizeText(random.list(0, 30, () => random.pick(bits)).join(""));
    const cut = new Set<number>();
    scanTokens(normal, (_kind, start, end) => {
      for (let at = start + 1; at < end; at++) cut.add(at);
    });
    let before = 0;
    for (const { start, end, term } of quantitiesIn(normal)) {
      expect(start >= before && end > start && end <= normal.length).toBe(true);
      expect(cut.has(start) || cut.has(end)).toBe(false);
      expect(term[0]).toBe("#");
      before = end;
    }
  });
});

it.each([
  ...["0 0", "0.1 0.1", "1/3 0.333333333", "2/3 0.666666667", "12345678.95 12345679", "999999999.5 1000000000"],
  ...["1/1024 0.0009765625", "1000000000000 1000000000000"],
])("a rational number is written with nine digits, halves rounded up: %s", (row) => {
  const [number, written] = row.split(" ");
  expect(nineDigits(rational(number!))).toBe(written);
});

describe("the table of units", () => {
  it("is in normalised spelling", () => {
    for (const spelling of UNITS.keys()) expect(normalizeText(spelling)).toBe(spelling);
  });
  it("knows the first words of its pairs", () => expect(ENGLISH_UNITS.firstWords).toContain("fl"));
});

describe("a measure is read as it stands, whether its spelling was met before or not", () => {
  for (const [text, terms] of [
    ['a 14" screen', ["#length:0.3556"]],
    ['"tab 14" sleeve', []],
    ['"tab" 14" sleeve, "tab 14" again', ["#length:0.3556"]],
    ["10 cm wide", ["#length:0.1"]],
    ["10 cm x 20", ["#length:0.1"]],
    ["10 cm x 20 cm", ["#size:0.1x0.2m"]],
    ["10 cm-wide", []],
    ["1,10 cm", ["#length:0.011"]],
    ["1,2,10 cm", []],
    ["vol.10 cm", ["#length:0.1"]],
    ["12 v.", ["#voltage:12"]],
    ["12 v dc", ["#voltage:12"]],
    ["5 ft.", ["#length:1.524"]],
    ["5 ft 6 in", ["#length:1.6764"]],
    ["8 fl oz", ["#volume:0.236588237"]],
    ["8 fl", []],
    ["50% off, 50 %", ["#percent:50", "#percent:50"]],
    ["10 kb/s", ["#byte-rate:10000"]],
    ["10 kb / 5 sec", ["#storage:10000", "#time:5"]],
    ["1/2 in, 2 in of it, 2 in.", ["#length:0.0127", "#length:0.0508"]],
  ] as const)
    it(text, () => {
      const first = termsOf(text);
      expect(termsOf(text)).toEqual(first);
      expect(first).toEqual(terms);
    });
});
