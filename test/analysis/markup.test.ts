import { describe, expect, it } from "vitest";
import { plainText, plainTextWithOrigin } from "../../src/analysis/markup.js";
import { property } from "../support/random.js";

/** What a text reads as, with single blanks. */
const read = (text: string): string => plainText(text).replaceAll(/\s+/g, " ").trim();

function expectReadings(readings: Readonly<Record<string, string>>): void {
  for (const [text, wanted] of Object.entries(readings)) expect(read(text), text).toBe(wanted);
}

describe("tags", () => {
  it("are no text, nor are their attributes", () => {
    expectReadings({
      "<p><strong>Bright</strong> and small</p>": "Bright and small",
      '<a rel="nofollow" href=x.html>more</a>': "more",
      "<P CLASS='banner'\n>New</P >": "New",
      '<img src="a.png" alt="5 > 4 and 3 < 4" />lamp': "lamp",
      '<p title="<b>bold</b>">New': "New",
      "<o:p>Word</o:p><x-card>web</x-card>": "Word web",
      "<!DOCTYPE html><?xml version='1.0'?>lamp": "lamp",
      "<![CDATA[lamp]]>": "lamp]]>",
      '<p style="color:red>lamp</p>': "lamp",
    });
  });

  it("end a word, but not within a word", () => {
    expectReadings({
      "<ul><li>red</li><li>lamp</li></ul>": "red lamp",
      "soft<br>cotton<br/>blue": "soft cotton blue",
      "<td>5</td><td>W</td>": "5 W",
      "<h2>Lamp</h2>bright": "Lamp bright",
      "un<b>believ</b>able <span class=x>S</span>uper": "unbelievable Super",
      "H<sub>2</sub>O m<sup>2</sup> 2<sup>nd</sup> Core<sup>TM</sup>": "H2O m2 2nd Core TM",
      "sun<wbr>flower<!-- note -->s": "sunflowers",
    });
  });

  it("take scripts, styles and comments with them", () => {
    expectReadings({
      "<script>var tracker = 1;</script>New": "New",
      "<SCRIPT type='a'>if (a < b) c('</p>')</Script >New<style>p { margin: 0 }</style>": "New",
      "a <!-- not <b>this</b> --> b": "a b",
    });
  });

  it.each([
    ...["works at <5 \u00b0C and is bright", "a < b", "a<b", "a<b and c", "<", "<>", "</ b>", "x <b, y> z"],
    ...["a <b and a < c then x > y", "I <3 lamps", "List<String> of <Model>", "Jo <jo@example.com> <https://a.b/c>"],
    ...["<!-- never closed", "<p never closed"],
  ])("are not begun by a lone <: %s", (text) => expect(plainText(text)).toBe(text));

  it("are found beside a lone <", () => {
    expectReadings({ "<p>5 < 10</p>": "5 < 10", "<script>never closed": "never closed", "<a <p>lamp": "<a lamp" });
  });
});

describe("entities", () => {
  it("are their characters, by name, by number and as browsers repair them", () => {
    expectReadings({
      "L&#39;Or&eacute;al": "L'Or\u00e9al",
      "Salt &amp; pepper": "Salt & pepper",
      "&Eacute;t&EACUTE; &#233;&#xE9;&#Xe9;": "\u00c9t\u00e9 \u00e9\u00e9\u00e9",
      "10&nbsp;cm": "10 cm",
      "Core&trade; &euro;5 &frac12; &frac14;": "Core\u2122 \u20ac5 \u00bd \u00bc",
      "&Omega;&omega;&sigmaf;&Yuml;&yuml;&hearts;": "\u03a9\u03c9\u03c2\u0178\u00ff\u2665",
      "Caf&amp;eacute; &amp;amp; &amp;nbsp; bar": "Caf\u00e9 & bar",
      "5&#34; &#8243; &#128512; &#146;": '5" \u2033 \u{1f600} \u2019',
      "Salt &amp pepper&nbsp now": "Salt & pepper now",
      "&#0;&#xD800;&#1114112;": "\ufffd\ufffd\ufffd",
      "&lt;b&gt; is bold": "<b> is bold",
      "&Ccaron;&lstrok;&odblac;&scaron;": "\u010c\u0142\u0151\u0161",
    });
  });

  it.each([
    ..."AT&T|R&D; x|&|&;|&#;|&#x;|&unheard;|a&copy=1&amp=2|&constructor;|&&".split("|"),
  ])("stay as they stand where they are none: %s", (text) => expect(plainText(text)).toBe(text));

  it("are read once", () => {
    expect(plainText("M&amp;Ms; and &amp;unheard;")).toBe("M&Ms; and &unheard;");
  });
});

const PARTS: readonly (readonly [text: string, reading: string])[] = [
  ["lamp", "lamp"],
  [" ", " "],
  ["<b>", ""],
  ["</b>", ""],
  ["<br>", " "],
  ['<a href="x>y">', " "],
  ["&eacute;", "\u00e9"],
  ["&amp;", "&"],
  ["&#128512;", "\u{1f600}"],
  ["< ", "< "],
  ["<5", "<5"],
  ["&x ", "&x "],
  ["<!-- <p> -->", ""],
  ["<script>lamp</script>", " "],
];

property("reads part by part, and knows where each character comes from", 300, (random) => {
  const parts = random.list(0, 12, () => random.pick(PARTS));
  const text = parts.map(([part]) => part).join("");
  const { plain, originsOf } = plainTextWithOrigin(text);
  let at = 0;
  let wanted = "";
  for (const [i, [part, reading]] of parts.entries()) {
    const isTag = /^<[^5 ]/.test(part);
    const next = parts[i + 1]?.[0] ?? " ";
    const isLost = isTag && (wanted === "" || wanted.endsWith(" ") || next === " ");
    for (let unit = 0; unit < (isLost ? 0 : reading.length); unit++) {
      const own = part === reading ? { start: at + unit, end: at + unit + 1 } : { start: at, end: at + part.length };
      expect(originsOf(wanted.length, wanted.length + 1)).toEqual(isTag ? [] : [own]);
      wanted += reading[unit]!;
    }
    at += part.length;
  }
  expect(plain).toBe(wanted);
  expect(plainText(text)).toBe(plain);
  const end = random.between(0, plain.length);
  for (const origin of end > 0 ? originsOf(0, end) : [])
    expect(text.slice(origin.start, origin.end)).not.toMatch(/<[ab!/s]/);
});
